"""What reports are made of: pictures, facts, kept time; and the study of document 001."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from boyi.cli.main import main
from boyi.studies.alphazero import QUICK, VARIANTS, Size, comparisons, config_of, named_runs, recipe_of
from boyi.studies.chart import curves_svg
from boyi.studies.facts import kept_time, made_by, read_json, spent, table


def test_curves_are_drawn_in_their_place() -> None:
    svg = curves_svg({"a < b": [(0, 0.0), (10, 1.0)], "flat": [(0, 0.5)]}, title="T", x_title="x", y_title="y")
    root = ElementTree.fromstring(svg)
    space = "{http://www.w3.org/2000/svg}"
    lines = root.findall(f"{space}polyline")
    assert len(lines) == 2
    first, last = (tuple(map(float, point.split(","))) for point in lines[0].attrib["points"].split())
    assert last[0] > first[0]
    assert last[1] < first[1], "higher values stand higher"
    assert "a < b" in [text.text for text in root.findall(f"{space}text")]


def test_an_axis_of_one_number() -> None:
    assert "<polyline" in curves_svg({"one": [(3, 7.0)]}, title="", x_title="", y_title="")


def test_facts(tmp_path: Path) -> None:
    with kept_time(tmp_path / "study"):
        sum(range(2_000_000))
    first = spent(tmp_path / "study")
    with kept_time(tmp_path / "study"):
        sum(range(2_000_000))
    assert spent(tmp_path / "study") > first > 0
    assert read_json(tmp_path / "none.json", 3) == 3
    assert "`boyi study x`" in made_by("boyi study x", 5400)
    assert "1.50 hours" in made_by("boyi study x", 5400)
    assert table(["a", "b"], [["1", "2"]]) == ["| a | b |", "|---|---|", "| 1 | 2 |"]


def test_the_documents_setting() -> None:
    config = config_of("document", Size(), seed=0)
    play = config.selfplay
    assert (play.simulations, play.exploration, play.noise_alpha, play.noise_share) == (400, 5.0, 0.3, 0.25)
    assert (config.learn.rate, config.net.kind, config.net.observer) == (5e-3, "paper001", "four")
    assert config.generations * play.games == 3000
    assert Size().stages == [500, 1500, 3000]
    assert Size(games=1000).stages == [500, 1000]
    assert Size(games=60, generation=10).stages == [10, 30, 60]
    assert config_of("two planes", Size(), seed=0).net.observer == "two"
    assert [config_of(variant, Size(), seed=0).net.more_layers for variant in VARIANTS] == [0, 0, 1, 0, 0]
    assert config_of("less exploration", Size(), seed=0).selfplay.noise_alpha == 0.015
    assert config_of("smaller rate", Size(), seed=0).learn.rate == 1e-3
    assert recipe_of(Size(board=6), 12.0, seed=1).minutes == 12.0
    assert recipe_of(Size(), 12.0, seed=1).selfplay.teacher == ""
    in_bits = Size(precision="int8")
    assert {config_of(variant, in_bits, seed=0).selfplay.precision for variant in VARIANTS} == {"int8"}
    assert recipe_of(in_bits, 12.0, seed=1).selfplay.precision == "int8"


def test_quick_alphazero(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "othello-alphazero", "--quick", "--dir", str(tmp_path), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert len(rows) == 12
    assert [row["first"] for row in rows if row["published"] == "no great effect"] == [
        "stage:run=one-layer-more,games=6"
    ]
    assert all(row["games"] == QUICK.match for row in rows)
    report = (tmp_path / "report.md").read_text()
    assert "| document | 6 |" in report
    assert (tmp_path / "othello-alphazero.svg").read_text().count("<polyline") == len(VARIANTS) == 5
    before = (tmp_path / "document" / "metrics.jsonl").read_text()
    assert main(["study", "othello-alphazero", "--quick", "--dir", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == rows
    assert (tmp_path / "document" / "metrics.jsonl").read_text() == before, "nothing is trained twice"


def test_runs_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert named_runs("smaller-rate, document") == ["document", "smaller rate"]
    assert len(comparisons(Size())) == 12
    assert not comparisons(Size(games=1000), ["two planes"])
    assert [one.claim for one in comparisons(Size())][:2] == ["stronger", "equal"]
    assert [one.claim for one in comparisons(Size(games=500))][:2] == ["stronger", ""]
    two = comparisons(Size(games=1000), ["document", "less exploration"])
    assert [(one.first, one.second) for one in two] == [
        ("stage:run=document,games=1000", "stage:run=document,games=500"),
        ("stage:run=document,games=1000", "mcts:sims=400"),
        ("stage:run=less-exploration,games=1000", "stage:run=document,games=1000"),
    ]
    command = ["study", "othello-alphazero", "--quick", "--dir", str(tmp_path)]
    assert main([*command, "--runs", "smaller-rate", "--precision", "int8", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["second"] for row in rows] == ["mcts:sims=400"]
    report = (tmp_path / "report.md").read_text()
    assert "--quick --runs smaller-rate --precision int8" in report
    assert "Left out: document, two planes, one layer more, less exploration, recipe." in report
    assert 'precision = "int8"' in (tmp_path / "smaller-rate" / "config.toml").read_text()
    assert main([*command, "--runs", "document,bogus"]) == 2
    assert "'bogus' is no run; the runs are document, two-planes" in capsys.readouterr().err
    assert main([*command, "--runs", "recipe"]) == 2
    assert "choose document too" in capsys.readouterr().err


def test_bad_sizes_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "othello-alphazero", "--quick", "--board", "7", "--dir", str(tmp_path)]) == 2
    assert "board=7 is not possible" in capsys.readouterr().err
    assert main(["study", "othello-alphazero", "--games", "-1", "--dir", str(tmp_path)]) == 2
    assert "--games -1 is not possible" in capsys.readouterr().err
