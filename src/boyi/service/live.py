"""`LiveGame`: a kept game while somebody looks at it or an opponent thinks: its position, clocks and watchers."""

import asyncio
import time

from boyi.games import Position
from boyi.service import boards
from boyi.service.record import Change, Record, can_undo, moment, player_to_act
from boyi.service.views import GameView, Thinking


class LiveGame:
    """Only the event loop changes it; `record` and `position` belong together and are replaced together."""

    def __init__(self, record: Record, position: Position) -> None:
        self.record = record
        self.position = position
        self.lock = asyncio.Lock()
        self.watchers: set[asyncio.Event] = set()
        self.driver: asyncio.Task[None] | None = None
        self.timer: asyncio.Task[None] | None = None
        self.thinking: Thinking | None = None
        self.since = self.used = time.monotonic()
        self.deleted = False
        self._plain: GameView | None = None

    @property
    def idle(self) -> bool:
        """Whether nobody would miss it in memory."""
        return not self.watchers and self.driver is None and self.timer is None and not self.lock.locked()

    @property
    def spent_s(self) -> float:
        """How long whoever acts next has taken so far."""
        return time.monotonic() - self.since

    @property
    def ticking(self) -> int | None:
        """Whose clock runs."""
        record = self.record
        if record.remaining_s is None or record.paused or record.outcome is not None:
            return None
        return player_to_act(self.position)

    @property
    def remaining_s(self) -> tuple[float, float] | None:
        """What the clocks show."""
        if self.record.remaining_s is None:
            return None
        first, second = self.record.remaining_s
        spent = self.spent_s
        return (
            max(0.0, first - spent) if self.ticking == 0 else first,
            max(0.0, second - spent) if self.ticking == 1 else second,
        )

    def apply(self, change: Change, view: GameView) -> None:
        """Take over a change that the database has confirmed."""
        if (change.record.moves, change.record.paused) != (self.record.moves, self.record.paused):
            self.since = time.monotonic()
        self.record, self.position, self._plain = change.record, change.position, view
        self.thinking = None
        self.tell()

    def tell(self) -> None:
        """Wake everybody who watches."""
        for watcher in self.watchers:
            watcher.set()

    def view(self) -> GameView:
        """The game as it is at this moment."""
        if self._plain is None:
            self._plain = game_view(self.record, self.position)
        if self.thinking is None and self.record.remaining_s is None:
            return self._plain
        return self._plain.model_copy(update={"thinking": self.thinking, "remaining_s": self.remaining_s})


def game_view(record: Record, position: Position) -> GameView:
    """A game without what changes by the second; see `LiveGame.view`."""
    game = record.game
    return GameView(
        id=record.id,
        version=record.version,
        name=record.name,
        rules=record.rules,
        title=game.title,
        players=game.players,
        seats=record.seats,
        start=record.start,
        moves=list(record.moves),
        position=boards.position_view(position),
        status="running" if record.outcome is None else "over",
        outcome=record.outcome,
        dice=record.dice,
        clock=record.clock,
        remaining_s=record.remaining_s,
        paused=record.paused,
        thinking=None,
        can_undo=can_undo(record, position),
        share=record.share,
        mine=True,
        created=moment(record.created),
        updated=moment(record.updated),
    )


def near_key(position: Position, plies: int = 8) -> tuple[str, tuple[str, ...]]:
    """A position as a key a few plies back and the moves since: enough for a tree to find its way on."""
    moves: list[str] = []
    while position.previous is not None and len(moves) < plies:
        moves.append(position.move)
        position = position.previous
    return position.key, tuple(reversed(moves))
