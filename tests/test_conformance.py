"""What every game promises, checked on random games: for each game of the registry, with several parameters, and for
the example of `docs/new-game.md`. A game that is missing from `CASES` fails the first test.
"""

import copy
import functools
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import boyi
from boyi.games import (
    CHANCE,
    RUNNING,
    Game,
    Position,
    Symmetry,
    chance,
    init,
    kernel,
    legal,
    observe,
    outcome,
    sample,
    score,
    setup,
    step,
    turn,
)
from boyi.games.randomness import generator

EXAMPLE = str(Path(__file__).resolve().parents[1] / "examples" / "connect_four.py")
CASES = (
    "connect6:size=6",
    "connect6:size=9",
    "connect6",
    "einstein",
    "gomoku:size=4,win=4",
    "gomoku:size=5,win=3",
    "gomoku:size=6,win=4,variant=standard",
    "gomoku:size=8,variant=renju",
    "gomoku:size=13,variant=renju",
    "gomoku",
    "gomoku:size=20,win=6,variant=standard",
    "othello:size=4",
    "othello:size=6",
    "othello",
    "tictactoe",
    EXAMPLE,
    f"{EXAMPLE}:rows=4,columns=10",
)
SMALL = tuple(case for case in CASES if boyi.game(case).num_squares <= 64)
GAMES = 3
LOOKED_AT = 16
"""Positions looked at in each random game, spread over it; the first and the last are always among them."""
MOST_PLIES_A_SQUARE = 8

every_game = pytest.mark.parametrize("case", CASES, ids=lambda case: case.removeprefix(str(Path(EXAMPLE).parent) + "/"))


@functools.cache
def random_game(case: str, seed: int) -> tuple[Position, ...]:
    """Every position of a random game, from a random set-up where there is one."""
    rng = random.Random(f"{case.removeprefix(EXAMPLE)} {seed}")
    positions = [boyi.game(case).start(seed=seed)]
    while positions[-1].turn is not None and len(positions) <= MOST_PLIES_A_SQUARE * positions[0].game.num_squares:
        positions.append(positions[-1].play(rng.choice(positions[-1].moves)))
    return tuple(positions)


def positions(case: str) -> Iterator[Position]:
    """Some positions of several random games, their ends included."""
    for seed in range(GAMES):
        played = random_game(case, seed)
        for index in sorted({round(ply) for ply in np.linspace(0, len(played) - 1, LOOKED_AT)}):
            yield played[index]


def running(case: str) -> Iterator[Position]:
    return (position for position in positions(case) if position.turn is not None)


def look(game: Game, state: np.ndarray) -> Position:
    """A position of its own for a state, so that it can be asked."""
    return Position(game, state.copy())


@kernel
def compiled_look(rules, state, mask):
    """Outcome and score; or, while the game runs, RUNNING, 0, the player to move and the number of legal actions."""
    result = outcome(rules, state)
    if result != RUNNING:
        return result, score(rules, state), 0, 0
    return result, 0, turn(rules, state), legal(rules, state, mask)


@kernel
def compiled_start(rules, states, rng):
    init(rules, states[0])
    setup(rules, states[1], rng)


@kernel
def compiled_step(rules, state, action):
    step(rules, state, action)


@kernel
def compiled_chance(rules, state, probabilities):
    return chance(rules, state, probabilities)


@kernel
def compiled_observe(rules, state, view, planes):
    observe(rules, state, view, planes)


@kernel
def compiled_sample(rules, state, mask, rng, drawn):
    """Fill `drawn` with sampled actions."""
    for index in range(drawn.shape[0]):
        drawn[index] = sample(rules, state, mask, rng)


@kernel
def play_out(rules, state, mask, rng):
    """Random moves to the end."""
    while outcome(rules, state) == RUNNING:
        step(rules, state, sample(rules, state, mask, rng))


def test_every_game_is_covered() -> None:
    assert {boyi.game(case).name for case in CASES} == {*boyi.games(), "connect_four"}


@every_game
def test_legal_masks_counts_and_texts_agree(case: str) -> None:
    game = boyi.game(case)
    for position in running(case):
        mask = np.full(game.num_actions, 7, np.uint8)
        *_, count = compiled_look(game.rules, position.state, mask)
        assert set(mask.tolist()) <= {0, 1}
        assert tuple(np.flatnonzero(mask)) == position.actions
        assert count == len(position.actions) == len(set(position.moves)) > 0
        for action, move in zip(position.actions, position.moves, strict=True):
            assert game.write_move(position.state, action) == move
            assert game.read_move(position.state, move) == action
            assert game.read_move(position.state, f" {move.upper()} ") == action
            assert position.action(move) == action


