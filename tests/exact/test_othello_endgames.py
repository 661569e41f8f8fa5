"""The exact Othello solver: against the FFO suite, and against plain minimax over the game's own rules."""

import random
import threading
import time
from collections import Counter
from itertools import count

import numpy as np
import pytest

import boyi
import boyi.exact.solve as solving
from boyi.bench.ffo import Problem, bench_ffo, problems, read_numbers
from boyi.exact.othello import (
    Budget,
    EndgameSolver,
    empties,
    feasible_empties,
    root_scores,
    solve_endgame,
)
from boyi.exact.othello_board import flips, reach
from boyi.exact.othello_stable import edge_table, stable_discs
from boyi.exact.solve import at_hand
from boyi.games.bits import NONE, ONE
from boyi.games.errors import GameError
from boyi.games.generics import RUNNING, legal, outcome, score, step, turn
from boyi.games.kernels import kernel
from boyi.games.othello import MOVES, OTHER, OWN, mobility, turned
from boyi.games.position import Position
from boyi.games.randomness import below, generator

QUICK = problems("1-25,27,29-32")


@kernel
def minimax(rules, states, masks, numbers, prune):
    """The score of `states[0]` for player 0 by going through every line of play, or, with `prune`, those that matter.

    An explicit stack of P frames: states [P, S], masks [P, A], numbers [P, 4] hold the next action, the best score, and
    the window.
    """
    ply = 0
    legal(rules, states[0], masks[0])
    numbers[0, 0], numbers[0, 2], numbers[0, 3] = 0, -100, 100
    numbers[0, 1] = -100 if turn(rules, states[0]) == 0 else 100
    while True:
        action = numbers[ply, 0]
        while action < masks.shape[1] and not masks[ply, action]:
            action += 1
        if action == masks.shape[1] or (prune and numbers[ply, 2] >= numbers[ply, 3]):
            if ply == 0:
                return numbers[0, 1]
            value = numbers[ply, 1]
            ply -= 1
        else:
            numbers[ply, 0] = action + 1
            for entry in range(states.shape[1]):
                states[ply + 1, entry] = states[ply, entry]
            step(rules, states[ply + 1], action)
            if outcome(rules, states[ply + 1]) == RUNNING:
                ply += 1
                legal(rules, states[ply], masks[ply])
                numbers[ply, 0] = 0
                numbers[ply, 1] = -100 if turn(rules, states[ply]) == 0 else 100
                numbers[ply, 2], numbers[ply, 3] = numbers[ply - 1, 2], numbers[ply - 1, 3]
                continue
            value = score(rules, states[ply + 1])
        if turn(rules, states[ply]) == 0:
            numbers[ply, 1] = max(numbers[ply, 1], value)
            numbers[ply, 2] = max(numbers[ply, 2], value)
        else:
            numbers[ply, 1] = min(numbers[ply, 1], value)
            numbers[ply, 3] = min(numbers[ply, 3], value)


def plain_score(position: Position, *, prune: bool = False) -> int:
    game = position.game
    states = np.zeros((40, game.state_size), game.state_dtype)
    states[0] = position.state
    masks = np.zeros((40, game.num_actions), np.uint8)
    return int(minimax(game.rules, states, masks, np.zeros((40, 4), np.int64), prune))


def random_positions(number: int, left: int, *, seed: int = 1, size: int = 8) -> list[Position]:
    """Running positions of random games, with `left` empty squares."""
    game, rng, found = boyi.game("othello", size=size), generator(seed), []
    while len(found) < number:
        position = game.start()
        while position.outcome is None and empties(position) > left:
            position = position.play_action(position.actions[below(rng, len(position.actions))])
        if position.outcome is None:
            found.append(position)
    return found


def for_mover(problem: Problem, value: int | None) -> int:
    assert value is not None
    return value if problem.position.turn == 0 else -value


@pytest.mark.parametrize("problem", QUICK, ids=lambda problem: f"#{problem.number}")
def test_ffo(problem: Problem) -> None:
    solution = solve_endgame(problem.position)
    assert solution.exact
    assert for_mover(problem, solution.score) == problem.score
    assert solution.low == solution.high == solution.score
    assert solution.move in problem.moves
    assert solution.result == np.sign(solution.score)


