"""Gomocup: the sessions of its document, INFO limits, Swap2, renju; what a manager says."""

import pytest
from engine_sessions import answers
from hypothesis import given, settings
from hypothesis import strategies as st

import boyi
from boyi.players import Limit
from boyi.protocols.gomocup import SWAPS, Client, Server
from boyi.protocols.notation import read_xy, write_xy

SMALL = Limit(nodes=200)


def brain(*lines: str, game: str = "gomoku:size=15", player: str = "random", limit: Limit | None = SMALL) -> list[str]:
    return answers("gomocup", game, *lines, player=player, limit=limit)


def point(text: str, size: int = 20) -> tuple[int, int]:
    x, y = (int(number) for number in text.split(","))
    assert 0 <= x < size
    assert 0 <= y < size
    return x, y


def test_the_session_of_the_document() -> None:
    found = brain(
        "START 20", "INFO timeout_match 300000", "INFO timeout_turn 10000", "INFO max_memory 838860800", "TURN 10,15",
        "BOARD", "10,10,1", "10,11,2", "11,11,1", "9,10,2", "DONE", "TAKEBACK 9,10", "END", "ABOUT",
    )  # fmt: skip
    found = [line for line in found if not line.startswith("MESSAGE")]  # of the memory that the tests' process has
    assert found[0] == "OK"
    assert point(found[1]) != (10, 15)
    assert point(found[2]) not in {(10, 10), (10, 11), (11, 11), (9, 10)}
    assert found[3:] == ["OK"]


def test_every_command() -> None:
    found = brain(
        "ABOUT", "START 4", "START 21", "START", "RECTSTART 15,15", "RECTSTART 15,20", "start 15", "BEGIN", "BEGIN",
        "RESTART", "TURN 7,7", "TURN 7,7", "TURN 15,0", "PLAY 0,0", "TAKEBACK 0,0", "TAKEBACK 0,0", "",
        "PONDER", "INFO x",
    )  # fmt: skip
    kinds = [line.split()[0] if not line[0].isdigit() else "point" for line in found]
    assert kinds == [
        'name="Boyi",', "ERROR", "ERROR", "ERROR", "OK", "ERROR", "OK", "point", "ERROR", "OK", "point", "ERROR",
        "ERROR", "point", "OK", "ERROR", "UNKNOWN",
    ]  # fmt: skip
    assert found[13] == "0,0"
    assert "version=" in found[0]


def test_a_win_is_taken_and_a_four_is_stopped() -> None:
    """Through BOARD, in any order, and through TURN."""
    own = [f"{x},7,1" for x in range(3, 7)]
    other = [f"{x},{y},2" for x, y in ((0, 0), (2, 7), (14, 0), (14, 14))]
    taken = brain("START 15", "BOARD", *own, *other, "DONE", player="strongest", limit=Limit(seconds=0.3))
    assert taken[1] == "7,7"
    theirs = [line[:-1] + ("2" if line.endswith("1") else "1") for line in own + other[:3]]
    stopped = brain("START 15", "BOARD", *theirs, "DONE", player="strongest", limit=Limit(seconds=0.3))
    assert stopped[1] in ("7,7", "2,7")


def test_over_and_bad_boards() -> None:
    five = [f"{x},7,1" for x in range(5)] + [f"{x},9,2" for x in range(5)][:5]
    found = brain(
        "START 15", "BOARD", *five, "DONE", "BOARD", "1,1,3", "DONE", "BOARD", "1,1,1", "1,1,2", "DONE", "BEGIN"
    )
    assert [line.split()[0] for line in found[:-1]] == ["OK", "ERROR", "ERROR", "ERROR"]
    assert point(found[-1])


@pytest.mark.parametrize(("rule", "variant"), [(0, "freestyle"), (1, "standard"), (4, "renju"), (5, "renju")])
def test_rules(rule: int, variant: str) -> None:
    server = Server(boyi.game("gomoku:size=15"), "random")
    server.say = lambda *lines: None  # type: ignore[method-assign]
    for line in ("START 19", f"INFO rule {rule}", "BEGIN"):
        server.obey(line)
    assert server.game.options() == {"size": 19, "win": 5, "variant": variant}


@pytest.mark.parametrize("rule", [2, 8, 9])
def test_rules_that_are_not_known_are_told_at_the_next_command(rule: int) -> None:
    found = brain("START 15", f"INFO rule {rule}", "BEGIN", "INFO rule 0", "BEGIN")
    assert found[0] == "OK"
    assert found[1].startswith(f"ERROR INFO rule {rule} is not possible")
    assert point(found[2])


def test_black_obeys_renju() -> None:
    """The double-three in the middle is the only point that no player may choose."""
    black, white = ["7,5", "7,6", "5,7", "6,7"], ["0,0", "0,14", "14,0", "14,14"]
    lines = [line for pair in zip(black, white, strict=True) for line in (f"{pair[0]},1", f"{pair[1]},2")]
    server = Server(boyi.game("gomoku:size=15"), "random")
    server.say = lambda *lines: None  # type: ignore[method-assign]
    for line in ("START 15", "INFO rule 4", "BOARD", *lines, "DONE"):
        server.obey(line)
    server.stones = server.stones[:-1]
    server.last = None
    position = server._position()
    assert read_xy(server.game, "7,7") not in position.actions
    assert len(position.actions) == 225 - 8 - 1


