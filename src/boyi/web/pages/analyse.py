"""The analysis page: any position of a kept game or an entered one, variations, live analysis, a game's course."""

import asyncio
from typing import Any
from urllib.parse import urlencode

from nicegui import ui

from boyi.games.errors import GameError
from boyi.service.errors import ServiceError
from boyi.service.views import (
    AnalysisRequest,
    AnalysisView,
    Catalogue,
    GameView,
    PositionRequest,
    PositionView,
)
from boyi.service.views_records import RecordView
from boyi.web.board import Board, Remarks
from boyi.web.i18n.phrases import base_name, caption, game_title, side_names
from boyi.web.pages.analysis_tools import AnalysisTools
from boyi.web.pages.controls import Words, button, heading, icon_button, segments
from boyi.web.pages.editor import Editor
from boyi.web.pages.findings import Shown, line_list, remarks, summary, worthwhile
from boyi.web.pages.line import Course
from boyi.web.pages.panels import CLICKED_PLY, die_picture, has_die, move_list
from boyi.web.pages.review import Review
from boyi.web.pages.shell import Visit, frame, lost
from boyi.web.pages.tree import draw_tree, has_tree

LONGEST_S = 120.0
"""How long one position is analysed at most."""


class AnalysePage:
    def __init__(
        self,
        visit: Visit,
        catalogue: Catalogue,
        course: Course,
        position: PositionView,
        game: GameView | None,
        record: RecordView | None = None,
    ) -> None:
        self.visit, self.t = visit, visit.t
        self.catalogue = catalogue
        self.course = course
        self.position = position
        self.game = game
        self.record = record
        self.tree = draw_tree(visit.t, record) if record and has_tree(record) else None
        name = base_name(position.rules)
        self.rules_view = next(found for found in catalogue.games if found.name == name)
        self.sides = side_names(visit.t, self.rules_view.players)
        self.found: AnalysisView | None = None
        self.review = Review(self, game) if game and game.moves else None
        self.shown: Shown = "value"
        self.showing = True
        self.analysing = False
        self.task: asyncio.Task[None] | None = None
        self.editor: Editor | None = None
        self.tools = AnalysisTools(self)

    # The page

    async def build(self) -> None:
        t = self.t
        await self.recall()
        with frame(self.visit, t("nav.analyse"), current="analyse", wide=True), ui.element("div").classes("game"):
            with ui.element("section").classes("game__table"):
                title = game_title(t, self.position.rules, self.rules_view.title)
                self.board = Board(
                    self.position.rules,
                    t,
                    self.visit.preferences,
                    players=self.sides,
                    on_move=self.play,
                    on_square=self.touch,
                    label=t("board.label", game=title),
                )
                self.controls()
                self.steps()
            with ui.element("aside").classes("game__side"):
                self.side()
            self.live = Words("", "div").classes("sr-only").props('role="status" aria-live="polite" data-live')
        self.draw()
        self.visit.client.on_delete(self.stop)
        self.visit.listeners.append(self.restyle)

    def restyle(self) -> None:
        """Follow changed preferences."""
        self.board.set_preferences(self.visit.preferences)
        self.draw_board()

    @ui.refreshable_method
    def side(self) -> None:
        """The panels beside the board: the editor, or all the rest."""
        t = self.t
        with ui.element("div").classes("panel game__head"):
            title = heading(game_title(t, self.position.rules, self.rules_view.title), level=1)
            if not self.game and not self.editor:
                title.classes(replace="sr-only")
            if self.editor:
                self.editor.build()
                return
            if not self.game:
                self.tools.game_choice()
            self.where()
        if self.review:
            with ui.element("div").classes("panel panel--graph"):
                self.review.panel()
        with ui.element("div").classes("panel"):
            with ui.element("div").classes("analysis__switches"):
                ui.switch(
                    t("analysis.run"), value=self.analysing, on_change=lambda event: self.switch(event.value)
                ).props("data-analysing")
                ui.switch(
                    t("analysis.show"), value=self.showing, on_change=lambda event: self.reveal(event.value)
                ).props("data-showing")
            kinds = {kind: t(f"analysis.{kind}") for kind in ("value", "visits", "prior", "none")}
            segments(t("analysis.squares"), kinds, self.shown, self.choose_shown)
            self.summary = ui.element("div").props("data-summary").style("margin-top:12px")
            self.lines = ui.element("div").classes("lines").props('role="group"')
            self.lines.on("click", self.show_line, js_handler=CLICKED_PLY)
            self.lines.props["aria-label"] = t("analysis.lines")
        if self.tree:
            with ui.element("div").classes("panel"):
                Words(t("tree.title"), "h2").classes("field__label")
                tree = ui.element("div").classes("tree").props('role="group" data-tree')
                tree.props["aria-label"] = t("tree.title")
                tree.props["innerHTML"] = self.tree.html
                tree.on("click", self.show_node, js_handler=CLICKED_PLY)
        with ui.element("div").classes("panel"):
            self.moves = ui.element("div").classes("moves").props('role="group"')
            self.moves.on("click", self.go_to, js_handler=CLICKED_PLY)
            self.moves.props["aria-label"] = t("moves.label")
            self.branch()
            if self.review:
                self.review.mistakes()
        with ui.element("div").classes("panel"):
            self.tools.build()

    @ui.refreshable_method
    def where(self) -> None:
        Words(caption(self.t, self.position, self.sides), "p").classes("caption").props("data-caption")

    @ui.refreshable_method
    def controls(self) -> None:
        """The die, where chance decides or has decided."""
        position, t = self.position, self.t
        if self.editor or not has_die(position) or position.outcome:
            return
        with ui.element("div").classes("dice"):
            if position.chances:
                with ui.element("div").classes("dice__hand").props('role="group"') as group:
                    group.props["aria-label"] = t("die.choose")
                    Words(t("die.choose")).classes("fine dice__ask")
                    for value in sorted(position.chances):
                        button(value, lambda value=value: self.play(value, 0)).props(
                            f'data-die="{value}" data-key="{value}"'
                        )
            else:
                self.tools.die(die_picture)
        if [target.move for target in position.moves] == ["pass"]:
            button(t("action.pass"), lambda: self.play("pass", 0), style="main").props("data-pass")

    @ui.refreshable_method
    def steps(self) -> None:
        """Steps through the line."""
        t, course = self.t, self.course
        if self.editor:
            return
        with ui.element("div").classes("steps").props('role="group"'):
            steps = (
                ("first_page", "moves.first", 0, "Home"),
                ("chevron_left", "moves.back", course.ply - 1, "ArrowLeft"),
                ("chevron_right", "moves.forward", course.ply + 1, "ArrowRight"),
                ("last_page", "moves.latest", len(course.line), "End"),
            )
            for icon, key, ply, shortcut in steps:
                made = icon_button(icon, t(key), lambda ply=ply: self.move_to(ply)).props(f'data-key="{shortcut}"')
                made.set_enabled(0 <= ply <= len(course.line) and ply != course.ply)
            Words(t("moves.viewing", ply=course.ply, total=len(course.line))).classes("fine").props("data-ply-shown")

    @ui.refreshable_method
    def branch(self) -> None:
        """The variation, where there is one beside the main line."""
        t, course = self.t, self.course
        if not course.varies:
            return
        Words(t("analysis.variation"), "h3").classes("field__label")
        with ui.element("div").classes("moves__turn").props("data-variation"):
            for ply in range(course.fork, len(course.line)):
                move = ui.element("button").props('type="button"').classes("moves__move")
                if ply + 1 == course.ply:
                    move.props('aria-current="true"')
                move.on("click", lambda ply=ply: self.move_to(ply + 1))
                with move:
                    Words(course.line[ply])
        button(t("analysis.back_to_game"), self.leave_variation, icon="keyboard_return")

    # Drawing

    def draw(self) -> None:
        """Everything that depends on the position."""
        self.draw_board()
        self.controls.refresh()
        self.steps.refresh()
        if self.editor:
            return
        self.where.refresh()
        self.draw_findings()
        self.moves.props["innerHTML"] = move_list(
            self.t, self.course.main, -1 if self.course.varies else self.course.ply
        )
        self.branch.refresh()
        self.tools.controls.refresh()
        if self.review:
            self.review.draw()

    def draw_board(self) -> None:
        if self.editor:
            self.editor.draw()
            return
        found = self.found if self.showing else None
        told = remarks(found, self.position, self.shown) if found and found.key == self.position.key else Remarks()
        self.board.show(self.position, active=True, remarks=told, legal=found is None)

    def draw_findings(self) -> None:
        found = self.found if self.showing else None
        mover = self.position.mover or 0
        self.summary.props["innerHTML"] = summary(self.t, found, mover, self.sides) if found else ""
        self.lines.props["innerHTML"] = line_list(self.t, found, mover) if found else ""

    # Moving about

    async def go_to(self, event: Any) -> None:
        self.course.leave()
        await self.move_to(int(event.args))

    async def leave_variation(self) -> None:
        fork = self.course.fork
        self.course.leave()
        await self.move_to(fork)

    async def move_to(self, ply: int) -> None:
        """Show another position of the line."""
        if not 0 <= ply <= len(self.course.line):
            return
        self.course.ply = ply
        await self.arrived()

    async def play(self, move: str, _: int) -> None:
        """A move on the analysis board: along the line, or into a variation."""
        before = self.course.copy()
        self.course.play(move)
        try:
            await self.arrived()
        except (GameError, ServiceError) as error:
            self.course = before
            self.board.take_back()
            self.visit.refuse(error)

    async def show_line(self, event: Any) -> None:
        """Put one of the best lines on the board as a variation."""
        index = int(event.args)
        lines = worthwhile(self.found) if self.found else []
        if 0 <= index < len(lines):
            line = lines[index]
            self.course.vary(line.moves or [line.move])
            await self.arrived()

    async def show_node(self, event: Any) -> None:
        """Go to a move of the record's tree: on the main line, or as a variation."""
        index = int(event.args)
        if self.tree is None or not 0 <= index < len(self.tree.paths):
            return
        path, main = self.tree.paths[index], [move.move for move in self.course.main]
        fork = next((ply for ply, move in enumerate(path) if ply >= len(main) or main[ply] != move), len(path))
        self.course.leave()
        self.course.ply = min(fork, len(main))
        if fork < len(path):
            self.course.vary(path[fork:])
            self.course.ply = len(path)
        await self.arrived()

    async def arrived(self) -> None:
        self.position = await self.visit.service.show_position(self.course.request())
        await self.recall()
        self.draw()
        self.live.set_text(caption(self.t, self.position, self.sides))
        ui.navigate.history.replace(self.address())
        self.restart()

    async def recall(self) -> None:
        """What is known of the position, and of the game."""
        service = self.visit.service
        self.found = None
        if self.position.turn is not None:
            self.found = await service.known_analysis(self.position.rules, self.position.key)
        if self.review:
            await self.review.recall()

    def address(self) -> str:
        """The address that shows what is shown."""
        if self.game and not self.course.varies:
            return f"/analyse/{self.game.id}?{urlencode({'ply': self.course.ply})}"
        query = {"rules": self.course.rules, "key": self.course.start}
        if self.course.played:
            query["moves"] = " ".join(self.course.played)
        return f"/position?{urlencode(query)}"

    # Analysing

    def switch(self, on: bool) -> None:
        self.analysing = on
        self.restart()

    def reveal(self, on: bool) -> None:
        self.showing = on
        self.draw_board()
        self.draw_findings()

    def choose_shown(self, shown: Shown) -> None:
        self.shown = shown
        self.draw_board()

    def stop(self) -> None:
        if self.task:
            self.task.cancel()
            self.task = None

    def restart(self) -> None:
        """Analyse the shown position from here on, if analysing is switched on."""
        self.stop()
        if self.analysing and not self.editor and self.position.turn is not None:
            self.task = asyncio.create_task(self.analyse(self.position))

    async def analyse(self, position: PositionView) -> None:
        wanted = AnalysisRequest(rules=position.rules, key=position.key, seconds=LONGEST_S)
        try:
            async for found in self.visit.service.analyse(self.visit.visitor, wanted):
                self.found = found
                with self.visit.client:
                    self.draw_findings()
                    if self.showing:
                        self.draw_board()
        except (GameError, ServiceError) as error:
            self.visit.refuse(error)

    # Editing

    def touch(self, square: int) -> None:
        if self.editor:
            self.editor.touch(square)

    def edit(self) -> None:
        """Turn the page into the board editor."""
        self.stop()
        self.editor = Editor(self.visit, self.rules_view, self.position.rules, self.edited)
        self.editor.begin(self.board, self.position)
        self.side.refresh()
        self.controls.refresh()
        self.steps.refresh()

    async def edited(self, view: PositionView | None) -> None:
        """Take the editor's position, or go back."""
        if view is None:
            self.editor = None
            self.side.refresh()
            self.draw()
        else:
            ui.navigate.to(f"/position?{urlencode({'rules': view.rules, 'key': view.key})}")


async def build_game(visit: Visit, game_id: str, ply: int | None) -> None:
    """The page for a kept game."""
    try:
        game = await visit.service.show_game(visit.visitor, game_id)
    except ServiceError:
        lost(visit, "lost.game")
        return
    course = Course(game.rules, game.start, list(game.moves))
    course.ply = len(course.main) if ply is None else max(0, min(ply, len(course.main)))
    position = await visit.service.show_position(course.request())
    record = await visit.service.game_record(visit.visitor, game_id)
    await AnalysePage(visit, await visit.service.catalogue(), course, position, game, record).build()


async def build_position(visit: Visit, rules: str, key: str, moves: str) -> None:
    """The page for a position and the moves from it."""
    catalogue = await visit.service.catalogue()
    try:
        first = await visit.service.show_position(PositionRequest(rules=rules or "othello", key=key or None))
        course = Course(first.rules, first.key, [])
        position = first
        for move in moves.split()[:1000]:
            course.main.append(course.entry(move, position))
            course.ply += 1
            position = await visit.service.show_position(course.request())
    except (GameError, ServiceError, ValueError):
        lost(visit, "lost.position")
        return
    await AnalysePage(visit, catalogue, course, position, None).build()
