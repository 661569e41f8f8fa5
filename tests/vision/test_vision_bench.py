"""What the benchmark counts."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

import boyi
from boyi.bench import benchmark
from boyi.bench.vision import Tally, programs
from boyi.bench.vision import main as measure_folder
from boyi.bench.vision_curves import curve
from boyi.bench.vision_curves import main as plot_curves
from boyi.vision import Reading, recognise
from boyi.vision.scenes import Scene, paint
from boyi.vision.screens import right_board
from boyi.vision.styles import random_style


def test_the_benchmark_is_known() -> None:
    assert benchmark("vision").__name__ == "bench_vision"


def test_a_tally_tells_exact_silent_refused_and_doubtful() -> None:
    position = boyi.game("tictactoe").start().play("b2").play("a1")
    data = np.frombuffer(boyi.draw.png(position.svg(size=300)), np.uint8)
    picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    truth = Scene(picture, position.cells, np.zeros((0, 0, 2)), "squares", game="tictactoe")
    reading = recognise(picture)
    assert right_board(truth, reading)
    tally = Tally()
    tally.add(truth, reading, 0.1)
    tally.add(replace(truth, cells=(("X", "O", ""),) * 3), reading, 0.1)
    tally.add(truth, Reading("no board"), 0.1)
    tally.add(truth, replace(reading, position=None), 0.2)
    assert (tally.exact, tally.silent, tally.refused, tally.doubtful) == (1, 1, 1, 1)
    shares = {result.name: result.value for result in tally.results("test", negatives=False)}
    assert shares["test, board exact"] == 25
    assert shares["test, time"] == pytest.approx(125)


def test_a_folder_of_pictures_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    position = boyi.game("tictactoe").start().play("b2").play("a1")
    (tmp_path / "a.png").write_bytes(boyi.draw.png(position.svg(size=300)))
    rows = "".join(f'"{" ".join(text or "." for text in row)}",' for row in position.cells)
    (tmp_path / "screens.toml").write_text(
        f'[[screen]]\nfile = "a.png"\nprogram = "ours"\ntuned = false\ngame = "tictactoe"\ncells = [{rows}]\n'
    )
    measure_folder([str(tmp_path)])
    shown = capsys.readouterr().out
    assert "ours, board exact: 100 % (1 pictures)" in shown
    assert "programs unseen, silent errors: 0 %" in shown
    (small,) = [share for share in programs(tmp_path, "smaller", sizes=(0.08,)) if share.name.endswith("exact")]
    assert small.value == 0  # squares of six pixels
    with pytest.raises(SystemExit, match=r"screens\.toml"):
        measure_folder([str(tmp_path / "missing")])


def test_scenes_are_the_same_for_the_same_seed() -> None:
    def one() -> Scene:
        random = np.random.default_rng(4)
        return paint(random, random_style(random, "points"), [["X", "", "O"]] * 3, pitch=30)

    assert np.array_equal(one().picture, one().picture)


def test_damage_is_plotted_from_results(tmp_path: Path) -> None:
    rows = [{"name": f"{source}, board exact", "value": 100.0} for source in ("own light", "own dark", "plain")]
    rows += [{"name": "jpeg 0.5, board exact", "value": 80.0}, {"name": "jpeg 1, board exact", "value": 60.0}]
    shares = {str(row["name"]): float(str(row["value"])) for row in rows}
    assert curve(shares, "jpeg", "board exact") == [(0.0, 100.0), (0.5, 80.0), (1.0, 60.0)]
    (tmp_path / "results.json").write_text(json.dumps({"results": rows}))
    plot_curves([str(tmp_path / "results.json"), str(tmp_path / "curves.svg")])
    drawn = boyi.draw.png((tmp_path / "curves.svg").read_text())
    assert drawn.startswith(b"\x89PNG")
