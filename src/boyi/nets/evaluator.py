"""`NetEvaluator`: a net on ONNX Runtime as search asks for it. Playing needs no PyTorch.

    evaluator = NetEvaluator(game, "models/othello-8")
    logits, wdl = evaluator(states, planes)

It follows `boyi.search.evaluators`: states [B, state_size] and planes [B, C, H, W] of its `observer` to logits
[B, num_actions] and wdl [B, 3], probabilities, from the mover's view; where chance decides, player 0's.

A batch goes to ONNX Runtime as it is, without padding: batches of ever different sizes were measured to be as fast for
each position as batches of one size.
"""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boyi.games.dice import rolled_by_second
from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.generics import chance, has_rule
from boyi.models.cards import BadModel
from boyi.nets.config import SIZE_INDEPENDENT
from boyi.nets.files import read_onnx

if TYPE_CHECKING:
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]

    from boyi.nets.architectures import Net

Floats = NDArray[np.float32]
Model = str | PathLike[str] | bytes


class NetEvaluator:
    """A net as an evaluator: from the path of a model without its suffix, or from the bytes of an exported net.

    With `symmetry` every position is shown to the net under a random symmetry of the game, and the policy turned back:
    evaluations differ from call to call, and their errors cancel out over a search. `softness` divides the logits:
    above 1 a search looks at more moves.
    """

    def __init__(
        self,
        game: Game,
        model: Model,
        *,
        threads: int = 1,
        symmetry: bool = False,
        softness: float = 1.0,
        seed: int = 0,
    ) -> None:
        if threads < 1:
            raise GameError(f"threads={threads!r} is not possible; it must be 1 or more")
        if not 0 < softness < float("inf"):
            raise GameError(f"softness={softness!r} is not possible; it must be above 0, 1 for the net as it is")
        self.game = game
        data = model if isinstance(model, bytes) else read_onnx(model, game)
        self.session = open_session(data, threads, "the given bytes" if isinstance(model, bytes) else str(model))
        meta = self.session.get_modelmeta().custom_metadata_map
        self.observer: str | None = meta.get("observer")
        self.kind = meta.get("kind", "")
        self._check(meta, model)
        self.symmetry, self.softness = symmetry, np.float32(softness)
        self.random = np.random.default_rng(seed)
        self._rolls = has_rule(chance, type(game.rules))
        self._shown, self._actions = symmetry_tables(game, str(self.observer))

    @classmethod
    def from_module(
        cls, game: Game, net: Net, *, threads: int = 1, symmetry: bool = False, seed: int = 0
    ) -> NetEvaluator:
        """The evaluator of a PyTorch net, exported in memory."""
        from boyi.nets.export import onnx_bytes

        return cls(game, onnx_bytes(game, net), threads=threads, symmetry=symmetry, seed=seed)

    def _check(self, meta: dict[str, str], model: Model) -> None:
        """`BadModel` where the graph is not one for this game; an input that is free in size fits every board."""
        name = "the given bytes" if isinstance(model, bytes) else f"{str(model)!r}"
        game = self.game
        if meta.get("game") != game.name or self.observer not in game.observers:
            about = f"{meta.get('game') or 'no game'!r} seen through {self.observer!r}"
            raise BadModel(f"{name}: a net for {about}, not for {game!r}; export or choose one for it")
        inputs, outputs = self.session.get_inputs(), self.session.get_outputs()
        if [x.name for x in inputs] != ["planes"] or [x.name for x in outputs] != ["policy", "wdl"]:
            raise BadModel(f"{name}: a graph with other inputs and outputs than boyi's; export the net again")
        wanted = (game.observers[str(self.observer)], *game.shape)
        for has, need in zip(inputs[0].shape[1:], wanted, strict=True):
            if isinstance(has, int) and has != need:
                raise BadModel(
                    f"{name}: a net for planes {inputs[0].shape[1:]}, not {list(wanted)} as in {game!r}; only nets of "
                    f"kind {', '.join(SIZE_INDEPENDENT)} play on other board sizes"
                )

    def __call__(self, states: NDArray[Any], planes: Floats | None) -> tuple[Floats, Floats]:
        assert planes is not None
        if not self.symmetry:
            logits, wdl = self.session.run(None, {"planes": planes})
        else:
            logits, wdl = self._under(planes, self.random.integers(len(self._shown), size=len(planes)))
        if self.softness != 1.0:
            logits /= self.softness
        return logits, self._for_search(states, wdl)

    def averaged(self, states: NDArray[Any], planes: Floats) -> tuple[Floats, Floats]:
        """The mean over all symmetries of the game of the logits and of the probabilities."""
        every = [self._under(planes, np.full(len(planes), which)) for which in range(len(self._shown))]
        logits, wdl = (np.stack([one[part] for one in every]).mean(0) for part in (0, 1))
        return logits, self._for_search(states, wdl)

    def _for_search(self, states: NDArray[Any], wdl: Floats) -> Floats:
        """Turn round what the net thinks of player 1's positions before the dice: search wants player 0's view."""
        if self._rolls:
            turned = rolled_by_second(self.game, states)
            wdl[turned] = wdl[turned, ::-1]
        return wdl

    def _under(self, planes: Floats, which: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Evaluate each row under the symmetry of its number, and turn the policy back."""
        flat = planes.reshape(len(planes), -1)
        shown = np.take_along_axis(flat, self._shown[which], 1).reshape(planes.shape)
        logits, wdl = self.session.run(None, {"planes": shown})
        return np.take_along_axis(logits, self._actions[which], 1), wdl


def open_session(data: bytes, threads: int, name: str) -> InferenceSession:
    """A graph ready to run on so many threads of one process; `BadModel` where it is none."""
    import onnxruntime  # here, because it takes a quarter of a second and most commands need no net

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its errors share no base class, and many are plain RuntimeError
        first = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise BadModel(f"{name!r}: ONNX Runtime cannot read this graph ({first}); export the net again") from None


def symmetry_tables(game: Game, observer: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For every symmetry that an observer can express: which entry of the planes each entry of the transformed planes
    is, [S, C * H * W], and which action each action becomes, [S, num_actions]."""
    squares = game.num_squares
    shown, actions = [], []
    for symmetry in game.symmetries:
        if observer in symmetry.planes:
            to_plane, to_square = symmetry.planes[observer]
            target = (to_plane[:, None].astype(np.int64) * squares + to_square[None, :]).ravel()
            source = np.empty_like(target)
            source[target] = np.arange(len(target))
            shown.append(source)
            actions.append(symmetry.actions.astype(np.int64))
    return np.stack(shown), np.stack(actions)
