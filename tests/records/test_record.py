"""`Record` itself: made from plain parts, as a line of JSON, replayed."""

import dataclasses
import json
import pickle
import re
from pathlib import Path

import pytest

from boyi.games import game as find_game
from boyi.records import BadRecord, Ply, Record, Result, game_text
from boyi.records.record import DEEPEST
from boyi.records.replay import replayed


def test_made_from_plain_parts() -> None:
    last = find_game("tictactoe").start()
    for move in ("a1", "a2", "b1", "b2", "c1"):
        last = last.play(move)
    record = Record.of(
        "tictactoe", last.history, players=["x", "y"], seconds=[0.1, 0.2, 0.3, 0.4, None], result=last.outcome
    )
    assert record.result == Result(0, "line", 1)
    assert record.plies[0] == Ply("a1", 0.1)
    assert record.position() == last
    assert [position.turn for position in record.positions()] == [0, 1, 0, 1, 0, None]
    assert Record.from_json(record.to_json()) == record == pickle.loads(pickle.dumps(record))
    with pytest.raises(BadRecord, match="5 moves have 1 times"):
        Record.of("tictactoe", last.history, seconds=[1.0])


def test_cannot_be_changed() -> None:
    record = Record.of("othello", ["f5"])
    with pytest.raises(dataclasses.FrozenInstanceError):
        record.comment = "x"  # type: ignore[misc]
    assert record.changed(comment="x").comment == "x"
    assert record.comment == ""


def test_json_is_one_line_and_leaves_out_what_is_unknown() -> None:
    record = Record("othello", plies=(Ply("f5", comment="a\nb"), Ply("d6")), headers={"event": "中\u2028"})
    line = record.to_json()
    assert "\n" not in line
    assert json.loads(line) == {
        "game": "othello",
        "moves": [{"move": "f5", "comment": "a\nb"}, "d6"],
        "headers": {"event": "中\u2028"},
    }


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "no JSON"),
        ("[]", "a record is [], not an object"),
        ("{}", 'does not name its "game"'),
        ('{"game": 7}', "game is 7, not a text"),
        ('{"game": "othello", "moves": "f5"}', "a line of moves is 'f5', not a list"),
        ('{"game": "othello", "moves": [5]}', "a move is 5, not an object"),
        ('{"game": "othello", "moves": [{"seconds": 1}]}', 'lacks its "move"'),
        ('{"game": "othello", "moves": [{"move": "f5", "secs": 1}]}', "a move has no field 'secs'; its fields: move"),
        ('{"game": "othello", "moves": [{"move": "f5", "seconds": NaN}]}', "NaN is no number"),
        ('{"game": "othello", "moves": [{"move": "f5", "seconds": 1e999}]}', "seconds is inf, not a number"),
        ('{"game": "othello", "moves": [{"move": "f5", "seconds": true}]}', "seconds is True, not a number"),
        ('{"game": "othello", "moves": [{"move": "f5", "variations": [[]]}]}', "a variation has no move"),
        ('{"game": "othello", "players": ["a"]}', "it has 1 players"),
        ('{"game": "othello", "result": {"winner": 2}}', "winner 2 is not possible"),
        ('{"game": "othello", "result": {"winner": true}}', "winner True is not possible"),
        ('{"game": "othello", "comment": "\\ud800"}', "half a character"),
        ('{"game": "othello", "colour": 1}', "no field 'colour'"),
    ],
)
def test_json_says_what_is_wrong(line: str, reason: str) -> None:
    with pytest.raises(BadRecord, match=re.escape(reason)):
        Record.from_json(line)


def test_depth_of_variations_is_bounded() -> None:
    """In the middle of a line, so that they lie within each other and not beside."""
    for depth, fine in ((DEEPEST, True), (DEEPEST + 1, False)):
        line: tuple[Ply, ...] = (Ply("f5"),)
        for _ in range(depth):
            line = (Ply("f5", variations=(line,)),)
        text = Record("othello", plies=line).to_json()
        if fine:
            assert len(replayed(Record.from_json(text)).plies[0].variations) == depth
        else:
            with pytest.raises(BadRecord, match="deep"):
                Record.from_json(text)


def test_text_of_a_game() -> None:
    assert game_text("gomoku:variant=freestyle,size=9") == "gomoku:size=9"
    assert game_text(find_game("gomoku:size=15")) == "gomoku"
    assert game_text("my/rules.py") == "my/rules.py"


def test_replaying_puts_passes_in_and_keeps_claims_with_a_reason() -> None:
    board = "-OOOOOOX" + "X" * 56
    first = find_game("othello").position(f"{board} O")
    assert first.moves == ("pass",)
    record = replayed(Record("othello", start=first.key, plies=(Ply("a1", seconds=1.0),)))
    assert record.plies == (Ply("pass"), Ply("a1", seconds=1.0))
    over = replayed(
        Record("tictactoe", plies=tuple(map(Ply, ("a1", "a2", "b1", "b2", "c1"))), result=Result(1, "time"))
    )
    assert over.result == Result(1, "time")
    assert replayed(over.changed(result=Result(1))).result == Result(0, "line", 1)
    assert replayed(over.changed(plies=over.plies[:2])).result == Result(1, "time")


def test_variations_on_the_first_ply_of_one_stand_beside_it() -> None:
    nested = Ply("f5", variations=((Ply("d3", variations=((Ply("c4"),),)), Ply("c3")),))
    assert replayed(Record("othello", plies=(nested,))).plies == (
        Ply("f5", variations=((Ply("d3"), Ply("c3")), (Ply("c4"),))),
    )


def test_the_example_of_the_docs(at_root: Path) -> None:
    page = (at_root / "docs" / "records.md").read_text(encoding="utf-8")
    line = page.split("```json\n")[1].split("\n```")[0]
    record = Record.from_json(line)
    assert replayed(record).to_json() == record.to_json() == line
