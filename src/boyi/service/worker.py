"""What runs in an engine process: tasks come in through a pipe, what players think goes out.

A thread listens to the pipe, so that a worker hears of a task that is no longer wanted while it thinks, and ends at
once when the pipe closes, whatever it is doing: a server that was killed leaves no process behind.

To the server go tuples: `("ready",)`, `("preparing", task)` before a kernel is compiled, `("thought", task, choice)`,
`("done", task, choice or None)`, `("failed", task, is the input to blame, message)`.
"""

import contextlib
import os
import queue
import random
import signal
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Any

from boyi.arena import warm_up
from boyi.games import CHANCE, Game, GameError, Position
from boyi.games.kernels import on_compile
from boyi.players import Choice, Limit, Line, Player
from boyi.players import player as make_player
from boyi.service.boards import replay, rules_named

NICENESS = 5
MAX_PLAYERS = 6
IDLE_S = 90.0
"""After this long without use a player, and its tree, is let go."""
LOOK_S = 0.05
"""How often a thinking player is interrupted to see whether it is still wanted."""
TELL_S = 0.15
FIRST_S = 0.04
MEMORY_MB = 256.0
SLICES_S = (0.05, 0.15, 0.5, 1.5, 4.0)
"""How long each roll is analysed in turn, where chance decides."""


@dataclass(frozen=True)
class Task:
    """A position to think about: moves played from a key, by which player, how long."""

    rules: str
    key: str
    moves: tuple[str, ...]
    player: str
    seconds: float | None = None
    stream: str = ""
    """Tasks of one stream are about one game, and get the same player and its tree while it is kept."""


class Players:
    """The players a worker keeps: the least recently used is let go, and every one that nobody has used for long."""

    def __init__(self) -> None:
        self.kept: OrderedDict[tuple[str, str, str], tuple[float, Player]] = OrderedDict()
        self.warm: set[tuple[type[Any], str]] = set()

    def player(self, task: Task, game: Game) -> Player:
        place = (task.rules, task.player, task.stream)
        found = self.kept.pop(place, None)
        made = found[1] if found else self._made(task.player, game)
        self.kept[place] = (time.monotonic(), made)
        while len(self.kept) > MAX_PLAYERS:
            self.kept.popitem(last=False)
        return made

    def _made(self, name: str, game: Game) -> Player:
        """A player whose kernels are compiled and loaded, so that its clock counts thinking only."""
        kind = (type(game.rules), name)
        if kind not in self.warm:
            warm_up(make_player(name, game), game.start(seed=0))
            self.warm.add(kind)
        return make_player(name, game, seed=random.getrandbits(31))

    def forget_idle(self) -> None:
        oldest = time.monotonic() - IDLE_S
        for place in [place for place, (used, _) in self.kept.items() if used < oldest]:
            del self.kept[place]


class Inbox:
    """The server's messages, read by a thread. `stopped` is the number of the last task that is not wanted any more."""

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe
        self.tasks: queue.SimpleQueue[tuple[int, Task]] = queue.SimpleQueue()
        self.stopped = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                match self.pipe.recv():
                    case ("task", number, task):
                        self.tasks.put((number, task))
                    case ("stop", number):
                        self.stopped = number
                    case ("close",):
                        break
        os._exit(0)


