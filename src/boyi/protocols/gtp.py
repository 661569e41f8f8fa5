"""GTP, the Go Text Protocol, version 2: for Othello as Edax and Egaroucid speak it, for Gomoku and tic-tac-toe as Go
programs would, for Connect6 in the dialect of the Taiwanese courses.

A command is `[id] name arguments`, an answer `=[id] text` or `?[id] text` and an empty line. Othello's row 1 is on top;
elsewhere columns skip the letter I and row 1 is at the bottom. A Connect6 turn is two points, `K10,L11`.

GTP has no command that stops thinking: commands wait for their turn. At `quit` or the end of the input what is being
thought about may take two seconds more.
"""

import re
import time
from collections.abc import Iterator

from boyi import version
from boyi.games import Game, GameError, Position
from boyi.players import Choice, Limit
from boyi.protocols import calling, serving
from boyi.protocols.errors import Reason
from boyi.protocols.notation import GO_LETTERS, LETTERS, read_vertex, write_vertex

GAMES = ("othello", "gomoku", "connect6", "tictactoe")
PASSES = ("pass", "pa", "ps")
JUNK = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
MOST_LINES = 10_000
"""Lines that an answer may have."""


def write_point(game: Game, square: int) -> str:
    """A point in the game's dialect; the square beyond the last is the pass."""
    if game.name == "othello":
        return "pass" if square == game.num_squares else write_vertex(game, square, top=True).lower()
    return write_vertex(game, square, letters=GO_LETTERS)


def read_point(game: Game, text: str) -> int:
    """The reverse of `write_point`."""
    if game.name == "othello":
        if text.strip().lower()[:4] in PASSES:
            return game.num_squares
        return read_vertex(game, text, letters=LETTERS, top=True)
    return read_vertex(game, text, letters=GO_LETTERS)


def colour(position: Position) -> str:
    """The side to move in the game's dialect: Edax wants lower case, the Connect6 programs capitals."""
    letter = "BW"[position.turn or 0]
    return letter.lower() if position.game.name == "othello" else letter


