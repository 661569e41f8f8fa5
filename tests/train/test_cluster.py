"""Self-play on a real Ray cluster of several nodes on this computer, one of which is killed in the middle."""

import dataclasses
import warnings
from pathlib import Path

import pytest

from boyi.games.registry import game as find_game
from boyi.nets.config import NetConfig
from boyi.quick.crew import Crew
from boyi.quick.learner import Plan
from boyi.quick.library import learner
from boyi.train.cluster import RayPool, processors
from boyi.train.config import LearnConfig, MeasureConfig, SelfPlayConfig, TrainConfig
from boyi.train.loop import train
from boyi.train.quick import quick_config, train_quick
from boyi.train.report import Silence
from boyi.train.samples import read_samples
from boyi.train.workers import InlinePool

ray = pytest.importorskip("ray")
pytestmark = pytest.mark.filterwarnings("default")  # Ray's own warnings are not ours to turn into errors

TINY = TrainConfig(
    game="tictactoe",
    generations=3,
    workers=1,
    net=NetConfig(kind="mlp", blocks=1, hidden=16),
    selfplay=SelfPlayConfig(games=12, shards=6, parallel=2, simulations=4, considered=4, opening=2),
    learn=LearnConfig(batch=16, threads=1),
    measure=MeasureConfig(every=2, games=4, simulations=4, anchors=("random",)),
)


@pytest.fixture(scope="module")
def machines():
    """A head without cores for work, and `nodes`, two of one core each; whoever kills one adds another."""
    from ray.cluster_utils import Cluster

    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore")
        patch.setenv("RAY_worker_niceness", "0")  # on a busy computer actors would hardly get to work
        made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
        made.nodes = [made.add_node(num_cpus=1) for _ in range(2)]
        yield made
        made.shutdown()


@pytest.fixture
def cluster(machines):
    """The cluster, left by this process after a test."""
    yield machines
    ray.shutdown()


class Killer(Silence):
    """Kills a node of the cluster as soon as the first shard of the second generation is there."""

    def __init__(self, cluster):
        self.cluster, self.notes, self.shards = cluster, [], 0

    def note(self, text):
        self.notes.append(text)

    def stage(self, name, done, total):
        if name == "self-play" and done > 0:
            self.shards += 1
            if self.shards == TINY.selfplay.shards + 1:
                self.kill_a_node()

    def kill_a_node(self):
        self.cluster.remove_node(self.cluster.nodes.pop(), allow_graceful=False)
        self.cluster.nodes.append(self.cluster.add_node(num_cpus=1))


def test_a_node_is_killed_and_nothing_is_lost(cluster, tmp_path):
    killer = Killer(cluster)
    assert processors(cluster.address) == 2
    config = dataclasses.replace(TINY, workers=2)
    rows = train(config, tmp_path / "cluster", report=killer, cluster=cluster.address)
    local = train(TINY, tmp_path / "local")
    assert [row["generation"] for row in rows] == [0, 1, 2, 3]
    assert [row["loss"] for row in rows[1:]] == [row["loss"] for row in local[1:]]
    assert rows[2]["anchor_score"] == local[2]["anchor_score"]
    files = sorted((tmp_path / "local" / "games").iterdir())
    assert len(files) == 18
    for file in files:
        assert (tmp_path / "cluster" / "games" / file.name).read_bytes() == file.read_bytes()
        assert read_samples(file, config.found_game).num_games == 2
    assert all("lost; its games are played again" in note for note in killer.notes)


class LaterKiller(Killer):
    """Kills a node after the first generation, and with it an actor that waits for games."""

    def stage(self, name, done, total):
        pass

    def generation(self, row):
        if row["generation"] == 1:
            self.kill_a_node()


def test_quick_nets_are_trained_on_it_too(cluster, tmp_path):
    killer = LaterKiller(cluster)
    changes = ["minutes=1", "generations=3", "workers=2", "measure_games=2", "measure_nodes=20", "anchors=['random']"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("boyi.quick.tuples_learner.GENERATION_S", 0.05)
        config = quick_config("tictactoe", None, changes)
        rows = train_quick(config, tmp_path, report=killer, cluster=cluster.address)
    assert [row["generation"] for row in rows] == [0, 1, 2, 3]
    assert rows[-1]["rows_total"] == sum(row["rows"] for row in rows[1:]) > 0
    assert "anchor_score" in rows[-1]
    assert all("lost; its games are played again" in note for note in killer.notes)
    here, there = InlinePool(), RayPool(cluster.address, 2)
    here.workers = 2
    nets = [learner(find_game("tictactoe"), Plan(1e-6, seed=4, crew=Crew("tictactoe", pool))) for pool in (here, there)]
    for net in nets:
        assert net.generation(1, 0.0, lambda *_: None)["rows"] > 10_000
    there.close()
    assert (nets[0].arrays()["weights"] == nets[1].arrays()["weights"]).all()


def test_no_cluster_is_a_clear_error(tmp_path):
    with pytest.raises(ValueError, match="no Ray cluster at"):
        train(TINY, Path(tmp_path), cluster="127.0.0.1:1")