@every_game
def test_games_end_and_say_how(case: str) -> None:
    for seed in range(GAMES):
        *before, end = random_game(case, seed)
        assert end.outcome is not None, f"no end after {len(before)} plies"
        assert end.turn is None
        assert end.moves == end.actions == ()
        assert end.chances is None
        assert end.outcome.reason
        assert np.sign(end.outcome.score) == {0: 1, None: 0, 1: -1}[end.outcome.winner]
        assert end.outcome.reason in end.caption
        for position in before:
            assert position.outcome is None
            assert position.turn in (0, 1, CHANCE)
            assert (position.chances is not None) == (position.turn == CHANCE)


@every_game
def test_outcomes_and_turns_are_the_kernels(case: str) -> None:
    for position in positions(case):
        game = position.game
        result, margin, mover, _ = compiled_look(game.rules, position.state, np.zeros(game.num_actions, np.uint8))
        if position.outcome is None:
            assert (result, mover) == (RUNNING, position.turn)
        else:
            assert {1: 0, 0: None, -1: 1}[result] == position.outcome.winner
            assert margin == position.outcome.score


@every_game
def test_chances_are_a_distribution(case: str) -> None:
    game = boyi.game(case)
    for position in running(case):
        probabilities = np.zeros(game.num_actions)
        if position.turn == CHANCE:
            assert compiled_chance(game.rules, position.state, probabilities) == len(position.moves)
            assert probabilities.sum() == pytest.approx(1)
            assert tuple(np.flatnonzero(probabilities)) == position.actions
            assert position.chances == {
                move: probabilities[action] for move, action in zip(position.moves, position.actions, strict=True)
            }
        else:
            assert position.chances is None


@every_game
def test_sampling_is_uniform_over_the_legal_actions(case: str) -> None:
    """With 400 draws an action, 5 standard deviations are a quarter of the expected number."""
    game = boyi.game(case)
    rng, mask = generator(1), np.zeros(game.num_actions, np.uint8)
    for position in running(case):
        drawn = np.zeros(400 * len(position.actions), np.int64)
        compiled_sample(game.rules, position.state, mask, rng, drawn)
        chosen, counts = np.unique(drawn, return_counts=True)
        assert tuple(chosen) == position.actions
        expected = len(drawn) * np.array(list((position.chances or dict.fromkeys(position.moves, 1)).values()))
        expected = expected / (1 if position.chances else len(position.actions))
        assert (abs(counts - expected) < 0.3 * expected).all()


@every_game
def test_keys_round_trip(case: str) -> None:
    game = boyi.game(case)
    for position in positions(case):
        again = game.position(position.key)
        assert again == position
        assert hash(again) == hash(position)
        assert again.key == position.key
        assert again.state.dtype == game.state_dtype
        assert (again.turn, again.moves, again.outcome) == (position.turn, position.moves, position.outcome)
        assert game.position(f"  {position.key}\n") == position


@every_game
def test_different_positions_have_different_keys(case: str) -> None:
    seen = {position.key: position for seed in range(GAMES) for position in random_game(case, seed)}
    for seed in range(GAMES):
        for position in random_game(case, seed):
            assert seen[position.key] == position


@every_game
def test_planes_have_the_declared_shape(case: str) -> None:
    game = boyi.game(case)
    for position in running(case):
        for name, count in game.observers.items():
            planes = position.observe(name)
            assert planes.shape == (count, *game.shape)
            assert planes.dtype == np.float32
            assert np.isfinite(planes).all()
        assert (position.observe() == position.observe(next(iter(game.observers)))).all()


@every_game
def test_first_planes_are_own_and_other_stones(case: str) -> None:
    game = boyi.game(case)
    observers = [name for name, count in game.observers.items() if count in (2, 4)]
    if game.name == "einstein":
        assert not observers
        return
    assert observers
    for position in running(case):
        own, other = "XO" if position.turn == 0 else "OX"
        for name in observers:
            planes = position.observe(name)
            assert (planes[0] == [[cell == own for cell in row] for row in position.cells]).all()
            assert (planes[1] == [[cell == other for cell in row] for row in position.cells]).all()