def serve(pipe: Connection) -> None:
    """The life of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's business; it closes the pipe
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    inbox, players = Inbox(pipe), Players()
    current = 0

    def compiling(_name: str) -> None:
        if current:
            send(pipe, "preparing", current)

    on_compile(compiling)
    send(pipe, "ready")
    while True:
        try:
            current, task = inbox.tasks.get(timeout=IDLE_S / 3)
        except queue.Empty:
            players.forget_idle()
            continue
        players.forget_idle()
        try:
            _run(pipe, inbox, players, current, task)
        except GameError as error:
            send(pipe, "failed", current, True, str(error))
        except MemoryError:
            players.kept.clear()
            send(pipe, "failed", current, False, "there was not enough memory")
        except Exception as error:
            players.kept.clear()
            send(pipe, "failed", current, False, f"{type(error).__name__}: {error}")
        current = 0


def send(pipe: Connection, *message: Any) -> None:
    """Tell the server; if it is gone, so are we."""
    try:
        pipe.send(message)
    except OSError:
        os._exit(0)


def _run(pipe: Connection, inbox: Inbox, players: Players, number: int, task: Task) -> None:
    game = rules_named(task.rules)
    player = players.player(task, game)
    position = replay(game.position(task.key), list(task.moves))
    started, told, choice = time.perf_counter(), 0.0, None
    for choice in think(player, position, task.seconds):
        spent = time.perf_counter() - started
        if number == inbox.stopped:
            break
        if spent >= FIRST_S and (not told or spent - told >= TELL_S):
            told = spent
            send(pipe, "thought", number, choice)
    send(pipe, "done", number, choice)


def think(player: Player, position: Position, seconds: float | None) -> Iterator[Choice]:
    """What a player thinks of a position, again and again; where chance decides, of every outcome."""
    if position.turn is None:
        raise GameError("there is nothing to think about: the game is over")
    if position.turn == CHANCE:
        yield from _think_of_outcomes(player, position, seconds or 1.0)
        return
    limit = Limit(seconds=seconds, memory_mb=MEMORY_MB)
    yield from player.watch(position, limit, every_s=LOOK_S)


def _think_of_outcomes(player: Player, position: Position, seconds: float) -> Iterator[Choice]:
    """The average over the outcomes: every one is analysed for a while, in rounds that grow.

    The lines are the outcomes, in their order, each with its value and the best play after it.
    """
    chances = position.chances or {}
    started = time.perf_counter()
    known: dict[str, Choice] = {}
    simulations = nodes = 0
    for round_s in SLICES_S:
        for outcome in chances:
            after = position.play(outcome)
            left = seconds - (time.perf_counter() - started)
            if left <= 0 and len(known) == len(chances):
                return
            if known.get(outcome) is not None and known[outcome].exact:
                continue
            found = None
            for found in _settled(player, after, min(round_s, max(left, 0.02))):
                yield _average(chances, known | {outcome: found}, simulations, nodes, time.perf_counter() - started)
            assert found is not None
            simulations, nodes = simulations + found.simulations, nodes + found.nodes
            known[outcome] = found
            yield _average(chances, known, simulations, nodes, time.perf_counter() - started)


def _settled(player: Player, after: Position, seconds: float) -> Iterator[Choice]:
    end = after.outcome
    if end is not None or after.turn == CHANCE:
        value = 0.0 if end is None or end.winner is None else 1.0 - 2 * end.winner
        yield Choice("", value, exact=end is not None)
        return
    yield from player.watch(after, Limit(seconds=seconds, memory_mb=MEMORY_MB), every_s=LOOK_S)


def _average(
    chances: dict[str, float], known: dict[str, Choice], simulations: int, nodes: int, seconds: float
) -> Choice:
    lines = tuple(
        Line(
            outcome,
            known[outcome].value or 0.0,
            known[outcome].simulations,
            chances[outcome],
            (outcome, *_best_line(known[outcome])),
            known[outcome].exact,
        )
        for outcome in chances
        if outcome in known
    )
    weight = sum(chances[line.move] for line in lines)
    whole = len(lines) == len(chances)
    value = sum(chances[line.move] * line.value for line in lines) / weight if whole else None
    depth = max((len(line.moves) for line in lines), default=0)
    exact = whole and all(line.exact for line in lines)
    return Choice("", value, None, lines, simulations, nodes, depth, seconds, exact)


def _best_line(choice: Choice) -> tuple[str, ...]:
    found = next((line.moves for line in choice.lines if line.move == choice.move), ())
    return found or ((choice.move,) if choice.move else ())


def resumed(choice: Choice, before: Choice | None) -> Choice:
    """What a task that was interrupted found in all."""
    if before is None:
        return choice
    return replace(
        choice,
        simulations=choice.simulations + before.simulations,
        nodes=max(choice.nodes, before.nodes),
        seconds=choice.seconds + before.seconds,
    )