@pytest.mark.parametrize(("left", "number"), [(1, 40), (2, 40), (3, 60), (4, 80), (5, 80), (6, 80), (8, 250), (9, 60)])
def test_against_minimax(left: int, number: int) -> None:
    solver = EndgameSolver(table_mb=1)
    for position in random_positions(number, left, seed=left):
        assert solver.solve(position, budget=Budget()).score == plain_score(position), position.key


@pytest.mark.parametrize(("left", "number"), [(10, 100), (12, 40)])
def test_against_alpha_beta_without_any_ordering(left: int, number: int) -> None:
    for position in random_positions(number, left, seed=left):
        assert solve_endgame(position).score == plain_score(position, prune=True), position.key


def test_the_pruning_reference_is_minimax() -> None:
    for position in random_positions(60, 8, seed=3):
        assert plain_score(position, prune=True) == plain_score(position)


@pytest.mark.parametrize(("size", "left"), [(4, 12), (4, 7), (6, 11), (6, 9)])
def test_small_boards(size: int, left: int) -> None:
    for position in random_positions(1 if left == 12 else 30, left, size=size):
        solution = solve_endgame(position)
        assert solution.score == plain_score(position, prune=True), position.key
        assert replayed(position, solution.line).outcome.score == solution.score


def replayed(position: Position, line: tuple[str, ...]) -> Position:
    for move in line:
        position = position.play(move)
    return position


@pytest.mark.parametrize("left", [1, 3, 5, 7, 10, 13])
def test_lines_lead_to_the_score(left: int) -> None:
    for position in random_positions(30, left, seed=100 + left):
        solution = solve_endgame(position)
        assert solution.move == solution.line[0]
        end = replayed(position, solution.line).outcome
        assert end is not None
        assert end.score == solution.score


@pytest.mark.parametrize("left", [2, 6, 9, 14])
def test_win_draw_loss(left: int) -> None:
    for position in random_positions(30, left, seed=200 + left):
        solver = EndgameSolver(table_mb=1)
        found = solver.solve(position, kind="wdl", budget=Budget())
        exact = solver.solve(position, budget=Budget())
        assert found.exact
        assert found.result == np.sign(exact.score)
        assert found.low <= exact.score <= found.high
        end = replayed(position, found.line).outcome
        assert end is not None
        assert np.sign(end.score) == found.result


def test_win_draw_loss_takes_fewer_nodes() -> None:
    (problem,) = problems("16")
    budgets = Budget(), Budget()
    for kind, budget in zip(("wdl", "score"), budgets, strict=True):
        EndgameSolver(table_mb=4).solve(problem.position, kind=kind, budget=budget)
    assert budgets[0].spent < budgets[1].spent


def test_scores_of_all_moves() -> None:
    for position in random_positions(20, 8, seed=4):
        scores = root_scores(position)
        assert scores == {move: plain_value_after(position, move) for move in position.moves}
        ordered = list(scores.values())
        assert ordered == sorted(ordered, reverse=position.turn == 0)


def plain_value_after(position: Position, move: str) -> int:
    after = position.play(move)
    return after.outcome.score if after.outcome else plain_score(after)


def test_symmetries_and_colours() -> None:
    for position in random_positions(6, 12, seed=5):
        expected = solve_endgame(position).score
        for symmetry in position.game.symmetries:
            turned_board = Position(position.game, position.game.transform(position.state, symmetry))
            assert EndgameSolver(table_mb=1).solve(turned_board, budget=Budget()).score == expected
        board, side = position.key.split()[:2]
        swapped = board.translate(str.maketrans("XO", "OX")) + (" O" if side == "X" else " X")
        assert solve_endgame(position.game.position(swapped)).score == -expected


def test_passes_stand_in_the_line() -> None:
    passing = [position for position in random_positions(400, 6, seed=6) if position.moves == ("pass",)]
    assert len(passing) >= 3
    for position in passing:
        solution = solve_endgame(position)
        assert solution.line[0] == solution.move == "pass"
        assert solution.score == plain_score(position)
        assert root_scores(position) == {"pass": solution.score}


