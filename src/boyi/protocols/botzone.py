"""Botzone's JSON mode: Reversi, Gomoku, its Renju with one swap, and TicTacToe.

A bot reads one line, `{"requests": [...], "responses": [...]}` with all that happened, and answers one line,
`{"response": ...}`. A bot that then prints the line KEEP is kept alive and gets only the newest request from there on.
A move is `{"x": column, "y": row}` from 0; -1, -1 is a pass, the first request to the player who begins, or in Renju
the exchange of colours at the fourth ply. There the fourth stone's player may make it: `swap`.
"""

import json
import time
from collections.abc import Iterator
from typing import Any

from boyi.games import Game, GameError, Position
from boyi.players import Choice, Limit
from boyi.protocols import calling, serving
from boyi.protocols.errors import Reason
from boyi.protocols.process import EngineProcess

GAMES = ("othello", "gomoku", "tictactoe")
SIZES = {"othello": 8, "gomoku": 15, "tictactoe": 3}
KEEP = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
NOWHERE = {"x": -1, "y": -1}
ENDING_S = 1.0
"""How long a bot may take to say that it wants to be kept, or to end."""
SWAP_PLY = 3
"""How many stones lie on the board when colours may be exchanged."""


def check(game: Game) -> None:
    """Whether Botzone plays the game like this."""
    if game.shape[0] != SIZES[game.name]:
        raise GameError(f"size={game.shape[0]} is not possible on Botzone; allowed: {SIZES[game.name]}")
    if game.name == "gomoku" and game.options()["variant"] != "freestyle":
        raise GameError("Botzone plays Gomoku freestyle, five or more win; its Renju too, with a swap")


def write_point(position: Position, action: int) -> dict[str, int]:
    """A move as Botzone has it."""
    if action >= position.game.num_squares:
        return dict(NOWHERE)
    row, column = divmod(action, position.game.shape[1])
    return {"x": column, "y": row}


def read_point(game: Game, value: Any) -> int | None:
    """The square of a request or response, None for -1, -1."""
    try:
        x, y = int(value["x"]), int(value["y"])
    except (TypeError, KeyError, ValueError):
        raise GameError(f"{str(value)[:60]!r} is no point; it takes x and y") from None
    height, width = game.shape
    if (x, y) == (-1, -1):
        return None
    if not (0 <= x < width and 0 <= y < height):
        raise GameError(f"{x}, {y} is no point of a board of {width}x{height}")
    return y * width + x


def play(position: Position, value: Any) -> Position:
    """The position after a request or response."""
    square = read_point(position.game, value)
    if square is not None:
        return position.play_action(square)
    if position.game.name == "othello":
        return position.play("pass")
    if position.game.name == "gomoku" and len(position.history) == SWAP_PLY:
        return position  # colours are exchanged: the same stones, and the other one answers
    raise GameError("-1, -1 is no move here")


