"""The replay window: which rows are learnt from, and rows as batches of arrays. Start at `Replay`.

A row is turned or mirrored at random when it is read: planes and actions are moved by the tables of the game's
symmetries, for a whole batch at once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.games.game import Game
from boyi.search.selfplay import final_scores, legal_masks, longest_runs
from boyi.search.simulate import fill_planes
from boyi.train.config import ReplayConfig
from boyi.train.samples import Samples

Floats = NDArray[np.float32]
SLOPE = 0.4
"""How fast the window grows where it begins to: by so many rows for each row played."""


def window_size(config: ReplayConfig, total: int) -> int:
    """How many of the newest rows are learnt from after `total` rows were played.

    KataGo's window (Wu 2019): w * (1 + 0.4 * ((n / w) ** a - 1) / a) of n rows, once n is above w.
    """
    start, exponent = config.window, config.exponent
    if total <= start:
        return total
    grown = 1 + SLOPE * ((total / start) ** exponent - 1) / exponent if exponent > 0 else 1
    return min(int(start * grown), max(config.largest, start), total)


@dataclass(frozen=True)
class Batch:
    """B rows as the learner wants them, from the view of each row's mover."""

    planes: Floats
    """[B, C, H, W]"""
    policy: Floats
    """[B, num_actions]; all 0 where there is none."""
    legal: NDArray[np.bool_]
    """[B, num_actions]"""
    wdl: Floats
    """[B, 3] the target of the value: probabilities of winning, drawing and losing."""
    auxiliary: dict[str, Floats]
    """Targets of the auxiliary outputs that `boyi.nets.architectures` describes; not a number where there is none."""


class Symmetries:
    """The tables of a game's symmetries for one observer, as gathers over whole batches."""

    def __init__(self, game: Game, observer: str, *, all_of_them: bool = True) -> None:
        used = [symmetry for symmetry in game.symmetries if observer in symmetry.planes]
        used = used if all_of_them else used[:1]
        by_name = {symmetry.name: symmetry for symmetry in game.symmetries}
        squares = game.num_squares
        tables = []
        for symmetry in used:
            to_plane, to_square = (np.asarray(table, np.int64) for table in symmetry.planes[observer])
            moved = to_plane[:, None] * squares + to_square[None, :]
            after = by_name[symmetry.next or symmetry.name]
            tables.append(tuple(map(_inverse, (moved.ravel(), to_square, symmetry.actions, after.actions))))
        self.planes, self.squares, self.actions, self.replies = (
            np.stack(column) for column in zip(*tables, strict=True)
        )

    def __len__(self) -> int:
        return len(self.planes)


def _inverse(table: NDArray[Any]) -> NDArray[np.int64]:
    """From where each entry comes, of a table that says where it goes."""
    inverse = np.empty(len(table), np.int64)
    inverse[table] = np.arange(len(table))
    return inverse


def _moved(rows: NDArray[Any], tables: NDArray[np.int64], which: NDArray[np.int64]) -> NDArray[Any]:
    """Each row [B, ...] with its entries gathered by the table of its number."""
    return np.take_along_axis(rows.reshape(len(rows), -1), tables[which], 1).reshape(rows.shape)


class Part:
    """The samples of one file, with what the auxiliary targets need of them."""

    def __init__(self, game: Game, samples: Samples, auxiliary: Sequence[str] = ()) -> None:
        self.samples = samples
        self.scores = np.zeros(samples.num_games, np.float32)
        self.maps: dict[str, Floats] = {}
        self.replies = _replies(samples) if "reply" in auxiliary else np.zeros(0, np.int64)
        if "score" in auxiliary:
            final_scores(game.rules, samples.finals.astype(game.state_dtype), self.scores)
        if "ownership" in auxiliary or "line" in auxiliary:
            first, second = (_stones(game, samples.finals, letter) for letter in "XO")
            self.maps["ownership"] = first.astype(np.float32) - second
            lines = np.zeros(first.shape, np.uint8)
            for row in np.flatnonzero(samples.outcomes):
                longest_runs(first[row] if samples.outcomes[row] > 0 else second[row], lines[row])
            self.maps["line"] = lines.astype(np.float32)


def _stones(game: Game, states: NDArray[Any], letter: str) -> NDArray[np.bool_]:
    """[M, H, W] where a player's stones stand."""
    boards = [[[cell == letter for cell in row] for row in game.cells(state)] for state in states]
    return np.array(boards, np.bool_).reshape(len(states), *game.shape)


def _replies(samples: Samples) -> NDArray[np.int64]:
    """[N] the row of the other side's next searched move in the same game, or -1."""
    found = np.full(samples.num_rows, -1, np.int64)
    newest, searched = {0: -1, 1: -1}, samples.searched
    movers, games = samples.movers.tolist(), samples.games.tolist()
    for row in range(samples.num_rows - 1, -1, -1):
        if row + 1 < samples.num_rows and games[row + 1] != games[row]:
            newest = {0: -1, 1: -1}
        found[row] = newest[1 - movers[row]]
        if searched[row]:
            newest[movers[row]] = row
    return found


