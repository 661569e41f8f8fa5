"""The text protocol of the Chinese Connect6 platforms.

A point is two capital letters, column and row, both counted from A at the top left; `@@` is no stone. A turn is
`move ABCD`, the first stone of Black `move JJ@@`. There is no word for a set-up: games begin on the empty board.
"""

import re
from collections.abc import Iterator

from boyi.games import Game, GameError, Position
from boyi.players import Choice, Limit
from boyi.protocols import calling, serving
from boyi.protocols.errors import Reason
from boyi.protocols.notation import read_letters, write_letters

NOTHING = "@@"
COLOURS = ("black", "white")


def write_turn(position: Position, squares: list[int]) -> str:
    """The stones of a turn; one that already won gets company, as readers expect two points."""
    points = [write_letters(position.game, square) for square in squares]
    free = next((square for square in position.actions if square not in squares), None)
    opening = not any(cell for row in position.cells for cell in row)
    if len(points) == 1:
        points.append(NOTHING if opening or free is None else write_letters(position.game, free))
    return "".join(points)


def read_turn(game: Game, text: str) -> list[int]:
    """One or two stones; the same point twice is one, as some platforms write Black's first stone."""
    if not re.fullmatch(r"[A-Z]{2}([A-Z]{2}|@@)?", text):
        raise GameError(f"{text[:40]!r} is no turn; it takes two points of two capital letters, or @@ for none")
    points = [text[:2]] + ([text[2:]] if text[2:] not in ("", NOTHING, text[:2]) else [])
    return [read_letters(game, point) for point in points]


def play_turn(position: Position, squares: list[int]) -> Position:
    """The position after a turn; stones after the end of the game do not count."""
    mover = position.turn
    for number, square in enumerate(squares):
        if number and position.turn is None:
            break
        if position.turn != mover:
            raise GameError("there are too many stones in this turn")
        position = position.play_action(square)
    if position.turn == mover:
        raise GameError("there is a stone missing in this turn")
    return position


class Server(serving.Server):
    """Plays on a platform."""

    games = ("connect6",)

    def __init__(self, game: Game, player: str, *, limit: Limit | None = None, seed: int = 0) -> None:
        super().__init__(game, player, limit=limit, seed=seed)
        self.position = game.start()

    def patience_s(self, line: str) -> float | None:
        word = line.partition(" ")[0]
        return 0.0 if word in ("new", "end", "error") else serving.AT_THE_END_S if word == "quit" else None

    def obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        try:
            if word == "name?":
                self.say("name Boyi")
            elif word == "new" and rest.strip() in COLOURS:
                self.position = self.game.start()
                if rest.strip() == "black":
                    self._answer()
            elif word == "move":
                self.position = play_turn(self.position, read_turn(self.game, rest.strip()))
                if self.position.turn is not None:
                    self._answer()
            elif word == "quit":
                self.say("Quit!")
                self.over = True
        except GameError as error:
            self.say(f"error {' '.join(str(error).split())[:200]}")

    def _answer(self) -> None:
        position = self.position
        squares: list[int] = []
        while self.position.turn == position.turn:
            choice = self.think(self.position)
            squares.append(self.position.action(choice.move))
            self.position = self.position.play(choice.move)
        self.say(f"move {write_turn(position, squares)}")


class Client(calling.Client):
    """A platform for one engine."""

    games = ("connect6",)

    def __init__(self, game: Game, command: list[str]) -> None:
        super().__init__(game, command)
        self.known: Position | None = None
        """The position after the engine's last turn."""
        self.second: tuple[Position, str] | None = None

    def greet(self) -> None:
        self.tell("name?")
        while not (line := self.line()).startswith("name"):
            self.late = Reason.GARBAGE if line else self.late

    def choose(self, position: Position, limit: Limit) -> Iterator[Choice]:
        if self.second is not None and self.second[0] == position:
            move, self.second = self.second[1], None
            self.known = position.play(move) if move in position.moves else None
            yield Choice(move)
            return
        self._set_up(position)
        squares = self._turn()
        moves = [self.game.squares[square] for square in squares]
        after = position.play(moves[0]) if moves[0] in position.moves else None
        if after is not None and after.turn == position.turn:
            if len(moves) == 1:
                raise self.engine.failure(Reason.ILLEGAL, f"only {moves[0]}, of two stones")
            self.second = (after, moves[1])
        self.known = after
        yield Choice(moves[0])

    def leave(self) -> None:
        self.tell("end", "quit")

    def _set_up(self, position: Position) -> None:
        """Tell the engine of a new game, or of the opponent's turn."""
        before, last = position, list[int]()
        while before.previous is not None and before.previous.turn != position.turn:
            last.insert(0, before.previous.action(before.move))
            before = before.previous
        start = position.game.start()
        if position == start:
            self.tell("new black")
        elif before == self.known and last:
            self.tell(f"move {write_turn(before, last)}")
        elif before == start and len(last) == 1:
            self.tell("new white", f"move {write_turn(start, last)}")
        else:
            raise GameError("the Connect6 platforms' protocol has no set-ups; let games begin on the empty board")

    def _turn(self) -> list[int]:
        while not (line := self.line()):
            pass
        word, _, rest = line.partition(" ")
        try:
            if word.lower() != "move":
                raise GameError(line)
            return read_turn(self.game, rest.strip())
        except GameError:
            reason = Reason.REFUSED if word == "error" else Reason.GARBAGE
            raise self.engine.failure(reason, f"{line[:80]!r} is no turn") from None
