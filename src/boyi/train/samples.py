"""What is learnt from: positions with their policies and values, and the ends of the games they come from.

A file of samples is a compressed npz with a checksum over its arrays. Rows of a game stand together in the order in
which they were played. Symmetries are not stored; `boyi.train.replay` applies them when it reads.
"""

import hashlib
import io
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.games.errors import GameError
from boyi.games.game import Game

LEAST_SHARE = 1e-3
"""Smaller entries of a policy are stored as 0: they compress to nothing and are below the noise of a search."""


class BadSamples(GameError):
    """A file that holds no samples, or not those that were written."""


@dataclass(frozen=True)
class Samples:
    """N rows of M games. Values and outcomes are player 0's."""

    states: NDArray[Any]
    """[N, state_size]"""
    policies: NDArray[np.float16]
    """[N, num_actions]; all 0 where the row has none."""
    values: NDArray[np.float32]
    """[N] of the search."""
    draws: NDArray[np.float32]
    """[N] the probability of a draw, of the search."""
    movers: NDArray[np.int8]
    """[N] the player from whose side a net sees the row."""
    games: NDArray[np.int32]
    """[N] which game a row belongs to, 0..M-1."""
    outcomes: NDArray[np.int8]
    """[M]"""
    finals: NDArray[Any]
    """[M, state_size] the last state of each game."""
    known: NDArray[np.bool_]
    """[N] whether the row's value is exact."""

    @property
    def num_rows(self) -> int:
        return len(self.states)

    @property
    def num_games(self) -> int:
        return len(self.outcomes)

    @property
    def searched(self) -> NDArray[np.bool_]:
        """[N] which rows have a policy."""
        return np.asarray(self.policies.any(axis=1))


def empty_samples(game: Game) -> Samples:
    """No rows of no games."""
    return Samples(
        np.zeros((0, game.state_size), game.state_dtype),
        np.zeros((0, game.num_actions), np.float16),
        np.zeros(0, np.float32),
        np.zeros(0, np.float32),
        np.zeros(0, np.int8),
        np.zeros(0, np.int32),
        np.zeros(0, np.int8),
        np.zeros((0, game.state_size), game.state_dtype),
        np.zeros(0, np.bool_),
    )


def join(game: Game, parts: Iterable[Samples]) -> Samples:
    """Several sets of samples as one, games numbered on."""
    parts = [empty_samples(game), *parts]
    offsets = np.cumsum([0, *(part.num_games for part in parts[:-1])])
    moved = [part.games + offset for part, offset in zip(parts, offsets, strict=True)]
    return Samples(
        states=np.concatenate([part.states for part in parts]),
        policies=np.concatenate([part.policies for part in parts]),
        values=np.concatenate([part.values for part in parts]),
        draws=np.concatenate([part.draws for part in parts]),
        movers=np.concatenate([part.movers for part in parts]),
        games=np.concatenate(moved).astype(np.int32),
        outcomes=np.concatenate([part.outcomes for part in parts]),
        finals=np.concatenate([part.finals for part in parts]),
        known=np.concatenate([part.known for part in parts]),
    )


def half(policies: NDArray[np.float32]) -> NDArray[np.float16]:
    """Policies as they are stored: small shares dropped, the rest a distribution again."""
    kept = np.where(policies < LEAST_SHARE, 0, policies)
    total = kept.sum(axis=1, keepdims=True)
    return (kept / np.where(total > 0, total, 1)).astype(np.float16)


def write_samples(samples: Samples) -> bytes:
    """The content of a file of samples. The same samples give the same bytes."""
    arrays = {field.name: getattr(samples, field.name) for field in fields(Samples)}
    arrays = {name: _smallest(array) for name, array in arrays.items()}
    arrays["checksum"] = np.frombuffer(_checksum(arrays), np.uint8)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, array in arrays.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, np.ascontiguousarray(array), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), content.getvalue(), zipfile.ZIP_DEFLATED, 1)
    return buffer.getvalue()


def read_samples(file: Path, game: Game) -> Samples:
    """The samples in a file; `BadSamples` names the file where it is damaged or of another game."""
    try:
        with np.load(io.BytesIO(file.read_bytes()), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        stored = arrays.pop("checksum").tobytes()
    except OSError:
        raise
    except Exception as error:
        raise BadSamples(f"{file} is damaged: {error}; delete it, and its games are played again") from None
    names = [field.name for field in fields(Samples)]
    if stored != _checksum(arrays) or sorted(arrays) != sorted(names):
        raise BadSamples(f"{file} is damaged: its checksum does not fit; delete it, and its games are played again")
    samples = Samples(**arrays)
    if samples.states.shape[1:] != (game.state_size,) or samples.policies.shape[1:] != (game.num_actions,):
        raise BadSamples(f"{file} holds samples of another game than {game!r}")
    return samples


def _smallest(array: NDArray[Any]) -> NDArray[Any]:
    """Signed integers in one byte where they fit."""
    if array.dtype.kind == "i" and array.size and array.min() >= -128 and array.max() <= 127:
        return array.astype(np.int8)
    return array


def _checksum(arrays: dict[str, NDArray[Any]]) -> bytes:
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape} ".encode())
        digest.update(array.tobytes())
    return digest.digest()
