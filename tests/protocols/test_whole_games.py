"""Our server against our client over real processes: whole games in every protocol, both colours, one engine."""

import json
import random
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from engine_sessions import RUN, engine_text

import boyi
from boyi.arena import play_named_match
from boyi.games import CHANCE, Game, Position
from boyi.players import Limit, Player, player
from boyi.protocols import CommandPlayer

CASES = [
    ("gtp", "othello", ()),
    ("gtp", "connect6:size=9", ()),
    ("nboard", "othello", ()),
    ("gomocup", "gomoku:size=15,variant=renju", ()),
    ("ewn", "einstein", ()),
    ("connect6", "connect6", ()),
    ("botzone", "gomoku", ("--keep-running",)),
    ("json", "einstein", ()),
]


def whole_game(game: Game, sides: tuple[Player, Player], seed: int) -> Position:
    dice, position = random.Random(seed), game.start(seed=seed)
    while (mover := position.turn) is not None:
        if mover == CHANCE:
            position = position.play(dice.choice(position.moves))
        else:
            position = position.play(sides[mover].choose(position, Limit(seconds=0.02)).move)
    return position


@pytest.mark.parametrize(("protocol", "name", "options"), CASES)
def test_whole_games(protocol: str, name: str, options: tuple[str, ...]) -> None:
    game = boyi.game(name)
    text = engine_text(protocol, "--game", name, "--player", "random", "--seed", "5", *options)
    with player(text, game) as engine, player("random", game, seed=3) as other:
        assert isinstance(engine, CommandPlayer)
        process = engine.client.engine
        for number, sides in enumerate([(engine, other), (other, engine)][: 1 if protocol == "botzone" else 2]):
            end = whole_game(game, sides, number)
            assert end.outcome is not None
        assert engine.client.engine is process
        assert process.running
    assert not process.running


def test_leaving_the_loop_stops_an_engine() -> None:
    """It answers the next question although the first would have taken an hour."""
    game = boyi.game("othello")
    with player(engine_text("json"), game) as engine:
        for choice in engine.watch(game.start(), Limit(seconds=3600), every_s=0.05):
            assert choice.move in game.start().moves
            break
        choice = engine.choose(game.start().play("d3"), Limit(nodes=500))
        assert choice.lines[0].moves[0] == choice.move
        assert choice.value is not None
        assert choice.stopped == "nodes"
        assert engine.choose(game.position("XO" + "-" * 62 + " X")).move == "c1"


BOT = """
import json, sys
data = json.loads(sys.stdin.readline())
taken = {(p["x"], p["y"]) for p in data["requests"] + data["responses"]}
x, y = next((x, y) for y in range(3) for x in range(3) if (x, y) not in taken)
seen = data.get("data", 0) + 1
assert seen == len(data["requests"])
print(json.dumps({"response": {"x": x, "y": y}, "data": seen}))
"""


def test_a_bot_that_is_started_for_every_move(tmp_path: Path) -> None:
    """And that finds the data it left behind."""
    script = tmp_path / "bot.py"
    script.write_text(BOT)
    game = boyi.game("tictactoe")
    text = f"cmd:botzone:{shlex.quote(sys.executable)} {shlex.quote(str(script))}"
    with player(text, game) as engine, player("random", game, seed=2) as other:
        for sides in ((engine, other), (other, engine)):
            assert whole_game(game, sides, 1).outcome is not None


def test_an_engine_that_is_told_to_end_answers_first() -> None:
    """All commands at once, with an hour to think: as a process, with its exit code and nothing on standard error."""
    lines = "1 genmove b\n2 quit\n3 name\n"
    done = subprocess.run([*RUN, "gtp", "--seconds", "3600"], input=lines, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0
    first, second, *rest = done.stdout.split("\n\n")
    assert first.removeprefix("=1 ") in boyi.game("othello").start().moves
    assert (second, rest) == ("=2", [""])


def test_a_bot_answers_though_its_input_has_ended() -> None:
    line = json.dumps({"requests": [{"x": -1, "y": -1}], "responses": []})
    done = subprocess.run([*RUN, "botzone"], input=line, capture_output=True, text=True, timeout=300, check=True)
    point = json.loads(done.stdout)["response"]
    assert (point["x"], point["y"]) in {(3, 2), (2, 3), (5, 4), (4, 5)}


def test_a_match_through_the_arena() -> None:
    result = play_named_match(
        "tictactoe", engine_text("gtp", "--game", "tictactoe", "--player", "alphabeta"), "random", games=2, seed=1
    )
    assert result.games == 2
    assert result.forfeits == (0, 0), [row.reason for row in result.rows]
    assert result.num_moves[0] > 1
