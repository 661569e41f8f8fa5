"""Players that search with playouts: flat Monte Carlo, the UCT tree, and the ones that lose on purpose."""

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.misere import Misere
from boyi.games.position import Position
from boyi.games.randomness import generator, uniform
from boyi.players.exact import knowing_policy, known_choice
from boyi.players.player import Choice, Limit, Line, Player, at_least_zero, budget
from boyi.search.clock import Progress, clock
from boyi.search.flat import play_out_moves
from boyi.search.mcts import PlayoutSearch, Root, principal_line, read_root
from boyi.search.policies import playout_policy
from boyi.search.selection import Uct
from boyi.search.simulate import DONE, find_child
from boyi.search.tree import Tree


class FlatPlayer(Player):
    """Flat Monte Carlo: equally many playouts after every move (document 000's PointPlaneLine).

    sims: playouts a move of the game; playout: how they are played (uniform, alert; EinStein: 1 to 4, scored).
    """

    def __init__(self, game: Game, *, sims: int = 2000, playout: str = "uniform", seed: int = 0) -> None:
        super().__init__(game, seed=seed)
        self.sims = at_least_zero("sims", sims)
        self.policy = playout_policy(game, playout)
        self.rng = generator(seed)

    def think(self, position: Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        began = time.perf_counter()
        actions = np.array(position.actions, np.int64)
        tallies = np.zeros((len(actions), 3), np.int64)
        state, mask = self.game.blank(), np.zeros(self.game.num_actions, np.uint8)
        sims = budget(limit, self.sims)
        played = 0

        def play(count: int) -> tuple[int, int]:
            """Whole rounds, as many as make up the budget, however it is sliced."""
            nonlocal played
            rounds = max(1, count // len(actions))
            if sims is not None:
                rounds = min(rounds, -(-sims // len(actions)) - played)
            play_out_moves(
                self.policy, self.game.rules, position.state, actions, state, mask, self.rng, rounds, tallies
            )
            played += rounds
            return rounds * len(actions), DONE

        for progress in clock(play, seconds=limit.seconds, every_s=every_s, simulations=sims, began=began):
            yield _flat_choice(position, actions, tallies, progress)


def _flat_choice(
    position: Position, actions: NDArray[np.int64], tallies: NDArray[np.int64], progress: Progress
) -> Choice:
    """The move with the best average; the first one where nothing was played."""
    totals = np.maximum(tallies.sum(axis=1), 1)
    values = (tallies[:, 2] - tallies[:, 0]) / totals
    sign = -1 if position.turn == 1 else 1
    order = np.argsort(-sign * values, kind="stable")
    texts = [position.game.write_move(position.state, int(action)) for action in actions]
    lines = tuple(Line(texts[row], float(values[row]), int(tallies[row].sum()), None, (texts[row],)) for row in order)
    best = order[0]
    wdl = tuple(float(share) for share in tallies[best, ::-1] / totals[best])
    return Choice(
        texts[best],
        float(values[best]) if progress.made else None,
        (wdl[0], wdl[1], wdl[2]) if progress.made else None,
        lines,
        simulations=progress.made,
        nodes=len(actions),
        depth=1,
        seconds=progress.seconds,
        stopped=progress.stopped,
    )


class TreePlayer(Player):
    """UCT with playouts (documents 000 and 004): the tree is kept while the game moves on.

    sims: simulations a move; c: the constant of UCB; playout: as in mc; playouts: how many at a leaf; memory_mb: room
    for the tree, which does not grow beyond it while its values go on improving; reuse: keep the tree between moves;
    temperature: 0 plays the best move, above that a move is drawn with a chance that grows as its visits to the power
    of 1 / temperature; exact: look first whether endgame solver, threat search or tablebase know the answer, and use
    the tablebase in the tree.
    """

    def __init__(
        self,
        game: Game,
        *,
        sims: int = 10_000,
        c: float = 1.0,
        playout: str = "uniform",
        playouts: int = 1,
        memory_mb: float = 512.0,
        reuse: bool = True,
        temperature: float = 0.0,
        exact: bool = False,
        seed: int = 0,
    ) -> None:
        super().__init__(game, seed=seed)
        self.exact = exact
        self.sims = at_least_zero("sims", sims)
        self.reuse = reuse
        self.memory_mb = at_least_zero("memory_mb", memory_mb)
        self.temperature = at_least_zero("temperature", temperature)
        self.rng = generator(seed, 1)
        self.search = PlayoutSearch(
            game,
            rules=self._searched(game),
            method=self._method(at_least_zero("c", c)),
            policy=knowing_policy(game, playout_policy(game, playout)) if exact else playout_policy(game, playout),
            playouts=max(1, at_least_zero("playouts", playouts)),
            seed=seed,
        )
        self.last: Position | None = None
        self.reading_s = 0.0
        """How long it took to read the last choice off the tree: time that the next search leaves."""

    def _method(self, c: float) -> NamedTuple:
        """The selection rule."""
        return Uct(c)

    def _searched(self, game: Game) -> NamedTuple:
        """The rules that the tree follows."""
        rules: NamedTuple = game.rules
        return rules

    def think(self, position: Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        if self.exact:
            found, limit = known_choice(position, limit)
            if found is not None:
                yield found
                return
        search = self.search
        search.prepare(position.state)
        began = time.perf_counter()
        search.memory_mb = self.memory_mb if limit.memory_mb is None else limit.memory_mb
        search.set_root(position.state, self._since(position))
        self.last = position
        luck = uniform(self.rng) if self.temperature else 0.0
        for progress in clock(
            search.run,
            simulations=budget(limit, self.sims),
            seconds=limit.seconds,
            every_s=every_s,
            began=began,
            reserve_s=self.reading_s,
        ):
            started = time.perf_counter()
            choice = self._choice(position, self._drawn(read_root(search.tree), luck), progress)
            self.reading_s = time.perf_counter() - started
            yield choice

    def _drawn(self, root: Root, luck: float) -> Root:
        """The root with its best move replaced by one drawn by visits, `luck` being from 0 to 1; proven moves stand."""
        if not self.temperature or root.exact or not root.tries.any():
            return root
        with np.errstate(divide="ignore"):
            powers = np.log(root.tries) / self.temperature
        shares = np.cumsum(np.exp(powers - powers.max()))
        return replace(root, best=int(root.actions[np.searchsorted(shares, luck * shares[-1], side="right")]))

    def _since(self, position: Position) -> list[int] | None:
        """The actions from the position searched last to this one, if it was reached from there."""
        moves: list[int] = []
        while self.reuse and self.last is not None:
            if position == self.last:
                return moves[::-1]
            if position.previous is None or len(moves) > 8:
                break
            moves.append(position.previous.action(position.move))
            position = position.previous
        return None

    def _choice(self, position: Position, root: Root, progress: Progress) -> Choice:
        return tree_choice(position, self.search.tree, root, progress, self.search.margin)


def tree_choice(position: Position, tree: Tree, root: Root, progress: Progress, score: float | None = None) -> Choice:
    """What a tree says of its root, as texts; where nothing was searched, the first legal move."""
    if not len(root.actions):
        return Choice(position.moves[0], seconds=progress.seconds, stopped=progress.stopped)
    sign = -1 if position.turn == 1 else 1
    texts = {int(action): position.game.write_move(position.state, int(action)) for action in root.actions}
    order = np.lexsort((-sign * root.values, -root.tries, root.actions != root.best))
    lines = tuple(
        Line(
            move=texts[int(root.actions[row])],
            value=float(root.values[row]),
            visits=int(root.tries[row]),
            prior=float(root.priors[row]),
            moves=_continuation(position, tree, int(root.actions[row])) if rank < 5 else (),
            exact=bool(root.proven[row]),
        )
        for rank, row in enumerate(order)
    )
    return Choice(
        move=texts[root.best],
        value=root.value,
        wdl=root.wdl,
        lines=lines,
        simulations=progress.made,
        nodes=int(tree.used[0, 0]),
        depth=max((len(line.moves) for line in lines), default=0),
        seconds=progress.seconds,
        exact=root.exact,
        score=score,
        stopped=progress.stopped,
    )


def _continuation(position: Position, tree: Tree, action: int) -> tuple[str, ...]:
    """A move and the most visited answers to it, as texts, up to the next roll."""
    node = int(find_child(tree, int(tree.roots[0]), action))
    after = position.play_action(action)
    moves = [after.move]
    for reply in principal_line(tree, node) if node >= 0 else []:
        after = after.play_action(reply)
        moves.append(after.move)
    return tuple(moves)


class WeakestPlayer(TreePlayer):
    """Loses on purpose, by searching the game turned round for its own loss, against an opponent who wants to lose too.

    how: `search`, or `least`: the move that an ordinary search likes least, as document 004's weakest AI does with its
    policy, for comparison.
    """

    def __init__(self, game: Game, *, sims: int = 5000, c: float = 1.0, how: str = "search", seed: int = 0) -> None:
        if how not in ("search", "least"):
            raise GameError(f"how={how!r} of weakest is not possible; allowed: search, least")
        self.how = how
        super().__init__(game, sims=sims, c=c, playout="shy" if how == "search" else "uniform", seed=seed)

    def _searched(self, game: Game) -> NamedTuple:
        return Misere(game.rules) if self.how == "search" else super()._searched(game)

    def _choice(self, position: Position, root: Root, progress: Progress) -> Choice:
        found = super()._choice(position, root, progress)
        if self.how == "least":
            sign = -1 if position.turn == 1 else 1
            worst = min(found.lines, key=lambda line: (line.visits, sign * line.value), default=None)
            return replace(found, move=worst.move if worst else found.move, lines=found.lines[::-1])
        return replace(
            found,
            value=None if found.value is None else -found.value,
            wdl=found.wdl[::-1] if found.wdl else None,
            score=None if found.score is None else -found.score,
            lines=tuple(replace(line, value=-line.value) for line in found.lines),
        )
