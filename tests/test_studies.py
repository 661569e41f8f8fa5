"""Studies: verdicts by their intervals, reports, going on after a stop, and every quick version."""

import json
from pathlib import Path

import pytest

from boyi.arena import Estimate
from boyi.cli.main import main
from boyi.studies.gate import Moment, perfect_since
from boyi.studies.matches import STUDIES, Comparison, MatchStudy, run_study


def found(low: float, score: float, high: float) -> Estimate:
    return Estimate(score, low, high)


@pytest.mark.parametrize(
    ("claim", "low", "high", "verdict"),
    [
        ("stronger", 0.51, 0.6, "agrees"),
        ("stronger", 0.44, 0.55, "undecided"),
        ("stronger", 0.49, 0.51, "no difference"),
        ("stronger", 0.4, 0.49, "contradicts"),
        ("weaker", 0.4, 0.49, "agrees"),
        ("weaker", 0.51, 0.6, "contradicts"),
        ("equal", 0.47, 0.53, "agrees"),
        ("equal", 0.4, 0.6, "undecided"),
        ("equal", 0.51, 0.6, "contradicts"),
        ("", 0.9, 1.0, ""),
    ],
)
def test_verdicts(claim: str, low: float, high: float, verdict: str) -> None:
    assert Comparison("a", "b", claim).verdict(found(low, (low + high) / 2, high)) == verdict


def test_a_study_goes_on_and_reports(tmp_path: Path) -> None:
    one = Comparison("greedy:eval=huang", "random", "stronger", "much better", games=12)
    study = MatchStudy("try", "A try", "einstein", "What it is.", (one,))
    first = run_study(study, tmp_path)
    games = (tmp_path / "match-1" / "games.jsonl").read_text()
    assert len(games.splitlines()) == 12
    again = run_study(study, tmp_path)
    assert (tmp_path / "match-1" / "games.jsonl").read_text() == games, "nothing is played twice"
    assert again[0].facts() == first[0].facts()
    report = (tmp_path / "report.md").read_text()
    assert "# A try" in report
    assert "| `greedy:eval=huang` | `random` | 12 |" in report
    assert "much better" in report


@pytest.mark.parametrize("name", ["ewn-edges", "ewn-patterns", "ewn-simulation", "gomoku-weakest"])
def test_quick_versions(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", name, "--quick", "--workers", "0", "--dir", str(tmp_path), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert len(result["rows"]) == len(STUDIES[name].comparisons)
    for row in result["rows"]:
        assert row["low"] <= row["score"] <= row["high"]
        assert row["moving_first"] + row["moving_second"] == pytest.approx(2 * row["score"])
    assert ("| moving first |" in (tmp_path / "report.md").read_text()) == STUDIES[name].by_turn
    if name == "gomoku-weakest":
        assert result["rows"][1]["score"] == 0, "whoever searches for a loss finds it against random play"


def test_gate_and_latest_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "tictactoe-gate", "--quick", "--dir", str(tmp_path), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [(row["kind"], row["generation"]) for row in rows] == [
        (kind, number) for kind in ("latest", "gate") for number in (1, 2, 3)
    ]
    assert all(0 <= row["lost"] < row["lines"] for row in rows)
    assert "| latest |" in (tmp_path / "report.md").read_text()


def test_perfect_means_from_then_on() -> None:
    found = [Moment("latest", number, 10.0 * number, lost, 100) for number, lost in enumerate((5, 0, 2, 0, 0), 1)]
    since = perfect_since(found)
    assert since is not None
    assert since.generation == 4
    assert perfect_since(found[:3]) is None