class Server(serving.Server):
    """A bot: one line, one answer, or many with `keep_running`."""

    games = GAMES
    ends_with_input = False

    def __init__(
        self,
        game: Game,
        player: str,
        *,
        limit: Limit | None = None,
        seed: int = 0,
        keep_running: bool = False,
        swap: bool = False,
    ) -> None:
        check(game)
        super().__init__(game, player, limit=limit, seed=seed)
        self.keep_running, self.swap = keep_running, swap
        self.position: Position | None = None
        self.swapped = False

    def obey(self, line: str) -> None:
        if not line:
            return
        try:
            data = json.loads(line)
            position, seconds = self._read(data)
            self._answer(position, seconds)
        except (GameError, json.JSONDecodeError, RecursionError) as error:
            text = " ".join(str(error).split())[:200]
            self.say(json.dumps({"response": NOWHERE, "debug": f"error: {text}"}))
        if self.keep_running:
            self.say(KEEP)
        self.over = not self.keep_running

    def _read(self, data: Any) -> tuple[Position, float | None]:
        """The position to answer in, and the time for it."""
        if not isinstance(data, dict):
            raise GameError("a line is an object with requests and responses")
        requests, responses = data.get("requests"), data.get("responses", [])
        if requests is None and self.position is not None:
            position = self._after(self.position, data)
        elif isinstance(requests, list) and isinstance(responses, list) and len(requests) == len(responses) + 1:
            position, self.swapped = self.game.start(), False
            for number, request in enumerate(requests):
                position = self._after(position, request)
                position = self._play(position, responses[number]) if number < len(responses) else position
        else:
            raise GameError("there is to be one request more than there are responses")
        limit = data.get("time_limit")
        return position, float(limit) if isinstance(limit, int | float | str) and _is_number(limit) else None

    def _after(self, position: Position, request: Any) -> Position:
        """The position after a request; the first one may say that there was no move before."""
        if not position.history and read_point(self.game, request) is None:
            return position
        return self._play(position, request)

    def _play(self, position: Position, value: Any) -> Position:
        after = play(position, value)
        self.swapped |= after is position
        return after

    def _answer(self, position: Position, seconds: float | None) -> None:
        if position.turn is None:
            raise GameError("the game is over")
        choice = self.think(position, turn_s=seconds)
        may_swap = self.swap and not self.swapped and self.game.name == "gomoku" and len(position.history) == SWAP_PLY
        if may_swap and (choice.value or 0.0) > 0:
            response, self.position, self.swapped = dict(NOWHERE), position, True
        else:
            response = write_point(position, position.action(choice.move))
            self.position = position.play(choice.move)
        value = "" if choice.value is None else f", value {choice.value:+.3f}"
        self.say(json.dumps({"response": response, "debug": f"{choice.move}{value}"}))


def _is_number(value: float | str) -> bool:
    try:
        return 0 < float(value) < 1e9
    except ValueError:
        return False


class Client(calling.Client):
    """A judge for one bot, which is started for every move unless it asks to be kept."""

    games = GAMES

    def __init__(self, game: Game, command: list[str]) -> None:
        super().__init__(game, command)
        check(game)
        self.kept: Position | None = None
        """The position after the bot's last answer, if it was kept alive."""
        self.fresh = False
        """Whether the bot that runs has not been asked anything."""
        self.data: dict[str, Any] = {}

    def start(self) -> None:
        self.engine, self.fresh, self.kept = EngineProcess(self.command), True, None

    def choose(self, position: Position, limit: Limit) -> Iterator[Choice]:
        moves = calling.moves_from_start(position)
        if moves is None:
            raise GameError("Botzone has no words for a position that was not reached by playing from the start")
        self._ask(position, moves, limit)
        while not (line := self.line()):
            pass
        try:
            value = json.loads(line)
            response = value["response"] if isinstance(value, dict) and "response" in value else value
            square = read_point(self.game, response)
        except (json.JSONDecodeError, RecursionError, GameError):
            raise self.engine.failure(Reason.GARBAGE, f"{line[:80]!r} is no answer") from None
        self.data = {key: value[key] for key in ("data", "globaldata") if key in value}
        move = "pass" if square is None else self.game.write_move(position.state, square)
        if self._stays() and move in position.moves:
            self.kept = position.play(move)
        yield Choice(move)

    def _ask(self, position: Position, moves: tuple[str, ...], limit: Limit) -> None:
        """Send the newest move to a bot that was kept, everything to a new one."""
        before = position.previous
        if self.kept is not None and before is not None and before == self.kept:
            self.tell(json.dumps(write_point(before, before.action(position.move))))
            return
        if not self.fresh:
            self.engine.close()
            self.start()
        self.fresh = False
        points, at = [], self.game.start()
        for move in moves:
            points.append(write_point(at, at.action(move)))
            at = at.play(move)
        second = len(moves) % 2
        requests = points[::2] if second else [dict(NOWHERE), *points[1::2]]
        line: dict[str, Any] = {"requests": requests, "responses": points[1::2] if second else points[::2], **self.data}
        if not moves[second:]:
            line.pop("data", None)
        if limit.seconds is not None:
            line["time_limit"] = limit.seconds
        self.tell(json.dumps(line))

    def _stays(self) -> bool:
        """Whether the bot asks to be kept; it ends otherwise, or is ended."""
        deadline = time.monotonic() + ENDING_S
        while (line := self.engine.next_line(deadline)) == "":
            pass
        if line != KEEP:
            self.engine.close(0.0)
        return line == KEEP
