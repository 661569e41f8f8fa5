"""The NBoard protocol, version 2, for Othello: a board program asks engines for moves, hints and analyses.

One command a line; unknown ones are ignored. `ping` ends all thinking, with an answer to what was asked, and so do
commands that change the position. Evaluations are in discs, for the side to move: the expected margin where the
player knows it, else its expected result, times 64.
"""

import contextlib
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass

from boyi.games import Game, GameError, Position
from boyi.players import Choice, Limit, Line, Player
from boyi.players.strongest import analyst
from boyi.protocols import calling, serving
from boyi.protocols.clock import moves_to_come
from boyi.protocols.errors import Reason
from boyi.protocols.thinking import Thinker

TAG = re.compile(r"([A-Za-z]+)\[([^\]]*)\]")
DISCS = 64.0
HINT_S = 3600.0
"""How long a hint goes on where no depth is set and nobody stops it."""
TELL_S = 0.5
STOPPING = ("ping", "set", "move")
SAID = ("set", "status", "nodestats", "search", "book", "===", "pong", "learned", "analysis")
"""What engines say."""
COMMANDS = ("nboard", "hint", "go", "analyze", "learn", "quit", *STOPPING)


@dataclass(frozen=True)
class GgfGame:
    """What a GGF record says: the position, and what is left of each side's clock, None without one."""

    position: Position
    left_s: tuple[float | None, float | None] = (None, None)


def read_ggf(game: Game, text: str) -> GgfGame:
    """The position at the end of a game in GGF, with its clock."""
    tags = TAG.findall(text)
    boards = [value for name, value in tags if name.upper() == "BO"]
    if not boards:
        raise GameError("the game has no BO[...] with its board")
    size, _, board = boards[0].strip().partition(" ")
    cells = re.sub(r"\s", "", board)
    if size != str(game.shape[0]) or len(cells) != game.num_squares + 1:
        raise GameError(f"{boards[0][:90]!r} is no board of {game.shape[0]}x{game.shape[0]} and a side to move")
    position = game.position(f"{cells[:-1]} {cells[-1]}".replace("*", "X"))
    main_s = _clock([value for name, value in tags if name.upper() == "TI"])
    used = [0.0, 0.0]
    for name, value in tags:
        if name.upper() in ("B", "W"):
            move, _, seconds = _parts(value)
            position = play(position, move, "BW".index(name.upper()))
            used["BW".index(name.upper())] += seconds or 0.0
    left_s = (None, None) if main_s is None else (main_s - used[0], main_s - used[1])
    return GgfGame(position, left_s)


def write_ggf(position: Position, main_s: float | None = None) -> str:
    """A position and how it was reached, as far as that is known."""
    first = position
    while first.previous is not None:
        first = first.previous
    cells = "".join(cell or "-" for row in first.cells for cell in row).replace("X", "*")
    side = "*O"[first.turn or 0]
    moves, at = [], first
    for move in position.history:
        moves.append(f"{'BW'[at.turn or 0]}[{'PA' if move == 'pass' else move.upper()}]")
        at = at.play(move)
    minutes, seconds = divmod(max(1, round(main_s or 0.0)), 60)
    clock = "" if main_s is None else f"TI[{minutes:02d}:{seconds:02d}]"
    size = position.game.shape[0]
    return f"(;GM[Othello]PC[Boyi]PB[black]PW[white]RE[?]{clock}TY[{size}]BO[{size} {cells} {side}]{''.join(moves)};)"


def play(position: Position, move: str, mover: int | None = None) -> Position:
    """The position after a move in any of the protocol's spellings; passes that somebody left out are put in."""
    if mover is not None and position.turn == 1 - mover and position.moves == ("pass",):
        position = position.play("pass")
    passing = move[:2].lower() in ("pa", "ps") or move == "--"
    if passing and position.turn is None:
        return position
    return position.play("pass" if passing else move)


def _parts(text: str) -> tuple[str, float | None, float | None]:
    """`move/eval/time`, or with blanks between; what is missing or no number is None."""
    move, evaluation, seconds = [*re.split(r"[/\s]", text.strip()), "", ""][:3]
    return move, _float(evaluation), _float(seconds)


def _float(text: str) -> float | None:
    with contextlib.suppress(ValueError):
        return float(text)
    return None


def _clock(values: list[str]) -> float | None:
    """The main time of a TI tag: `15:00`, `1:00:00`, `900`, with anything after a slash left out."""
    if not values or not re.fullmatch(r"\d{1,6}(:\d{1,2}){0,2}", values[0].partition("/")[0].strip()):
        return None
    total = 0.0
    for part in values[0].partition("/")[0].split(":"):
        total = 60 * total + int(part)
    return total


def discs(position: Position, value: float | None, score: float | None = None) -> float:
    """An opinion for player 0 as discs for the side to move."""
    found = score if score is not None else DISCS * (value or 0.0)
    return (-found if position.turn == 1 else found) + 0.0


