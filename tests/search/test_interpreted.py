"""Search kernels as plain Python (`NUMBA_DISABLE_JIT=1`) find what the compiled ones find."""

import json
import os
import subprocess
import sys

import pytest

PROGRAM = """
import json, warnings
warnings.simplefilter("ignore")  # numbers that wrap round, as they do in compiled code
import boyi
from boyi.search.evaluators import FakeEvaluator
from boyi.search.mcts import BatchSearch, read_root

def told(choice):
    return [choice.move, choice.value, choice.nodes, [[line.move, line.value, line.visits] for line in choice.lines]]

found = {}
for name in ("tictactoe", "einstein"):
    game = boyi.game(name)
    position = game.start(seed=1)
    position = position.play("2") if position.chances else position.play("a1")
    found[name + " uct"] = told(boyi.player("mcts:sims=40", game, seed=3).choose(position))
    search = BatchSearch(game, FakeEvaluator(game), leaves=2, nodes=256)
    search.set_root(0, position.state)
    search.run(40)
    root = read_root(search.tree)
    found[name + " puct"] = [root.value, root.tries.tolist(), root.values.tolist()]
    found[name + " expectimax"] = told(boyi.player("expectimax:depth=2,lines=0", game).choose(position))
    if name == "tictactoe":
        found["alphabeta"] = told(boyi.player("alphabeta:depth=4,lines=0", game).choose(position))
print(json.dumps(found))
"""


def run(interpreted: bool) -> dict[str, object]:
    environment = os.environ | {"NUMBA_DISABLE_JIT": str(int(interpreted))}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def flat(value: object) -> list[object]:
    return [part for item in value for part in flat(item)] if isinstance(value, list) else [value]


def test_interpreted_and_compiled_search_agree() -> None:
    compiled, interpreted = run(False), run(True)
    assert compiled.keys() == interpreted.keys()
    assert len(compiled) == 7
    for name, value in compiled.items():
        for one, other in zip(flat(value), flat(interpreted[name]), strict=True):
            assert one == (other if isinstance(other, str) else pytest.approx(other, abs=1e-6)), name
