"""A stop always answers: thinking that would take an hour ends when a command, or the end of the input, says so."""

import threading
import time
from collections.abc import Iterator

import pytest
from engine_sessions import Session

import boyi
from boyi.games import Game, Position
from boyi.players import Choice, Limit, Player, registry
from boyi.protocols import serving
from boyi.protocols.clock import SAFETY_S, allotment
from boyi.protocols.thinking import Thinker


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What may still be thought about at the end ends soon, for the sake of the tests."""
    monkeypatch.setattr(serving, "AT_THE_END_S", 0.2)


HOUR = Limit(seconds=3600)
POSITION = "get R 5 E5 D5 E4 C5 D4 E3 A1 B1 C1 A2 B2 A3"
STOPS = [
    ("nboard", "othello", ["nboard 2", "go"], "ping 7", ["=== ", "pong 7"]),
    ("nboard", "othello", ["nboard 2", "hint 2"], "ping 7", ["search ", "pong 7"]),
    ("nboard", "othello", ["hint 2"], "go", ["search ", "status Boyi is thinking"]),
    ("nboard", "othello", ["go"], "quit", ["=== "]),
    ("gomocup", "gomoku:size=15", ["START 15", "BEGIN"], "STOP", ["OK", ""]),
    ("gomocup", "gomoku:size=15", ["START 15", "INFO timeout_turn 3600000", "BEGIN"], "END", ["OK"]),
    ("connect6", "connect6", ["new black"], "end", ["move "]),
    ("connect6", "connect6", ["new black"], "quit", ["move ", "Quit!"]),
    ("gtp", "othello", ["time_settings 0 3600 1", "genmove b"], "quit", ["= ", "="]),
    ("ewn", "einstein", ["name", POSITION], "exit", ["Boyi", "B2 "]),
    ("json", "othello", ['{"id": "a", "seconds": 3600}'], '{"id": "b", "action": "terminate", "target": "a"}',
     ['{"id": "b", "action": "terminate", "target": "a"}', '{"id": "a", "ply": 0']),
]  # fmt: skip


@pytest.mark.parametrize(("protocol", "game", "asked", "stop", "heard"), STOPS)
def test_a_stop_is_answered(protocol: str, game: str, asked: list[str], stop: str, heard: list[str]) -> None:
    with Session(protocol, game, limit=HOUR) as session:
        session.send(*asked, stop)
        for beginning in heard:
            assert session.until(beginning)


@pytest.mark.parametrize(("protocol", "game"), [("gtp", "othello"), ("gomocup", "gomoku"), ("nboard", "othello")])
def test_the_end_of_the_input_ends_an_engine(protocol: str, game: str) -> None:
    question = {"gtp": "genmove b", "gomocup": "BEGIN", "nboard": "go"}[protocol]
    with Session(protocol, game, limit=HOUR) as session:
        session.send(question)
        session.input.close()
        assert len(session.ended()) >= 1


class Deaf(Player):
    """Thinks until it is let go, whatever it is told."""

    let_go = threading.Event()

    def think(self, position: Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        self.let_go.wait(600)
        yield Choice(position.moves[-1])


@pytest.fixture
def deaf(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setitem(registry._MAKERS, "deaf", lambda text, game, seed: Deaf(game))
    Deaf.let_go.clear()
    yield "deaf"
    Deaf.let_go.set()


def test_a_player_that_does_not_stop_is_answered_for(deaf: str) -> None:
    """By the time of the limit and by a stop; the next question goes to another player."""
    game = boyi.game("tictactoe")
    thinker = Thinker(deaf, game)
    first = thinker.player
    assert thinker.choose(game.start(), Limit(seconds=0.05)).move == game.start().moves[0]
    assert thinker.player is not first
    assert thinker.choose(game.start(), Limit(), stop=lambda: 0.0).move == game.start().moves[0]
    Deaf.let_go.set()
    assert thinker.choose(game.start(), Limit()).move == game.start().moves[-1]


def test_what_a_player_raises_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._MAKERS, "idle", lambda text, game, seed: Player(game))
    game = boyi.game("tictactoe")
    with pytest.raises(NotImplementedError):
        Thinker("idle", game).choose(game.start(), Limit())


def test_thoughts_are_told() -> None:
    game: Game = boyi.game("othello")
    told: list[Choice] = []
    began = time.monotonic()
    last = Thinker("mcts", game).choose(
        game.start(), HOUR, stop=lambda: 0.0 if len(told) > 2 else began + 100, tell=told.append, every_s=0.01
    )
    assert len(told) == 3
    assert last.simulations >= told[-1].simulations > told[0].simulations


@pytest.mark.parametrize(
    ("turn_s", "left_s", "least", "most"),
    [
        (None, None, None, None),
        (10.0, None, 9.9, 10.0 - SAFETY_S),
        (0.0, None, 0.0, 0.0),
        (0.1, None, 0.08, 0.099),
        (None, 300.0, 5.0, 30.0),
        (1.0, 300.0, 0.9, 1.0),
        (10.0, 1.0, 0.001, 0.2),
        (None, 0.0, 0.0, 0.0),
        (None, -5.0, 0.0, 0.0),
    ],
)
def test_allotments(turn_s: float | None, left_s: float | None, least: float | None, most: float | None) -> None:
    """Never more than there is, and something of it."""
    found = allotment(boyi.game("othello").start(), turn_s=turn_s, left_s=left_s)
    if least is None or most is None:
        assert found is None
    else:
        assert found is not None
        assert least <= found <= most
