"""The Gomocup (Piskvork) protocol for Gomoku and renju.

The manager writes one command a line, the brain one answer; points are `x,y` from 0, x the column. Between START and
the first move INFO lines set limits and rules, of which the last word counts. Thinking ends at END, and at STOP, which
is not of the protocol but asks for the move at once.
"""

import itertools
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from boyi import version
from boyi.games import Game, GameError, Position
from boyi.players import Choice, Limit
from boyi.protocols import calling, serving
from boyi.protocols.errors import Reason
from boyi.protocols.notation import read_xy, write_xy

VARIANTS = {0: "freestyle", 1: "standard", 4: "renju", 5: "renju"}
"""The rules that INFO rule can name, but for continuous games (2) and Caro (8)."""
OPEN_MS = 2_147_483_647
SMALLEST_MB = 1.0
SWAPS = (((0, 0), (1, 0), (1, 3)), ((0, 0), (1, 1), (-3, 3)), ((0, 0), (0, -1), (3, 1)))
"""Openings for Swap2 as columns and rows from the centre: black, white, black. On a board of 15 `strongest` finds them
even within 0.03 in 1.5 s."""
EVEN = 0.1
"""Positions whose value is nearer to 0 are nobody's advantage."""
NUMBER = re.compile(r"-?\d{1,18}")

Stone = tuple[int, int]
"""A point, and whose stone: 1 own, 2 the opponent's."""


