"""Files of strangers: whatever stands in them, reading ends, with records or with file, line and reason."""

import random
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from making_records import annotated, random_play, record_of

from boyi.games import GameError
from boyi.games import game as find_game
from boyi.records import FORMATS, Record, Result, Skipped, read_records, write_records
from boyi.records import source as source_module
from boyi.records.sgf_tree import split

GAMES = {
    "jsonl": ["othello", "einstein", "connect6", "tictactoe"],
    "sgf": ["othello", "einstein", "connect6", "gomoku:size=9", "tictactoe"],
    "ggf": ["othello"],
    "wthor": ["othello"],
    "transcript": ["othello"],
    "obf": ["othello"],
    "psq": ["gomoku"],
    "rec": ["gomoku:size=20"],
    "c5": ["gomoku"],
    "c6": ["connect6"],
    "wtn": ["einstein"],
    "thesis": ["einstein"],
    "moves": ["othello"],
}
fuzz = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def sample_file(folder: Path, format: str) -> bytes:
    """A file with a few games in a format."""
    records = []
    for rules in GAMES[format] * 2:
        game = find_game(rules)
        last = random_play(game, 5, 0 if format == "obf" else 14)
        made = record_of(last, result=Result(0), players=("a", "b"), headers={"event": "e"})
        if format in ("sgf", "jsonl"):
            made = made.changed(plies=annotated(made.first(), made.plies, random.Random(1), ["x]y", "\\"]))
        records.append(made)
    file = folder / f"sample{FORMATS[format].suffixes[0]}"
    assert write_records(records, file, format) == len(records)
    return file.read_bytes()


def check(file: Path, format: str) -> list[Record | Skipped]:
    """Read a file to its end and look at what comes."""
    game = find_game("othello") if format == "moves" else None
    found = list(read_records(file, format, game))
    for each in found:
        if isinstance(each, Skipped):
            assert each.file == str(file)
            assert each.line >= 1
            assert each.reason
        else:
            each.position()
    return found


