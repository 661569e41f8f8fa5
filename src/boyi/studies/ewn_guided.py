"""Document 000's player, a narrow tree by a net over Monte Carlo, against plain Monte Carlo, which it lost to.

Then with what the document says should be mended, and with what it proposes instead: the net as prior of a tree search
with UCB. The nets are those of `boyi.studies.ewn_nets`. Start at `run_guided`.
"""

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.nets.evaluator import NetEvaluator
from boyi.players.net import NetPlayer
from boyi.players.player import Player
from boyi.players.registry import register
from boyi.players.thesis import ThesisPlayer
from boyi.search.evaluators import PlayoutEvaluator
from boyi.search.mcts import BatchSearch
from boyi.search.selection import Puct
from boyi.search.selfplay import legal_masks
from boyi.search.simulate import fill_planes
from boyi.search.thesis import Chooser
from boyi.studies.ewn_nets import BASE, QUICK, Net, Size, make_data, runs, train_net
from boyi.studies.facts import kept_time
from boyi.studies.matches import Comparison, Finding, MatchStudy, run_study

NETS = {"document": BASE.name, "mirrored": "mirroring", "exact": "exact labels", "modern": "modern net"}
"""The nets by the names that players use here, and their runs."""
GUIDED = "guided:net={},sims=2000"
PRIOR = "prior:net={},sims=1000"
STUDY = MatchStudy(
    "ewn-guided",
    "A net to guide Monte Carlo in EinStein",
    "einstein",
    "Document 000 expands two plies by its net, one move for each stone that may have to move, and plays Monte Carlo\n"
    "at the leaves. It was weaker than plain Monte Carlo, and blames the net. `guided` is that player, with as many\n"
    "playouts a move as `mc`; `net` says which net of [ewn-features](ewn-features.md) it follows: `document`,\n"
    "`mirrored` (symmetric and mirrored boards), `exact` (more data and the best moves as labels) or `modern` (a\n"
    "residual net too). `weights=dice` weighs the children by the true chances of the die instead of the document's\n"
    "counts of stones. `thesis` is the same tree with a static evaluation in the net's place. `prior` is what the\n"
    "document proposes for the future: tree search with UCB, playouts at its leaves, and the net as prior.",
    (
        Comparison(GUIDED.format("document"), "mc:sims=2000", "weaker", "weaker than plain Monte Carlo", games=1000),
        Comparison("thesis:sims=2000", "mc:sims=2000", "", "", games=1000),
        Comparison(f"{GUIDED.format('document')},weights=dice", "mc:sims=2000", "", "", games=1000),
        Comparison(GUIDED.format("mirrored"), "mc:sims=2000", "stronger", "hoped for", games=1000),
        Comparison(GUIDED.format("exact"), "mc:sims=2000", "stronger", "hoped for", games=1000),
        Comparison(GUIDED.format("modern"), "mc:sims=2000", "stronger", "hoped for", games=1000),
        Comparison(GUIDED.format("modern"), "mc", "stronger", "hoped for", games=200, seconds=0.02),
        Comparison("mcts:sims=1000", "mc:sims=1000", "stronger", "hoped for of UCB", games=1000),
        Comparison(PRIOR.format("document"), "mcts:sims=1000", "stronger", "hoped for", games=400),
        Comparison(PRIOR.format("modern"), "mcts:sims=1000", "stronger", "hoped for", games=400),
        Comparison(PRIOR.format("modern"), "mc:sims=1000", "stronger", "hoped for", games=400),
    ),
    "With as many playouts the document's tree is as good as plain Monte Carlo, even with the document's own net,\n"
    "and its remedies add three points at most: two plies are too few for a net to matter. With as much time it\n"
    "loses, as the document found, because the net takes the time of the playouts. What the document left for the\n"
    "future is what helps: a good net as prior of a whole tree. The prior of the document's net is not good enough\n"
    "for that.",
)


