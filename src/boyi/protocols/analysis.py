"""Our own protocol, JSON lines: many positions in flight, results as they come. docs/engines.md describes it.

A query `{"id": ..., "moves": [...], "seconds": 1}` is answered by one result for each position it asks about, and
before that by partial ones where it says `every_s`. `{"id": ..., "action": "terminate", "target": ...}` ends a query,
which is still answered. The end of the input lets everything finish.
"""

import itertools
import json
import queue
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

from boyi import version
from boyi.games import CHANCE, Game, GameError, Position
from boyi.games import game as find_game
from boyi.games.registry import games
from boyi.players import Choice, Limit, Line
from boyi.protocols import calling, serving
from boyi.protocols.errors import Reason
from boyi.protocols.thinking import Thinker

MOST_QUERIES = 100_000
"""Positions that may wait."""
MOST_THINKERS = 4
"""Games that a worker keeps a player for."""
QUERY = {
    "id": str,
    "game": str,
    "position": str,
    "moves": list,
    "plies": list,
    "seconds": float,
    "simulations": int,
    "nodes": int,
    "memory_mb": float,
    "lines": int,
    "every_s": float,
    "priority": int,
}
"""The fields of a query and their types."""
FACTS = ("value", "score", "exact", "stopped", "simulations", "nodes", "depth", "seconds")
"""What a result says of a choice besides its move, its lines and `wdl`."""
ACTIONS = ("terminate", "terminate_all", "version")


@dataclass(eq=False)
class Query:
    """One position of a query. `stopped` once nobody wants more of it."""

    id: str
    ply: int
    position: Position
    limit: Limit
    lines: int
    every_s: float | None
    stopped: bool = False

    def reply(self, **facts: Any) -> dict[str, Any]:
        return {"id": self.id, "ply": self.ply, "turn": self.position.turn, "key": self.position.key, **facts}


class BadField(GameError):
    """A field of a query that is not possible."""

    def __init__(self, field: str, message: str) -> None:
        self.field = field
        super().__init__(message)


class Server(serving.Server):
    """Analyses for another program, with as many threads as `workers`."""

    games = ()
    ends_with_input = False

    def __init__(self, game: Game, player: str, *, limit: Limit | None = None, seed: int = 0, workers: int = 1) -> None:
        super().__init__(game, player, limit=limit, seed=seed)
        if workers < 1:
            raise GameError(f"workers={workers} is not possible; it must be 1 or more")
        self.workers = workers
        self.first_game = game
        self.waiting: queue.PriorityQueue[tuple[float, int, Query | None]] = queue.PriorityQueue()
        self.numbers = itertools.count()
        self.open: dict[int, Query] = {}
        """What waits or is being thought about."""
        self.lock = threading.Lock()

    def run(self, source: IO[bytes], output: IO[str]) -> None:
        threads = [threading.Thread(target=self._work, daemon=True) for _ in range(self.workers)]
        for thread in threads:
            thread.start()
        super().run(source, output)
        for _ in threads:
            self.waiting.put((float("inf"), next(self.numbers), None))
        for thread in threads:
            thread.join()

    def prepare(self) -> None:
        """Nothing: every worker has players of its own."""

    def say(self, *lines: str) -> None:
        with self.lock:
            super().say(*lines)

    def tell(self, reply: dict[str, Any]) -> None:
        self.say(json.dumps(reply, ensure_ascii=False))

    # Questions

    def obey(self, line: str) -> None:
        if not line:
            return
        data: Any = None
        try:
            data = json.loads(line)
            if not isinstance(data, dict) or not isinstance(data.get("id"), str):
                raise BadField("id", "a line is an object with an id, which is a text")
            if "action" in data:
                self._act(data)
            else:
                for priority, query in self._queries(data):
                    number = next(self.numbers)
                    self.open[number] = query
                    self.waiting.put((-priority, number, query))
        except (GameError, json.JSONDecodeError, RecursionError) as error:
            known = {"id": data["id"]} if isinstance(data, dict) and isinstance(data.get("id"), str) else {}
            field = {"field": error.field} if isinstance(error, BadField) else {}
            self.tell({**known, "error": " ".join(str(error).split())[:500], **field})

    def _act(self, data: dict[str, Any]) -> None:
        action = data["action"]
        if action not in ACTIONS:
            raise BadField("action", f"there is no action {str(action)[:40]!r}; there are {', '.join(ACTIONS)}")
        reply: dict[str, Any] = {"id": data["id"], "action": action}
        if action == "version":
            reply |= {"version": version.__version__, "player": self.name}
        else:
            if action == "terminate":
                reply["target"] = data.get("target")
            for query in list(self.open.values()):
                if action == "terminate_all" or query.id == data.get("target"):
                    query.stopped = True
        self.tell(reply)

    def _queries(self, data: dict[str, Any]) -> list[tuple[int, Query]]:
        """The positions of a query, all checked before the first is thought about."""
        for field, value in data.items():
            if field not in QUERY:
                raise BadField(field, f"there is no field {field[:40]!r}; there are {', '.join(QUERY)}")
            wanted = (int, float) if QUERY[field] is float else QUERY[field]
            if not isinstance(value, wanted) or isinstance(value, bool):
                raise BadField(field, f"{field}={str(value)[:40]!r} is not of the type {QUERY[field].__name__}")
        if "game" in data and data["game"].partition(":")[0] not in games():
            raise BadField("game", f"unknown game {data['game'][:60]!r}; known are {', '.join(games())}")
        game = find_game(data["game"]) if "game" in data else self.first_game
        line = [game.position(data["position"]) if "position" in data else game.start()]
        for move in data.get("moves", []):
            line.append(line[-1].play(move))
        plies = data.get("plies", [len(line) - 1])
        for ply in plies:
            if not isinstance(ply, int) or isinstance(ply, bool) or not 0 <= ply < len(line):
                raise BadField("plies", f"there is no ply {str(ply)[:40]!r}; there are 0 to {len(line) - 1}")
        if len(self.open) + len(plies) > MOST_QUERIES:
            raise BadField("plies", f"there are more than {MOST_QUERIES} positions waiting")
        if not data.get("lines", 1) >= 0 or not data.get("every_s", 1) >= 0:
            raise BadField("lines" if data.get("lines", 1) < 0 else "every_s", "it must be 0 or more")
        own = self.limit
        limits = [data.get(name, getattr(own, name)) for name in ("simulations", "nodes", "seconds", "memory_mb")]
        if any(name in data for name in ("simulations", "nodes", "seconds")):
            limits[:3] = [data.get(name) for name in ("simulations", "nodes", "seconds")]
        limit = Limit(*limits)
        made = [Query(data["id"], p, line[p], limit, data.get("lines", 10), data.get("every_s")) for p in plies]
        return [(data.get("priority", 0), query) for query in made]

    # Answers

    def _work(self) -> None:
        """A thread that thinks."""
        thinkers = {self.first_game: Thinker(self.name, self.first_game, seed=self.seed)}
        thinkers[self.first_game].prepare()
        while True:
            _, number, query = self.waiting.get()
            if query is None:
                break
            try:
                self.tell(self._thought(query, thinkers))
            except BrokenPipeError:
                pass
            except Exception as error:
                self.tell(query.reply(error=f"{type(error).__name__}: {error}"[:500]))
            self.open.pop(number, None)
        for thinker in thinkers.values():
            thinker.close()

    def _thought(self, query: Query, thinkers: dict[Game, Thinker]) -> dict[str, Any]:
        position = query.position
        if (end := position.outcome) is not None:
            return query.reply(during=False, outcome=vars(end))
        if position.turn == CHANCE:
            return query.reply(during=False, chances=position.chances)
        if query.stopped:
            return query.reply(during=False, terminated=True, move=None)
        if position.game not in thinkers:
            while len(thinkers) >= MOST_THINKERS:
                thinkers.pop(next(iter(thinkers))).close()
            thinkers[position.game] = Thinker(self.name, position.game, seed=self.seed)
            thinkers[position.game].prepare()
        found = thinkers[position.game].choose(
            position,
            query.limit,
            stop=lambda: 0.0 if query.stopped else float("inf"),
            tell=None if query.every_s is None else lambda choice: self.tell(_told(query, choice, during=True)),
            every_s=query.every_s or 0.0,
        )
        return _told(query, found, during=False)


