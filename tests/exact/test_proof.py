"""Proofs of who wins, in games that have no solver of their own."""

import random
from pathlib import Path

import pytest

import boyi
from boyi.exact.proof import Prover, solve_by_proof
from boyi.exact.proof_frames import ENOUGH, REPLY, make_search, make_table, open_root
from boyi.exact.proof_search import DONE, PAUSED, by_depth, by_numbers
from boyi.exact.solve import at_hand

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "connect_four.py")


@pytest.fixture(scope="module")
def four():
    return boyi.game(EXAMPLE)


def ending(game, empty, seed):
    """A running position of random play with so many empty squares, where nobody wins with the next move."""
    rng = random.Random(seed)
    while True:
        position = game.start()
        while position.turn is not None and sum(not cell for row in position.cells for cell in row) > empty:
            position = position.play(rng.choice(position.moves))
        if position.turn is not None and all(position.play(move).turn is not None for move in position.moves):
            return position


def result(position):
    return 0 if position.outcome.winner is None else 1 - 2 * position.outcome.winner


def plain_value(position, seen):
    if position.outcome:
        return result(position)
    if position.key not in seen:
        values = [plain_value(position.play(move), seen) for move in position.moves]
        seen[position.key] = max(values) if position.turn == 0 else min(values)
    return seen[position.key]


@pytest.mark.parametrize("seed", range(8))
def test_values_moves_and_lines(four, seed):
    position, seen = ending(four, 10, seed), {}
    found = solve_by_proof(position)
    assert found.value == plain_value(position, seen)
    assert found.move == found.line[0]
    assert plain_value(position.play(found.move), seen) == found.value
    for move in found.line:
        position = position.play(move)
    assert result(position) == found.value


@pytest.mark.parametrize("kind", [by_numbers, by_depth])
@pytest.mark.parametrize("table_mb", [0.001, 1.0])
def test_each_search_answers_alone(four, kind, table_mb):
    """With a table that keeps next to nothing, too, and stopped after every few positions."""
    for seed in range(8, 14):
        position, seen = ending(four, 10, seed), {}
        value = plain_value(position, seen)
        for question in (0, 1):
            search, proven = make_search(four), make_table(table_mb)
            search.states[0, : four.state_size] = position.state
            answer, state, nodes = open_root(four.rules, search, proven, question), PAUSED, 0
            if answer < 0:
                while state == PAUSED:
                    nodes += 7
                    state = kind(four.rules, search, proven, question, nodes)
                assert state == DONE
                answer = search.control[ENOUGH]
            assert answer == (value >= question)
            if answer == (position.turn == 0):
                after = plain_value(position.play_action(int(search.control[REPLY])), seen)
                assert (after >= question) == answer


@pytest.mark.parametrize("name", ["connect6:size=6", "gomoku:size=5", "othello:size=4"])
def test_turns_of_two_moves_and_passes(name):
    for seed in (1, 2):
        position = ending(boyi.game(name), 6, seed)
        assert solve_by_proof(position, nodes=1_000_000, with_line=False).value == plain_value(position, {})


def test_forced_wins_are_found_at_once(four):
    """After ten moves with 32 empty squares, by a few hundred positions: depth alone took millions."""
    position = four.start()
    for move in "dgbffadfdd":
        position = position.play(move)
    found = solve_by_proof(position, nodes=5_000)
    assert found.value == 1
    for move in found.line:
        position = position.play(move)
    assert result(position) == 1


def test_a_search_that_was_given_up_goes_on(four):
    position = ending(four, 22, 5)
    whole, pieces = Prover(four), Prover(four)
    value, _ = whole.value(position)
    assert whole.nodes > 5_000
    found = None
    while found is None and pieces.nodes < 20 * whole.nodes:
        try:
            found, _ = pieces.value(position, nodes=1_000)
        except boyi.NotSolvable:
            continue
    assert found == value


def test_one_prover_for_a_whole_game(four):
    prover, position = Prover(four, table_mb=0.01), ending(four, 12, 3)
    while position.turn is not None:
        value, action = prover.value(position)
        assert value == plain_value(position, {})
        position = position.play_action(position.actions[0] if action is None else action)


def test_results_known_from_elsewhere():
    """Connect Four on 4x4 and 5x4 is a draw; tic-tac-toe and Gomoku on 4x4 likewise."""
    for name in (f"{EXAMPLE}:rows=4,columns=4", f"{EXAMPLE}:rows=4,columns=5", "tictactoe", "gomoku:size=4,win=4"):
        assert solve_by_proof(boyi.game(name).start(), nodes=2_000_000, with_line=False).value == 0, name


def test_limits(four):
    with pytest.raises(boyi.NotSolvable, match="in 100 positions; allow more nodes or seconds"):
        solve_by_proof(four.start(), nodes=100)
    with pytest.raises(boyi.NotSolvable, match="allow more"):
        boyi.solve(four.start(), seconds=0.05)


def test_nodes_alone_always_give_the_same_answer(four):
    position = ending(four, 14, 1)
    first, second = (boyi.solve(position, nodes=1_000_000) for _ in range(2))
    assert (first.nodes, first.line) == (second.nodes, second.line)


def test_players_of_own_games_know_what_is_won(four):
    position = next(
        position
        for position in (ending(four, 10, seed) for seed in range(100))
        if plain_value(position, {}) == 1 - 2 * position.turn
    )
    found = at_hand(position, None)
    assert found is not None
    assert found.exact_by == "proof"
    choice = boyi.player("mcts:sims=10,exact=yes", four).choose(position)
    assert choice.exact
    assert plain_value(position.play(choice.move), {}) == found.value
    lost = position.play(found.move)
    assert at_hand(lost, None) is None
