"""Players with a policy-value net: `net` searches with it, `policy` plays its first thought."""

import dataclasses
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.position import Position
from boyi.nets.evaluator import NetEvaluator
from boyi.nets.files import other_size, read_card
from boyi.nets.shipped import shipped
from boyi.players.exact import knowing_policy, known_choice
from boyi.players.montecarlo import tree_choice
from boyi.players.player import Choice, Limit, Line, Player, budget
from boyi.search.clock import Progress, clock
from boyi.search.evaluators import CachedEvaluator
from boyi.search.mcts import UNIFORM, BatchSearch, Root, read_root
from boyi.search.selection import Gumbel, Puct, halving
from boyi.search.simulate import DONE, FULL, PROVEN

CONSIDERED = 16
"""Moves that Gumbel's root begins with."""
LONGEST_SCHEDULE = 20_000
"""Simulations that sequential halving is planned for at most; beyond them the root follows its improved policy."""
CACHED_BYTES = 50_000_000
ENDGAME = 12
"""Empty squares of Othello from which leaves are solved, in about the time of an evaluation."""


def load_net(game: Game, model: str, *, symmetry: bool, seed: int, softness: float = 1.0) -> tuple[NetEvaluator, str]:
    """The evaluator of a model, `shipped` or a path, and a note where it was trained on another board size."""
    stem = shipped(game) if model == "shipped" else model
    card = read_card(stem, game)
    note = ""
    if other_size(card, game):
        trained = ", ".join(f"{name}={value}" for name, value in card.options.items())
        note = f"the net was trained with {trained}; on another board size it plays with less skill"
    return NetEvaluator(game, stem, symmetry=symmetry, softness=softness, seed=seed), note