def _told(query: Query, choice: Choice, *, during: bool) -> dict[str, Any]:
    """A choice as JSON has it."""
    facts = vars(choice) | {"lines": [vars(line) for line in choice.lines[: query.lines]]}
    ended = {"terminated": True} if query.stopped and not during else {}
    return query.reply(during=during, **facts, **ended)


class Client(calling.Client):
    """Asks an engine that speaks this protocol, and hears what it thinks meanwhile."""

    games = ()

    def __init__(self, game: Game, command: list[str]) -> None:
        super().__init__(game, command)
        self.number = 0

    def greet(self) -> None:
        self.tell(json.dumps({"id": "hello", "action": "version"}))
        self._reply("hello")

    def choose(self, position: Position, limit: Limit) -> Iterator[Choice]:
        self.number += 1
        name = str(self.number)
        first = position
        while first.previous is not None:
            first = first.previous
        query: dict[str, Any] = {"id": name, "position": first.key, "moves": list(position.history)}
        options = ",".join(f"{key}={value}" for key, value in self.game.options().items())
        if self.game.name in games():
            query["game"] = f"{self.game.name}:{options}" if options else self.game.name
        query |= {key: value for key, value in vars(limit).items() if value is not None}
        if self.every_s is not None:
            query["every_s"] = self.every_s
        self.tell(json.dumps(query))
        during = True
        try:
            while during:
                reply = self._reply(name)
                during = bool(reply.get("during"))
                yield self._choice(reply)
        finally:
            if during and self.engine.running:
                self.tell(json.dumps({"id": f"stop {name}", "action": "terminate", "target": name}))
                while self._reply(name).get("during"):
                    pass

    def leave(self) -> None:
        self.tell(json.dumps({"id": "bye", "action": "terminate_all"}))

    def _reply(self, name: str) -> dict[str, Any]:
        """The next reply with this id."""
        while True:
            line = self.line()
            try:
                reply = json.loads(line) if line else None
            except (json.JSONDecodeError, RecursionError):
                raise self.engine.failure(Reason.GARBAGE, f"{line[:80]!r} is no JSON") from None
            if isinstance(reply, dict) and "error" in reply:
                raise self.engine.failure(Reason.REFUSED, str(reply["error"])[:200])
            if isinstance(reply, dict) and reply.get("id") == name:
                return reply

    def _choice(self, reply: dict[str, Any]) -> Choice:
        try:
            lines = tuple(Line(**{**line, "moves": tuple(line.get("moves", ()))}) for line in reply.get("lines", ()))
            facts = {key: reply[key] for key in FACTS if key in reply}
            wdl = reply.get("wdl")
            return Choice(str(reply["move"]), wdl=tuple(wdl) if wdl else None, lines=lines, **facts)
        except (KeyError, TypeError):
            raise self.engine.failure(Reason.GARBAGE, f"{str(reply)[:80]!r} is no result") from None