def test_einstein_sees_the_board_from_the_movers_corner() -> None:
    for position in running("einstein"):
        red_moves = position.caption.startswith("Red")
        cells = np.array(position.cells)
        seen = cells if red_moves else cells[::-1, ::-1]
        for plane, stone in enumerate(
            [f"{side}{number}" for side in ("RB" if red_moves else "BR") for number in range(1, 7)]
        ):
            assert (position.observe("stones")[plane] == (seen == stone)).all()


def named(game: Game, name: str) -> Symmetry:
    (found,) = (symmetry for symmetry in game.symmetries if symmetry.name == name)
    return found


@every_game
def test_symmetry_tables_are_permutations_with_inverses(case: str) -> None:
    game = boyi.game(case)
    assert game.symmetries[0].name == "identity"
    assert len({symmetry.name for symmetry in game.symmetries}) == len(game.symmetries) >= 2
    everywhere = {
        (*symmetry.squares.tolist(), -1, *symmetry.actions.tolist(), -1, symmetry.turns) for symmetry in game.symmetries
    }
    for symmetry in game.symmetries:
        assert sorted(symmetry.squares) == list(range(game.num_squares))
        assert sorted(symmetry.actions) == list(range(game.num_actions))
        inverse = (
            *np.argsort(symmetry.squares).tolist(),
            -1,
            *np.argsort(symmetry.actions).tolist(),
            -1,
            symmetry.turns,
        )
        assert inverse in everywhere
        if symmetry.outcomes is not None:
            assert sorted(symmetry.outcomes) == list(range(len(symmetry.outcomes)))
        for name, (planes, squares) in symmetry.planes.items():
            assert sorted(planes) == list(range(game.observers[name]))
            assert sorted(squares) == list(range(game.num_squares))
        assert named(game, symmetry.next or symmetry.name).turns == symmetry.turns
    first = game.symmetries[0]
    assert set(first.planes) == set(game.observers)
    for table in (first.squares, first.actions, *(part for parts in first.planes.values() for part in parts)):
        assert (table == np.arange(len(table))).all()


@every_game
def test_transforming_there_and_back(case: str) -> None:
    game = boyi.game(case)
    states = [position.state for position in positions(case)]
    for symmetry in game.symmetries:
        there = [game.transform(state, symmetry) for state in states]
        assert any(
            all((game.transform(t, back) == s).all() for s, t in zip(states, there, strict=True))
            for back in game.symmetries
        ), f"no inverse of {symmetry.name}"
    assert all((game.transform(state, game.symmetries[0]) == state).all() for state in states)


@every_game
def test_symmetric_positions_are_the_same_game(case: str) -> None:
    game = boyi.game(case)
    rng = random.Random(case.removeprefix(EXAMPLE))
    for position in positions(case):
        for symmetry in game.symmetries:
            other = look(game, game.transform(position.state, symmetry))
            if position.outcome is not None:
                assert other.outcome is not None
                winner = position.outcome.winner
                assert other.outcome.winner == (winner if winner is None else winner ^ symmetry.turns)
                assert other.outcome.score == (-1 if symmetry.turns else 1) * position.outcome.score
                assert other.outcome.reason == position.outcome.reason
                continue
            rolling = position.turn == CHANCE
            assert other.turn == (CHANCE if rolling else position.turn ^ symmetry.turns)
            table = symmetry.outcomes if rolling and symmetry.outcomes is not None else symmetry.actions
            assert sorted(table[list(position.actions)].tolist()) == list(other.actions)
            if rolling:
                weights = dict(zip(position.actions, position.chances.values(), strict=True))
                others = dict(zip(other.actions, other.chances.values(), strict=True))
                assert {int(table[action]): weight for action, weight in weights.items()} == others
            for name in symmetry.planes:
                assert (symmetry.observation(name, position.observe(name)) == other.observe(name)).all(), name
            after = symmetry if rolling else named(game, symmetry.next or symmetry.name)
            for action in rng.sample(position.actions, min(3, len(position.actions))):
                expected = game.transform(position.play_action(action).state, after)
                assert (other.play_action(int(table[action])).state == expected).all(), (symmetry.name, action)


