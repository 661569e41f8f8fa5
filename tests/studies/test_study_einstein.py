"""The studies of document 000's nets: its lines, its tables, going on after a stop, and players with those nets."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from boyi.cli.main import main
from boyi.exact.einstein import move_values
from boyi.exact.einstein_table import open_table
from boyi.games.position import Position
from boyi.games.randomness import generator
from boyi.records.thesis_lines import parse_line
from boyi.studies import ewn_nets
from boyi.studies.ewn_features import QUICK_RUNS, binomial_share, implied_accuracy
from boyi.studies.ewn_guided import PriorAndPlayouts, evaluator, net_policy
from boyi.studies.ewn_lines import Lines, action_chances, einstein, read_lines, samples_of, winner_lines
from boyi.studies.ewn_nets import QUICK, TABLES, Finding, Trainer, make_data, runs, train_net
from boyi.train.config import LearnConfig
from boyi.train.learner import Learner


@pytest.fixture(scope="module", autouse=True)
def own_tables(tables: Path) -> Iterator[None]:
    """The tablebase of the tests, for the quick net's engine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOYI_TABLES_DIR", str(tables))
        yield


@pytest.fixture(scope="module")
def features(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a quick study."""
    folder = tmp_path_factory.mktemp("features")
    assert main(["study", "ewn-features", "--quick", "--dir", str(folder)]) == 0
    return folder


def test_lines_are_the_winners_and_read_back(tmp_path: Path) -> None:
    rng = generator(3)
    text = [winner_lines(30, rng) for _ in range(6)]
    file = tmp_path / "some.thesis"
    file.write_text("".join(line for game in text for line in game))
    found = read_lines([file])
    assert len(found) == sum(map(len, text))
    for game in text:
        assert len({line[1] for line in game}) == 1, "one side only"
        assert parse_line(game[-1].strip())[2].outcome is not None, "its last move wins"
    for row, line in enumerate(line for game in text for line in game):
        _, rolled, after = parse_line(line.strip())
        assert (rolled.state == found.states[row]).all()
        assert rolled.action(after.move) == found.actions[row]


def test_chances_are_exact_where_the_table_reaches() -> None:
    game = einstein()
    position = game.position("7 0 0 0 0 13 / 19 0 0 0 0 14 red 3")
    lines = Lines(position.state[None].copy(), np.array(position.actions[:1]))
    chances = action_chances(lines)[0]
    exact = move_values(position, open_table())
    for move, value in exact.items():
        assert chances[position.action(move)] == pytest.approx((1 + value) / 2, abs=1e-3)
    assert (np.delete(chances, list(position.actions)) == -1).all()


def test_samples_learn_the_given_actions() -> None:
    game = einstein()
    position: Position = game.start(seed=1).play("2")
    lines = Lines(position.state[None].copy(), np.array([position.actions[0]]))
    samples = samples_of(game, lines, np.array([position.actions[-1]]))
    assert samples.policies.argmax(1).tolist() == [position.actions[-1]]
    assert samples.movers.tolist() == [position.turn]


def test_the_tables_are_the_documents() -> None:
    published = {net.name: sum(net.published[3:]) for nets in TABLES.values() for net in nets}
    assert len(published) == 15
    assert published["ori#1#I"] == pytest.approx(82.5, abs=0.02)
    assert published["sim#1.2.3#II-40"] == pytest.approx(74.21, abs=0.02)
    for nets in TABLES.values():
        for net in nets:
            assert sum(net.published) == pytest.approx(100, abs=0.05)


def test_batches_by_chance() -> None:
    assert binomial_share(0.5, 0.5, 1) == pytest.approx(0.5)
    assert binomial_share(0.3, 0.5, 2) == pytest.approx(0.51)
    for accuracy in (0.25, 0.34, 0.6):
        assert implied_accuracy(binomial_share(accuracy)) == pytest.approx(accuracy, abs=1e-6)
    found = Finding("x", (0.18, 0.2, 0.25, 0.3, 0.34, 0.4, 0.98, 0.3), (), 0, 0, 0)
    assert found.shares == [1 / 8, 1 / 8, 1 / 8, 3 / 8, 0, 2 / 8]


def test_features_left_out_are_not_seen(features: Path) -> None:
    game = einstein()
    data = make_data(features, QUICK, seed=0, tell=lambda text: None)
    net = next(net for net in runs() if net.name == "ori#1.3#I")
    trainer = Trainer(game, net, Learner(game, net.config, LearnConfig(threads=1), seed=1), data)
    changed = replace(trainer.unseen, planes=trainer.unseen.planes.copy())
    changed.planes[:, 1] += 5
    assert (trainer.choices(changed) == trainer.choices(trainer.unseen)).all()
    changed.planes[:, 2] += 5
    assert (trainer.choices(changed) != trainer.choices(trainer.unseen)).any()


def test_quick_features(features: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = (features / "report.md").read_text()
    assert "| ori#1#I | document | 0.00 | 1.32 | 16.18 | 33.03 | 40.66 | 8.82 | 82.51 |" in report
    assert "between 33.3 and 35.3 %" in report
    assert (features / "ewn-features.svg").read_text().startswith("<svg")
    models = sorted(file.stat().st_mtime_ns for file in features.glob("nets/*/checkpoint/model.onnx"))
    capsys.readouterr()
    assert main(["study", "ewn-features", "--quick", "--dir", str(features), "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    assert set(QUICK_RUNS) < set(rows)
    assert {"symmetry", "mirroring", "more data", "exact labels", "modern net"} < set(rows)
    for row in rows.values():
        assert 0 <= row["regret"] < row["held_out"] <= 1
        assert [step for step, _ in row["curve"]] == ([1, 2] if row["name"] == "modern net" else [2, 4, 6, 8, 10])
    assert sorted(file.stat().st_mtime_ns for file in features.glob("nets/*/checkpoint/model.onnx")) == models, (
        "nothing twice"
    )


def test_a_net_goes_on_after_a_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ewn_nets, "BLOCK", 4)
    size = replace(QUICK, lines=200, held_out=50, steps=8)
    data = make_data(tmp_path, size, seed=0, tell=lambda text: None)
    net = next(net for net in runs() if net.name == "ori#1#I")
    whole = train_net(net, data, tmp_path / "whole", seed=5)

    real = ewn_nets.write_folder

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    def write_once(folder: Path, fill: Callable[[Path], None]) -> None:
        real(folder, fill)
        monkeypatch.setattr(ewn_nets, "write_folder", stop)

    monkeypatch.setattr(ewn_nets, "write_folder", write_once)
    with pytest.raises(KeyboardInterrupt):
        train_net(net, data, tmp_path / "parts", seed=5)
    assert json.loads((tmp_path / "parts/nets/ori-1-I/checkpoint/progress.json").read_text())["step"] == 4
    monkeypatch.setattr(ewn_nets, "write_folder", real)
    assert train_net(net, data, tmp_path / "parts", seed=5) == whole


def test_nets_choose_legal_moves(features: Path) -> None:
    game = einstein()
    states = np.stack([game.start(seed=seed).play("4").state for seed in range(8)])
    stem = features / "nets" / "modern-net" / "checkpoint" / "model"
    for state, action in zip(states, net_policy(game, stem)(states), strict=True):
        assert action in Position(game, state).actions
    net = evaluator(game, stem)
    planes = np.stack([Position(game, state).observe(str(net.observer)) for state in states])
    logits, wdl = PriorAndPlayouts(game, net, seed=1)(states, planes)
    assert logits.shape == (8, game.num_actions)
    assert set(wdl[:, 1].tolist()) == {0.0}, "EinStein has no draws"
    assert wdl.sum(1).tolist() == [1.0] * 8


def test_quick_guided(features: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["study", "ewn-guided", "--quick", "--nets", str(features), "--dir", str(tmp_path), "--json"]
    assert main(command) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert len(rows) == 11
    assert all(row["low"] <= row["score"] <= row["high"] for row in rows)
    assert "`guided:net=document,sims=60`" in (tmp_path / "report.md").read_text()


def test_guided_needs_nets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "ewn-guided", "--quick", "--nets", str(tmp_path), "--dir", str(tmp_path / "g")]) == 2
    assert "has no net of the run" in capsys.readouterr().err
    assert main(["study", "ewn-features", "--steps", "0", "--dir", str(tmp_path)]) == 2
    assert "--steps 0 is not possible" in capsys.readouterr().err
