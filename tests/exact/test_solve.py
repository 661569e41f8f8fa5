"""The door `boyi.solve`, the player `exact`, and the commands solve, tablebase and bench regret."""

import json
import random

import pytest

import boyi
from boyi.bench.regret import bench_regret
from boyi.cli.main import main
from boyi.exact import solve as door
from boyi.exact.einstein_table import table_path
from boyi.games.errors import GameError
from boyi.records import Record

EINSTEIN = boyi.game("einstein")
FOUR = "7 0 0 0 0 13 / 19 0 0 0 0 14 red"


def run(capsys, *arguments):
    code = main(arguments)
    return code, *capsys.readouterr()


def ending(name, empty, seed):
    """A running position of random play with so many empty squares."""
    rng = random.Random(seed)
    while True:
        position = boyi.game(name).start()
        while position.turn is not None:
            if sum(not cell for row in position.cells for cell in row) == empty:
                return position
            position = position.play(rng.choice(position.moves))


def plain_value(position):
    if position.outcome:
        return 0 if position.outcome.winner is None else 1 - 2 * position.outcome.winner
    values = [plain_value(position.play(move)) for move in position.moves]
    return max(values) if position.turn == 0 else min(values)


def test_the_door_finds_the_way(usual_tables):
    found = boyi.solve(EINSTEIN.position(f"{FOUR} -"))
    assert isinstance(found, boyi.Solution)
    assert found.value == pytest.approx(2 * 137 / 162 - 1, abs=1e-4)
    assert found.exact_by == "tablebase"
    assert boyi.solve(boyi.game("tictactoe").start()).exact_by == "full search"
    assert boyi.solve(boyi.game("tictactoe").start()).value == 0


@pytest.mark.parametrize("name", ["othello:size=4", "connect6:size=6", "gomoku:size=6"])
@pytest.mark.parametrize("seed", [1, 2])
def test_every_game_near_its_end(name, seed):
    position = ending(name, 5, seed)
    found = boyi.solve(position)
    assert found.value == plain_value(position)
    assert found.line[0] == found.move
    for move in found.line:
        position = position.play(move)
    assert position.outcome is not None
    assert (0 if position.outcome.winner is None else 1 - 2 * position.outcome.winner) == found.value


def test_finished_games():
    position = boyi.game("tictactoe").position("XXX/OO1/3")
    assert boyi.solve(position) == boyi.Solution(1.0, 1, None, (), "rules", 0, 0.0)


def test_what_is_out_of_reach_says_why(usual_tables):
    with pytest.raises(boyi.NotSolvable, match=r"12 stones are beyond the tablebase.*--stones 5"):
        boyi.solve(EINSTEIN.start(), nodes=1000)
    with pytest.raises(boyi.NotSolvable, match=r"no win by threats.*a proof did not come to an end"):
        boyi.solve(boyi.game("connect6").start(), nodes=100)
    with pytest.raises(GameError, match="nodes=-1"):
        boyi.solve(EINSTEIN.start(), nodes=-1)


def test_beyond_the_table_by_search(usual_tables):
    position = EINSTEIN.position("19 13 0 0 0 0 / 18 0 14 0 0 7 red -")
    found = boyi.solve(position, nodes=2_000_000)
    assert found.exact_by == "expectimax over the tablebase"
    assert found.move is None
    rolls = [boyi.solve(position.play(roll), nodes=2_000_000) for roll in position.moves]
    assert found.value == pytest.approx(sum(roll.value for roll in rolls) / 6, abs=1e-9)
    assert all(roll.move for roll in rolls)


def test_a_game_brings_its_own_solver(monkeypatch):
    monkeypatch.setattr(door, "_SOLVERS", dict(door._SOLVERS))
    rules_class = type(boyi.game("connect6").rules)

    @door.solver(rules_class)
    def answer(position, *, seconds, nodes):
        return boyi.Solution(1.0, 1, position.moves[0], (position.moves[0],), "faith", 0, 0.0)

    assert boyi.solve(boyi.game("connect6").start()).exact_by == "faith"


