"""Alpha-beta for games without chance: principal variation search under iterative deepening. Start at `AlphaBeta`.

The kernel `advance` searches one depth with an explicit stack, kept in the arrays of `Memory`, so that it can stop
after any number of nodes and be called again: Python looks at the clock between the slices (`Deepening`).

Scores are whole numbers in float64, from the view of the player who moves in a frame; signs follow the player, who
may move twice in a row. A static value is up to SCALE, a proven win is WIN less the plies to it. A subtree in which
every line that matters was played to its end is `complete`: its value is exact, whatever depth it was searched to.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.generics import RUNNING, chance, has_rule, legal, outcome, step, turn
from boyi.games.kernels import inline_kernel, kernel
from boyi.games.position import Position
from boyi.games.randomness import below, generator
from boyi.search.evaluation import rank, ranks_cheaply, static_value
from boyi.search.hashing import fingerprint

MAX_PLY = 128
SCALE, WIN, PROVEN, INFINITE = 1e6, 3e6, 2e6, 4e6
LOWER, UPPER, EXACT = 1, 2, 3
COMPLETE_DEPTH = 255
"""The depth of a table entry that no deeper search can change."""
PAUSED, DONE = 0, 1
SLICE_S = 0.004

MOVER, DEPTH, COUNT, NEXT, BEST_ACTION, COMPLETE, NARROWED, FULL, LENGTH, TOTAL = range(10)
"""Columns of `Memory.numbers`; FULL says that the child in progress has the whole window,
TOTAL counts the moves of which a narrowed frame tries COUNT."""
ALPHA, BETA, BEST, FLOOR = range(4)
"""Columns of `Memory.bounds`; FLOOR is alpha on entry."""
PLY, NODES, WORK, AGE, LINES, WIDTH, NUM_CORE, PRUNE = range(8)
"""Entries of `Memory.control`; WORK counts the nodes and the positions made for move ordering."""


class Table(NamedTuple):
    """A transposition table of `[2**k]` entries, two to a bucket; an entry counts only in its own `ages`."""

    keys: NDArray[np.uint64]
    checks: NDArray[np.uint64]
    values: NDArray[np.float64]
    actions: NDArray[np.int16]
    depths: NDArray[np.uint8]
    kinds: NDArray[np.uint8]
    ages: NDArray[np.int32]


ENTRY_BYTES = 32


def make_table(megabytes: float) -> Table:
    """The largest table that fits, of at least two entries."""
    size = 1 << max(1, int(megabytes * 2**20 / ENTRY_BYTES).bit_length() - 1)
    kinds = (np.uint64, np.uint64, np.float64, np.int16, np.uint8, np.uint8, np.int32)
    arrays: list[Any] = [np.zeros(size, kind) for kind in kinds]
    return Table(*arrays)


class Memory(NamedTuple):
    """A search in progress: P = MAX_PLY frames over A actions. The root arrays are indexed by action."""

    states: NDArray[Any]  # [P + 2, state_size]; the last row is scratch
    actions: NDArray[np.int16]  # [P, A]
    keys: NDArray[np.float64]  # [P, A] move ordering, the best highest
    numbers: NDArray[np.int64]  # [P + 1, 10]
    bounds: NDArray[np.float64]  # [P + 1, 4]
    lines: NDArray[np.int16]  # [P + 1, P + 1] the best continuation of each frame
    history: NDArray[np.float64]  # [2, A] how often an action cut, by player
    mask: NDArray[np.uint8]  # [A]
    root_values: NDArray[np.float64]  # [A]
    root_known: NDArray[np.uint8]  # [A] 1 where the value is one and not a bound
    root_complete: NDArray[np.uint8]  # [A]
    root_lines: NDArray[np.int16]  # [A, P + 1]
    root_lengths: NDArray[np.int64]  # [A]
    control: NDArray[np.int64]  # [8]


def make_memory(game: Game) -> Memory:
    num_actions, plies = game.num_actions, MAX_PLY
    return Memory(
        states=np.zeros((plies + 2, game.state_size), game.state_dtype),
        actions=np.zeros((plies, num_actions), np.int16),
        keys=np.zeros((plies, num_actions)),
        numbers=np.zeros((plies + 1, 10), np.int64),
        bounds=np.zeros((plies + 1, 4)),
        lines=np.zeros((plies + 1, plies + 1), np.int16),
        history=np.zeros((2, num_actions)),
        mask=np.zeros(num_actions, np.uint8),
        root_values=np.zeros(num_actions),
        root_known=np.zeros(num_actions, np.uint8),
        root_complete=np.zeros(num_actions, np.uint8),
        root_lines=np.zeros((num_actions, plies + 1), np.int16),
        root_lengths=np.zeros(num_actions, np.int64),
        control=np.zeros(8, np.int64),
    )


@inline_kernel
def find(table, key, check, age):
    """The entry of a state, or -1."""
    bucket = np.int64(key & np.uint64(table.keys.shape[0] - 2))
    for slot in range(bucket, bucket + 2):
        if table.keys[slot] == key and table.checks[slot] == check and table.ages[slot] == age:
            return slot
    return -1


@kernel
def keep(table, key, check, age, value, action, depth, kind):
    """Store a result over the same state's, or the bucket's less deep one."""
    bucket = np.int64(key & np.uint64(table.keys.shape[0] - 2))
    slot = find(table, key, check, age)
    if slot < 0:
        slot = bucket + 1
        if table.ages[bucket] != age or (table.ages[slot] == age and table.depths[bucket] < table.depths[slot]):
            slot = bucket
    table.keys[slot] = key
    table.checks[slot] = check
    table.values[slot] = value
    table.actions[slot] = action
    table.depths[slot] = depth
    table.kinds[slot] = kind
    table.ages[slot] = age


@kernel
def list_moves(rules, evaluation, memory, state, ply, depth, first):
    """Fill a frame's actions and keys; return how many. `first` is the table's action, or -1."""
    actions, keys = memory.actions[ply], memory.keys[ply]
    legal(rules, state, memory.mask)
    count = 0
    for action in range(memory.mask.shape[0]):
        if memory.mask[action]:
            actions[count] = action
            count += 1
    if count > 1 and (depth > 1 or ranks_cheaply(evaluation)):
        memory.control[WORK] += 0 if ranks_cheaply(evaluation) else count
        count = rank(evaluation, rules, state, memory.states[MAX_PLY + 1], actions, keys, count)
    else:
        for index in range(count):
            keys[index] = memory.history[turn(rules, state), actions[index]]
    for index in range(count):
        if actions[index] == first:
            keys[index] = np.inf
    return count


@inline_kernel
def copy_row(states, ply):
    """Copy a frame's state to the next; a loop, because slices take seconds to compile."""
    for entry in range(states.shape[1]):
        states[ply + 1, entry] = states[ply, entry]