class Server(serving.Server):
    """A brain."""

    games = ("gomoku",)

    def __init__(self, game: Game, player: str, *, limit: Limit | None = None, seed: int = 0) -> None:
        super().__init__(game, player, limit=limit, seed=seed)
        if game.options()["win"] != 5:
            raise GameError(f"win={game.options()['win']} is not possible in the Gomocup protocol; allowed: 5")
        self.info: dict[str, int] = {}
        self.stones: list[Stone] = []
        self.last: Position | None = None
        self.used_s = 0.0
        self.complained_of = 0
        """The limit of memory that the manager has been told cannot be kept."""
        self.reading: list[str] | None = None
        """The lines of a BOARD or SWAP2BOARD, the command first, until its DONE."""

    def patience_s(self, line: str) -> float | None:
        return 0.0 if line.upper() in ("END", "STOP", "YXSTOP") else None

    def obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        word = word.upper()
        try:
            if self.reading is not None and word != "END":
                self._read(line)
            elif word in COMMANDS:
                if word not in ("INFO", "END", "ABOUT"):
                    self._check_rules()
                COMMANDS[word](self, rest.strip())
            elif word and word not in ("STOP", "YXSTOP", "DONE"):
                self.say(f"UNKNOWN command {word[:40]}")
        except GameError as error:
            self.say(f"ERROR {' '.join(str(error).split())[:200]}")

    # The game

    def _start(self, text: str) -> None:
        sizes = text.replace(",", " ").split()
        if not all(size.isdecimal() for size in sizes) or len(set(sizes)) != 1:
            raise GameError(f"a board of {text[:20]!r} is not possible; write START and one size from 5 to 20")
        self.play_with(self.game.variant(size=int(sizes[0])))
        self._restart("")

    def _restart(self, text: str) -> None:
        self.stones, self.last, self.used_s = [], None, 0.0
        self.say("OK")

    def _info(self, text: str) -> None:
        key, _, value = text.partition(" ")
        if NUMBER.fullmatch(value.strip()):
            self.info[key.lower()] = int(value)

    def _check_rules(self) -> None:
        """Take up what INFO said of the rules; errors are due at the next command that is answered."""
        rule = self.info.get("rule")
        if rule is not None:
            if rule not in VARIANTS:
                raise GameError(f"INFO rule {rule} is not possible; allowed: 0, 1 and 4")
            self.play_with(self.game.variant(variant=VARIANTS[rule]))

    def _begin(self, text: str) -> None:
        if self.stones:
            raise GameError("BEGIN is for an empty board; send RESTART before it")
        self._answer()

    def _turn(self, text: str) -> None:
        self._put(read_xy(self.game, text), 2)
        self._answer()

    def _play(self, text: str) -> None:
        point = read_xy(self.game, text)
        self._put(point, 1)
        self.last = None
        self.say(write_xy(self.game, point))

    def _put(self, point: int, whose: int) -> None:
        if any(point == taken for taken, _ in self.stones):
            raise GameError(f"there is a stone on {write_xy(self.game, point)} already")
        self.stones.append((point, whose))

    def _takeback(self, text: str) -> None:
        point = read_xy(self.game, text)
        kept = [stone for stone in self.stones if stone[0] != point]
        if len(kept) == len(self.stones):
            raise GameError(f"there is no stone on {text}")
        self.stones, self.last = kept, None
        self.say("OK")

    def _about(self, text: str) -> None:
        self.say(f'name="Boyi", version="{version.__version__}", author="Boyi", country="-"')

    def _end(self, text: str) -> None:
        self.over = True

    def _begin_reading(self, command: str) -> None:
        self.reading = [command]

    def _read(self, line: str) -> None:
        """A line of a BOARD or SWAP2BOARD."""
        assert self.reading is not None
        if line.upper() != "DONE":
            if line and len(self.reading) <= self.game.num_squares:
                self.reading.append(line)
            return
        (command, *lines), self.reading = self.reading, None
        if command == "SWAP2BOARD":
            self._swap([read_xy(self.game, line) for line in lines])
            return
        before, self.stones, self.last = (self.stones, self.last), [], None
        try:
            for line in lines:
                point, _, whose = line.rpartition(",")
                if whose.strip() not in ("1", "2"):
                    raise GameError(f"{line[:40]!r} is no stone; write x,y,1 or x,y,2")
                self._put(read_xy(self.game, point), int(whose))
            self._answer()
        except GameError:
            self.stones, self.last = before
            raise

    # Thinking

    def _answer(self) -> None:
        """Choose, play and say a move."""
        began = time.monotonic()
        position = self._position()
        if position.turn is None:
            raise GameError("the game is over")
        choice = self._thought(position, began)
        point = position.action(choice.move)
        self.stones.append((point, 1))
        self.last = position.play(choice.move)
        self.used_s += time.monotonic() - began
        self.say(write_xy(self.game, point))

    def _thought(self, position: Position, began: float) -> Choice:
        """What the player thinks within the limits of INFO."""
        turn_ms, match_ms = self.info.get("timeout_turn"), self.info.get("timeout_match", 0)
        left_ms = self.info.pop("time_left", match_ms - int(1000 * self.used_s) if match_ms else OPEN_MS)
        spent_s = time.monotonic() - began
        return self.think(
            position,
            turn_s=None if turn_ms is None else max(0.0, turn_ms / 1000 - spent_s),
            left_s=None if left_ms >= OPEN_MS else max(0.0, left_ms / 1000 - spent_s),
            memory_mb=self._memory_mb(),
        )

    def _memory_mb(self) -> float | None:
        """What is left for a player's tables of the memory allowed; a limit below what is in use cannot be kept."""
        allowed = self.info.get("max_memory", 0)
        if allowed <= 0:
            return None
        left_mb = allowed / 2**20 - _resident_mb()
        if left_mb < SMALLEST_MB and allowed != self.complained_of:
            self.complained_of = allowed
            self.say(f"MESSAGE max_memory {allowed} is less than this program needs; it takes as little as it can")
        return max(SMALLEST_MB, left_mb)

    def _position(self) -> Position:
        """The stones as a position with the own side to move: played in turn, or where that is impossible set up."""
        if self.last is not None and self.last.turn is not None:
            played = _played(self.last, self.stones[-1:])
            if played is not None:
                return played
        own = [stone for stone in self.stones if stone[1] == 1]
        other = [stone for stone in self.stones if stone[1] == 2]
        seat = 0 if len(own) >= len(other) else 1
        black, white = (own, other) if seat == 0 else (other, own)
        in_turn = [stone for pair in itertools.zip_longest(black, white) for stone in pair if stone]
        played = _played(self.game.start(), in_turn)
        if played is not None and played.turn in (seat, None):
            return played
        width = self.game.shape[1]
        letters = {point: letter for letter, side in zip("XO", (black, white), strict=True) for point, _ in side}
        rows = [[letters.get(row * width + column, "") for column in range(width)] for row in range(width)]
        return self.game.compose(rows, seat)

    def _swap(self, points: Sequence[int]) -> None:
        """Swap2: the first three stones; or what to do with three or five that lie there."""
        began, game = time.monotonic(), self.game
        if not points:
            middle = game.shape[0] // 2
            opening = SWAPS[self.seed % len(SWAPS)] if middle > 3 else ((0, 0), (1, 0), (1, 2))
            self.say(" ".join(f"{middle + x},{middle + y}" for x, y in opening))
            return
        position = _played(game.start(), [(point, 0) for point in points])
        if len(points) not in (3, 5) or position is None or position.turn is None:
            raise GameError("SWAP2BOARD takes no stones, three or five, black and white in turn")
        choice = self._thought(position, began)
        value = choice.value or 0.0
        stones = [write_xy(game, position.action(choice.move))]
        if value > (EVEN if len(points) == 3 else 0.0):
            stones = ["SWAP"]
        elif value > -EVEN and len(points) == 3:
            after = position.play(choice.move)
            stones.append(write_xy(game, after.action(self._thought(after, began).move)))
        self.say(" ".join(stones))