@pytest.mark.parametrize("format", sorted(GAMES))
@given(noise=st.binary(max_size=300) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")))
@fuzz
def test_noise(tmp_path: Path, format: str, noise: bytes) -> None:
    file = tmp_path / "noise"
    file.write_bytes(noise)
    check(file, format)


@pytest.mark.parametrize("format", sorted(GAMES))
@given(data=st.data())
@fuzz
def test_damaged_files(tmp_path: Path, format: str, data: st.DataObject) -> None:
    """Bytes changed, cut out, doubled and moved."""
    damaged = bytearray(sample_file(tmp_path, format))
    for kind in data.draw(st.lists(st.sampled_from(["change", "cut", "double", "insert"]), min_size=1, max_size=4)):
        at = data.draw(st.integers(0, max(0, len(damaged) - 1)))
        to = at + data.draw(st.integers(0, 40))
        if kind == "change" and damaged:
            damaged[at] = data.draw(st.integers(0, 255))
        elif kind == "cut":
            del damaged[at:to]
        elif kind == "double":
            damaged[at:at] = damaged[at:to]
        else:
            damaged[at:at] = data.draw(
                st.sampled_from([b"(", b")", b"[", b"]", b"\\", b";", b"{", b"\n", b"99999999999", b"\xff"])
            )
    file = tmp_path / "damaged"
    file.write_bytes(bytes(damaged))
    check(file, format)


@pytest.mark.parametrize("format", sorted(set(GAMES) - {"wthor", "moves", "thesis", "obf"}))
def test_one_bad_game_never_loses_the_rest(tmp_path: Path, format: str) -> None:
    """A game of which the middle is missing, between good ones."""
    good = sample_file(tmp_path, format)
    bad = good[: len(good) // 3]
    file = tmp_path / "games"
    file.write_bytes(good + b"\n" + bad + b"\n" + good)
    found = check(file, format)
    whole = [each for each in check_alone(tmp_path, good, format) if isinstance(each, Record)]
    records = [each for each in found if isinstance(each, Record)]
    assert records[: len(whole)] == whole
    assert records[-len(whole) + 1 :] == whole[1:]


def check_alone(folder: Path, content: bytes, format: str) -> list[Record | Skipped]:
    file = folder / "alone"
    file.write_bytes(content)
    return check(file, format)


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("sgf", "(;GM[2]" + "(;B[f5]" * 5000 + ")" * 5001),
        ("sgf", "(;GM[2];B[f5]" + "(;W[d6])" * 20_000 + ")"),
        ("sgf", "(;GM[2];B[f5]" + "(;W[d6](;B[c3])" * 500 + ")" * 501),
        ("sgf", "(" * 100_000),
        ("sgf", "(;" * 100_000),
        ("sgf", "(;GM[2]" + "SZ[8]" * 100_000 + ")"),
        ("sgf", "(;GM[2]C[" + "\\" * 100_001),
        ("sgf", "(;GM[2];B[f5]" + "(;W[f6](;B[f5])(;B[f5]" * 200 + ")" * 401),
        ("ggf", "(;" * 100_000),
        ("ggf", "(;GM[Othello]" + "B[f5]" * 100_000 + ";)"),
        ("jsonl", "[" * 100_000),
        ("jsonl", '{"game":"othello","moves":[' + '{"move":"f5","variations":[[' * 5000),
        ("jsonl", '{"game":"othello","moves":[' + ",".join(['"f5"'] * 200_000) + "]}"),
        ("jsonl", '{"game":"gomoku:size=' + "9" * 10_000 + '"}'),
        ("transcript", "f5" * 100_000),
        ("moves", "f5 " * 300_000),
        ("c6", "{[C6]" + "[" * 50_000),
        ("c6", "{[C6];" + "B(J,10);" * 50_000),
        ("wtn", "R:A5-1;" * 20_000),
        ("wtn", "R:" + " " * 100_000),
        ("thesis", "(R)(5)(" + "1 " * 50_000),
        ("psq", "Piskvorky 15x15, 0:0, 0\n" + "1,1,1\n" * 50_000),
        ("obf", "-" * 200_000),
    ],
)
def test_hostile_files_end_soon(tmp_path: Path, format: str, text: str) -> None:
    file = tmp_path / "hostile"
    file.write_text(text)
    begin = time.process_time()
    found = check(file, format)
    assert any(isinstance(each, Skipped) for each in found) or not found or format == "sgf"
    assert time.process_time() - begin < 60


@pytest.mark.parametrize(
    ("format", "piece"),
    [("sgf", "(;GM[2]C["), ("jsonl", '{"game": "'), ("ggf", "(;GM["), ("c6", "{[C6]["), ("moves", "f5")],
)
def test_a_line_without_end_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str, piece: str
) -> None:
    monkeypatch.setattr(source_module, "LONGEST", 10_000)
    file = tmp_path / "long"
    with file.open("w") as out:
        out.write(piece)
        for _ in range(200):
            out.write("x" * 10_000)
    tracemalloc.start()
    found = check(file, format)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [type(each) for each in found] == [Skipped]
    assert peak < 3_000_000


def test_what_follows_a_game_that_is_too_long_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "LONGEST", 100_000)
    file = tmp_path / "games.sgf"
    long = "(;FF[4]GM[2];B[f5]" + "(;W[f6]\n)" * 100_000 + ")\n"
    good = "(;FF[4]GM[2];B[f5])\n"
    file.write_text(good + long + good)
    found = list(read_records(file))
    assert [type(each).__name__ for each in found] == ["Record", "Skipped", "Record"]
    assert isinstance(found[1], Skipped)
    assert "longer than" in found[1].reason


def test_trees_are_split_wherever_the_text_is_cut() -> None:
    text = "x (;FF[4]C[a\\]b(;]\n;B[f5](;W[d6])(;W[f6]))\n ( ;GM[2];B[f5]) y"
    whole = list(split(iter([text])))
    assert [line for line, _ in whole] == [1, 3]
    for size in (1, 2, 3, 7, 20):
        assert list(split(iter([text[at : at + size] for at in range(0, len(text), size)]))) == whole


def test_no_file_and_no_regular_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_records(tmp_path / "none.sgf")
    with pytest.raises(GameError, match="no file of games"):
        read_records("/dev/zero", "jsonl")
    with pytest.raises(GameError, match="no file of games"):
        read_records(tmp_path, "sgf")