class Server(serving.Server):
    """Answers GTP commands; each is a method `do_...`."""

    games = GAMES

    def __init__(self, game: Game, player: str, *, limit: Limit | None = None, seed: int = 0) -> None:
        super().__init__(game, player, limit=limit, seed=seed)
        self.turns = [game.start()]
        """The position after every turn."""
        self.main_s: float | None = None
        self.turn_s: float | None = None
        self.left: dict[int, tuple[float, int]] = {}
        """Seconds and stones left, by player, as `time_left` said last."""
        self.used_s = [0.0, 0.0]

    @property
    def position(self) -> Position:
        return self.turns[-1]

    def patience_s(self, line: str) -> float | None:
        return serving.AT_THE_END_S if line.split()[-1:] == ["quit"] else None

    def obey(self, line: str) -> None:
        words = JUNK.sub("", line.partition("#")[0]).split()
        if not words:
            return
        number = words.pop(0) if words[0].isdecimal() else ""
        name = words[0].lower() if words else ""
        method = getattr(self, f"do_{name.replace('-', '_')}", None) if re.fullmatch(r"[a-z0-9_-]+", name) else None
        try:
            if method is None:
                raise GameError("unknown command")
            text = method(*words[1:])
            self.say(f"={number} {text or ''}".rstrip(), "")
        except GameError as error:
            self.say(f"?{number} {error}", "")
        except TypeError as error:
            if "positional argument" not in str(error):
                raise
            self.say(f"?{number} syntax error: {name} with {len(words) - 1} arguments", "")

    # About the program

    def do_protocol_version(self) -> str:
        return "2"

    def do_name(self) -> str:
        return "Boyi"

    def do_version(self) -> str:
        return version.__version__

    def do_known_command(self, name: str = "") -> str:
        return str(name in self._commands()).lower()

    def do_list_commands(self) -> str:
        return "\n".join(self._commands())

    def do_quit(self) -> None:
        self.over = True

    def do_list_games(self) -> str:
        return "\n".join(GAMES)

    def do_set_game(self, name: str) -> None:
        if name.lower() != self.game.name:
            raise GameError(f"this engine plays {self.game.name}; start another one for {name}")

    def _commands(self) -> list[str]:
        names = [name.removeprefix("do_") for name in dir(self) if name.startswith("do_")]
        return [re.sub("^(gogui|boyi)_", r"\1-", name) for name in names]

    # The position

    def do_boardsize(self, size: str) -> None:
        try:
            game = self.game if int(size) == self.game.shape[0] else self.game.variant(size=int(size))
        except ValueError:
            raise GameError("unacceptable size") from None
        self.play_with(game)
        self.do_clear_board()

    def do_clear_board(self) -> None:
        self.turns = [self.game.start()]
        self.left, self.used_s = {}, [0.0, 0.0]

    def do_komi(self, komi: str = "0") -> None:
        pass

    def do_play(self, side: str, points: str) -> None:
        squares = [self._read(point) for point in points.split(",")]
        if self.position.turn is None and squares == [self.game.num_squares]:
            return  # a pass after the end
        position = self._turned_to(side, self.position)
        mover = position.turn
        for number, square in enumerate(squares):
            if number and position.turn is None:
                break  # the first stone has won
            if position.turn != mover:
                raise GameError("illegal move: too many stones for one turn")
            if square not in position.actions:
                raise GameError("illegal move" if position.turn is not None else "illegal move: the game is over")
            position = position.play_action(square)
        self.turns.append(position)

    def do_undo(self) -> None:
        if len(self.turns) == 1:
            raise GameError("cannot undo")
        self.turns.pop()

    def do_showboard(self) -> str:
        return "\n" + "\n".join(line for line in str(self.position).splitlines() if line.strip())

    def do_boyi_position(self, *key: str) -> None:
        """Not of GTP: set up a position by its key."""
        self.turns = [self.game.position(" ".join(key))]

    def do_boyi_key(self) -> str:
        return self.position.key

    def do_final_score(self) -> str:
        end = self.position.outcome
        if end is None:
            raise GameError("cannot score: the game is not over")
        if end.winner is None:
            return "0"
        return f"{'BW'[end.winner]}+{abs(end.score) if self.game.name == 'othello' else 'R'}"

    def _read(self, point: str) -> int:
        try:
            return read_point(self.game, point)
        except GameError:
            raise GameError(f"syntax error: {point[:40]} is no point") from None

    def _turned_to(self, side: str, position: Position) -> Position:
        """The position with this side to move, after a forced pass if need be."""
        if side.lower() not in ("b", "black", "w", "white"):
            raise GameError(f"syntax error: {side[:40]} is no colour")
        wanted = int(side.lower()[0] == "w")
        if position.turn == 1 - wanted and position.moves == ("pass",):
            position = position.play("pass")
        if position.turn not in (wanted, None):
            raise GameError("wrong color")
        return position

    # Thinking

    def do_time_settings(self, main: str, period: str, stones: str) -> None:
        main_s, period_s, count = (_number(text) for text in (main, period, stones))
        self.left, self.used_s = {}, [0.0, 0.0]
        self.main_s = main_s if main_s > 0 else None
        self.turn_s = period_s / count if period_s > 0 and count > 0 else None
        if period_s > 0 and count == 0:  # GTP's way to say that there is no limit
            self.main_s = self.turn_s = None

    def do_time_left(self, side: str, seconds: str, stones: str) -> None:
        self.left[int(side.lower().startswith("w"))] = (_number(seconds), int(_number(stones)))

    def do_genmove(self, side: str) -> str:
        position, told = self._chosen(side)
        if position is not None:
            self.turns.append(position)
        return told

    def do_reg_genmove(self, side: str) -> str:
        return self._chosen(side)[1]

    def _chosen(self, side: str) -> tuple[Position | None, str]:
        """The position after the player's whole turn, and the turn as text."""
        position = self._turned_to(side, self.position)
        mover = position.turn
        if mover is None:
            if self.game.name == "othello":
                return None, "pass"
            raise GameError("the game is over")
        began, points = time.monotonic(), []
        turn_s, left_s = self._clock(mover)
        while position.turn == mover:
            spent_s = time.monotonic() - began
            choice = self.think(
                position,
                turn_s=None if turn_s is None else (turn_s - spent_s) / self._stones(position),
                left_s=None if left_s is None else (left_s - spent_s) / self._stones(position),
            )
            points.append(write_point(self.game, position.action(choice.move)))
            position = position.play(choice.move)
            if self.game.name != "connect6":
                break
        self.used_s[mover] += time.monotonic() - began
        self.left.pop(mover, None)
        return position, ",".join(points)

    def _stones(self, position: Position) -> int:
        """How many stones the mover still puts in this turn."""
        return 2 if self.game.name == "connect6" and position.key.split()[2] == "2" else 1

    def _clock(self, mover: int) -> tuple[float | None, float | None]:
        """Seconds for this turn and for all turns, None where there is no such limit."""
        if mover in self.left:
            seconds, stones = self.left[mover]
            return (max(seconds, 0.0) / stones, None) if stones > 0 else (None, max(seconds, 0.0))
        left_s = None if self.main_s is None else self.main_s - self.used_s[mover]
        if left_s is not None and self.turn_s is not None and left_s <= 0:
            return self.turn_s, None
        return (self.turn_s if left_s is None else None), left_s

    # GoGui's game rulers

    def do_gogui_rules_game_id(self) -> str:
        return self.game.title

    def do_gogui_rules_board_size(self) -> str:
        return str(self.game.shape[0])

    def do_gogui_rules_board(self) -> str:
        return "\n" + "\n".join("".join(cell or "." for cell in row) for row in self.position.cells)

    def do_gogui_rules_legal_moves(self) -> str:
        if self.position.turn is None:
            return ""
        return " ".join(write_point(self.game, action) for action in self.position.actions)

    def do_gogui_rules_side_to_move(self) -> str:
        return ("black", "white")[self.position.turn or 0]

    def do_gogui_rules_final_result(self) -> str:
        return self.position.caption if self.position.outcome else ""


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise GameError(f"syntax error: {text[:40]} is no number") from None


