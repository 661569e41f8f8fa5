"""GTP: framing, Othello as Edax and Egaroucid speak it, the Connect6 dialect, clocks; what a client writes."""

import pytest
from engine_sessions import answers
from hypothesis import given, settings
from hypothesis import strategies as st

import boyi
from boyi.games import Position
from boyi.players import Limit
from boyi.protocols.gtp import Client, Server, read_point, write_point


def replies(game: str, *lines: str, player: str = "random") -> list[str]:
    """Every answer in one line, without the empty line after it."""
    text = "\n".join(answers("gtp", game, *lines, player=player))
    return [answer.strip("\n") for answer in text.split("\n\n")]


def test_framing() -> None:
    found = replies(
        "othello", "7 protocol_version", "", "# a comment", "  name  # comment", "8 nonsense", "quit", "name"
    )
    assert found == ["=7 2", "= Boyi", "?8 unknown command", "="]


def test_list_and_known_commands() -> None:
    (listed, known, unknown, one) = replies(
        "othello", "list_commands", "known_command genmove", "known_command x", "known_command"
    )
    edax = "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove undo"
    more = "time_settings time_left set_game list_games reg_genmove showboard final_score gogui-rules_legal_moves"
    assert set(f"{edax} {more}".split()) <= set(listed.removeprefix("= ").split("\n"))
    assert (known, unknown, one) == ("= true", "= false", "= false")


def test_an_othello_session() -> None:
    found = replies(
        "othello",
        "boardsize 8",
        "boardsize 19",
        "clear_board",
        "komi 6.5",
        "play black F5",
        "play b d6",
        "play w a1",
        "play W D6",
        "undo",
        "undo",
        "undo",
        "boyi-key",
        "play x d3",
        "play b",
        "play b d3 d4",
        "set_game Othello",
        "set_game Go",
    )
    start = boyi.game("othello").start().key
    assert found == [
        "=", "? unacceptable size", "=", "=", "=", "? wrong color", "? illegal move", "=", "=", "=", "? cannot undo",
        f"= {start}", "? syntax error: x is no colour", "? syntax error: play with 1 arguments",
        "? syntax error: play with 3 arguments", "=",
        "? this engine plays othello; start another one for Go",
    ]  # fmt: skip


def test_passes() -> None:
    """Edax plays the forced pass itself where the other colour is asked, and answers `pass` where there is no move."""
    position = boyi.game("othello").position("XO------" + "-" * 56 + " O")
    assert position.moves == ("pass",)
    key = f"boyi-position {position.key}"
    assert replies("othello", key, "genmove w") == ["=", "= pass"]
    assert replies("othello", key, "play w PASS", "boyi-key")[1] == "="
    assert replies("othello", key, "play b c1", "final_score", "genmove w", "play w pass", "genmove b") == [
        "=", "=", "= B+64", "= pass", "=", "= pass",
    ]  # fmt: skip
    assert replies("othello", "play b pass") == ["? illegal move"]


def test_genmove_plays_and_reg_genmove_does_not() -> None:
    found = replies("othello", "reg_genmove b", "boyi-key", "genmove b", "boyi-key", "genmove b")
    assert found[0].removeprefix("= ") in boyi.game("othello").start().moves
    assert found[1] == f"= {boyi.game('othello').start().key}"
    assert found[3].startswith("= ")
    assert found[3] != found[1]
    assert found[4] == "? wrong color"


def test_gogui_rules() -> None:
    found = replies(
        "gomoku:size=5", "play b a1", "gogui-rules_board", "gogui-rules_legal_moves", "gogui-rules_side_to_move",
        "gogui-rules_board_size", "gogui-rules_game_id", "gogui-rules_final_result",
    )  # fmt: skip
    assert found[1].split("\n")[1:] == [".....", ".....", ".....", ".....", "X...."]
    assert len(found[2].split()) == 25
    assert found[3:] == ["= white", "= 5", "= Gomoku", "="]


def test_showboard_has_no_empty_line() -> None:
    (found,) = replies("connect6", "showboard")
    assert "J" not in found
    assert len(found.splitlines()) > 19


def test_the_letter_i() -> None:
    """Go's columns skip it, Othello's would not need it."""
    game = boyi.game("connect6")
    assert [write_point(game, square) for square in (7, 8, 18)] == ["H19", "J19", "T19"]
    assert replies("connect6", "play B I10") == ["? syntax error: I10 is no point"]
    assert read_point(boyi.game("othello"), "h8") == 63


def test_the_connect6_dialect() -> None:
    found = replies(
        "connect6", "boardsize 19", "clear_board", "play B K10", "play W K10,L11", "play W L10,L11", "genmove B",
        "play B A1", "genmove W",
    )  # fmt: skip
    assert found[:5] == ["=", "=", "=", "? illegal move", "="]
    first, second = found[5].removeprefix("= ").split(",")
    assert first != second
    assert found[6] == "? wrong color"
    assert len(found[7].removeprefix("= ").split(",")) == 2


def test_connect6_turns_are_whole() -> None:
    assert replies("connect6", "play B K10,K11") == ["? illegal move: too many stones for one turn"]
    one, other = replies("connect6", "genmove B", "genmove W")
    assert (one.count(","), other.count(",")) == (0, 1)