@kernel
def select(actions, keys, start, count):
    """Exchange the best of the actions from `start` on with the one at `start`."""
    best = start
    for index in range(start + 1, count):
        if keys[index] > keys[best]:
            best = index
    action, key = actions[best], keys[best]
    actions[best], keys[best] = actions[start], keys[start]
    actions[start], keys[start] = action, key
    return action


@inline_kernel
def from_table(value, ply):
    """Wins in the table count from their state, in the search from the root."""
    return value - ply if value > PROVEN else value + ply if value < -PROVEN else value


@inline_kernel
def to_table(value, ply):
    return value + ply if value > PROVEN else value - ply if value < -PROVEN else value


@kernel
def enter(rules, evaluation, memory, table, ply, alpha, beta):
    """Look at the state below frame `ply` within a window, both in the view of that frame's mover.

    Returns whether its value is found at once, the value, and whether it is complete; otherwise opens frame `ply` + 1.
    """
    numbers = memory.numbers
    child = memory.states[ply + 1]
    mover = numbers[ply, MOVER]
    numbers[ply + 1, LENGTH] = 0
    result = outcome(rules, child)
    sign = 1.0 - 2.0 * mover
    if result != RUNNING:
        return True, sign * result * (WIN - ply - 1), 1
    depth = numbers[ply, DEPTH] - 1
    if depth <= 0 or ply + 2 >= MAX_PLY:
        return True, np.rint(sign * SCALE * static_value(evaluation, rules, child)), 0
    child_mover = np.int64(turn(rules, child))
    same = 1.0 if child_mover == mover else -1.0
    if same < 0:
        alpha, beta = -beta, -alpha
    age = memory.control[AGE]
    key, check = fingerprint(child, memory.control[NUM_CORE])
    slot = find(table, key, check, age)
    first = -1
    if slot >= 0:
        first = table.actions[slot]
        if table.depths[slot] >= depth:
            value = from_table(table.values[slot], ply + 1)
            kind = table.kinds[slot]
            if kind == EXACT or (kind == LOWER and value >= beta) or (kind == UPPER and value <= alpha):
                return True, same * value, np.int64(table.depths[slot] == COMPLETE_DEPTH)
    open_frame(rules, evaluation, memory, ply + 1, depth, alpha, beta, first)
    return False, 0.0, 0


