"""The command that takes pictures of foreign programs: its parts, what they miss, and what it writes down."""

import tomllib
from pathlib import Path

import pytest
import take_screens
from programs.part import Part
from programs.positions import line_of_play, mirrored, record
from programs.truth import Truth


def test_every_part_has_a_name_of_its_own() -> None:
    names = [part.name for parts in take_screens.GROUPS.values() for part in parts]
    assert sorted({*names, *take_screens.GROUPS}) == sorted([*names, *take_screens.GROUPS])


def test_parts_are_chosen_by_their_names_and_by_their_modules() -> None:
    printed = [part.name for part in take_screens.GROUPS["printed"]]
    assert [part.name for part in take_screens.wanted(["quarry", "printed", "psgo"])] == ["quarry", *printed]
    with pytest.raises(SystemExit, match="no part is called chess"):
        take_screens.wanted(["chess"])


def test_what_is_missing_is_named_with_its_package() -> None:
    part = Part("a", lambda _: None, {"no-such-command": "one", "/no/such/file": "two", "sh": "dash"})
    assert list(part.missing()) == [("no-such-command", "one"), ("/no/such/file", "two")]


def test_truth_goes_on_where_it_ended(tmp_path: Path) -> None:
    cells = line_of_play("tictactoe", "half", 1).cells
    Truth(tmp_path).add("a-0.png", "a", "tictactoe", cells)
    truth = Truth(tmp_path)
    truth.add("b.png", "b")
    truth.add("b.png", "b")
    first, second = tomllib.loads((tmp_path / "screens.toml").read_text(encoding="utf-8"))["screen"]
    assert [tuple(text.replace(".", "") for text in row.split()) for row in first["cells"]] == list(cells)
    assert second == {"file": "b.png", "program": "b", "tuned": False}


def test_records_have_every_stone() -> None:
    position = line_of_play("gomoku:size=9", "late", 3)
    text = record(position)
    black, white = text.partition("AB")[2].split("AW")
    for stones, wanted in ((black, "X"), (white, "O")):
        spots = {(ord(spot[1]) - 97, ord(spot[0]) - 97) for spot in stones.replace("]", "[").split("[")[1::2]}
        assert spots == {(r, c) for r, row in enumerate(position.cells) for c, text in enumerate(row) if text == wanted}


def test_a_mirror_of_a_mirror_is_the_board() -> None:
    cells = line_of_play("othello", "middle", 2).cells
    assert mirrored(cells) != cells
    assert mirrored(mirrored(cells)) == cells
