"""Othello pattern tables: the patterns against an obvious reading of the board, the search against plain minimax."""

import functools
import itertools
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import boyi
from boyi.exact.othello import EndgameSolver, solve_endgame
from boyi.games.bits import lowest, popcount
from boyi.games.kernels import kernel
from boyi.games.othello import OTHER, OWN
from boyi.games.position import Position
from boyi.games.randomness import generator
from boyi.quick.learner import Plan
from boyi.quick.othello_calibrate import calibrate
from boyi.quick.othello_codes import LOOKUPS, read, seen_after, unseen_after
from boyi.quick.othello_engine import OthelloEngine, expected, margins_of
from boyi.quick.othello_learner import FIRST, LAST_EPOCHS, LATE, PLAYED, OthelloLearner
from boyi.quick.othello_patterns import UNIT, Layout, Patterns, evaluate, features, layout, phase_of
from boyi.quick.othello_search import (
    BEST,
    FEWEST,
    SHALLOW,
    advance,
    make_stack,
    open_root,
    reopen_root,
)
from boyi.quick.othello_train import Opening, fit, play_games

SIZES = (6, 8)
Weights = NDArray[np.int16]


@functools.cache
def random_weights(size: int, spread: int = 300) -> Weights:
    shape = layout(size).phases, len(layout(size).carriers)
    return np.random.default_rng(size).integers(-spread, spread + 1, shape).astype(np.int16)


@functools.cache
def random_patterns(size: int, spread: int = 300) -> Patterns:
    return layout(size).patterns(random_weights(size, spread))


def random_position(size: int, seed: int, moves: int) -> Position:
    random = np.random.default_rng(seed)
    position = boyi.game("othello", size=size).start()
    for _ in range(moves):
        after = position.play_action(int(random.choice(position.actions)))
        if after.turn is None:
            break
        position = after
    return position


def value_of(patterns: Patterns, position: Position) -> int:
    return int(evaluate(patterns, position.state[OWN], position.state[OTHER], np.zeros(LOOKUPS, np.uint16)))


