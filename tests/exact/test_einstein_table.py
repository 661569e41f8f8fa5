"""The EinStein tablebase: exact values known from elsewhere, against plain search, symmetries, files, use in search."""

import logging
import random
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import boyi
from boyi.exact import einstein_table
from boyi.exact.einstein import Tabled, move_values, solve_einstein
from boyi.exact.einstein_build import build_table
from boyi.exact.einstein_layout import CLASSES, END, group_entries, index_of, probe
from boyi.exact.einstein_table import (
    BadTable,
    open_table,
    read_table,
    table_infos,
    table_path,
    without_larger_tables,
    write_table,
)
from boyi.games.einstein import DIE, MOVER
from boyi.games.errors import GameError
from boyi.games.generics import RUNNING, legal, outcome, step
from boyi.games.kernels import kernel
from boyi.search.evaluations import evaluation
from boyi.search.evaluations.einstein import Race
from boyi.search.evaluators import UniformEvaluator
from boyi.search.expectimax import Expectimax
from boyi.search.mcts import BatchSearch, PlayoutSearch, read_root
from boyi.search.playouts import Uniform

GAME = boyi.game("einstein")
QUANTUM = 1 / 65535
TOLERANCE = 5e-5


def chance(table, position):
    """Red's chance to win."""
    return (float(probe(table, GAME.rules, position.state)) + 1) / 2


def random_position(rng, stones):
    """Any placement of so many stones, before a roll."""
    while True:
        num_red = rng.randint(max(1, stones - 6), min(6, stones - 1))
        places = rng.sample(range(6), num_red) + [6 + stone for stone in rng.sample(range(6), stones - num_red)]
        squares = [0] * 12
        for place, square in zip(places, rng.sample(range(1, 26), stones), strict=True):
            squares[place] = square
        if 25 not in squares[:6] and 1 not in squares[6:]:
            red, blue = (" ".join(map(str, side)) for side in (squares[:6], squares[6:]))
            return GAME.start(setup=f"{red} / {blue}", first=rng.choice(["red", "blue"]))


def plain_chance(search, position):
    """Red's chance by expectimax to the end of the game, without the table."""
    total = 0.0
    for roll, share in position.chances.items():
        report = list(search.search(position.play(roll)))[-1]
        assert report.exact
        total += share * report.moves[0].value
    return (total + 1) / 2


@pytest.mark.parametrize(
    ("setup", "first", "expected"),
    [
        ("1 0 0 0 0 0 / 25 0 0 0 0 0", "red", Fraction(1)),
        ("1 0 0 0 0 0 / 25 0 0 0 0 0", "blue", Fraction(0)),
        ("13 0 0 0 0 0 / 14 0 0 0 0 0", "red", Fraction(1)),
        ("7 0 0 0 0 13 / 19 0 0 0 0 14", "red", Fraction(137, 162)),
        ("13 0 8 0 0 0 / 19 0 18 0 0 0", "red", Fraction(355307, 419904)),
    ],
)
def test_known_exact_values(table, setup, first, expected):
    found = chance(table, GAME.start(setup=setup, first=first))
    assert found == pytest.approx(float(expected), abs=TOLERANCE)
    assert (found in (0, 1)) == (expected in (0, 1))


@pytest.mark.parametrize(
    ("roll", "expected"),
    [
        ("1", {"7-12": Fraction(2, 27), "7-8": Fraction(11, 1296), "7-13": Fraction(0)}),
        ("6", {"13-19": Fraction(1), "13-18": Fraction(350, 2187), "13-14": Fraction(0)}),
    ],
)
def test_known_values_of_moves(table, roll, expected):
    position = GAME.start(setup="7 0 0 0 0 13 / 19 0 0 0 0 14", first="red").play(roll)
    for move, value in expected.items():
        assert chance(table, position.play(move)) == pytest.approx(float(value), abs=TOLERANCE)
    best = max(expected.values())
    assert chance(table, position) == pytest.approx(float(best), abs=TOLERANCE)
    both = GAME.start(setup="7 0 0 0 0 13 / 19 0 0 0 0 14", first="red").play("3")
    assert len(both.moves) == 6
    assert chance(table, both) == 1


@pytest.mark.parametrize("first", ["red", "blue"])
def test_one_stone_each(table, first):
    wins, pairs = 0, 0
    for red in range(1, 25):
        for blue in range(2, 26):
            if red != blue:
                position = GAME.start(setup=f"{red} 0 0 0 0 0 / {blue} 0 0 0 0 0", first=first)
                found = chance(table, position)
                assert found in (0, 1)
                wins += found == (first == "red")
                pairs += 1
    assert (wins, pairs) == (370, 553)


