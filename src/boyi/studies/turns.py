"""Document 003's question for Connect6: how should a tree treat a turn of two stones?

Three trees with the same playouts: a turn as two levels where values change sign with the player, as the document
says; as two levels where they change sign with every level, the slip that it warns of; and as one level over sampled
pairs of points, which needs no second level but cannot hold all pairs. The trees are interpreted Python, because only
the first is worth having in the compiled search. Start at `run_turns`.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.games.connect6 import LEFT, Connect6
from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.generics import RUNNING, outcome, turn
from boyi.games.position import Position
from boyi.games.randomness import generator
from boyi.players.player import Choice, Limit, Player, budget
from boyi.players.registry import register
from boyi.search.playouts import playout
from boyi.search.policies import playout_policy
from boyi.search.selfplay import legal_masks
from boyi.search.thesis import play_all
from boyi.studies.matches import Comparison, Finding, MatchStudy, run_study

WAYS = ("player", "ply", "pairs")
SIMS = 400
EXPLORE, URGENCY = 0.5, 0.5
"""The constant of UCB, and by how much an untried move counts less than the mean of its node."""
WIDENING = 2.0
"""A node of sampled pairs has at most so many children times the root of its visits."""
STUDY = MatchStudy(
    "connect6-turns",
    "Turns of two stones in Connect6",
    "connect6:size=9",
    "Document 003 plays a turn of Connect6 as two decisions of the same player, so that the policy stays as large as\n"
    "the board, and says that values must change sign with the player and not with the level of the tree. It reports\n"
    "no results. Here three trees play each other on 9x9, UCT with the same playouts and as many simulations a turn:\n"
    "`player` as the document says, `ply` with the sign changing at every level, and `pairs`, which searches whole\n"
    "turns among sampled pairs of points. `mcts` is Boyi's own search, which follows the player and also knows forced\n"
    "wins, with as many simulations.",
    (
        Comparison("turns:how=player", "turns:how=ply", "stronger", "signs must follow the player", games=100),
        Comparison("turns:how=player", "turns:how=pairs", "stronger", "smaller, and not much worse", games=100),
        Comparison("turns:how=ply", "turns:how=pairs", "", "", games=100),
        Comparison(f"mcts:sims={SIMS},reuse=no,playout=alert", "turns:how=player", "", "", games=100),
    ),
    "The sign matters, if less than one would think: the interval just leaves one half out. Sampled pairs lose\n"
    "clearly, with either sign, because most pairs are never looked at. That the trees of this study beat `mcts`\n"
    "is not the turns' doing: they hold untried moves back (`URGENCY`), while `mcts` tries every move of a node\n"
    "once, as UCB1 says, which takes 81 of 400 simulations at the root alone. Against trees that try every move\n"
    "first it is not behind: 60 % (47 .. 72 %) of 40 games, by a script that set `URGENCY` to -1000.",
)


def run_turns(
    folder: Path, *, quick: bool = False, seed: int = 0, on_finding: Callable[[Finding], None] = lambda finding: None
) -> list[Finding]:
    """Play the matches, or go on with them, and write `report.md`."""
    register("turns", make_turns)
    if quick:
        small = tuple(replace(one, first=_few(one.first), second=_few(one.second)) for one in STUDY.comparisons)
        study = replace(STUDY, game="connect6:size=6", comparisons=small)
    else:
        study = STUDY
    return run_study(study, folder, quick=quick, seed=seed, workers=0, on_finding=on_finding)


def _few(name: str) -> str:
    """A player of this study with few simulations."""
    return f"{name},sims=20" if name.startswith("turns") else name.replace(f"sims={SIMS}", "sims=20")


def make_turns(text: str, game: Game, seed: int) -> Player:
    """A player by the text after `turns:`."""
    found: dict[str, Any] = {"how": "player", "sims": str(SIMS)}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        if name not in found or (name == "sims" and not value.isdecimal()):
            raise GameError(f"turns has no option {part!r}; its options: how={'|'.join(WAYS)}, sims=N")
        found[name] = value
    return TurnsPlayer(game, how=found["how"], sims=int(found["sims"]), seed=seed)


class Node:
    """A position in the tree: its edges with their visits and summed gains, from the view that the way gives them."""

    def __init__(self, game: Game, state: NDArray[Any], moves: list[tuple[int, ...]]) -> None:
        self.state, self.moves = state, moves
        self.sign = 1 - 2 * int(turn(game.rules, state))
        """1 where player 0 decides, -1 where player 1 does."""
        self.over = int(outcome(game.rules, state)) != RUNNING
        self.visits, self.gains = np.zeros(len(moves)), np.zeros(len(moves))
        self.children: list[Node | None] = [None] * len(moves)

    def add(self, move: tuple[int, ...]) -> None:
        """One edge more."""
        self.moves.append(move)
        self.visits, self.gains = np.append(self.visits, 0.0), np.append(self.gains, 0.0)
        self.children.append(None)

    def pick(self) -> int:
        """The edge with the highest upper confidence bound; an untried one counts as tried once, below the mean."""
        total = self.visits.sum()
        untried = self.gains.sum() / total - URGENCY if total else 0.0
        tries = np.maximum(self.visits, 1.0)
        values = np.where(self.visits > 0, self.gains / tries, untried)
        return int((values + EXPLORE * np.sqrt(math.log(total + 1.0) / tries)).argmax())


class TurnsPlayer(Player):
    """UCT for Connect6 that treats a turn in one of the ways of this study.

    how: `player`, `ply` or `pairs`; sims: simulations for each stone of the turn.
    """

    def __init__(self, game: Game, *, how: str = "player", sims: int = SIMS, seed: int = 0) -> None:
        super().__init__(game, seed=seed)
        if not isinstance(game.rules, Connect6):
            raise GameError(f"turns plays connect6 only, not {game.name}")
        if how not in WAYS or sims < 1:
            raise GameError(f"how={how!r}, sims={sims} of turns is not possible; how is one of {', '.join(WAYS)}")
        self.how, self.sims = how, sims
        self.rng, self.random = generator(seed), np.random.default_rng(seed)
        self.policy = playout_policy(game, "alert")
        self.scratch, self.mask = game.blank(), np.zeros(game.num_actions, np.uint8)
        self.planned: tuple[bytes, int] | None = None
        """The position after the first stone of a planned pair, and the second stone."""

    def think(self, position: Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        if self.planned and self.planned[0] == position.state.tobytes():
            yield Choice(self.game.write_move(position.state, self.planned[1]))
            return
        root = self._node(position.state.copy())
        stones = int(position.state[self.game.num_squares + LEFT]) if self.how == "pairs" else 1
        sims = budget(limit, self.sims * stones) or self.sims * stones
        for _ in range(sims):
            self._simulate(root)
        best = int(root.visits.argmax())
        move = root.moves[best]
        if len(move) > 1:
            self.planned = self._played(root.state, move[:1]).tobytes(), move[1]
        value = root.sign * float(root.gains[best] / max(root.visits[best], 1.0))
        yield Choice(self.game.write_move(position.state, move[0]), value, simulations=sims, stopped="simulations")

    def _simulate(self, root: Node) -> None:
        path: list[tuple[Node, int]] = []
        node = root
        while True:
            if self.how == "pairs" and len(node.moves) < WIDENING * math.sqrt(node.visits.sum() + 1):
                node.add(self._pair(node.state))
            edge = node.pick()
            path.append((node, edge))
            child = node.children[edge]
            if child is None:
                child = node.children[edge] = self._node(self._played(node.state, node.moves[edge]))
                break
            if child.over:
                break
            node = child
        self.scratch[:] = child.state
        result = int(playout(self.policy, self.game.rules, self.scratch, self.mask, self.rng))
        if not child.visits.any():
            self._order(child)
        for depth, (at, edge) in enumerate(path):
            at.visits[edge] += 1
            at.gains[edge] += result * (root.sign * (-1) ** depth if self.how == "ply" else at.sign)

    def _order(self, node: Node) -> None:
        """Let a fresh node try first what its side played in the first playout from it."""
        stone = 1 if node.sign > 0 else 2
        squares = self.game.num_squares
        played = np.flatnonzero((self.scratch[:squares] == stone) & (node.state[:squares] == 0))
        if self.how != "pairs":
            liked = set(played.tolist())
            node.moves.sort(key=lambda move: move[0] not in liked)
        elif len(played) and not node.moves:
            left = min(int(node.state[squares + LEFT]), len(played))
            node.add(tuple(int(point) for point in self.random.choice(played, left, replace=False)))

    def _node(self, state: NDArray[Any]) -> Node:
        if self.how == "pairs":
            return Node(self.game, state, [])
        return Node(self.game, state, [(int(action),) for action in self.random.permutation(self._empty(state))])

    def _empty(self, state: NDArray[Any]) -> NDArray[np.int64]:
        legal_masks(self.game.rules, state[None], self.mask[None])
        return np.flatnonzero(self.mask)

    def _pair(self, state: NDArray[Any]) -> tuple[int, ...]:
        """A random turn: as many different empty points as it has stones."""
        empty = self._empty(state)
        left = min(int(state[self.game.num_squares + LEFT]), len(empty))
        return tuple(int(point) for point in self.random.choice(empty, left, replace=False))

    def _played(self, state: NDArray[Any], points: tuple[int, ...]) -> NDArray[Any]:
        """The state after some stones of a turn; a win ends it."""
        after = state.copy()
        for point in points:
            if int(outcome(self.game.rules, after)) == RUNNING:
                play_all(self.game.rules, after[None], np.array([point]))
        return after