class NetPlayer(Player):
    """Tree search with a policy-value net (documents 001 and 004): many leaves in flight, evaluated in one batch.

    model: `shipped`, or the path of a model without its suffix; sims: simulations a move; method: `puct`, which keeps
    its tree while the game moves on, or `gumbel`, for few simulations; c: the constant of PUCT; leaves: how many wait
    for the net at once; temperature: 0 for the best move, 1 for moves as often as the search visited them; symmetry:
    show each position to the net under a random symmetry; softness: divides the logits of the policy, above 1 the tree
    tries more moves; memory_mb: room for the tree; exact: look first whether endgame solver, threat search or tablebase
    know the answer, also at the leaves.
    """

    def __init__(
        self,
        game: Game,
        *,
        model: str = "shipped",
        sims: int = 400,
        method: str = "puct",
        c: float = 1.5,
        leaves: int = 16,
        temperature: float = 0.0,
        symmetry: bool = False,
        softness: float = 1.0,
        memory_mb: float = 512.0,
        exact: bool = False,
        seed: int = 0,
    ) -> None:
        super().__init__(game, seed=seed)
        self.exact = exact
        if method not in ("puct", "gumbel"):
            raise GameError(f"method={method!r} of net is not possible; allowed: puct, gumbel")
        for name, value, least in (
            ("sims", sims, 1),
            ("leaves", leaves, 1),
            ("c", c, 0),
            ("temperature", temperature, 0),
        ):
            if not least <= value < float("inf"):
                raise GameError(f"{name}={value!r} of net is not possible; it must be {least} or more")
        self.sims, self.c, self.temperature, self.memory_mb = sims, c, temperature, memory_mb
        self.gumbel = method == "gumbel"
        evaluator, self.note = load_net(game, model, symmetry=symmetry, seed=seed, softness=softness)
        entries = CACHED_BYTES // (4 * game.num_actions + 500)
        self.search = BatchSearch(
            game,
            CachedEvaluator(evaluator, entries=entries) if self.gumbel else evaluator,
            method=self._method(sims),
            oracle=knowing_policy(game, UNIFORM, empties=ENDGAME) if exact else UNIFORM,
            leaves=min(leaves, 1024),
            nodes=2048,
            seed=seed,
        )
        self.random = np.random.default_rng(seed)
        self.last: Position | None = None

    def _method(self, simulations: int) -> NamedTuple:
        if not self.gumbel:
            return Puct(float(self.c))
        return Gumbel(halving(min(CONSIDERED, self.game.num_actions), min(simulations, LONGEST_SCHEDULE)))

    def think(self, position: Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        if self.exact:
            found, limit = known_choice(position, limit)
            if found is not None:
                yield found
                return
        began = time.perf_counter()
        memory_mb = self.memory_mb if limit.memory_mb is None else limit.memory_mb
        simulations = budget(limit, self.sims)
        self._set_root(position)
        if self.gumbel:
            self.search.method = self._method(self.sims if simulations is None else max(simulations, 1))

        def run(count: int) -> tuple[int, int]:
            made = 0
            while made < count:
                done, why = self.search.wave(np.array([count - made]))
                made += int(done[0])
                if why[0] == PROVEN or (why[0] == FULL and not self.search.grow(memory_mb)):
                    return made, int(why[0])
                if not done[0] and why[0] == DONE:
                    break
            return made, DONE

        if not len(read_root(self.search.tree).actions):
            run(1)  # the net's own opinion, without which there is nothing to answer
        for progress in clock(run, simulations=simulations, seconds=limit.seconds, every_s=every_s, began=began):
            yield self._choice(position, progress)

    def _set_root(self, position: Position) -> None:
        """Move the tree on to a position that was reached from the one searched last, or start it anew."""
        steps: list[Position] = []
        at: Position | None = position
        while self.last is not None and at is not None and at != self.last and len(steps) <= 8:
            steps.append(at)
            at = at.previous
        if self.gumbel or self.last is None or at is None or at != self.last:
            self.search.set_root(0, position.state)
        else:
            for after in reversed(steps):
                assert after.previous is not None
                self.search.advance(0, after.previous.action(after.move), after.state)
        self.last = position

    def _choice(self, position: Position, progress: Progress) -> Choice:
        root = read_root(self.search.tree)
        if len(root.actions) and not root.exact:
            root = dataclasses.replace(root, best=self._pick(root))
        return tree_choice(position, self.search.tree, root, progress)

    def _pick(self, root: Root) -> int:
        """The action to play where nothing is proven of the position as a whole."""
        weights = self.search.improved(0)[root.actions] if self.gumbel else root.tries.astype(float)
        if not root.tries.any():
            weights = root.priors.astype(float)
        if self.temperature > 0:
            return draw_action(self.random, root.actions, np.log(np.maximum(weights, 1e-12)), self.temperature)
        if not root.tries.any() or (self.gumbel and not root.proven.any()):
            most = np.where(root.tries == root.tries.max(), weights, -1.0)
            return int(root.actions[np.argmax(most)])
        return root.best


def draw_action(
    random: np.random.Generator, actions: NDArray[np.integer[Any]], logits: NDArray[Any], temperature: float
) -> int:
    """One of the actions, by the softmax of their logits over the temperature."""
    scaled = (logits - logits.max()) / max(temperature, 1e-6)
    weights = np.exp(np.maximum(scaled, -700.0))
    return int(random.choice(actions, p=weights / weights.sum()))


class PolicyPlayer(Player):
    """A policy-value net without search: the legal move it likes best, or least as document 004's weakest AI does.

    model, symmetry: as in net; temperature: 0 for the best move, 1 for moves as likely as the net says; least: play
    the move it likes least.
    """

    def __init__(
        self,
        game: Game,
        *,
        model: str = "shipped",
        temperature: float = 0.0,
        symmetry: bool = False,
        least: bool = False,
        seed: int = 0,
    ) -> None:
        super().__init__(game, seed=seed)
        if not 0 <= temperature < float("inf"):
            raise GameError(f"temperature={temperature!r} of policy is not possible; it must be 0 or more")
        self.temperature, self.least = temperature, least
        self.evaluator, self.note = load_net(game, model, symmetry=symmetry, seed=seed)
        self.random = np.random.default_rng(seed)

    def think(self, position: Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        began = time.perf_counter()
        planes = position.observe(self.evaluator.observer)[None]
        logits, wdl = self.evaluator(position.state[None], planes)
        actions = np.array(position.actions)
        legal = (-1.0 if self.least else 1.0) * logits[0, actions].astype(float)
        likes = np.exp(logits[0, actions] - logits[0, actions].max())
        priors = likes / likes.sum()
        best = int(actions[np.argmax(legal)])
        if self.temperature > 0:
            best = draw_action(self.random, actions, legal, self.temperature)
        win, drawn, loss = (float(share) for share in (wdl[0, ::-1] if position.turn == 1 else wdl[0]))
        order = np.lexsort((-legal, actions != best))
        texts = position.moves
        lines = tuple(Line(texts[row], win - loss, 0, float(priors[row]), (texts[row],)) for row in order)
        yield Choice(lines[0].move, win - loss, (win, drawn, loss), lines, 0, 1, 0, time.perf_counter() - began)