@pytest.mark.parametrize(("stones", "count"), [(2, 250), (3, 50), (4, 6)])
def test_agrees_with_plain_expectimax(table, stones, count):
    """Each position is searched to the end for each of its six rolls."""
    rng = random.Random(stones)
    search = Expectimax(GAME, Race(), table_mb=4)
    for _ in range(count):
        position = random_position(rng, stones)
        assert chance(table, position) == pytest.approx(plain_chance(search, position), abs=TOLERANCE), position.key


@kernel
def backed_up(table, rules, state, rolled, after, mask, values):
    """The mover's chance as the mean over the rolls of the best move, by the rules of the game; fills values [6]."""
    mover = state[MOVER]
    total = 0.0
    for roll in range(6):
        rolled[:] = state
        step(rules, rolled, roll)
        legal(rules, rolled, mask)
        best = 0.0
        for action in range(mask.shape[0]):
            if mask[action]:
                after[:] = rolled
                step(rules, after, action)
                result = outcome(rules, after)
                value = probe(table, rules, after) if result == RUNNING else float(result)
                best = max(best, (1.0 + (value if mover == 0 else -value)) / 2.0)
        values[roll] = best
        total += best
    return total / 6.0


def test_thousands_of_entries_follow_from_the_entries_one_move_on(table):
    """Which by induction makes all of them right; and after a roll it is the value of the best move."""
    rng = random.Random(5)
    mask, values = np.zeros(GAME.num_actions, np.uint8), np.zeros(6)
    for index in range(6000):
        position = random_position(rng, 2 + index % 3)
        found = backed_up(table, GAME.rules, position.state, GAME.blank(), GAME.blank(), mask, values)
        red = position.state[MOVER] == 0
        before = chance(table, position)
        assert (before if red else 1 - before) == pytest.approx(found, abs=1.01 * QUANTUM), position.key
        roll = rng.randrange(6)
        after = chance(table, position.play(str(roll + 1)))
        assert (after if red else 1 - after) == pytest.approx(values[roll], abs=1e-12)


@pytest.mark.parametrize("stones", [2, 3, 4])
def test_all_symmetries(table, stones):
    """The sixteen images of a position have one value, turned round with the colours, before and after the roll."""
    rng = random.Random(10 + stones)
    for _ in range(100):
        for position in (start := random_position(rng, stones), start.play(str(rng.randint(1, 6)))):
            value = probe(table, GAME.rules, position.state)
            for symmetry in GAME.symmetries:
                image = GAME.transform(position.state, symmetry)
                assert probe(table, GAME.rules, image) == pytest.approx(-value if symmetry.turns else value, abs=1e-12)


def test_rounding_stays_far_below_the_promise(table):
    floats = build_table(4, dtype=np.float64)
    error = np.abs(table / 65535 - floats)
    assert error.max() < TOLERANCE
    assert ((table == 0) == (floats == 0)).all()
    assert ((table == 65535) == (floats == 1)).all()


def test_the_layout_is_as_documented(table):
    assert CLASSES[1:].tolist() == [1, 9, 10, 9, 3, 1]
    assert [int(END[stones]) for stones in (2, 3, 4, 5, 6)] == [336, 145_488, 19_692_624, 939_375_696, 30_815_140_944]
    assert group_entries(2, 2) == 14 * 24**3 * 81
    assert len(table) == END[4]
    assert table.dtype == np.uint16
    assert not table.flags.writeable