@kernel
def open_frame(rules, evaluation, memory, ply, depth, alpha, beta, first):
    state = memory.states[ply]
    numbers, bounds = memory.numbers[ply], memory.bounds[ply]
    count = list_moves(rules, evaluation, memory, state, ply, depth, first)
    width = memory.control[WIDTH]
    numbers[NARROWED] = width > 0 and count > width
    numbers[TOTAL] = count
    numbers[COUNT] = width if numbers[NARROWED] else count
    numbers[MOVER] = turn(rules, state)
    numbers[DEPTH] = depth + (count == 1)  # a forced move costs no depth
    numbers[NEXT] = 0
    numbers[BEST_ACTION] = -1
    numbers[COMPLETE] = 1
    numbers[LENGTH] = 0
    bounds[ALPHA] = bounds[FLOOR] = alpha
    bounds[BETA] = beta
    bounds[BEST] = -INFINITE


@kernel
def close_frame(memory, table, ply):
    """Store a finished frame in the table; return its value, in its mover's view, and whether it is complete."""
    numbers, bounds = memory.numbers[ply], memory.bounds[ply]
    best = bounds[BEST]
    cut = best >= bounds[BETA]
    if numbers[NARROWED] and best < -PROVEN:
        best = -SCALE  # the moves left out might have saved it
    complete = numbers[COMPLETE] and (cut or not numbers[NARROWED])
    kind = LOWER if cut else EXACT if best > bounds[FLOOR] else UPPER
    if (best > PROVEN and kind != UPPER) or (best < -PROVEN and kind != LOWER):
        complete = 1
    depth = numbers[DEPTH] - (numbers[COUNT] == 1 and not numbers[NARROWED])
    key, check = fingerprint(memory.states[ply], memory.control[NUM_CORE])
    stored = COMPLETE_DEPTH if complete else depth
    action = numbers[BEST_ACTION]
    keep(table, key, check, memory.control[AGE], to_table(best, ply), action, stored, kind)
    if cut:
        memory.history[numbers[MOVER], action] += depth * depth
    return best, np.int64(complete)


@inline_kernel
def copy_line(memory, ply):
    """The best line of a frame: the move in progress and the best line below it."""
    length = memory.numbers[ply + 1, LENGTH]
    memory.lines[ply, 0] = memory.actions[ply, memory.numbers[ply, NEXT]]
    for index in range(length):
        memory.lines[ply, index + 1] = memory.lines[ply + 1, index]
    memory.numbers[ply, LENGTH] = length + 1