class Client(calling.Client):
    """Asks an engine that speaks GTP. Ids are not used: not every engine gets them right."""

    games = GAMES

    def __init__(self, game: Game, command: list[str]) -> None:
        super().__init__(game, command)
        self.told: tuple[str, ...] | None = None
        """The moves from the start that the engine knows; None before the first game."""
        self.seconds: float | None = None
        self.second: tuple[Position, str] | None = None
        """In Connect6 the second stone of the engine's turn, and the position that it is for."""

    def greet(self) -> None:
        self.command_of("protocol_version")
        self.commands = set((self.command_of("list_commands") or "").split())

    def choose(self, position: Position, limit: Limit) -> Iterator[Choice]:
        if self.second is not None and self.second[0] == position:
            move, self.second = self.second[1], None
            yield Choice(move)
            return
        self._set_up(position, limit.seconds)
        answer = self.command_of(f"genmove {colour(position)}", needed=True) or ""
        if answer.lower() == "resign":
            raise self.engine.failure(Reason.REFUSED, "it resigned")
        moves = self._moves(position, answer)
        if self.told is not None:
            self.told += tuple(moves)
        yield Choice(moves[0])

    def leave(self) -> None:
        self.tell("quit")

    def command_of(self, line: str, *, needed: bool = False) -> str | None:
        """The answer to a command, None where the engine refused it; that is a failure if the answer is needed."""
        self.tell(line)
        answer = self.line()
        junk = 0
        while not answer.startswith(("=", "?")):
            junk += bool(answer)
            if junk > MOST_LINES:
                raise self.engine.failure(Reason.GARBAGE, answer[:80])
            self.late = Reason.GARBAGE if junk else self.late
            answer = self.line()
        lines = [answer[1:].strip()]
        while more := self.line():
            lines.append(more)
            if len(lines) > MOST_LINES:
                raise self.engine.failure(Reason.FLOOD, "an answer that does not end")
        text = "\n".join(lines).strip()
        if answer.startswith("="):
            return text
        if needed:
            raise self.engine.failure(Reason.REFUSED, f"{line!r}: {text[:200]}")
        return None

    def _set_up(self, position: Position, seconds: float | None) -> None:
        """Tell the engine the position, or only what is new of it."""
        moves = calling.moves_from_start(position)
        if moves is None and "boyi-position" not in self.commands and position.game.name == "gomoku":
            moves = calling.stones_in_turn(position)
        if moves is None and "boyi-position" not in self.commands:
            raise GameError("GTP has no words for a position that was not reached by playing from the start")
        fresh = self.told is None or moves is None or moves[: len(self.told)] != self.told
        if fresh:
            self.command_of(f"boardsize {self.game.shape[0]}", needed=True)
            self.command_of("clear_board", needed=True)
            self.seconds = None
        if seconds is not None and seconds != self.seconds:
            self.command_of(f"time_settings 0 {seconds:g} 1")
            self.seconds = seconds
        if moves is None:
            self.told = None
            self.command_of(f"boyi-position {position.key}", needed=True)
            return
        known = 0 if fresh or self.told is None else len(self.told)
        for turn in _turns(position.game, moves, known):
            self.command_of(f"play {turn}", needed=not turn.endswith("pass"))  # GRhino infers passes from colours
        self.told = moves

    def _moves(self, position: Position, answer: str) -> list[str]:
        """The engine's answer as moves: one, or in Connect6 all of a turn."""
        moves, after = [], position
        for point in answer.split(","):
            try:
                square = read_point(self.game, point)
            except GameError:
                raise self.engine.failure(Reason.GARBAGE, f"{answer[:80]!r} is no move") from None
            moves.append(self.game.write_move(after.state, square))
            if square not in after.actions or after.play_action(square).turn != position.turn:
                break
            after = after.play_action(square)
        if after.turn == position.turn and len(moves) == 2:
            self.second = (after, moves[1])
        return moves


def _turns(game: Game, moves: tuple[str, ...], known: int) -> Iterator[str]:
    """The arguments of `play` for the moves that an engine does not know yet; the last turn may be half of one."""
    position = game.start()
    stones: list[str] = []
    for ply, move in enumerate(moves):
        side, action = colour(position), position.action(move)
        mover, position = position.turn, position.play(move)
        if ply >= known:
            stones.append(write_point(game, action))
            if position.turn != mover:
                yield f"{side} {','.join(stones)}"
                stones = []
    if stones:
        raise GameError("GTP has no words for half a turn of Connect6")
