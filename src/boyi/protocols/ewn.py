"""The text protocol for EinStein würfelt nicht! of the course cups at National Taiwan University.

One command a line, one line of answer. Squares are a column A..E and a row, row 1 on top. `get` sends the whole
position: Blue's six stones, then Red's, `0` for a captured one. `time_setting` is read as the time of a side's game, in
seconds, or in milliseconds where it would be hours: nobody says which.
"""

import re
import time
from collections.abc import Iterator

import numpy as np

from boyi import version
from boyi.games import Game, GameError, Position
from boyi.players import Choice, Limit
from boyi.protocols import calling, serving
from boyi.protocols.errors import Reason
from boyi.protocols.notation import read_vertex, write_vertex
from boyi.quick.einstein_setup import place

HOURS = 10_000
"""From here on a time is in milliseconds."""
SIDES = ("red", "blue")
MOVES_A_GAME = 10
"""What a time for a move is multiplied with to make the time of a game: random games have 11 moves a side."""


def squares_of(position: Position) -> list[list[str]]:
    """The squares of Red's and Blue's stones 1..6, `0` for a captured one."""
    sides = position.key.rsplit(maxsplit=2)[0].split("/")
    return [[write_vertex(position.game, int(n) - 1, top=True) if n != "0" else "0" for n in s.split()] for s in sides]


class Server(serving.Server):
    """Answers the commands of the cup's referee."""

    games = ("einstein",)

    def __init__(self, game: Game, player: str, *, limit: Limit | None = None, seed: int = 0) -> None:
        super().__init__(game, player, limit=limit, seed=seed)
        self.game_s: float | None = None
        self.used_s = 0.0
        self.random = np.random.default_rng(seed)

    def patience_s(self, line: str) -> float | None:
        return serving.AT_THE_END_S if line == "exit" else None

    def obey(self, line: str) -> None:
        word, *rest = line.split() or [""]
        try:
            if word == "name":
                self.say("Boyi")
            elif word == "version":
                self.say(version.__version__)
            elif word == "time_setting" and len(rest) == 1 and re.fullmatch(r"\d{1,9}(\.\d*)?", rest[0]):
                given = float(rest[0])
                self.game_s = (given / 1000 if given >= HOURS else given) or None
                self.say("1")
            elif word == "board_setting":
                if rest != ["5", "6"]:
                    raise GameError(f"board_setting {' '.join(rest)[:40]!r} is not possible; allowed: 5 6")
                self.say("1")
            elif word == "ini" and rest in (["R"], ["B"]):
                self.used_s = 0.0
                squares = place("RB".index(rest[0]), self.random)
                self.say(" ".join(write_vertex(self.game, square - 1, top=True) for square in squares))
            elif word == "get":
                self.say(self._answer(rest))
            elif word == "exit":
                self.over = True
            elif word:
                raise GameError(f"unknown command {line[:60]!r}")
        except GameError as error:
            self.say(f"error {' '.join(str(error).split())[:200]}")

    def _answer(self, words: list[str]) -> str:
        began = time.monotonic()
        if len(words) != 14 or words[0] not in ("R", "B") or not re.fullmatch("[1-6]", words[1]):
            raise GameError("get takes R or B, the die, six squares of Blue and six of Red")
        numbers = [str(read_vertex(self.game, w, top=True) + 1) if w != "0" else "0" for w in words[2:]]
        red, blue = " ".join(numbers[6:]), " ".join(numbers[:6])
        position = self.game.position(f"{red} / {blue} {SIDES['RB'.index(words[0])]} {words[1]}")
        choice = self.think(position, left_s=None if self.game_s is None else max(0.0, self.game_s - self.used_s))
        self.used_s += time.monotonic() - began
        source, target = self.game.touched(position.state, position.action(choice.move))
        return f"{write_vertex(self.game, source, top=True)} {write_vertex(self.game, target, top=True)}"


class Client(calling.Client):
    """The cup's referee for one engine. The engine is asked for a set-up before each game, which is not used: who plays
    here is told where the stones stand."""

    games = ("einstein",)

    def __init__(self, game: Game, command: list[str]) -> None:
        super().__init__(game, command)
        self.seconds: float | None = None
        self.last: Position | None = None

    def greet(self) -> None:
        self._told("name")
        self._told("version")
        self._told("board_setting 5 6", wanted="1")

    def choose(self, position: Position, limit: Limit) -> Iterator[Choice]:
        side = "RB"[position.turn or 0]
        new = not self._continues(position)
        if limit.seconds is not None and (new or limit.seconds != self.seconds):
            self.seconds = limit.seconds
            self._told(f"time_setting {max(1, round(MOVES_A_GAME * limit.seconds))}", wanted="1")
        if new:
            self._told(f"ini {side}")
        self.last = position
        red, blue = squares_of(position)
        die = position.key.split()[-1]
        answer = self._told(f"get {side} {die} {' '.join([*blue, *red])}")
        try:
            source, target = (read_vertex(self.game, word, top=True) for word in answer.split())
        except ValueError:
            raise self.engine.failure(Reason.GARBAGE, f"{answer[:80]!r} is no move") from None
        yield Choice(f"{self.game.squares[source]}-{self.game.squares[target]}")

    def leave(self) -> None:
        self.tell("exit")

    def _told(self, line: str, *, wanted: str = "") -> str:
        self.tell(line)
        while not (answer := self.line()):
            pass
        if wanted and answer != wanted:
            raise self.engine.failure(Reason.REFUSED, f"{line!r}: {answer[:80]!r}")
        return answer

    def _continues(self, position: Position) -> bool:
        """Whether the position follows from the last one."""
        at: Position | None = position
        while at is not None and self.last is not None:
            if at == self.last:
                return True
            at = at.previous
        return False
