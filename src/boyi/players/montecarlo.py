"""Players that search with playouts: flat Monte Carlo, the UCT tree, and the ones that lose on purpose."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.misere import Misere
from boyi.games.position import Position
from boyi.games.randomness import generator
from boyi.players.player import Choice, Limit, Line, Player
from boyi.search.flat import play_out_moves
from boyi.search.mcts import PlayoutSearch, Root, clock, principal_line, read_root
from boyi.search.policies import playout_policy
from boyi.search.selection import Uct
from boyi.search.simulate import DONE, find_child


class FlatPlayer(Player):
    """Flat Monte Carlo: equally many playouts after every move (document 000's PointPlaneLine).

    sims: playouts a move of the game; playout: how they are played (uniform, alert; EinStein: 1 to 4, scored).
    """

    def __init__(self, game: Game, *, sims: int = 2000, playout: str = "uniform", seed: int = 0) -> None:
        super().__init__(game, seed=seed)
        self.sims = _positive("sims", sims)
        self.policy = playout_policy(game, playout)
        self.rng = generator(seed)

    def think(self, position: Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        actions = np.array(position.actions, np.int64)
        tallies = np.zeros((len(actions), 3), np.int64)
        state, mask = self.game.blank(), np.zeros(self.game.num_actions, np.uint8)

        def play(count: int) -> tuple[int, int]:
            rounds = -(-count // len(actions))
            play_out_moves(
                self.policy, self.game.rules, position.state, actions, state, mask, self.rng, rounds, tallies
            )
            return rounds * len(actions), DONE

        for made, spent in clock(play, seconds=limit.seconds, every_s=every_s, simulations=_budget(limit, self.sims)):
            yield _flat_choice(position, actions, tallies, made, spent)


def _flat_choice(
    position: Position, actions: NDArray[np.int64], tallies: NDArray[np.int64], made: int, spent: float
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
        float(values[best]) if made else None,
        (wdl[0], wdl[1], wdl[2]) if made else None,
        lines,
        made,
        len(actions),
        1,
        spent,
    )


class TreePlayer(Player):
    """UCT with playouts (documents 000 and 004): the tree is kept while the game moves on.

    sims: simulations a move; c: the constant of UCB; playout: as in mc; playouts: how many at a
    leaf; memory_mb: room for the tree; reuse: keep the
    tree between moves.
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
        seed: int = 0,
    ) -> None:
        super().__init__(game, seed=seed)
        self.sims = _positive("sims", sims)
        self.reuse = reuse
        self.search = PlayoutSearch(
            game,
            rules=self._searched(game),
            method=Uct(_positive("c", c)),
            policy=playout_policy(game, playout),
            playouts=max(1, _positive("playouts", playouts)),
            memory_mb=memory_mb,
            seed=seed,
        )
        self.last: Position | None = None

    def _searched(self, game: Game) -> NamedTuple:
        """The rules that the tree follows."""
        rules: NamedTuple = game.rules
        return rules

    def think(self, position: Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        if limit.memory_mb is not None:
            self.search.memory_mb = limit.memory_mb
        self.search.set_root(position.state, self._since(position))
        self.last = position
        budget = _budget(limit, self.sims)
        for made, spent in clock(self.search.run, seconds=limit.seconds, every_s=every_s, simulations=budget):
            yield self._choice(position, read_root(self.search.tree), made, spent)

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

    def _choice(self, position: Position, root: Root, made: int, spent: float) -> Choice:
        return tree_choice(position, self.search, root, made, spent)


def tree_choice(position: Position, search: PlayoutSearch, root: Root, made: int, spent: float) -> Choice:
    """What a tree says of its root, as texts; where nothing was searched, the first legal move."""
    if not len(root.actions):
        return Choice(position.moves[0], seconds=spent)
    sign = -1 if position.turn == 1 else 1
    texts = {int(action): position.game.write_move(position.state, int(action)) for action in root.actions}
    order = np.lexsort((-sign * root.values, -root.tries, root.actions != root.best))
    lines = tuple(
        Line(
            move=texts[int(root.actions[row])],
            value=float(root.values[row]),
            visits=int(root.tries[row]),
            prior=float(root.priors[row]),
            moves=_continuation(position, search, int(root.actions[row])) if rank < 5 else (),
            exact=bool(root.proven[row]),
        )
        for rank, row in enumerate(order)
    )
    return Choice(
        move=texts[root.best],
        value=root.value,
        wdl=root.wdl,
        lines=lines,
        simulations=made,
        nodes=int(search.tree.used[0, 0]),
        depth=max((len(line.moves) for line in lines), default=0),
        seconds=spent,
        exact=root.exact,
    )


def _continuation(position: Position, search: PlayoutSearch, action: int) -> tuple[str, ...]:
    """A move and the most visited answers to it, as texts, up to the next roll."""
    node = int(find_child(search.tree, int(search.tree.roots[0]), action))
    after = position.play_action(action)
    moves = [after.move]
    for reply in principal_line(search.tree, node) if node >= 0 else []:
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

    def _choice(self, position: Position, root: Root, made: int, spent: float) -> Choice:
        found = super()._choice(position, root, made, spent)
        if self.how == "least":
            sign = -1 if position.turn == 1 else 1
            worst = min(found.lines, key=lambda line: (line.visits, sign * line.value), default=None)
            return Choice(worst.move if worst else found.move, found.value, found.wdl, found.lines[::-1], made)
        lines = tuple(Line(x.move, -x.value, x.visits, x.prior, x.moves, x.exact) for x in found.lines)
        wdl = found.wdl[::-1] if found.wdl else None
        value = None if found.value is None else -found.value
        return Choice(found.move, value, wdl, lines, made, found.nodes, found.depth, spent, found.exact)


def _positive(name: str, value: Any) -> Any:
    if not value >= 0:
        raise GameError(f"{name}={value!r} is not possible; it must be 0 or more")
    return value


def _budget(limit: Limit, default: int) -> int | None:
    """The simulations of a limit; a limit of time alone leaves them open; without any, the player's own."""
    if limit.simulations is not None or limit.nodes is not None:
        return min(x for x in (limit.simulations, limit.nodes) if x is not None)
    return None if limit.seconds is not None else default