def test_a_stone_that_wins_alone() -> None:
    key = f"XXXXX7/{'12/' * 10}OOOO8 X 2"
    assert replies("connect6:size=12", f"boyi-position {key}", "play B F12,L1", "final_score", "genmove W") == [
        "=", "=", "= B+R", "? the game is over",
    ]  # fmt: skip


def test_lines_without_end() -> None:
    found = replies("othello", "x" * 3_000_000, "name")
    assert found == ["? unknown command", "= Boyi"]


def test_boardsize_changes_the_game() -> None:
    found = replies("gomoku", "boardsize 9", "gogui-rules_board_size", "boardsize 99", "boardsize x", "genmove b")
    assert found[1:4] == ["= 9", "? unacceptable size", "? unacceptable size"]
    assert found[4].startswith("= ")


def clock_of(*lines: str) -> tuple[float | None, float | None]:
    server = Server(boyi.game("othello"), "random")
    server.output = open("/dev/null", "w")  # noqa: SIM115
    with server.output:
        for line in lines:
            server.obey(line)
        return server._clock(0)


@pytest.mark.parametrize(
    ("lines", "clock"),
    [
        ((), (None, None)),
        (("time_settings 0 10 5",), (2.0, None)),
        (("time_settings 300 0 0",), (None, 300.0)),
        (("time_settings 300 10 1",), (None, 300.0)),
        (("time_settings 0 10 0",), (None, None)),
        (("time_settings 300 10 1", "time_left b 20 0"), (None, 20.0)),
        (("time_settings 300 10 1", "time_left B 9 3"), (3.0, None)),
        (("time_settings 300 10 1", "time_left w 9 3"), (None, 300.0)),
    ],
)
def test_clocks(lines: tuple[str, ...], clock: tuple[float | None, float | None]) -> None:
    assert clock_of(*lines) == clock


def test_a_bad_clock_is_refused() -> None:
    assert replies("othello", "time_settings a b c", "time_left b 1") == [
        "? syntax error: a is no number", "? syntax error: time_left with 2 arguments",
    ]  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=30).filter(lambda line: "quit" not in line), max_size=8))
def test_any_input_is_answered(lines: list[str]) -> None:
    clean = [line.replace("\n", " ").replace("\r", " ") for line in lines]
    found = answers("gtp", "gomoku:size=5", *clean, "known_command quit")
    assert found[-2:] == ["= true", ""]


class Scripted(Client):
    """A client whose engine is a list of answers; it remembers what it was told."""

    def __init__(self, game: boyi.Game, *moves: str) -> None:
        super().__init__(game, ["none"])
        self.moves, self.said, self.commands = list(moves), list[str](), set[str]()

    def tell(self, *lines: str) -> None:
        self.said += lines
        genmove = lines[-1].startswith("genmove")
        self.heard = [f"= {self.moves.pop(0)}" if genmove else "=", ""]

    def line(self) -> str:
        return self.heard.pop(0)

    def move(self, position: Position, seconds: float | None = None) -> str:
        return list(self.choose(position, Limit(seconds=seconds)))[-1].move


def test_what_a_client_says_in_othello() -> None:
    """Lower case and explicit passes, and only what the engine does not know."""
    game = boyi.game("othello")
    client = Scripted(game, "F5", "F6", "c4")
    position = game.start()
    assert client.move(position, 2.0) == "f5"
    assert client.said == ["boardsize 8", "clear_board", "time_settings 0 2 1", "genmove b"]
    position = position.play("f5").play("d6")
    client.said.clear()
    assert client.move(position, 2.0) == "f6"
    assert client.said == ["play w d6", "genmove b"]
    client.said.clear()
    assert client.move(game.start().play("d3"), 0.5) == "c4"
    assert client.said == ["boardsize 8", "clear_board", "time_settings 0 0.5 1", "play b d3", "genmove w"]


def test_what_a_client_says_in_connect6() -> None:
    game = boyi.game("connect6")
    client = Scripted(game, "K11,L11", "A1,A2")
    position = game.start().play("j10")
    assert client.move(position) == "j11"
    assert client.said == ["boardsize 19", "clear_board", "play B K10", "genmove W"]
    position = position.play("a3")
    with pytest.raises(boyi.GameError, match="half a turn"):
        client.move(position)


def test_a_client_hands_out_a_turn_stone_by_stone() -> None:
    game = boyi.game("connect6")
    client = Scripted(game, "K11,L11", "A1,A2")
    position = game.start().play("j10")
    first = client.move(position)
    position = position.play(first)
    second = client.move(position)
    assert (first, second) == ("j11", "k11")
    position = position.play(second).play("a5").play("a6")
    client.said.clear()
    assert client.move(position) == "a1"
    assert client.said == ["play B A5,A6", "genmove W"]


def test_a_position_without_a_past() -> None:
    """Stones can be put in turn, discs cannot."""
    game = boyi.game("gomoku:size=5")
    client = Scripted(game, "C3")
    assert client.move(game.position("5/5/5/X4/XO3 O")) == "c3"
    assert client.said == ["boardsize 5", "clear_board", "play B A2", "play W B1", "play B A1", "genmove W"]
    othello = boyi.game("othello").position("XO" + "-" * 62 + " O")
    with pytest.raises(boyi.GameError, match="not reached by playing"):
        Scripted(othello.game).move(othello)