def test_limits_are_taken_from_info() -> None:
    server = Server(boyi.game("gomoku:size=15"), "random")
    seen: list[Limit] = []
    choose = server.thinker.choose

    def spy(position: boyi.Position, limit: Limit, **rest: object) -> boyi.Choice:
        seen.append(limit)
        return choose(position, limit)

    server.thinker.choose = spy  # type: ignore[method-assign, assignment]
    said: list[str] = []
    server.say = lambda *lines: said.extend(lines)  # type: ignore[method-assign]
    for line in ("INFO timeout_turn 5000", "INFO max_memory 1", "BEGIN", "INFO max_memory 0", "INFO time_left 1000",
                 "TURN 0,0", "INFO timeout_turn 0", "TURN 1,0", "INFO time_left 2147483647", "INFO timeout_turn 60000",
                 "TURN 2,0"):  # fmt: skip
        server.obey(line)
    first, second, third, fourth = seen
    assert first.seconds is not None
    assert 4.5 < first.seconds < 5
    assert first.memory_mb == 1.0
    assert said[0].startswith("MESSAGE max_memory 1 is less")
    assert second.seconds is not None
    assert second.seconds < 0.2
    assert second.memory_mb is None
    assert third.seconds == 0
    assert fourth.seconds is not None
    assert 59 < fourth.seconds < 60


def test_swap2() -> None:
    found = brain(
        "START 15", "SWAP2BOARD", "DONE", "SWAP2BOARD", "7,7", "8,7", "9,9", "DONE", "SWAP2BOARD", "7,7", "DONE"
    )
    stones = found[1].split()
    assert len({point(stone, 15) for stone in stones}) == 3
    assert len(found[2].split()) == 2  # a player without an opinion finds everything even
    assert found[3].startswith("ERROR")
    five = brain("START 15", "SWAP2BOARD", "7,7", "8,7", "9,9", "8,8", "8,6", "DONE")
    assert len(five[1].split()) == 1


def test_swap2_takes_the_better_side() -> None:
    """Black with a three in the open against a stone far away is taken; Black scattered is not."""
    better = brain("START 15", "SWAP2BOARD", "7,7", "0,0", "8,8", "14,14", "9,9", "DONE", player="strongest")
    assert better[1] == "SWAP"
    worse = brain("START 15", "SWAP2BOARD", "0,14", "7,7", "14,0", "8,8", "0,7", "DONE", player="strongest")
    assert point(worse[1], 15)


@pytest.mark.parametrize("opening", SWAPS)
def test_openings_are_three_different_points_near_the_centre(opening: tuple[tuple[int, int], ...]) -> None:
    assert len(set(opening)) == 3
    assert all(abs(x) <= 3 and abs(y) <= 3 for x, y in opening)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.one_of(st.text(max_size=20), st.sampled_from(["BOARD", "DONE", "1,1,1", "SWAP2BOARD", "TURN 3,3"])),
        max_size=8,
    )
)
def test_any_input_is_survived(lines: list[str]) -> None:
    clean = [line.replace("\n", " ").replace("\r", " ") for line in lines if line.strip().upper() != "END"]
    assert brain("START 5", *clean, "DONE", "ABOUT")[-1].startswith('name="Boyi"')


class Scripted(Client):
    """A manager whose brain answers from a list."""

    def __init__(self, game: boyi.Game, *moves: str) -> None:
        super().__init__(game, ["none"])
        self.moves, self.said = list(moves), list[str]()

    def tell(self, *lines: str) -> None:
        self.said += lines

    def line(self) -> str:
        return "OK" if self.said[-1] == "RESTART" else self.moves.pop(0)

    def move(self, position: boyi.Position, limit: Limit | None = None) -> str:
        return list(self.choose(position, limit or Limit()))[-1].move


def test_what_a_manager_says() -> None:
    game = boyi.game("gomoku:size=15")
    client = Scripted(game, "DEBUG best", "MESSAGE I will win", "7,7", "8,8", "", "0,0", "SUGGEST 1,1", "1,1")
    position = game.start()
    assert client.move(position, Limit(seconds=1.5, memory_mb=100)) == "h8"
    assert client.said == ["INFO timeout_turn 1500", "INFO time_left 2147483647", "INFO max_memory 104857600", "BEGIN"]
    position = position.play("h8").play("a15")
    client.said.clear()
    assert client.move(position) == "i7"
    assert client.said == ["TURN 0,0"]
    client.said.clear()
    assert client.move(game.start()) == "a15"
    assert client.said == ["RESTART", "BEGIN"]
    client.said.clear()
    assert client.move(game.start().play("h8").play("g8").play("o1")) == "b14"
    assert client.said == ["BOARD", "7,7,2", "6,7,1", "14,14,2", "DONE", "PLAY 1,1"]


def test_points_round_trip() -> None:
    game = boyi.game("gomoku:size=20")
    assert [read_xy(game, write_xy(game, square)) for square in range(400)] == list(range(400))