@kernel
def root_alpha(memory):
    """What a further root move must beat: the least of the `LINES` best values so far."""
    wanted = memory.control[LINES]
    for index in range(memory.numbers[0, NEXT]):
        action = memory.actions[0, index]
        above, level = 0, 0
        for place in range(memory.numbers[0, NEXT]):
            other = memory.actions[0, place]
            above += memory.root_known[other] and memory.root_values[other] > memory.root_values[action]
            level += memory.root_known[other] and memory.root_values[other] >= memory.root_values[action]
        if memory.root_known[action] and above < wanted <= level:
            return memory.root_values[action]
    return -INFINITE


@kernel
def absorb(memory, ply, value, complete):
    """Take the value of the move in progress, in the mover's view, into its frame."""
    numbers, bounds = memory.numbers[ply], memory.bounds[ply]
    action = memory.actions[ply, numbers[NEXT]]
    if value > bounds[BEST]:
        bounds[BEST] = value
        numbers[BEST_ACTION] = action
    if not complete:
        numbers[COMPLETE] = 0
    elif value >= bounds[BETA]:
        numbers[COMPLETE] = 1
    if value > bounds[ALPHA]:
        copy_line(memory, ply)
    if ply == 0:
        memory.root_values[action] = value
        memory.root_known[action] = value > bounds[ALPHA]
        memory.root_complete[action] = complete
        length = numbers[LENGTH] if value > bounds[ALPHA] else 0
        memory.root_lengths[action] = length
        for index in range(length):
            memory.root_lines[action, index] = memory.lines[0, index]
    numbers[NEXT] += 1
    if ply == 0:
        bounds[ALPHA] = root_alpha(memory)
    elif value > bounds[ALPHA]:
        bounds[ALPHA] = value


@kernel
def begin(rules, evaluation, memory):
    """Open the root: its moves and their promise."""
    open_frame(rules, evaluation, memory, np.int64(0), np.int64(1), -INFINITE, INFINITE, np.int64(-1))


@kernel
def advance(rules, evaluation, memory, table, max_nodes, max_work):
    """Go on with the search of one depth until it is DONE, or PAUSED after so many nodes, or so much work, in all.

    Principal variation search (Marsland and Campbell 1982; Reinefeld 1983): after a frame's first move the others
    are tried with an empty window, and searched again only where they turn out better.
    """
    numbers, bounds, control = memory.numbers, memory.bounds, memory.control
    ply = control[PLY]
    found, value, complete = False, 0.0, np.int64(0)
    while True:
        if not found:
            if numbers[ply, NEXT] >= numbers[ply, COUNT] or bounds[ply, BEST] >= bounds[ply, BETA]:
                if ply == 0:
                    control[PLY] = 0
                    return DONE
                value, complete = close_frame(memory, table, ply)
                if numbers[ply, MOVER] != numbers[ply - 1, MOVER]:
                    value = -value
                ply -= 1
                found = True
                continue
            if control[NODES] >= max_nodes or control[WORK] >= max_work:
                control[PLY] = ply
                return PAUSED
            action = select(memory.actions[ply], memory.keys[ply], numbers[ply, NEXT], numbers[ply, TOTAL])
            copy_row(memory.states, ply)
            step(rules, memory.states[ply + 1], action)
            control[NODES] += 1
            control[WORK] += 1
            alpha, beta = bounds[ply, ALPHA], bounds[ply, BETA]
            numbers[ply, FULL] = numbers[ply, NEXT] == 0 or numbers[ply, DEPTH] <= 1 or alpha <= -INFINITE
            if not numbers[ply, FULL]:
                beta = alpha + 1.0
            found, value, complete = enter(rules, evaluation, memory, table, ply, alpha, beta)
            ply += not found
        elif not numbers[ply, FULL] and bounds[ply, ALPHA] < value < bounds[ply, BETA]:
            numbers[ply, FULL] = 1
            alpha, beta = bounds[ply, ALPHA], bounds[ply, BETA]
            found, value, complete = enter(rules, evaluation, memory, table, ply, alpha, beta)
            ply += not found
        else:
            absorb(memory, ply, value, complete)
            found = False