# The player


def test_the_player_knows(usual_tables):
    choice = boyi.player("exact", EINSTEIN).choose(EINSTEIN.position(f"{FOUR} 1"))
    assert choice.exact
    assert choice.move == "b4-b3"
    assert choice.wdl == pytest.approx((2 / 27, 0, 25 / 27), abs=1e-4)
    draw = boyi.player("exact", boyi.game("tictactoe")).choose(boyi.game("tictactoe").start())
    assert draw.wdl == (0, 1, 0)


def test_the_player_needs_a_fallback(usual_tables):
    start = EINSTEIN.start(seed=1).play("2")
    with pytest.raises(GameError, match="exact:fallback=mcts"):
        boyi.player("exact:nodes=1000", EINSTEIN).choose(start)
    choice = boyi.player("exact:fallback=mcts:sims=50,nodes=1000", EINSTEIN).choose(start)
    assert choice.move in start.moves
    assert not choice.exact
    with pytest.raises(GameError, match="unknown player"):
        boyi.player("exact:fallback=nobody", EINSTEIN)
    with pytest.raises(GameError, match="nodes=-1"):
        boyi.player("exact:nodes=-1", EINSTEIN)


# The commands


def test_solve_command(capsys, usual_tables):
    code, out, _ = run(capsys, "solve", "einstein", "--position", f"{FOUR} 1", "--json")
    found = json.loads(out)
    assert code == 0
    assert set(found) == {
        "game", "position", "turn", "value", "win", "score", "move", "line", "exact_by", "nodes", "seconds"
    }  # fmt: skip
    assert found["move"] == "b4-b3"
    assert found["win"] == pytest.approx(2 / 27, abs=1e-4)
    code, out, _ = run(capsys, "solve", "tictactoe")
    assert code == 0
    assert "full search" in out
    code, out, err = run(capsys, "solve", "einstein", "--nodes", "100")
    assert (code, out) == (1, "")
    assert "beyond the tablebase" in err
    code, _, err = run(capsys, "solve", "einstein", "--position", "nonsense")
    assert code == 2
    assert "'nonsense'" in err


def test_solve_a_file(capsys, tmp_path, usual_tables):
    file = tmp_path / "positions"
    file.write_text(f"% two endings\n{FOUR} -\n\nrubbish\n{FOUR} 6 % the winning roll\n")
    code, out, err = run(capsys, "solve", "einstein", "--file", str(file), "--json")
    found = json.loads(out)
    assert code == 1
    assert (found["solved"], found["failed"]) == (2, 1)
    assert [row["number"] for row in found["results"]] == [2, 4, 5]
    assert "'rubbish'" in found["results"][1]["error"]
    assert found["results"][2]["value"] == 1
    assert "line 4" in err
    assert "1 of 3" in err
    code, out, _ = run(capsys, "solve", "einstein", "--file", str(file))
    assert code == 1
    assert len(out.splitlines()) == 3


def test_solve_a_file_of_obf(capsys, tmp_path):
    position = ending("othello", 5, 3)
    board, side = position.key.split()[:2]
    file = tmp_path / "end.obf"
    file.write_text(f"{board} {side}; A1:+2; B1:-4;\n")
    code, out, _ = run(capsys, "solve", "othello", "--file", str(file), "--json")
    assert code == 0
    assert json.loads(out)["results"][0]["value"] == plain_value(position)


def test_files_that_cannot_be_read(capsys, tmp_path):
    assert run(capsys, "solve", "einstein", "--file", str(tmp_path / "none"))[0] == 1
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    assert run(capsys, "solve", "einstein", "--file", str(tmp_path / "bytes"))[0] == 2
    assert run(capsys, "solve", "einstein", "--file", "x", "--position", "y")[0] == 2


