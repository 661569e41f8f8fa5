"""The load of `boyi bench serve`, in small: what it plays is answered, and what it measures is there."""

import asyncio
import math

import pytest

from boyi.bench import serve as bench
from boyi.web.process import ServerProcess


def test_players_and_clicks(server: ServerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "PLAYERS", 4)
    monkeypatch.setattr(bench, "CLICKS", 5)
    monkeypatch.setattr(bench, "games", lambda: ("tictactoe", "einstein"))  # one without dice, one with
    for seconds in (1.0, 10.0, 60.0):  # a busy computer answers late
        tally = asyncio.run(bench.play_at_once(server, seconds, seed=3))
        assert tally.errors == []
        if tally.answers_ms:
            break
    assert len(tally.confirmations_ms) >= len(tally.answers_ms) > 0
    clicks = asyncio.run(bench.click_while_thinking(server, seed=3))
    assert len(clicks) == 5


def test_quantiles() -> None:
    assert bench.quantile([float(i) for i in range(1, 101)], 0.95) == 96
    assert bench.quantile([7.0], 0.95) == 7
    assert math.isnan(bench.quantile([], 0.5))