@kernel
def follow(rules, state, table, age, num_core, line, length):
    """Lengthen a line of play by the exact entries of the table; `state` is its first position and gets lost."""
    for index in range(length):
        step(rules, state, line[index])
    while length < line.shape[0] and outcome(rules, state) == RUNNING and turn(rules, state) >= 0:
        key, check = fingerprint(state, num_core)
        slot = find(table, key, check, age)
        if slot < 0 or table.kinds[slot] != EXACT or table.actions[slot] < 0:
            break
        line[length] = table.actions[slot]
        step(rules, state, line[length])
        length += 1
    return length


@dataclass(frozen=True)
class RootMove:
    """What a search found about one move. `value` is for player 0, and only a bound where it is not `known`."""

    action: int
    value: float
    known: bool
    exact: bool
    line: tuple[int, ...]
    """The expected continuation, beginning with the action itself; at dice it ends."""


@dataclass(frozen=True)
class Report:
    """A search's answer so far: the moves it looked at, best first, and the last depth it finished. `promising` is the
    action to play where it had no time to look at any."""

    promising: int
    moves: tuple[RootMove, ...] = ()
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    exact: bool = False


class Deepening:
    """Iterative deepening over the kernels of a search, one position at a time; the arrays are kept between them.

    `lines` is how many of the best moves get a true value and not a bound (0: all), `width` how many moves a frame
    looks at (0: all), `seed` decides between moves of equal value.
    """

    begin: Callable[..., Any]
    advance: Callable[..., Any]

    def __init__(
        self, game: Game, evaluation: Any, *, lines: int = 1, width: int = 0, table_mb: float = 16.0, seed: int = 0
    ) -> None:
        self.game, self.evaluation, self.seed = game, evaluation, seed
        self.memory, self.table = make_memory(game), make_table(table_mb)
        control = self.memory.control
        control[LINES], control[WIDTH], control[NUM_CORE], control[PRUNE] = lines, width, game.num_core, 1

    def value_of(self, score: float) -> tuple[float, bool]:
        """A score in the mover's view as an expected result, and whether the score itself proves it."""
        raise NotImplementedError

    def search(
        self,
        position: Position,
        *,
        depth: int = 0,
        nodes: int | None = None,
        seconds: float | None = None,
        every_s: float | None = None,
    ) -> Iterator[Report]:
        """Search until a limit is reached or the value is exact; what is known every `every_s` seconds, and at last."""
        max_nodes = 2**62 if nodes is None else nodes
        self._open(position)
        self._compile(position)
        started = said = time.perf_counter()
        deadline = float("inf") if seconds is None else started + seconds
        control = self.memory.control
        report = Report(int(self.memory.actions[0, 0]))
        work = 500
        for level in range(1, min(depth or MAX_PLY, MAX_PLY - 28) + 1):
            self._restart(level)
            status = PAUSED
            while status == PAUSED and control[NODES] < max_nodes and (now := time.perf_counter()) < deadline:
                before = control[WORK]
                rules = self.game.rules
                status = self.advance(rules, self.evaluation, self.memory, self.table, max_nodes, before + work)
                passed = max(time.perf_counter() - now, 1e-6)
                work = int(min(max((control[WORK] - before) * SLICE_S / passed, 50), 4 * work))
                if every_s is not None and status == PAUSED and now - said >= every_s:
                    said = now
                    yield self._report(position, report, started)
            report = self._report(position, report, started, level if status == DONE else None)
            if status == PAUSED or report.exact:
                break
            self._reorder(report)
            if every_s is not None and time.perf_counter() - said >= every_s:
                said = time.perf_counter()
                yield report
        yield replace(report, nodes=int(control[NODES]), seconds=time.perf_counter() - started)

    def _open(self, position: Position) -> None:
        memory = self.memory
        memory.states[0] = position.state
        memory.control[PLY] = memory.control[NODES] = memory.control[WORK] = 0
        memory.control[AGE] += 1
        memory.history[:] = 0
        self.begin(self.game.rules, self.evaluation, memory)
        count = memory.numbers[0, TOTAL]
        rng = generator(self.seed, position.game.num_core)
        luck = [below(rng, 1 << 30) for _ in range(count)]
        actions = memory.actions[0, :count]
        actions[:] = actions[np.lexsort((luck, -memory.keys[0, :count]))]

    def _compile(self, position: Position) -> None:
        """Have every kernel compiled, which may take seconds, before the clock starts."""
        memory, rules = self.memory, self.game.rules
        self._restart(1)
        self.advance(rules, self.evaluation, memory, self.table, 0, 0)
        line = memory.actions[0, :1].copy()
        follow(rules, position.state.copy(), self.table, memory.control[AGE], memory.control[NUM_CORE], line, 1)

    def _restart(self, level: int) -> None:
        memory = self.memory
        numbers, count = memory.numbers[0], memory.numbers[0, TOTAL]
        numbers[DEPTH], numbers[NEXT], numbers[BEST_ACTION], numbers[COMPLETE], numbers[LENGTH] = level, 0, -1, 1, 0
        memory.bounds[0] = (-INFINITE, INFINITE, -INFINITE, -INFINITE)
        memory.keys[0, :count] = -np.arange(count)

    def _reorder(self, report: Report) -> None:
        """The known moves first, best first; the others as they were."""
        actions = self.memory.actions[0, : self.memory.numbers[0, COUNT]]
        known = [move.action for move in report.moves if move.known]
        actions[:] = known + [action for action in actions.tolist() if action not in set(known)]

    def _report(self, position: Position, before: Report, started: float, level: int | None = None) -> Report:
        """The moves finished at this level; while there are none, those of the level before."""
        memory = self.memory
        numbers = memory.numbers[0]
        actions = memory.actions[0, : numbers[NEXT]].tolist()
        facts: dict[str, Any] = {"nodes": int(memory.control[NODES]), "seconds": time.perf_counter() - started}
        if not actions:
            return replace(before, **facts)
        actions.sort(key=lambda action: (not memory.root_known[action], -memory.root_values[action]))
        moves = tuple(self._root_move(position, action) for action in actions)
        later = tuple(replace(move, known=False) for move in before.moves if move.action not in set(actions))
        won = moves[0].exact and moves[0].value == (-1.0 if position.turn == 1 else 1.0)
        proven = bool(numbers[COMPLETE]) or self.value_of(memory.root_values[actions[0]])[1]
        exact = won or (level is not None and not numbers[NARROWED] and proven)
        depth = before.depth if level is None else level
        return Report(before.promising, moves + later, depth=depth, exact=exact, **facts)

    def _root_move(self, position: Position, action: int) -> RootMove:
        memory = self.memory
        known = bool(memory.root_known[action])
        value, proven = self.value_of(float(memory.root_values[action]))
        line = memory.root_lines[action].copy()
        line[0] = action
        length = max(1, int(memory.root_lengths[action]))
        if known:
            age, num_core = memory.control[AGE], memory.control[NUM_CORE]
            length = follow(self.game.rules, position.state.copy(), self.table, age, num_core, line[:MAX_PLY], length)
        exact = known and (proven or bool(memory.root_complete[action]))
        value = -value if position.turn == 1 else value
        return RootMove(action, value + 0.0, known, exact, tuple(line[:length].tolist()))


class AlphaBeta(Deepening):
    """Alpha-beta search of a game without chance."""

    begin = staticmethod(begin)
    advance = staticmethod(advance)

    def __init__(self, game: Game, evaluation: Any, **options: Any) -> None:
        if has_rule(chance, type(game.rules)):
            raise GameError(f"alpha-beta cannot search {game.name}, where chance decides too; use expectimax")
        super().__init__(game, evaluation, **options)

    def value_of(self, score: float) -> tuple[float, bool]:
        proven = abs(score) > PROVEN
        return (float(np.sign(score)) if proven else score / SCALE), proven