def test_tablebase_commands(capsys, usual_tables, monkeypatch, tmp_path):
    code, out, _ = run(capsys, "tablebase", "info", "--json")
    assert code == 0
    assert [(table["stones"], table["present"], table["problem"]) for table in json.loads(out)["tables"]] == [
        (4, True, None),
        (5, False, None),
    ]
    code, out, _ = run(capsys, "tablebase", "probe", "einstein", "--position", f"{FOUR} 1", "--json")
    found = json.loads(out)
    assert found["move"] == "b4-b3"
    assert found["moves"]["b4-c4"]["win"] == pytest.approx(11 / 1296, abs=1e-4)
    assert "Red wins 84.569 %" in run(capsys, "tablebase", "probe", "--position", f"{FOUR} -")[1]
    code, _, err = run(capsys, "tablebase", "probe", "--position", EINSTEIN.start().key)
    assert code == 2
    assert "12 stones" in err
    for arguments in (["build", "othello"], ["build", "einstein", "--stones", "6"]):
        assert run(capsys, "tablebase", *arguments)[0] == 2
    monkeypatch.setenv("BOYI_TABLES_DIR", str(tmp_path))
    code, out, _ = run(capsys, "tablebase", "build", "einstein", "--stones", "4", "--json")
    assert code == 0
    assert table_path(4, tmp_path).read_bytes() == table_path(4, usual_tables).read_bytes()
    assert json.loads(out)["bytes"] == table_path(4, tmp_path).stat().st_size


def test_regret_command(capsys, usual_tables):
    arguments = ["bench", "regret", "--game", "einstein", "--player", "mc:sims=200", "--positions", "60", "--seed", "4"]
    code, out, _ = run(capsys, *arguments, "--json")
    assert code == 0
    rows = json.loads(out)["results"]
    assert [row["peer"] for row in rows[:2]] == ["random", "mc"]
    for row in rows:
        assert {"name", "value", "unit", "peer", "peer_value", "ratio", "low", "high", "positions"} <= set(row)
        assert row["low"] <= row["value"] <= row["high"]
    assert rows[0]["positions"] == 60
    assert rows[0]["value"] < rows[0]["peer_value"] / 3
    assert json.loads(run(capsys, *arguments, "--json")[1])["results"] == rows


def test_the_regret_of_the_exact_player_is_none(usual_tables):
    rows = list(bench_regret(player="exact", positions=40, seed=2))
    assert {row.value for row in rows} == {0.0}
    assert {row.mistakes for row in rows} == {0.0}


def test_regret_of_wrong_things(capsys, usual_tables):
    for arguments, text in (
        (["regret", "--game", "othello"], "othello"),
        (["regret", "--stones", "5"], "tablebase build einstein --stones 5"),
        (["regret", "--stones", "3"], "allowed: 4, 5"),
        (["regret", "--positions", "0"], "--positions 0"),
        (["playouts", "--stones", "4"], "--stones"),
    ):
        code, out, err = run(capsys, "bench", *arguments)
        assert (code, out) == (2, "")
        assert text in err


def test_the_end_of_a_record(capsys, tmp_path):
    game = boyi.game("othello", size=4)
    position = game.start()
    while position.turn is not None:
        position = position.play(position.moves[0])
    file = tmp_path / "games.jsonl"
    file.write_text(Record.of(game, position.history).to_json() + "\n{}\n", "utf-8")
    code, out, err = run(capsys, "solve", "othello:size=4", "--file", str(file), "--ply", "3", "--json")
    found = json.loads(out)
    assert code == 1
    assert "2" in err
    assert (found["solved"], found["failed"]) == (1, 1)
    three = game.start().play(position.history[0]).play(position.history[1]).play(position.history[2])
    assert found["results"][0]["score"] == boyi.solve(three).score
    last = json.loads(run(capsys, "solve", "othello:size=4", "--file", str(file), "--json")[1])["results"][0]
    assert last["score"] == position.outcome.score
    plain = tmp_path / "keys.txt"
    plain.write_text(three.key, "utf-8")
    code, _, err = run(capsys, "solve", "othello:size=4", "--file", str(plain), "--ply", "3")
    assert code != 0
    assert "--ply" in err