class Replay:
    """Rows of several files as one long list, the newest at the end."""

    def __init__(
        self,
        game: Game,
        observer: str,
        parts: Sequence[Part],
        *,
        rows: int | None = None,
        symmetries: bool = True,
        search_share: float = 0.0,
        auxiliary: Sequence[str] = (),
    ) -> None:
        self.game, self.observer, self.parts = game, observer, list(parts)
        self.view = list(game.observers).index(observer)
        self.symmetries = Symmetries(game, observer, all_of_them=symmetries)
        self.search_share, self.auxiliary = np.float32(search_share), tuple(auxiliary)
        self.ends = np.cumsum([part.samples.num_rows for part in self.parts])
        self.total = int(self.ends[-1]) if len(self.ends) else 0
        self.first = 0 if rows is None else max(0, self.total - rows)

    def __len__(self) -> int:
        return self.total - self.first

    def batches(self, size: int, steps: int, random: np.random.Generator) -> Iterator[Batch]:
        """So many batches of random rows of the window, no row twice before all were used."""
        order = np.zeros(0, np.int64)
        for _ in range(steps):
            while len(order) < size:
                order = np.concatenate([order, random.permutation(len(self)) + self.first])
            rows, order = np.sort(order[:size]), order[size:]
            yield self.batch(rows, random.integers(len(self.symmetries), size=size))

    def batch(self, rows: NDArray[np.int64], which: NDArray[np.int64]) -> Batch:
        """The rows with these ascending numbers, moved by the symmetries with those numbers."""
        part_of = np.searchsorted(self.ends, rows, side="right")
        pieces = []
        for part in np.unique(part_of):
            start = int(self.ends[part]) - self.parts[part].samples.num_rows
            pieces.append(self._read(self.parts[part], rows[part_of == part] - start))
        states, policies, values, extras = zip(*pieces, strict=True)
        board: NDArray[Any] = np.concatenate(states).astype(self.game.state_dtype)
        planes = np.zeros((len(board), self.game.observers[self.observer], *self.game.shape), np.float32)
        fill_planes(self.game.rules, board, self.view, planes, len(board))
        legal = np.zeros((len(board), self.game.num_actions), np.uint8)
        legal_masks(self.game.rules, board, legal)
        tables = self.symmetries
        auxiliary = {name: np.concatenate([extra[name] for extra in extras]) for name in self.auxiliary}
        for name in {"ownership", "line"} & set(auxiliary):
            auxiliary[name] = _moved(auxiliary[name], tables.squares, which)
        if "reply" in auxiliary:
            auxiliary["reply"] = _moved(auxiliary["reply"], tables.replies, which)
        return Batch(
            planes=_moved(planes, tables.planes, which),
            policy=_moved(np.concatenate(policies), tables.actions, which),
            legal=_moved(legal, tables.actions, which).astype(np.bool_),
            wdl=np.concatenate(values),
            auxiliary=auxiliary,
        )

    def _read(self, part: Part, rows: NDArray[np.int64]) -> tuple[NDArray[Any], Floats, Floats, dict[str, Floats]]:
        """States, policies, value targets and auxiliary targets of rows of one file."""
        samples = part.samples
        games, sign = samples.games[rows], np.where(samples.movers[rows] == 1, -1, 1).astype(np.float32)
        own = sign * samples.outcomes[games]
        result = np.stack([own > 0, own == 0, own < 0], 1).astype(np.float32)
        found = value_wdl(sign * samples.values[rows], samples.draws[rows])
        extra: dict[str, Floats] = {}
        for name in self.auxiliary:
            if name == "score":
                extra[name] = sign * part.scores[games] / np.float32(self.game.num_squares)
            elif name == "ownership":
                extra[name] = sign[:, None, None] * part.maps[name][games]
            elif name == "line":
                extra[name] = part.maps[name][games]
            elif name == "reply":
                later = part.replies[rows]
                extra[name] = np.where(later[:, None] >= 0, samples.policies[later], np.nan).astype(np.float32)
        share = np.where(samples.known[rows], 1, self.search_share).astype(np.float32)[:, None]
        wdl = (1 - share) * result + share * found
        return samples.states[rows], samples.policies[rows].astype(np.float32), wdl, extra


def value_wdl(values: Floats, draws: Floats) -> Floats:
    """[N, 3] probabilities of winning, drawing and losing from values and probabilities of a draw."""
    draws = np.clip(draws, 0, 1 - np.abs(values))
    return np.stack([(1 - draws + values) / 2, draws, (1 - draws - values) / 2], 1).astype(np.float32)