def run_guided(
    folder: Path,
    *,
    nets: Path | None = None,
    quick: bool = False,
    size: Size | None = None,
    seed: int = 0,
    tell: Callable[[str], None] = lambda text: None,
    on_finding: Callable[[Finding], None] = lambda finding: None,
) -> list[Finding]:
    """Play the matches, or go on with them. `nets` is the folder of an `ewn-features` study; without it the nets are
    trained here, as long as `size` says."""
    place = nets or folder
    wanted: dict[str, Net] = {name: net for net in runs() for name, run in NETS.items() if run == net.name}
    if nets is None:
        with kept_time(folder):
            data = make_data(folder, size or (QUICK if quick else Size()), seed=seed, tell=tell)
            for net in wanted.values():
                found = train_net(net, data, folder, seed=seed)
                tell(f"{found.name}: {found.held_out:.1%} of the held-out moves")
    stems = {name: model_of(place, net) for name, net in wanted.items()}
    register("guided", functools.partial(make_guided, stems))
    register("prior", functools.partial(make_prior, stems))
    study = replace(STUDY, comparisons=tuple(map(_few, STUDY.comparisons))) if quick else STUDY
    note = " --nets DIR" if nets else ""
    return run_study(study, folder, quick=quick, seed=seed, workers=0, options=note, on_finding=on_finding)


def _few(one: Comparison) -> Comparison:
    """A comparison with two games of few playouts."""
    first, second = (re.sub(r"sims=(\d+)", "sims=60", name) for name in (one.first, one.second))
    return replace(one, first=first, second=second, games=min(one.games, 200))


def model_of(folder: Path, net: Net) -> Path:
    """The model of a finished run, as a path without suffix."""
    stem = folder / "nets" / net.folder / "checkpoint" / "model"
    if not stem.with_suffix(".json").is_file():
        raise GameError(
            f"{folder} has no net of the run {net.name!r}; `boyi study ewn-features --dir {folder}` makes it"
        )
    return stem


def options(text: str, known: Mapping[str, type], kind: str) -> dict[str, Any]:
    """The options of a player after its colon; `GameError` for others."""
    found: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        if name not in known:
            raise GameError(f"{kind} has no option {part!r}; its options: {', '.join(known)}")
        found[name] = known[name](value)
    return found


def make_guided(stems: Mapping[str, Path], text: str, game: Game, seed: int) -> Player:
    """The document's player with a net as its policy: `guided:net=document,sims=2000`."""
    found = options(text, {"net": str, "sims": int, "depth": int, "weights": str}, "guided")
    stem = stems[found.pop("net", "document")]
    player = ThesisPlayer(game, seed=seed, **found)
    player.policy = net_policy(game, stem)
    return player


def make_prior(stems: Mapping[str, Path], text: str, game: Game, seed: int) -> Player:
    """Tree search with a net's prior and playouts at its leaves: `prior:net=modern,sims=1000`."""
    found = options(text, {"net": str, "sims": int, "c": float}, "prior")
    stem = stems[found.pop("net", "document")]
    player = NetPlayer(game, model=str(stem), seed=seed, **found)
    player.search = BatchSearch(
        game,
        PriorAndPlayouts(game, evaluator(game, stem), seed=seed),
        method=Puct(float(player.c)),
        leaves=player.search.leaves,
        nodes=2048,
        seed=seed,
    )
    return player


@functools.lru_cache(8)
def evaluator(game: Game, stem: Path) -> NetEvaluator:
    """The net of a model, loaded once."""
    return NetEvaluator(game, stem)


def net_policy(game: Game, stem: Path) -> Chooser:
    """The legal move that a net likes best in each of some states."""
    net = evaluator(game, stem)
    view = list(game.observers).index(str(net.observer))

    def choose(states: NDArray[Any]) -> NDArray[np.int64]:
        planes = np.zeros((len(states), game.observers[str(net.observer)], *game.shape), np.float32)
        fill_planes(game.rules, states, view, planes, len(states))
        legal = np.zeros((len(states), game.num_actions), np.uint8)
        legal_masks(game.rules, states, legal)
        logits, _ = net(states, planes)
        return np.asarray(np.where(legal > 0, logits, -np.inf).argmax(1), np.int64)

    return choose


class PriorAndPlayouts:
    """An evaluator: the policy of a net, and the result of one playout as the value."""

    def __init__(self, game: Game, net: NetEvaluator, *, seed: int) -> None:
        self.net, self.observer = net, net.observer
        self.playouts = PlayoutEvaluator(game, seed=seed)

    def __call__(self, states: NDArray[Any], planes: Any) -> tuple[Any, Any]:
        return self.net(states, planes)[0], self.playouts(states, None)[1]
