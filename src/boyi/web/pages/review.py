"""The course of a kept game: every position analysed, a graph to click, mistakes with what was better."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from boyi.games.errors import GameError
from boyi.service.errors import ServiceError
from boyi.service.views import GameView, ReviewRequest, ReviewView
from boyi.web.i18n.phrases import HUMAN
from boyi.web.pages.controls import Words, button, link
from boyi.web.pages.graph import CLICKED_SHARE, mistake_list, options
from boyi.web.pages.panels import CLICKED_PLY
from boyi.web.pages.shell import keep_running

if TYPE_CHECKING:
    from boyi.web.pages.analyse import AnalysePage


class Review:
    """The review of the page's game, as far as it has come."""

    def __init__(self, page: AnalysePage, game: GameView) -> None:
        self.page, self.game, self.t = page, game, page.visit.t
        self.view: ReviewView | None = None
        self.running = False
        self.chart: ui.echart | None = None

    async def recall(self) -> None:
        """What an earlier review has found."""
        if self.view is None:
            self.view = await self.page.visit.service.known_review(self.page.visit.visitor, self.game.id)

    @ui.refreshable_method
    def panel(self) -> None:
        """The graph, or the button that asks for it."""
        self.chart = None
        if self.view and self.view.points:
            self.chart = ui.echart(self.options(), renderer="svg").classes("graph").props('role="img" data-graph')
            self.chart.props["aria-label"] = self.t("graph.label")
            self.chart.on("click", self.clicked, js_handler=CLICKED_SHARE)
        if self.running:
            with ui.element("div").classes("progress"):
                self.bar = ui.element("i").style(f"width:{self.percent()}%")
        elif not (self.view and self.view.finished):
            button(self.t("analysis.review"), self.start, icon="query_stats", style="main").props("data-review")

    @ui.refreshable_method
    def mistakes(self) -> None:
        """The worst moves of the game."""
        if self.view and self.view.mistakes:
            Words(self.t("mistake.title"), "h3").classes("field__label")
            found = ui.element("div").classes("mistakes").on("click", self.page.go_to, js_handler=CLICKED_PLY)
            found.props["innerHTML"] = mistake_list(self.t, self.view, self.game.moves, self.page.sides)
            if HUMAN in self.game.seats:
                link(self.t("learn.title"), f"/learn?game={self.game.id}", icon="school", style="back")

    def options(self) -> dict[str, Any]:
        assert self.view is not None
        total = len(self.game.moves)
        return options(self.t, self.view, total, min(self.page.course.ply, total), self.page.sides[0])

    def percent(self) -> int:
        return round(100 * self.view.done / max(1, self.view.total)) if self.view else 0

    def draw(self) -> None:
        """The graph with a line where the page is."""
        if self.chart and not self.chart.is_deleted and self.view:
            self.chart.props["options"] = self.options()
            self.chart.update()

    async def clicked(self, event: Any) -> None:
        """Go where the graph was clicked."""
        self.page.course.leave()
        await self.page.move_to(round(float(event.args) * len(self.game.moves)))

    def start(self) -> None:
        if not self.running:
            self.running = True
            self.panel.refresh()
            keep_running(self.page.visit, self.run(), f"review {self.game.id}")

    async def run(self) -> None:
        """Review the game and show how far it has come."""
        visit = self.page.visit
        try:
            async for view in visit.service.review_game(visit.visitor, self.game.id, ReviewRequest()):
                self.view = view
                with visit.client:
                    if self.chart is None and view.points:
                        self.panel.refresh()
                    self.bar.style(f"width:{self.percent()}%")
                    self.draw()
        except (GameError, ServiceError) as error:
            visit.refuse(error)
        self.running = False
        await self.page.recall()
        with visit.client:
            self.panel.refresh()
            self.mistakes.refresh()
            self.page.draw()