COMMANDS = {
    "START": Server._start,
    "RECTSTART": Server._start,
    "RESTART": Server._restart,
    "INFO": Server._info,
    "BEGIN": Server._begin,
    "TURN": Server._turn,
    "PLAY": Server._play,
    "TAKEBACK": Server._takeback,
    "BOARD": lambda server, text: server._begin_reading("BOARD"),
    "SWAP2BOARD": lambda server, text: server._begin_reading("SWAP2BOARD"),
    "ABOUT": Server._about,
    "END": Server._end,
}


def _played(position: Position, stones: Sequence[Stone]) -> Position | None:
    """The position after stones put in turn; None where that is not possible."""
    for point, _ in stones:
        if point not in position.actions:
            return None
        position = position.play_action(point)
    return position


def _resident_mb() -> float:
    """The memory of this process."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0
    return pages * 4096 / 2**20


class Client(calling.Client):
    """A manager of one brain."""

    games = ("gomoku",)

    def __init__(self, game: Game, command: list[str]) -> None:
        super().__init__(game, command)
        if game.options()["win"] != 5:
            raise GameError(f"win={game.options()['win']} is not possible in the Gomocup protocol; allowed: 5")
        self.told: tuple[str, ...] | None = None
        """The moves that the brain knows; None where it has to be told all of them."""

    def greet(self) -> None:
        self.tell(f"START {self.game.shape[0]}")
        answer = self._answer()
        if not answer.upper().startswith("OK"):
            raise self.engine.failure(Reason.GARBAGE, f"{answer[:80]!r} for START")
        rule = {variant: number for number, variant in reversed(VARIANTS.items())}[str(self.game.options()["variant"])]
        self.tell("INFO timeout_match 0", f"INFO rule {rule}", "INFO game_type 1")

    def choose(self, position: Position, limit: Limit) -> Iterator[Choice]:
        moves = calling.moves_from_start(position) or calling.stones_in_turn(position)
        if limit.seconds is not None:
            self.tell(f"INFO timeout_turn {round(1000 * limit.seconds)}", f"INFO time_left {OPEN_MS}")
        if limit.memory_mb is not None:
            self.tell(f"INFO max_memory {round(limit.memory_mb * 2**20)}")
        if self.told is not None and moves is not None and moves[:-1] == self.told and moves:
            self.tell(f"TURN {self._point(moves[-1])}")
        elif moves == ():
            self._restart()
            self.tell("BEGIN")
        else:
            self.tell("BOARD", *self._board(position, moves), "DONE")
        answer = self._answer()
        try:
            move = self.game.squares[read_xy(self.game, answer)]
        except GameError:
            raise self.engine.failure(Reason.GARBAGE, f"{answer[:80]!r} is no move") from None
        self.told = None if moves is None else (*moves, move)
        yield Choice(move)

    def leave(self) -> None:
        self.tell("END")

    def _restart(self) -> None:
        """An empty board; a brain that cannot do that is started again."""
        if self.told is not None:
            self.tell("RESTART")
            if self.line_of_answer().upper().startswith("UNKNOWN"):
                self.engine.close()
                self.start()

    def _board(self, position: Position, moves: tuple[str, ...] | None) -> Iterator[str]:
        if moves is not None:
            for ply, move in enumerate(moves):
                yield f"{self._point(move)},{1 if ply % 2 == position.turn else 2}"
            return
        for square, cell in enumerate(cell for row in position.cells for cell in row):
            if cell:
                yield f"{write_xy(self.game, square)},{1 if 'XO'.index(cell) == position.turn else 2}"

    def _point(self, move: str) -> str:
        return write_xy(self.game, self.game.squares.index(move))

    def _answer(self) -> str:
        answer = self.line_of_answer()
        if answer.upper().startswith(("UNKNOWN", "ERROR")):
            raise self.engine.failure(Reason.REFUSED, answer[:200])
        if answer.upper().startswith("SUGGEST"):
            point = answer[7:].strip()
            self.tell(f"PLAY {point}")
            return self._answer()
        return answer

    def line_of_answer(self) -> str:
        """The next line that is an answer."""
        while not (line := self.line()) or line.upper().startswith(("MESSAGE", "DEBUG")):
            pass
        return line
