"""A move to play in the position that was read: thought about for a few seconds, and marked on the picture."""

import asyncio
from collections.abc import Mapping

from boyi.games.errors import GameError
from boyi.service.errors import ServiceError
from boyi.service.views import AnalysisRequest, AnalysisView, PositionView, RulesView
from boyi.web.i18n.phrases import base_name, hint_words, side_names
from boyi.web.pages.controls import Words
from boyi.web.pages.recognise_stage import Stage
from boyi.web.pages.shell import Visit

SECONDS = 3.0


class Suggestion:
    """What is thought of one position at a time."""

    def __init__(self, visit: Visit, stage: Stage, games: Mapping[str, RulesView]) -> None:
        self.visit, self.t, self.stage, self.games = visit, visit.t, stage, games
        self.text = ""
        self.shown: Words | None = None
        self.task: asyncio.Task[None] | None = None

    def build(self) -> None:
        """The line that tells it."""
        self.shown = Words(self.text, "p").classes("caption").props('data-suggestion role="status" aria-live="polite"')

    def begin(self, view: PositionView) -> None:
        """Think about a position; what was thought of another is forgotten."""
        self.clear()
        if view.turn in (0, 1):
            self.tell(self.t("hint.thinking"))
            self.task = asyncio.create_task(self.think(view))

    def clear(self) -> None:
        """Take the mark away."""
        self.stop()
        self.tell("")
        self.stage.point([])

    def stop(self) -> None:
        if self.task:
            self.task.cancel()
            self.task = None

    def tell(self, text: str) -> None:
        self.text = text
        if self.shown and not self.shown.is_deleted:
            self.shown.set_text(text)

    async def think(self, view: PositionView) -> None:
        wanted = AnalysisRequest(rules=view.rules, key=view.key, seconds=SECONDS)
        try:
            async for found in self.visit.service.analyse(self.visit.visitor, wanted):
                with self.visit.client:
                    self.show(view, found)
        except (GameError, ServiceError) as error:
            self.visit.refuse(error)

    def show(self, view: PositionView, found: AnalysisView) -> None:
        if not found.move:
            return
        sides = side_names(self.t, self.games[base_name(view.rules)].players)
        self.tell(hint_words(self.t, found, view.mover or 0, sides))
        squares = next((target.squares for target in view.moves if target.move == found.move), [])
        self.stage.point(squares)