def test_every_position_has_an_entry_of_its_own():
    """With one stone each, two positions share an entry exactly if they are transposed."""
    entries: dict[int, set[tuple[int, int]]] = {}
    for red in range(24):
        for blue in range(1, 25):
            if red != blue:
                position = GAME.start(setup=f"0 0 {red + 1} 0 0 0 / 0 {blue + 1} 0 0 0 0", first="red")
                entries.setdefault(int(index_of(position.state, 0, -1, 0)), set()).add((red, blue))
    assert all(0 <= entry < 336 for entry in entries)
    for pairs in entries.values():
        red, blue = min(pairs)
        assert pairs <= {(red, blue), (5 * (red % 5) + red // 5, 5 * (blue % 5) + blue // 5)}


def test_positions_beyond_the_table_are_unknown(table):
    position = GAME.start(setup="7 8 0 0 0 13 / 19 0 0 0 0 14", first="red")
    assert np.isnan(probe(table, GAME.rules, position.state))
    assert np.isnan(probe(table, GAME.rules, position.play("3").state))
    assert np.isnan(probe(table, GAME.rules, GAME.start().state))
    small = table[: END[3]]
    assert np.isnan(probe(small, GAME.rules, random_position(random.Random(0), 4).state))
    assert not np.isnan(probe(small, GAME.rules, random_position(random.Random(0), 3).state))


def test_finished_games_have_their_result(table):
    position = GAME.start(setup="19 0 0 0 0 0 / 20 0 0 0 0 0", first="red").play("1").play("19-25")
    assert probe(table, GAME.rules, position.state) == 1


# Files


def test_a_file_comes_back(tmp_path, table):
    small = table[: END[3]]
    path = table_path(3, tmp_path)
    write_table(path, small, 3)
    assert (read_table(path, 3) == small).all()
    assert path.stat().st_size == 64 + 2 * END[3]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda data: data[:-2], "cut off"),
        (lambda data: data[:40], "cut off"),
        (lambda data: b"", "cut off"),
        (lambda data: data + b"\0", "too long"),
        (lambda data: data[:5000] + bytes([data[5000] ^ 1]) + data[5001:], "damaged"),
        (lambda data: b"X" + data[1:], "no EinStein tablebase"),
        (lambda data: data[:8] + b"\x09" + data[9:], "layout 9"),
        (lambda data: data[:12] + b"\x04" + data[13:], "holds 4 stones"),
    ],
)
def test_spoilt_files_are_refused_and_built_again(tmp_path, caplog, spoil, message):
    """With three stones, which takes no time."""
    path = table_path(3, tmp_path)
    write_table(path, build_table(3), 3)
    whole = path.read_bytes()
    path.write_bytes(spoil(whole))
    with pytest.raises(BadTable, match=message):
        read_table(path, 3)
    with caplog.at_level(logging.WARNING):
        found = open_table(3, folder=tmp_path)
    assert (found == build_table(3)).all()
    assert message in caplog.text
    assert "building it again" in caplog.text
    assert path.read_bytes() == whole
    assert list(tmp_path.iterdir()) == [path]


def test_a_spoilt_larger_table_is_named_and_passed_over(tables, caplog, tmp_path):
    folder = tmp_path / "both"
    folder.mkdir()
    table_path(4, folder).symlink_to(table_path(4, tables))
    table_path(5, folder).write_bytes(b"BOYI-EWN" + bytes(100))
    found = open_table(folder=folder)
    assert len(found) == END[4]
    assert "--stones 5" in caplog.text
    infos = {info.stones: info for info in table_infos(folder)}
    assert (infos[4].present, infos[4].problem) == (True, None)
    assert infos[5].problem is not None
    assert infos[5].entries == END[5]


def test_a_measured_player_does_not_get_the_larger_table(tables, caplog, tmp_path):
    folder = tmp_path / "both"
    folder.mkdir()
    table_path(4, folder).symlink_to(table_path(4, tables))
    table_path(5, folder).write_bytes(b"BOYI-EWN" + bytes(100))
    with without_larger_tables():
        assert len(open_table(folder=folder)) == END[4]
        assert not caplog.text
    open_table(folder=folder)
    assert "--stones 5" in caplog.text