def pattern_squares(size: int) -> dict[str, list[tuple[int, int]]]:
    """One instance of each pattern as rows and columns, in the order of its digits."""
    last = size - 1
    found = {
        "edge": [(0, c) for c in range(size)] + [(1, 1), (1, last - 1)],
        "corner25": [(r, c) for r in range(2) for c in range(5)],
        "corner33": [(r, c) for r in range(3) for c in range(3)],
    }
    for row in range(1, size // 2):
        found[f"row{row + 1}"] = [(row, c) for c in range(size)]
    for length in range(size, 3, -1):
        found[f"diagonal{length}"] = [(i, i + size - length) for i in range(length)]
    return found


def obvious_value(size: int, weights: Weights, position: Position) -> int:
    """The sum over every different image of every pattern, read square by square."""
    table = layout(size)
    place = {int(carrier): at for at, carrier in enumerate(table.carriers)}
    phase = min(max((popcount(position.state[OWN] | position.state[OTHER]) - 5) // 4, 0), table.phases - 1)
    mover = "XO"[position.turn or 0]
    total = 0
    for name, squares in pattern_squares(size).items():
        images: dict[frozenset[tuple[int, int]], list[tuple[int, int]]] = {}
        for flip, mirror, swap in itertools.product((False, True), repeat=3):
            image = [(size - 1 - r if flip else r, size - 1 - c if mirror else c) for r, c in squares]
            image = [(c, r) if swap else (r, c) for r, c in image]
            images.setdefault(frozenset(image), image)
        for image in images.values():
            cells = [position.cells[r][c] for r, c in image]
            digits = [0 if not cell else 1 if cell == mover else 2 for cell in cells]
            code = table.offsets[name] + sum(digit * 3**at for at, digit in enumerate(digits))
            total += int(weights[phase, place[int(table.canon[code])]])
    discs = sum(bool(cell) for row in position.cells for cell in row)
    total += int(weights[phase, place[table.offsets["bias"] + discs]])
    return min(max(total, -size * size * UNIT + 1), size * size * UNIT - 1)


@pytest.mark.parametrize("size", SIZES)
def test_patterns_are_what_they_say(size: int) -> None:
    for seed in range(12):
        position = random_position(size, seed, 2 + 3 * seed)
        wanted = obvious_value(size, random_weights(size, 40), position)
        assert value_of(random_patterns(size, 40), position) == wanted


@pytest.mark.parametrize("size", SIZES)
def test_symmetric_positions_have_one_value(size: int) -> None:
    for seed in range(10):
        position = random_position(size, seed, 8 + seed)
        game = position.game
        images = [Position(game, game.transform(position.state, symmetry)) for symmetry in game.symmetries]
        assert len({value_of(random_patterns(size), image) for image in images}) == 1


def test_the_usual_board_has_47_lookups() -> None:
    table: Layout = layout(8)
    position = boyi.game("othello").start()
    codes, out = np.zeros(LOOKUPS, np.uint16), np.zeros(LOOKUPS + 1, np.int64)
    assert features(random_patterns(8), position.state[OWN], position.state[OTHER], codes, out) == 47
    assert (table.phases, table.stride) == (15, 167_330)
    phases = [phase_of(8, np.uint64((1 << discs) - 1), np.uint64(0)) for discs in range(4, 64)]
    assert phases == sorted(phases)
    assert set(phases) == set(range(15))


@kernel
def compiled_read(out, nibbles, own, other):
    read(out, nibbles, own, other)


@kernel
def compiled_seen_after(out, unseen, steps, square, changed):
    seen_after(out, unseen, steps, square, changed)


@kernel
def compiled_unseen_after(out, seen, steps, square, changed):
    unseen_after(out, seen, steps, square, changed)


COMPILED = compiled_read, compiled_seen_after, compiled_unseen_after


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("functions", [COMPILED, (read, seen_after, unseen_after)], ids=["compiled", "plain"])
def test_codes_follow_the_moves(size: int, functions: tuple[Callable[..., None], ...]) -> None:
    """Through whole games with passes, what a move adds is what the next position has."""
    from_discs, next_seen, next_unseen = functions
    table = layout(size)
    seen, unseen, wanted, after_seen, after_unseen = np.zeros((5, LOOKUPS), np.uint16)
    for seed in range(4):
        position = random_position(size, seed, 0)
        from_discs(seen, table.nibbles, position.state[OWN], position.state[OTHER])
        from_discs(unseen, table.nibbles, position.state[OTHER], position.state[OWN])
        random = np.random.default_rng(seed)
        while position.turn is not None:
            own, other = position.state[OWN], position.state[OTHER]
            position = position.play_action(int(random.choice(position.actions)))
            disc = ~(own | other) & (position.state[OWN] | position.state[OTHER])
            if disc:
                move = lowest(disc), other ^ position.state[OWN]
                next_seen(after_seen, unseen, table.steps, *move)
                next_unseen(after_unseen, seen, table.steps, *move)
                seen[:], unseen[:] = after_seen, after_unseen
            else:
                seen[:], unseen[:] = unseen.copy(), seen.copy()
            from_discs(wanted, table.nibbles, position.state[OWN], position.state[OTHER])
            assert (seen == wanted).all()
            from_discs(wanted, table.nibbles, position.state[OTHER], position.state[OWN])
            assert (unseen == wanted).all()


def test_codes_are_within_their_patterns() -> None:
    """No code is ever beyond the weights of its pattern, and what fills the vectors has weight 0."""
    for size in SIZES:
        table = layout(size)
        most = 2 * table.steps.sum(axis=0, dtype=np.int64)
        ends = sorted({*table.offsets.values(), table.stride})
        for place, code in zip(table.places[: table.instances].tolist(), most.tolist(), strict=False):
            assert place + code + 1 == ends[ends.index(place) + 1]
        assert (most[table.instances :] == 0).all()
        assert (random_patterns(size).weights[:, table.places[table.instances :]] == 0).all()


def minimax(size: int, position: Position, depth: int) -> int:
    """The value for the mover, in units; passes cost no depth."""
    if position.outcome:
        margin = position.outcome.score
        return UNIT * (margin if position.state[3] & np.uint64(1) == 0 else -margin)
    if depth == 0:
        return value_of(random_patterns(size), position)
    if position.moves == ("pass",):
        return -minimax(size, position.play("pass"), depth)
    return max(-minimax(size, position.play(move), depth - 1) for move in position.moves)


def searched(size: int, position: Position, depth: int) -> int:
    patterns, stack = random_patterns(size), make_stack(size, table_mb=1)
    own, other = position.state[OWN], position.state[OTHER]
    for level in range(1, depth + 1):
        if level == 1:
            open_root(patterns, stack, own, other, 1, -1)
        else:
            reopen_root(stack, level)
        while not advance(patterns, stack, int(stack.control[0]) + 50):
            pass
    return int(stack.numbers[0, BEST])


@pytest.mark.parametrize("size", SIZES)
def test_search_is_minimax(size: int) -> None:
    """In pauses of 50 nodes, deepening, through passes and to the end of games."""
    for seed, moves in enumerate((3, 9, size * size - 12, size * size - 9, size * size - 8)):
        position = random_position(size, seed, moves)
        if position.moves != ("pass",):
            assert searched(size, position, 3) == minimax(size, position, 3)


@pytest.mark.parametrize("size", SIZES)
def test_search_passes(size: int) -> None:
    """Deeper into positions where a side must pass after a move."""
    late = (random_position(size, seed, size * size - 12) for seed in itertools.count())
    passing = (p for p in late if any(p.play(move).moves == ("pass",) for move in p.moves if move != "pass"))
    for position in itertools.islice(passing, 4):
        assert searched(size, position, 4) == minimax(size, position, 4)


@pytest.fixture(scope="module")
def trained() -> OthelloLearner:
    """A few seconds of training on the small board."""
    net = OthelloLearner(boyi.game("othello", size=6), Plan(0.1, seed=5))
    spent = 0.0
    for number in range(1, 7):
        spent += sum(net.generation(number, spent, lambda *_: None)[name] for name in ("play_s", "learn_s"))
    return net


def test_training_explains_the_labels(trained: OthelloLearner) -> None:
    samples = trained.samples()
    patterns = trained.layout.patterns(trained.arrays()["weights"])
    order = np.arange(len(samples["labels"]))
    data = samples["boards"], samples["labels"], order, trained.weights, trained.visits
    error = fit(patterns, *data, 0.0, 0.0, 0.0, False)
    assert error < 0.75 * samples["labels"].std()


def test_a_trained_net_wins(trained: OthelloLearner) -> None:
    game = trained.game
    engine = OthelloEngine(game, trained.arrays(), table_mb=1)
    wins = 0
    for seed in range(6):
        random = np.random.default_rng(seed)
        position = game.start()
        while position.turn is not None:
            if position.turn == seed % 2:
                action = list(engine.search(position, nodes=500))[-1].promising
                position = position.play_action(action)
            else:
                position = position.play_action(int(random.choice(position.actions)))
        assert position.outcome is not None
        wins += position.outcome.winner == seed % 2
    assert wins >= 5


def test_exact_labels_are_exact() -> None:
    """The kernel's labels of endgames are those of the solver's own face."""
    game = boyi.game("othello", size=6)
    solver, boards, labels = EndgameSolver(6, table_mb=1), np.zeros((300, 2), np.uint64), np.zeros(300, np.float32)
    patterns = layout(6).patterns(np.zeros((8, len(layout(6).carriers)), np.int16))
    opening = Opening(3, 8, 1, 0, 8, 0.5)
    room = make_stack(6, table_mb=1), solver.area, solver.stack, solver.table
    rows, games = play_games(patterns, *room, opening, generator(3), boards, labels)
    assert games > 5
    checked = 0
    for row in range(rows):
        own, other = (int(bits) for bits in boards[row])
        cells = ["X" if own >> s & 1 else "O" if other >> s & 1 else "-" for s in range(64) if s % 8 < 6 and s < 48]
        if cells.count("-") <= 8 and checked < 12:
            assert solve_endgame(game.position("".join(cells) + " X")).score == labels[row]
            checked += 1
    assert checked == 12


def test_probcut_cuts_and_agrees(trained: OthelloLearner) -> None:
    """Over many positions: how far a single one is off depends on how much was learnt in the time there was."""
    weights = trained.arrays()["weights"]
    deviations = calibrate(trained.game, weights, trained.samples()["boards"], seconds=3.0)
    assert (deviations[2:5, 5] > 0).all()
    assert (margins_of(deviations, 6, 1.3)[3, 3:8] > 0).all()  # type: ignore[index]
    cutting = OthelloEngine(trained.game, {"weights": weights, "deviations": deviations}, table_mb=1)
    whole = OthelloEngine(trained.game, {"weights": weights}, table_mb=1)
    positions = [random_position(6, seed, 10) for seed in range(16)]
    cut, full = ([list(engine.search(p, depth=8))[-1] for p in positions] for engine in (cutting, whole))
    assert sum(report.nodes for report in cut) < 0.6 * sum(report.nodes for report in full)
    values = np.array([[report.moves[0].value for report in reports] for reports in (cut, full)])
    assert np.abs(values[0] - values[1]).mean() < 0.2 * values[1].std()


def test_shallow_searches_have_the_parity() -> None:
    assert all((SHALLOW[depth] - depth) % 2 == 0 and SHALLOW[depth] < depth for depth in range(3, len(SHALLOW)))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("depth", [0, 5])
def test_a_search_to_the_end_is_exact(size: int, depth: int) -> None:
    """Full boards count their discs, and no leaf has fewer empty squares than are learnt from."""
    game = boyi.game("othello", size=size)
    engine = OthelloEngine(game, {"weights": random_weights(size)}, table_mb=1)
    checked = 0
    for seed in range(8):
        position = random_position(size, seed, size * size - 4 - 8)
        empties = size * size - popcount(position.state[OWN] | position.state[OTHER])
        if position.moves != ("pass",) and empties - (depth or empties) < FEWEST:
            report = list(engine.search(position, depth=depth))[-1]
            assert (report.depth, report.score) == (empties, solve_endgame(position).score)
            checked += 1
    assert checked >= 4


@pytest.mark.parametrize("size", SIZES)
def test_with_time_left_the_end_is_searched_without_cuts(size: int) -> None:
    """Random weights predict nothing, so ProbCut errs, until the search no longer uses it."""
    game = boyi.game("othello", size=size)
    deviations = np.full((layout(size).phases, 28), 50, np.float32)
    careless, sure = 0, 0
    for seed in range(6):
        position = random_position(size, seed, size * size - 4 - 12)
        if position.moves == ("pass",):
            continue
        arrays = {"weights": random_weights(size), "deviations": deviations}
        wanted = solve_endgame(position).score
        careless += list(OthelloEngine(game, arrays, table_mb=1).search(position, depth=60))[-1].score != wanted
        last = list(OthelloEngine(game, arrays, table_mb=1).search(position))[-1]
        assert (last.score, last.stopped) == (wanted, "depth")
        sure += 1
    assert careless >= 1
    assert sure >= 3


class TestEngine:
    def engine(self, size: int = 8, **options: int) -> OthelloEngine:
        return OthelloEngine(boyi.game("othello", size=size), {"weights": random_weights(size)}, table_mb=1, **options)

    def test_limits(self) -> None:
        position = random_position(8, 1, 12)
        engine = self.engine()
        by_depth = list(engine.search(position, depth=4))[-1]
        assert (by_depth.depth, by_depth.stopped) == (4, "depth")
        by_nodes = list(engine.search(position, nodes=3000))[-1]
        assert by_nodes.stopped == "nodes"
        assert 2500 < by_nodes.nodes <= 3000
        by_time = list(engine.search(position, seconds=0.02))[-1]
        assert by_time.stopped == "seconds"
        assert by_time.moves

    def test_the_line_is_legal_and_the_score_is_the_margin(self) -> None:
        position = random_position(8, 7, 15)
        report = list(self.engine().search(position, depth=5))[-1]
        at = position
        for action in report.moves[0].line:
            at = at.play_action(action)
        assert len(report.moves[0].line) >= 3
        empties = 64 - popcount(position.state[OWN] | position.state[OTHER])
        assert report.moves[0].value == pytest.approx(expected(report.score or 0.0, empties))

    def test_all_lines_are_true_values(self) -> None:
        position = random_position(6, 4, 8)
        report = list(self.engine(6, lines=0).search(position, depth=3))[-1]
        assert {move.action for move in report.moves} == set(position.actions)
        empties = 36 - popcount(position.state[OWN] | position.state[OTHER])
        sign = 1 - 2 * (position.turn or 0)
        for move in report.moves:
            true = -minimax(6, position.play_action(move.action), 2)
            assert move.value == pytest.approx(expected(sign * true / UNIT, empties))

    def test_a_forced_pass(self) -> None:
        passing = next(
            p for s in range(200) for n in range(40, 58) if (p := random_position(8, s, n)).moves == ("pass",)
        )
        assert passing.actions == (list(self.engine().search(passing, depth=3))[-1].promising,)


def test_the_schedule_fits_the_time() -> None:
    net = OthelloLearner.__new__(OthelloLearner)
    net.plan = Plan(15.0)
    assert [net.stint(number, 0.0).seconds for number in range(1, 6)] == [stint.seconds for stint in FIRST]
    late = net.stint(6, 300.0)
    assert late == LATE._replace(seconds=pytest.approx(PLAYED * 600 / 3))
    last = net.stint(8, 800.0)
    assert last == LATE._replace(seconds=pytest.approx(PLAYED * 100), epochs=LAST_EPOCHS)
    net.plan = Plan(1.5)
    assert net.stint(5, 30.0).seconds == pytest.approx(FIRST[4].seconds / 10)