def test_finished_games() -> None:
    game = boyi.game("othello")
    wiped_out = game.position("XXX" + "-" * 61 + " O")
    for position in (wiped_out, game.position("X" * 40 + "O" * 24 + " X"), game.position("X" * 32 + "O" * 32 + " O")):
        solution = solve_endgame(position)
        assert position.outcome is not None
        assert solution.score == position.outcome.score
        assert (solution.move, solution.line, solution.exact, solution.nodes) == (None, (), True, 0)
        assert root_scores(position) == {}
    assert solve_endgame(wiped_out).score == 64


def test_a_wipe_out_is_seen() -> None:
    position = boyi.game("othello").position("XXXXO---" + "-" * 56 + " X")
    solution = solve_endgame(position, seconds=20)
    assert (solution.score, solution.line) == (64, ("f1",))


def test_few_nodes_still_answer() -> None:
    (problem,) = problems("43")
    for nodes in (0, 1, 1000, 300_000):
        solver = EndgameSolver(table_mb=4)
        solution = solver.solve(problem.position, budget=Budget(nodes=nodes))
        assert not solution.exact
        assert solution.score is None
        assert solution.move in problem.position.moves
        assert solution.nodes <= nodes + 100
        low, high = (solution.low, solution.high) if problem.position.turn == 0 else (-solution.high, -solution.low)
        assert low <= problem.score <= high


def test_a_stopped_search_keeps_its_bounds_and_can_go_on() -> None:
    (problem,) = problems("25")
    solver = EndgameSolver(table_mb=16)
    for nodes in count(400_000, 400_000):
        solution = solver.solve(problem.position, budget=Budget(nodes=nodes))
        low, high = sorted((for_mover(problem, solution.low), for_mover(problem, solution.high)))
        assert low <= problem.score <= high
        if solution.exact:
            break
    assert for_mover(problem, solution.score) == problem.score


def test_time_and_stop_end_a_search() -> None:
    (problem,) = problems("55")
    solve_endgame(problem.position, nodes=0)
    started = time.perf_counter()
    assert not solve_endgame(problem.position, seconds=0.1).exact
    asked = count()
    assert not solve_endgame(problem.position, stop=lambda: next(asked) == 5).exact
    assert next(asked) == 6
    assert root_scores(problem.position, seconds=0.1) == {}
    assert time.perf_counter() - started < 20


def test_two_threads_solve_at_once() -> None:
    found: dict[int, int | None] = {}

    def run(problem: Problem) -> None:
        found[problem.number] = solve_endgame(problem.position).score

    wanted = problems("22,23")
    threads = [threading.Thread(target=run, args=(problem,)) for problem in wanted]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [for_mover(problem, found[problem.number]) for problem in wanted] == [p.score for p in wanted]


def test_bad_input() -> None:
    othello = boyi.game("othello")
    with pytest.raises(GameError, match="tictactoe"):
        solve_endgame(boyi.game("tictactoe").start())
    with pytest.raises(GameError, match=r"'margin'.*score, wdl"):
        solve_endgame(othello.start(), kind="margin")
    for budget in ({"seconds": -1.0}, {"seconds": float("nan")}, {"nodes": -5}):
        with pytest.raises(GameError, match="0 or more"):
            solve_endgame(othello.start(), **budget)
    with pytest.raises(GameError, match="size 8, not 6"):
        EndgameSolver(8, table_mb=1).solve(boyi.game("othello", size=6).start(), budget=Budget())
    with pytest.raises(GameError, match="4, 6 and 8"):
        EndgameSolver(10)
    for numbers in ("0", "60", "5-3", "x", "", "1-", "-4"):
        with pytest.raises(GameError, match="FFO"):
            read_numbers(numbers)


def test_feasible_empties() -> None:
    assert empties(boyi.game("othello").start()) == 60
    assert empties(boyi.game("othello", size=6).start()) == 32
    limits = [feasible_empties(seconds) for seconds in (0.0, 0.001, 0.1, 10.0, 1000.0)]
    assert limits == sorted(limits)
    assert 4 <= limits[0] < limits[2] < limits[4] <= 40
    assert feasible_empties(0.1, kind="wdl") < limits[4]
    times = [0.1 * 1.2**step for step in range(20)]  # at some speeds of a computer two of them are the same at one time
    score, wdl, small, small_wdl = (
        [feasible_empties(seconds, kind=kind, size=size) for seconds in times]
        for size, kind in ((8, "score"), (8, "wdl"), (6, "score"), (6, "wdl"))
    )
    for fewer, more in ((score, wdl), (score, small), (small, small_wdl)):
        assert sum(fewer) < sum(more)
        assert all(few <= many for few, many in zip(fewer, more, strict=True))