@every_game
def test_what_lies_behind_the_core_does_not_decide(case: str) -> None:
    game = boyi.game(case)
    core = game.num_core
    assert 0 < core <= game.state_size
    tails = [position.state[core:] for position in positions(case)]
    rng = random.Random(case.removeprefix(EXAMPLE))
    for position in positions(case):
        state = position.state.copy()
        state[core:] = rng.choice(tails)
        other = look(game, state)
        assert (other.turn, other.outcome, other.actions, other.cells) == (
            position.turn,
            position.outcome,
            position.actions,
            position.cells,
        )
        for action in position.actions[:3]:
            assert (other.play_action(action).state[:core] == position.play_action(action).state[:core]).all()


@every_game
def test_interpreted_rules_agree_with_compiled_ones(case: str) -> None:
    game = boyi.game(case)
    rules = game.rules
    plain, fast = np.zeros((2, 2, game.state_size), game.state_dtype)
    init(rules, plain[0])
    setup(rules, plain[1], generator(5))
    compiled_start(rules, fast, generator(5))
    assert (plain == fast).all()
    for position in list(positions(case))[:: 1 if case in SMALL else 5]:
        masks = np.full((2, game.num_actions), 7, np.uint8)
        result, margin, mover, count = compiled_look(rules, position.state, masks[0])
        assert outcome(rules, position.state) == result
        if result != RUNNING:
            assert score(rules, position.state) == margin
            continue
        assert turn(rules, position.state) == mover
        assert legal(rules, position.state, masks[1]) == count
        assert (masks[0] == masks[1]).all()
        chances = np.zeros((2, game.num_actions))
        if mover == CHANCE:
            assert chance(rules, position.state, chances[0]) == compiled_chance(rules, position.state, chances[1])
            assert (chances[0] == chances[1]).all()
        for view, number in enumerate(game.observers.values()):
            planes = np.zeros((2, number, *game.shape), np.float32)
            observe(rules, position.state, view, planes[0])
            compiled_observe(rules, position.state, view, planes[1])
            assert (planes[0] == planes[1]).all()
        first, second, drawn = generator(3), generator(3), np.zeros(1, np.int64)
        compiled_sample(rules, position.state, masks[0], first, drawn)
        assert sample(rules, position.state, masks[1], second) == drawn[0]
        assert first[0] == second[0]
        states = np.stack([position.state, position.state])
        step(rules, states[0], int(drawn[0]))
        compiled_step(rules, states[1], int(drawn[0]))
        assert (states[0] == states[1]).all()


def final_states(cases: tuple[str, ...]) -> str:
    """The ends of random games, one a line, with the state of the random numbers."""
    lines = []
    for case in cases:
        game = boyi.game(case)
        state, rng = game.start(seed=3).state.copy(), generator(4)
        play_out(game.rules, state, np.zeros(game.num_actions, np.uint8), rng)
        lines.append(f"{state.tolist()} {rng[0]}")
    return "\n".join(lines)


def test_random_games_are_the_same_without_compilation() -> None:
    script = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
    script += f"import test_conformance as t; print(t.final_states({SMALL!r}))"
    interpreted = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert interpreted.stdout.strip() == final_states(SMALL)


@every_game
def test_positions_do_not_change(case: str) -> None:
    for position in positions(case):
        state, key = position.state.tobytes(), position.key
        with pytest.raises(ValueError, match="read-only"):
            position.state[0] = 1
        with pytest.raises(boyi.IllegalMove, match="nonsense"):
            position.play("nonsense")
        for action in (-1, position.game.num_actions):
            with pytest.raises(boyi.IllegalMove, match=str(action)):
                position.play_action(action)
        if position.actions:
            after = position.play_action(position.actions[0])
            assert after.previous is position
            assert after.history == (*position.history, position.moves[0])
            assert after.state.tobytes() != state
        position.observe()
        assert position.svg(legal=True).startswith("<svg")
        assert str(position).endswith(position.caption)
        assert (position.state.tobytes(), position.key) == (state, key)


@every_game
def test_positions_can_be_copied_and_sent(case: str) -> None:
    """To worker processes, for one; with their history, and as immutable as before."""
    for position in (random_game(case, 0)[0], random_game(case, 0)[-1]):
        for copied in (copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
            assert copied == position
            assert copied.history == position.history
            assert not copied.state.flags.writeable
