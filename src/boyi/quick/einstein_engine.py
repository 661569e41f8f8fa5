"""EinStein by its quick net, with limits: `EinsteinEngine` grows the tree of `einstein_tree`."""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from boyi.exact.einstein_layout import END
from boyi.exact.einstein_table import open_table
from boyi.games.einstein import ALIVE, DIE, MOVABLE, MOVER
from boyi.games.game import Game
from boyi.games.position import Position
from boyi.games.randomness import generator
from boyi.quick.einstein_net import make_room, stones_net
from boyi.quick.einstein_tree import NODES, action_of, grow, make_tree, open_root
from boyi.quick.store import Arrays
from boyi.quick.thought import Thought
from boyi.search.deepening import RootMove

EXPLORE = 0.1
SLICE_S = 0.01
FIRST_NODES, MOST_NODES = 1 << 12, 1 << 20


class EinsteinEngine:
    """A net and the largest tablebase there is. `nodes` limits the expansions; with 0 or depth 1 it plays the net's own
    first choice. All moves of the roll get a value, whatever `lines` says."""

    def __init__(self, game: Game, arrays: Arrays, *, lines: int = 1, explore: float = EXPLORE, seed: int = 0) -> None:
        self.game, self.explore, self.seed = game, explore, seed
        self.net = stones_net(arrays)
        self.table = open_table()
        self.most_stones = max(stones for stones in range(2, 7) if END[stones] <= len(self.table))
        self.room = make_room()
        self.tree = make_tree(FIRST_NODES, game.state_size)
        self.rng = generator(seed)
        start = game.start(seed=0)
        self._begin(start.play(start.moves[0]))  # compiled before any clock starts
        self._grow(0, 1)

    def _begin(self, position: Position) -> None:
        open_root(self.tree, self.net, self.table, self.most_stones, position.state, self.room)

    def _grow(self, die: int, count: int) -> int:
        return int(
            grow(
                self.game.rules, self.tree, self.net, self.table, self.most_stones, die, count, self.explore,
                self.room, self.rng,
            )
        )  # fmt: skip

    def _enlarge(self) -> bool:
        """A tree of twice the size with the same content; False at the largest."""
        old = self.tree
        size = len(old.tries)
        if size >= MOST_NODES:
            return False
        self.tree = make_tree(2 * size, self.game.state_size)
        for name in ("states", "chances", "tries", "children"):
            getattr(self.tree, name)[:size] = getattr(old, name)
        self.tree.control[:] = old.control
        return True

    def search(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        depth: int = 0,
        every_s: float | None = None,
    ) -> Iterator[Thought]:
        """Grow the tree until a limit is reached or nothing is left to find out."""
        began = said = time.perf_counter()
        self._begin(position)
        die = int(position.state[DIE]) - 1
        edges = self._edges(position, die)
        chances = self.tree.chances[0]
        settled = len(edges) == 1 or max(chances[edge] for edge in edges) >= 1.0
        made, size, stopped = 0, 64, "proven" if settled else "depth" if depth == 1 else ""
        while not stopped:
            now = time.perf_counter()
            if nodes is not None and made >= nodes:
                stopped = "nodes"
            elif seconds is not None and now - began >= seconds:
                stopped = "seconds"
            else:
                wanted = size if nodes is None else min(size, nodes - made)
                done = self._grow(die, wanted)
                made += done
                spent = max(time.perf_counter() - now, 1e-6)
                left_s = SLICE_S if seconds is None else 0.8 * (seconds - (now - began) - spent)
                room_s = min(SLICE_S, max(left_s, 1e-4))
                size = max(16, min(4 * size, int(max(done, 1) / spent * room_s)))
                if done < wanted and not self._enlarge():
                    stopped = "memory"
                if every_s is not None and time.perf_counter() - said >= every_s and not stopped:
                    said = time.perf_counter()
                    yield self._thought(position, edges, made, began, "")
        yield self._thought(position, edges, made, began, stopped)

    def _edges(self, position: Position, die: int) -> list[int]:
        """The moves of a roll as 3 * stone + direction."""
        mover = int(position.state[MOVER])
        stones = [int(stone) for stone in MOVABLE[int(position.state[ALIVE + mover]), die] if stone >= 0]
        return [edge for stone in stones for edge in range(3 * stone, 3 * stone + 3) if self.tree.chances[0, edge] >= 0]

    def _thought(self, position: Position, edges: list[int], made: int, began: float, stopped: str) -> Thought:
        """All moves, the most tried first; without tries, by the chance."""
        chances, tries = self.tree.chances[0], self.tree.tries[0]
        won = [edge for edge in edges if chances[edge] >= 1.0]
        order = won + sorted(set(edges) - set(won), key=lambda edge: (-int(tries[edge]), -float(chances[edge])))
        sign = 1 - 2 * int(position.state[MOVER])
        moves = tuple(self._move(position, edge, sign * (2.0 * float(chances[edge]) - 1.0)) for edge in order)
        facts: dict[str, Any] = {"nodes": int(self.tree.control[NODES]) - 1, "seconds": time.perf_counter() - began}
        return Thought(moves[0].action, moves, 1, exact=bool(won), stopped=stopped, **facts)

    def _move(self, position: Position, edge: int, value: float) -> RootMove:
        action = int(action_of(np.asarray(position.state), edge))
        return RootMove(action, value, True, abs(value) == 1.0, (action,))