def test_a_failed_write_leaves_nothing(tmp_path, monkeypatch, table):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(einstein_table.os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        write_table(table_path(3, tmp_path), table[: END[3]], 3)
    assert list(tmp_path.iterdir()) == []


def test_without_a_place_to_write_the_table_is_used_from_memory(tmp_path, caplog):
    (tmp_path / "file").write_text("in the way")
    found = open_table(3, folder=tmp_path / "file")
    assert (found == build_table(3)).all()
    assert "used from memory" in caplog.text


def test_a_killed_build_leaves_no_table(tmp_path):
    script = (
        "import sys; from pathlib import Path; from boyi.exact import einstein_table as t\n"
        "t.os.replace = lambda *_: (print('written', flush=True), sys.stdin.read())\n"
        "t.open_table(3, folder=Path(sys.argv[1]))"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as build:
        assert build.stdout is not None
        assert build.stdout.readline() == "written\n"
        build.send_signal(signal.SIGKILL)
    left = list(tmp_path.iterdir())
    assert [path.suffix for path in left] == [".part"]
    assert len(open_table(3, folder=tmp_path)) == END[3]
    old = time.time() - 2 * einstein_table.LEFT_OVER_S
    einstein_table.os.utime(left[0], (old, old))
    write_table(table_path(3, tmp_path), build_table(3), 3)
    assert list(tmp_path.iterdir()) == [table_path(3, tmp_path)]


@pytest.mark.parametrize("stones", [0, 1, 6, -4, "4"])
def test_tables_that_do_not_exist(stones):
    with pytest.raises(GameError, match="2 to 5"):
        table_path(stones, Path("nowhere"))


# In searches


def test_expectimax_stops_at_the_table(table):
    """A position of four stones is exact after one ply, and of five much sooner than without the table."""
    position = GAME.start(setup="7 0 0 0 0 13 / 19 0 0 0 0 14", first="red").play("1")
    report = list(Expectimax(GAME, Tabled(table, Race())).search(position))[-1]
    assert report.exact
    assert report.depth == 1
    assert report.nodes == 3
    assert (report.moves[0].value + 1) / 2 == pytest.approx(2 / 27, abs=TOLERANCE)
    five = GAME.start(setup="12 13 0 0 0 0 / 19 0 18 0 0 14", first="red").play("1")
    with_table = list(Expectimax(GAME, Tabled(table, Race())).search(five))[-1]
    without = list(Expectimax(GAME, Race()).search(five))[-1]
    assert with_table.exact
    assert without.exact
    assert with_table.moves[0].value == pytest.approx(without.moves[0].value, abs=2 * TOLERANCE)
    assert with_table.nodes < without.nodes / 3


def test_expectimax_by_name(usual_tables):
    assert isinstance(evaluation(GAME, "exact"), Tabled)
    player = boyi.player("expectimax:eval=exact,nodes=1000", GAME)
    choice = player.choose(GAME.start(setup="7 0 0 0 0 13 / 19 0 0 0 0 14", first="red").play("1"))
    assert choice.exact
    assert choice.move == "b4-b3"
    greedy = boyi.player("greedy:eval=exact", GAME)
    assert greedy.choose(GAME.start(setup="7 0 0 0 0 13 / 19 0 0 0 0 14", first="red").play("6")).move == "c3-d2"


def test_the_tree_takes_the_table_for_proof(table):
    position = GAME.start(setup="7 0 0 0 0 13 / 19 0 0 0 0 14", first="red").play("1")
    search = PlayoutSearch(GAME, policy=Tabled(table, Uniform()), seed=1)
    search.set_root(position.state)
    made, _ = search.run(1000)
    root = read_root(search.tree)
    assert made <= 10
    assert root.exact
    assert root.proven.all()
    assert position.game.write_move(position.state, root.best) == "b4-b3"
    assert (root.value + 1) / 2 == pytest.approx(2 / 27, abs=TOLERANCE)
    after = position.play("b4-b3").play("2")
    search.set_root(after.state, [position.action("b4-b3"), 1])
    search.run(1000)
    assert read_root(search.tree).value == pytest.approx(probe(table, GAME.rules, after.state), abs=1e-9)
    assert len(read_root(search.tree).actions) == len(after.moves)


def test_the_tree_is_better_for_the_table_beyond_it(table):
    """Five stones: with few simulations the value is nearer to the truth."""
    rng = random.Random(8)
    errors = {True: 0.0, False: 0.0}
    for _ in range(12):
        position = random_position(rng, 5).play(str(rng.randint(1, 6)))
        try:
            truth = solve_einstein(position, table=table, nodes=400_000).value
        except boyi.NotSolvable:
            continue
        for tabled in errors:
            policy = Tabled(table, Uniform()) if tabled else Uniform()
            search = PlayoutSearch(GAME, policy=policy, seed=3)
            search.set_root(position.state)
            search.run(300)
            errors[tabled] += abs(read_root(search.tree).value - truth)
    assert errors[True] < errors[False] / 2


def test_batched_search_takes_leaves_from_the_table(table):
    """Every move leads into the table, so a few simulations prove the root and the evaluator is asked only about it."""
    before = GAME.start(setup="7 0 0 0 0 13 / 19 0 0 0 0 14", first="red")
    asked = []

    class Counting(UniformEvaluator):
        def __call__(self, states, planes):
            asked.append(len(states))
            return super().__call__(states, planes)

    search = BatchSearch(GAME, Counting(GAME), oracle=Tabled(table, Uniform()))
    search.set_root(0, before.play("1").state)
    search.run(60)
    root = read_root(search.tree)
    assert (GAME.write_move(before.play("1").state, root.best), root.exact, asked) == ("b4-b3", True, [1])
    assert root.value == pytest.approx(2 / 27 - 25 / 27, abs=2 * TOLERANCE)


def test_moves_and_solutions(table):
    position = GAME.start(setup="7 0 0 0 0 13 / 19 0 0 0 0 14", first="red")
    assert {roll: value == 1 for roll, value in move_values(position, table).items()} == {
        roll: roll != "1" for roll in "123456"
    }
    found = solve_einstein(position, table=table)
    assert (found.move, found.line, found.score, found.exact_by) == (None, (), None, "tablebase")
    rolled = solve_einstein(position.play("1"), table=table)
    assert (rolled.move, rolled.line) == ("b4-b3", ("b4-b3",))
    blue = solve_einstein(GAME.position("7 0 0 0 0 12 / 19 0 0 0 0 13 blue 1"), table=table)
    assert blue.value == pytest.approx(-rolled.value, abs=1e-12)
    assert blue.move == "d2-d3"
    assert position.state[DIE] == 0
