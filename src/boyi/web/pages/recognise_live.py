"""A followed window: what is believed of its board, the moves that were seen, a suggestion when it is one's turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from nicegui import ui

from boyi.games.errors import GameError
from boyi.service.errors import ServiceError
from boyi.service.views import ComposeRequest, PositionRequest, PositionView
from boyi.service.views_vision import LookView
from boyi.web.i18n.phrases import base_name, caption, facts, game_title, rules_words, side_names
from boyi.web.pages.controls import Words, button, field, heading, segments

if TYPE_CHECKING:
    from boyi.web.pages.recognise import RecognisePage

BOTH = 2
MOST_MOVES = 12


class Following:
    """The panel of the page that it belongs to."""

    def __init__(self, page: RecognisePage) -> None:
        self.page, self.t = page, page.t
        self.on = False
        self.side = BOTH
        """For whom moves are suggested: player 0, player 1, or both."""
        self.look_view: LookView | None = None
        self.position: PositionView | None = None
        """What is believed."""
        self.moves: list[str] = []

    async def look(self, look: LookView) -> None:
        """Take a look's result; the first of a window opens the panel."""
        before, self.look_view = self.look_view, look
        refused = (before.reading.code if before else "", look.reading.code)
        if not self.on:
            self.on, self.position, self.moves = True, None, []
            self.page.reading, self.page.editor = None, None
            self.page.side.refresh()
        if look.changed and look.position:
            self.position = look.position
            self.moves = [*self.moves, *look.moves] if look.moves else []
            self.panel.refresh()
            self.page.live.set_text(self.told(look.position))
            self.think()
        elif refused[0] != refused[1]:
            self.panel.refresh()

    def end(self) -> None:
        self.on, self.look_view = False, None
        self.page.suggestion.clear()
        self.panel.refresh()

    def think(self, decided: PositionView | None = None) -> None:
        """Suggest a move where it is the turn of the chosen side."""
        view = decided or self.position
        if view is not None and (self.side == BOTH or view.mover == self.side):
            self.page.suggestion.begin(view)
        else:
            self.page.suggestion.clear()

    def sides(self, view: PositionView) -> tuple[str, str]:
        return side_names(self.t, self.page.games[base_name(view.rules)].players)

    def told(self, view: PositionView) -> str:
        moves = " ".join(self.moves[-1:])
        said = caption(self.t, view, self.sides(view))
        return self.t("recognise.played", move=moves, caption=said) if moves else said

    def build(self) -> None:
        with ui.element("div").classes("panel").props("data-following"):
            self.panel()
            self.page.suggestion.build()

    @ui.refreshable_method
    def panel(self) -> None:
        """The board that is believed, in words, and what can be done with it."""
        t, view, look = self.t, self.position, self.look_view
        if view is None:
            heading(t("recognise.looking"))
            if look and look.reading.code:
                Words(t(f"recognise.refused_{look.reading.code}"), "p").classes("fine").props("data-refused")
            return
        sides = self.sides(view)
        title = game_title(t, view.rules, self.page.games[base_name(view.rules)].title)
        heading(" · ".join(filter(None, (title, rules_words(t, view.rules)))))
        Words(caption(t, view, sides), "p").classes("caption").props("data-caption")
        if self.moves:
            shown = " ".join(self.moves[-MOST_MOVES:])
            Words(t("recognise.seen", moves=shown), "p").classes("fine").props("data-seen")
        with field(t("recognise.side")):
            names = {BOTH: t("recognise.both"), 0: sides[0], 1: sides[1]}
            segments(t("recognise.side"), names, self.side, self.choose_side)
        if view.chances:
            with field(t("die.choose")), ui.element("div").classes("dice__hand"):
                for value in sorted(view.chances):
                    button(value, lambda value=value: self.rolled(value)).props(f'data-die="{value}"')
        with ui.element("div").classes("actions").style("margin-top:16px"):
            button(t("nav.analyse"), lambda: self.page.analyse(view), icon="insights", style="main").props(
                "data-analyse"
            )
            button(t("analysis.play_on"), lambda: self.page.play_on(view), icon="play_arrow").props("data-play-on")
            button(t("recognise.other_turn"), self.turn_over, icon="swap_horiz").props("data-other-turn")

    def choose_side(self, side: int) -> None:
        self.side = side
        self.think()

    async def rolled(self, die: str) -> None:
        """The die that fell: what to play with it. The board that is believed stays before the roll."""
        if self.position:
            async with self.page.visit.guarded():
                wanted = PositionRequest(rules=self.position.rules, key=self.position.key, moves=[die])
                self.think(await self.page.visit.service.show_position(wanted))

    async def turn_over(self) -> None:
        """The other side is to move: the board alone does not always say."""
        view = self.position
        if view is None:
            return
        turn: Literal[0, 1] = 0 if view.mover else 1
        stones: Literal[1, 2] | None = 2 if facts(view).stones_left else None
        wanted = ComposeRequest(rules=view.rules, cells=view.cells, turn=turn, stones_left=stones)
        try:
            self.position = await self.page.visit.service.compose_position(wanted)
        except (GameError, ServiceError) as error:
            self.page.visit.refuse(error)
            return
        self.page.stage.believe(self.position.rules, self.position.key)
        self.panel.refresh()
        self.think()
