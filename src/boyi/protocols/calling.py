"""The calling side: a foreign program as a player, `cmd:PROTOCOL[,option=value...]:command line`.

Such a text runs a program, so it must come from somebody who could run it anyway: never from a visitor of the app.
"""

import contextlib
import importlib
import shlex
import time
from collections.abc import Iterator
from typing import ClassVar

from boyi.games import Game, GameError, IllegalMove, Position
from boyi.players import Choice, Limit, Player, UnknownPlayer
from boyi.protocols.errors import Reason
from boyi.protocols.process import EngineProcess

PROTOCOLS = {
    "botzone": "boyi.protocols.botzone",
    "connect6": "boyi.protocols.connect6",
    "ewn": "boyi.protocols.ewn",
    "gomocup": "boyi.protocols.gomocup",
    "gtp": "boyi.protocols.gtp",
    "json": "boyi.protocols.analysis",
    "nboard": "boyi.protocols.nboard",
}
"""Where each protocol stands; both its sides, `Server` and `Client`, are in one module."""
OPTIONS = ("startup_s", "seconds", "grace_s", "depth")
"""startup_s: how long the engine may take to answer its greeting. seconds: the time for a move that it is told where
the match sets none. grace_s: how much longer than its time it may take before it is killed. depth: how deep it is told
to search, in nboard."""
SILENT_S = 300.0
"""How long an engine may take for a move where nobody set a time."""


class Client:
    """What the clients of all protocols share. `tell` and `ask` talk to the engine; a subclass knows the words.

    `self.deadline` is when the engine has to have answered what it is being asked.
    """

    games: ClassVar[tuple[str, ...]]
    """The games that the protocol has words for."""
    depth: int | None = None
    """How deep the engine is told to search, in a protocol with a word for it."""

    def __init__(self, game: Game, command: list[str]) -> None:
        self.game, self.command = game, command
        self.deadline = float("inf")
        self.late = Reason.STARTUP_TIMEOUT
        self.every_s: float | None = None
        """How often an engine that can do so shall say what it thinks so far."""
        self.engine: EngineProcess

    def start(self) -> None:
        """Start the engine and greet it."""
        self.engine = EngineProcess(self.command)
        self.greet()

    def greet(self) -> None:
        """The first words, which the engine has to answer within its start-up time."""

    def choose(self, position: Position, limit: Limit) -> Iterator[Choice]:
        """Ask for a move; the last choice counts. Moves are texts of the game, legal or not."""
        raise NotImplementedError

    def leave(self) -> None:
        """The last words."""

    def tell(self, *lines: str) -> None:
        self.engine.send(*lines, deadline=self.deadline)

    def line(self) -> str:
        return self.engine.line(self.deadline, late=self.late)


class CommandPlayer(Player):
    """A foreign program. Making it starts the program; every fault of the program is an `EngineFailure`.

    It answers about any position that its protocol can express, so one program can play several games in turn.
    """

    def __init__(
        self,
        game: Game,
        client: Client,
        *,
        startup_s: float = 30.0,
        seconds: float | None = None,
        grace_s: float = 10.0,
        seed: int = 0,
    ) -> None:
        super().__init__(game, seed=seed)
        self.client, self.seconds, self.grace_s = client, seconds, grace_s
        client.deadline = time.monotonic() + startup_s
        try:
            client.start()
        except BaseException:
            self.close()
            raise

    def think(self, position: Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        engine = self.client.engine
        if engine.failed is not None:
            raise engine.failed
        if limit.seconds is None and self.seconds is not None:
            limit = Limit(limit.simulations, limit.nodes, self.seconds, limit.memory_mb)
        self.client.late, self.client.every_s = Reason.MOVE_TIMEOUT, every_s
        began = time.monotonic()
        allowed_s = SILENT_S if limit.seconds is None else limit.seconds
        self.client.deadline = began + allowed_s + self.grace_s
        for choice in self.client.choose(position, limit):
            try:
                position.action(choice.move)
            except IllegalMove:
                legal = ", ".join(position.moves[:10])
                raise self.client.engine.failure(Reason.ILLEGAL, f"{choice.move!r}, legal are {legal} ...") from None
            yield choice

    def close(self) -> None:
        engine = getattr(self.client, "engine", None)
        if engine is not None:
            if engine.running:
                self.client.deadline = time.monotonic() + 1.0
                with contextlib.suppress(OSError, ValueError):
                    self.client.leave()
            engine.close()


def command_player(text: str, game: Game, seed: int) -> CommandPlayer:
    """The player of the text behind `cmd:`."""
    head, colon, command = text.partition(":")
    protocol, *options = head.split(",")
    if protocol not in PROTOCOLS:
        raise UnknownPlayer(f"unknown protocol {protocol!r} in 'cmd:{text[:60]}'; known are {', '.join(PROTOCOLS)}")
    values: dict[str, float] = {}
    for option in options:
        name, _, value = option.partition("=")
        try:
            values[name] = float(value)
        except ValueError:
            values[name] = -1.0
        if name not in OPTIONS or not 0 <= values[name] < 1e9:
            listed = ", ".join(OPTIONS)
            raise UnknownPlayer(f"cmd has no option {option!r}; it has {listed}, each a number, as name=value")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UnknownPlayer(f"{command[:80]!r} is no command line: {error}") from None
    if not (colon and words):
        raise UnknownPlayer(f"'cmd:{text[:60]}' names no program; write cmd:PROTOCOL:command line")
    kind: type[Client] = importlib.import_module(PROTOCOLS[protocol]).Client
    if kind.games and game.name not in kind.games:
        raise GameError(f"the protocol {protocol} has no {game.name}; it has {', '.join(kind.games)}")
    client = kind(game, words)
    if "depth" in values:
        if client.depth is None:
            raise UnknownPlayer(f"depth is an option of the protocol nboard, not of {protocol}")
        client.depth = int(values.pop("depth"))
    return CommandPlayer(game, client, seed=seed, **values)


def moves_from_start(position: Position) -> tuple[str, ...] | None:
    """The moves that lead from the game's start to a position; None where it was set up, not played."""
    first = position
    while first.previous is not None:
        first = first.previous
    return position.history if first == position.game.start() else None


def stones_in_turn(position: Position) -> tuple[str, ...] | None:
    """Moves from the start that put the stones of a set-up position, where stones are put in turn and never move; None
    where there are too many of a colour."""
    game = position.game
    colours: tuple[list[str], list[str]] = ([], [])
    for square, cell in enumerate(cell for row in position.cells for cell in row):
        if cell:
            colours["XO".index(cell)].append(game.squares[square])
    black, white = colours
    if len(black) - len(white) != (position.turn or 0):
        return None
    return tuple(colours[ply % 2][ply // 2] for ply in range(len(black) + len(white)))