class Server(serving.Server):
    """Obeys an NBoard program."""

    games = ("othello",)

    def __init__(self, game: Game, player: str, *, limit: Limit | None = None, seed: int = 0) -> None:
        super().__init__(game, player, limit=limit, seed=seed)
        self.record = GgfGame(game.start())
        self.depth = 0
        name = analyst(game) if player == "strongest" else player
        self.analyst = Thinker(name, game, seed=seed)

    def patience_s(self, line: str) -> float | None:
        word = line.partition(" ")[0]
        return 0.0 if word in STOPPING else serving.AT_THE_END_S if word == "quit" else None

    def obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        method = getattr(self, f"_{word}", None) if word in COMMANDS else None
        if method is not None:
            try:
                method(rest.strip())
            except GameError as error:
                self.say(f"status {' '.join(str(error).split())[:200]}")

    def _nboard(self, version: str) -> None:
        self.say("set myname Boyi")

    def _set(self, text: str) -> None:
        what, _, value = text.partition(" ")
        if what == "depth" and value.strip().isdecimal():
            self.depth = min(int(value), 60)
            for thinker in (self.thinker, self.analyst):
                _set_depth(thinker.player, self.depth)
            self.say(f"set myname Boyi{self.depth}")
        elif what == "game":
            self.record = read_ggf(self.game, value)

    def _move(self, text: str) -> None:
        before = self.record.position
        left = list(self.record.left_s)
        move, _, seconds = _parts(text)
        if before.turn is not None and left[before.turn] is not None:
            left[before.turn] = (left[before.turn] or 0.0) - (seconds or 0.0)
        self.record = GgfGame(play(before, move), (left[0], left[1]))

    def _go(self, text: str) -> None:
        position = self.record.position
        if position.turn is None:
            self.say("=== PA")
            return
        self.say("status Boyi is thinking")
        began = time.monotonic()
        choice = self.think(position, left_s=self.record.left_s[position.turn])
        seconds = time.monotonic() - began
        self.say(
            f"nodestats {choice.nodes or choice.simulations} {seconds:.2f}",
            f"=== {_text(choice.move)}/{discs(position, choice.value, choice.score):.2f}/{seconds:.2f}",
            "status",
        )

    def _hint(self, text: str) -> None:
        count = int(text) if text.isdecimal() else 1
        position = self.record.position
        if position.turn is None:
            self.say("status the game is over")
            return
        self.say("status Boyi is analysing")
        seconds = self.limit.seconds or (None if self.depth and _set_depth(self.analyst.player, self.depth) else HINT_S)
        limit = Limit(self.limit.simulations, self.limit.nodes, seconds, self.limit.memory_mb)

        def tell(choice: Choice) -> None:
            for line in (choice.lines or (Line(choice.move, choice.value or 0.0, moves=(choice.move,)),))[:count]:
                pv = "".join(_text(move) for move in (line.moves or (line.move,)))
                depth = "100%" if line.exact else str(max(choice.depth, 1))
                self.say(f"search {pv} {discs(position, line.value):.2f} 0 {depth}")
            self.say(f"nodestats {choice.nodes or choice.simulations} {choice.seconds:.2f}")

        tell(self.analyst.choose(position, limit, stop=self.stop_at_once, tell=tell, every_s=TELL_S))
        self.say("status")

    def _analyze(self, text: str) -> None:
        """One line for every position of the game, for the side whose turn it is; it ends with the next command."""
        chain: list[Position] = []
        at: Position | None = self.record.position
        while at is not None:
            chain.append(at)
            at = at.previous
        for made, position in enumerate(reversed(chain)):
            end = position.outcome
            if end is not None:
                margin = -end.score if position.key.split()[1] == "O" else end.score
                self.say(f"analysis {made} {margin:.2f}")
            elif time.monotonic() < self.stop_at_once():
                choice = self.think(position)
                self.say(f"analysis {made} {discs(position, choice.value, choice.score):.2f}")

    def _ping(self, number: str) -> None:
        self.say(f"pong {number}")

    def _learn(self, text: str) -> None:
        self.say("learned")

    def _quit(self, text: str) -> None:
        self.over = True

    def close(self) -> None:
        self.analyst.close()
        super().close()


def _text(move: str) -> str:
    return "PA" if move == "pass" else move.upper()


def _set_depth(player: Player, depth: int) -> bool:
    """Have a player that searches by depth search so deep; whether it is one."""
    inner = getattr(player, "inner", player)
    if hasattr(inner, "depth"):
        inner.depth = depth
        return True
    return False


class Client(calling.Client):
    """Asks an engine that speaks NBoard."""

    games = ("othello",)
    depth = 12
    """What the engine is told; it need not obey where it has a clock."""

    def __init__(self, game: Game, command: list[str]) -> None:
        super().__init__(game, command)
        self.pings = 0

    def greet(self) -> None:
        self.tell("nboard 2", f"set depth {self.depth}")
        self._wait()

    def choose(self, position: Position, limit: Limit) -> Iterator[Choice]:
        main_s = None if limit.seconds is None else limit.seconds * moves_to_come(position)
        self.tell(f"set game {write_ggf(position, main_s)}")
        self._wait()
        self.tell("go")
        while not (line := self.line()).startswith("==="):
            self._note(line)
        move, evaluation, seconds = _parts(re.sub(r"^===\s*", "", line))
        if not re.fullmatch(r"[A-Za-z][1-8]|[pP][aAsS]\w*|--", move):
            raise self.engine.failure(Reason.GARBAGE, f"{line[:80]!r} is no move")
        passing = move[:2].lower() in ("pa", "ps", "--")
        value = None
        if evaluation is not None:
            value = max(-1.0, min(1.0, (-evaluation if position.turn == 1 else evaluation) / DISCS))
        yield Choice("pass" if passing else move.lower(), value, seconds=seconds or 0.0)

    def _wait(self) -> None:
        """Until the engine is ready for the next question."""
        self.pings += 1
        self.tell(f"ping {self.pings}")
        while (line := self.line()) != f"pong {self.pings}":
            self._note(line)

    def _note(self, line: str) -> None:
        """Pass over what is no answer; if there never is one, what was not of the protocol is to blame."""
        if line and line.split()[0] not in SAID:
            self.late = Reason.GARBAGE

    def leave(self) -> None:
        self.tell("quit")
