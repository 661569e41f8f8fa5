"""Large files: speed with a bound that only a mistake exceeds, memory that does not grow with the file."""

import gc
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from making_records import random_play, record_of

from boyi.games import game as find_game
from boyi.records import Record, Result, Skipped, convert_records, read_records, write_records
from boyi.records import source as source_module
from boyi.records.othello_batch import NO_MOVE, replay


def games(count: int) -> list[Record]:
    return [record_of(random_play(find_game("othello"), seed), players=("a", f"b{seed % 9}")) for seed in range(count)]


def repeated_wthor(file: Path, times: int) -> int:
    """A file with the same 200 games over and over; returns their number."""
    write_records(games(200), file)
    data = file.read_bytes()
    count = 200 * times
    with file.open("wb") as out:
        out.write(data[:4] + count.to_bytes(4, "little") + data[8:16])
        for _ in range(times):
            out.write(data[16:])
    return count


def peak_memory(work: Callable[[], object]) -> int:
    gc.collect()
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_a_hundred_thousand_wthor_games(tmp_path: Path) -> None:
    """In about 2 s of one core."""
    file = tmp_path / "games.wtb"
    count = repeated_wthor(file, 500)
    begin = time.process_time()
    found = sum(isinstance(each, Record) for each in read_records(file))
    assert time.process_time() - begin < 30
    assert found == count == 100_000


def test_the_batch_agrees_with_the_rules() -> None:
    """Passes, margins and ends of whole and of broken-off games, and the first illegal move."""
    game = find_game("othello")
    lasts = [random_play(game, seed, None if seed % 3 else 20 + seed % 40) for seed in range(150)]
    squares = np.full((len(lasts), 60), NO_MOVE, np.uint8)
    for row, last in zip(squares, lasts, strict=True):
        moves = [game.square(move) for move in last.history if move != "pass"]
        row[: len(moves)] = moves
    found = replay(squares)
    assert (found.bad == -1).all()
    assert found.over.tolist() == [last.turn is None for last in lasts]
    ended = [index for index, last in enumerate(lasts) if last.turn is None]
    assert [found.margin[index] for index in ended] == [lasts[index].outcome.score for index in ended]  # type: ignore[union-attr]
    assert found.passes.sum() == sum(
        move == "pass" for last in lasts for move in last.history[: None if last.move != "pass" else -1]
    )
    for ply in (0, 7, 19):
        broken = squares.copy()
        broken[:, ply] = 27
        assert (replay(broken).bad == ply).all()
    gap = squares.copy()
    gap[:, 3] = NO_MOVE
    assert (replay(gap).bad == 4).all()


def test_wthor_damage_is_told_by_game(tmp_path: Path) -> None:
    file = tmp_path / "games.wtb"
    write_records(games(5), file)
    data = bytearray(file.read_bytes())
    data[16 + 68 * 2 + 8 + 10] = 99
    file.write_bytes(data[:-30])
    found = list(read_records(file))
    assert [type(each).__name__ for each in found] == ["Record", "Record", "Skipped", "Record", "Skipped"]
    assert [(each.line, each.reason) for each in found if isinstance(each, Skipped)] == [
        (3, "move 11: 99 is not a legal move"),
        (5, "the file is cut off after 4 of 5 games"),
    ]


def test_wthor_names_of_the_archive(tmp_path: Path) -> None:
    """`WTHOR.JOU` and `WTHOR.TRN` serve all files of a folder."""
    write_records([games(1)[0].changed(headers={"event": "Open"})], tmp_path / "games.wtb")
    (tmp_path / "games.jou").rename(tmp_path / "WTHOR.JOU")
    (tmp_path / "games.trn").rename(tmp_path / "WTHOR.TRN")
    (record,) = read_records(tmp_path / "games.wtb")
    assert isinstance(record, Record)
    assert (record.players, record.headers) == (("a", "b0"), {"event": "Open"})
    with pytest.raises(ValueError, match="holds names"):
        list(read_records(tmp_path / "WTHOR.JOU"))


def test_a_million_moves_in_constant_memory(tmp_path: Path) -> None:
    lines = ["".join(move for move in record.moves if move != "pass") + "\n" for record in games(100)]
    file = tmp_path / "games.transcript"
    file.write_text("".join(lines) * 170)
    moves = 0

    def read_all() -> None:
        nonlocal moves
        for record in read_records(file):
            assert isinstance(record, Record)
            moves += len(record.plies)

    assert peak_memory(read_all) < 20_000_000
    assert moves > 1_000_000


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.sgf", "(;FF[4]GM[2]C[comment];B[f5](;W[d6])(;W[f6]))\n"),
        ("x.ggf", "1 (;GM[Othello]TY[8]B[f5]W[d6];)\n"),
        ("x.jsonl", '{"game": "tictactoe", "moves": ["a1", "b2"], "comment": "a comment"}\n'),
        ("x.c6", "{[C6][a B][b W][先手胜];B(J,10);W(A,1);W(A,2)}\n"),
        ("x.psq", "Piskvorky 15x15, 0:0, 0\n8,8,100\n9,9,100\n"),
        ("x.thesis", "(R)(5)(25 24 20 23 19 15)(1 2 3 6 7 11)(7)(13)\n"),
        ("x.wtn", "R:A5-1;B5-2;C5-3;A4-4;B4-5;A3-6\nB:E3-1;D2-2;E2-3;C1-4;D1-5;E1-6\n1:3;(R3,C4)\n"),
        ("x.sgf", "(;GM[2];B[a1])\n"),
    ],
)
def test_memory_does_not_grow_with_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    monkeypatch.setattr(source_module, "CHUNK", 1024)
    file, out = tmp_path / name, tmp_path / "out.jsonl"

    def work() -> None:
        convert_records([file], out, kept_reasons=10)

    peaks = []
    for times in (40, 40, 400):
        file.write_text(text * times, encoding="utf-8")
        peaks.append(peak_memory(work))
    assert peaks[2] < peaks[1] + 250_000


def test_a_conversion_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    source, out = tmp_path / "games.wtb", tmp_path / "out.c6"
    write_records(games(3), source)
    out.write_text("precious")
    report = convert_records([source], out)
    assert (report.read, report.written, report.skipped) == (3, 0, 3)
    assert report.reasons[0] == Skipped(str(source), 1, "not written: C6 cannot hold othello; it is for connect6")
    assert out.read_text() == "precious"
    with pytest.raises(FileNotFoundError):
        convert_records([source, tmp_path / "none.sgf"], out, write_as="sgf")
    assert out.read_text() == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.jou", "games.trn", "games.wtb", "out.c6"]


def test_what_a_format_cannot_hold_is_counted(tmp_path: Path) -> None:
    source = tmp_path / "x.sgf"
    source.write_text("(;GM[2]C[hello];B[f5]TU[1.5]C[good](;W[d6])(;W[f6]))(;GM[2]RE[B+R];B[f5])")
    report = convert_records([source], tmp_path / "x.ggf")
    assert (report.written, dict(report.lost)) == (2, {"comments": 1, "variations": 1})
    first, second = read_records(tmp_path / "x.ggf")
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert (first.plies[0].seconds, second.result) == (1.5, Result(0, "resigned"))