def test_a_player_takes_a_win_of_unknown_size_and_no_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the squares whose score there is time for, only who wins is asked."""
    limits = {"score": 8, "wdl": 12}
    monkeypatch.setattr(solving, "feasible_empties", lambda seconds, *, kind, size: limits[kind])
    luck, answers = random.Random(2), Counter()
    for _ in range(40):
        position = boyi.game("othello", size=6).start()
        while position.outcome is None and empties(position) > 12:
            position = position.play(luck.choice(position.moves))
        if position.outcome is None:
            truth = solve_endgame(position, kind="wdl").result
            found = at_hand(position, 600)
            answers[None if found is None else found.value * (1 if position.turn == 0 else -1)] += 1
            if found is None:
                assert truth == (-1 if position.turn == 0 else 1)
            else:
                assert found.value == truth == solve_endgame(position.play(str(found.move)), kind="wdl").result
    assert answers[1.0] >= 5
    assert answers[None] >= 5
    assert answers[-1.0] == 0


@kernel
def disagreements(words):
    """How often the vectors of the solver differ from the rules, on random boards [N, 2]."""
    found = 0
    for index in range(words.shape[0]):
        own, other = words[index, 0], words[index, 1] & ~words[index, 0]
        empty = ~(own | other)
        found += (reach(own, other) & empty) != mobility(own, other, 8)
        for square in range(64):
            if (empty >> np.uint64(square)) & ONE:
                found += flips(own, other, square) != turned(own, other, ONE << np.uint64(square))
    return found


def test_vectors_agree_with_the_rules() -> None:
    words = np.random.default_rng(0).integers(0, 2**64, (2000, 2), dtype=np.uint64, endpoint=False)
    words[::2, 0] &= words[1::2, 0]
    assert disagreements(words) == 0


@pytest.mark.parametrize("size", [4, 6, 8])
def test_stable_discs_are_never_turned(size: int) -> None:
    """Random play to the end after every position: what was called stable then still has its colour."""
    solver = EndgameSolver(size, table_mb=1)
    area = solver.area
    rng = generator(7)
    seen = 0
    for position in random_positions(40, size * size // 4, seed=8, size=size):
        own, other = position.state[OWN], position.state[OTHER]
        stable = stable_discs(own, other, area.board & ~(own | other), area.inside, area.edges, area.size)
        assert stable & ~own == NONE
        seen += int(stable).bit_count()
        for _ in range(5):
            end = position
            while end.outcome is None:
                end = end.play_action(end.actions[below(rng, len(end.actions))])
                mine = end.state[OWN] if int(end.state[3]) & 1 == position.turn else end.state[OTHER]
                assert stable & ~mine == NONE
    assert seen > 40


def test_edge_table() -> None:
    table = edge_table(8)
    assert table[0b11111111 * 256] == 0b11111111
    assert table[0b00000111 * 256] == 0b00000111
    assert table[0b00111100 * 256] == 0
    assert table[0b00111100 * 256 + 0b11000011] == 0b00111100
    assert table[0b01111110 * 256 + 0b00000001] == 0


@pytest.mark.parametrize("size", [4, 6, 8])
def test_full_edges_are_stable(size: int) -> None:
    area = EndgameSolver(size, table_mb=1).area
    border = area.board & ~area.inside
    column = np.uint64(0x0101010101010101) & area.board
    for own in (border, column, column << np.uint64(size - 1), np.uint64(2**size - 1)):
        assert stable_discs(own, NONE, area.board & ~own, area.inside, area.edges, size) == own


def test_moves_of_positions_of_the_suite() -> None:
    everything = problems()
    assert [problem.number for problem in everything] == list(range(1, 60))
    for problem in everything:
        assert set(problem.moves) <= set(problem.position.moves)
        assert problem.position.state[MOVES] != NONE


def test_bench() -> None:
    results = list(bench_ffo(positions="1-3,20"))
    assert [result.unit for result in results] == [*["milliseconds", "nodes", "nodes/s"] * 5, "of 4 positions"]
    assert results[-1].value == 4
    assert results[-3].value == sum(result.value for result in results[1:-4:3])
    assert results[0].name == "#1 (14 empties)"
