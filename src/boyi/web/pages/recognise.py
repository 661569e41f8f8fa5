"""Read a board: a picture is dropped, pasted, chosen or captured; what was read opens in the editor, or is followed."""

from urllib.parse import urlencode

from nicegui import ui

from boyi.games.errors import GameError
from boyi.service.errors import ServiceError
from boyi.service.views import Catalogue, NewGame, PositionRequest, PositionView, Target
from boyi.service.views_vision import LookView, ReadingView
from boyi.web.board import Board, Remarks
from boyi.web.i18n.phrases import HUMAN, base_name, game_title, rules_words, seat_name, side_names
from boyi.web.pages.controls import Words, button, field, heading, select
from boyi.web.pages.editor import Editor
from boyi.web.pages.recognise_live import Following
from boyi.web.pages.recognise_stage import Stage
from boyi.web.pages.recognise_suggestion import Suggestion
from boyi.web.pages.shell import Visit, frame

FAILURES = (
    "too_large",
    "empty_file",
    "bad_picture",
    "no_vision",
    "busy",
    "no_capture",
    "nothing_to_paste",
    "network",
)
REFUSALS = ("no_board", "empty", "size", "pieces", "unclear", "illegal")


class DoubtEditor(Editor):
    """The board editor with the squares marked that are not sure; touching one settles it."""

    doubtful: set[int]

    def draw(self) -> None:
        if self.board:
            marks = [Target(move=f"?{square}", squares=[square]) for square in sorted(self.doubtful)]
            shown = self.view.model_copy(update={"cells": self.cells, "moves": marks, "last": [], "outcome": None})
            told = Remarks({mark.move: "?" for mark in marks}, {mark.move: 1.0 for mark in marks})
            self.board.show(shown, active=True, legal=False, remarks=told, edit="paint")

    def touch(self, square: int) -> None:
        self.doubtful.discard(square)
        super().touch(square)


class RecognisePage:
    def __init__(self, visit: Visit, catalogue: Catalogue, *, available: bool = True) -> None:
        self.visit, self.t, self.catalogue = visit, visit.t, catalogue
        self.games = {game.name: game for game in catalogue.games}
        self.reading: ReadingView | None = None
        self.problem = "" if available else self.t("recognise.not_installed")
        self.editor: DoubtEditor | None = None
        self.base: PositionView | None = None
        """What the editor begins with."""
        self.playing = False

    # The page

    def build(self) -> None:
        t = self.t
        with frame(self.visit, t("recognise.title"), current="recognise", wide=True):
            heading(t("recognise.title"), level=1).classes("lab__title")
            Words(t("recognise.text"), "p").classes("lead lab__text")
            with ui.element("div").classes("read"):
                with ui.element("section").classes("read__main"):
                    self.stage = Stage(
                        t, on_read=self.read, on_look=self.looked, on_fail=self.failed, on_end=self.ended
                    )
                    self.suggestion = Suggestion(self.visit, self.stage, self.games)
                    self.following = Following(self)
                    with ui.element("div").classes("panel read__options"), field(t("play.game")):
                        names = {name: game_title(t, name, game.title) for name, game in self.games.items()}
                        select(t("play.game"), {"": t("recognise.as_seen")} | names, "", self.stage.expect).props(
                            "data-game"
                        )
                with ui.element("aside").classes("read__side"):
                    self.side()
            self.live = Words("", "div").classes("sr-only").props('role="status" aria-live="polite" data-live')
        self.visit.client.on_delete(self.suggestion.stop)

    @ui.refreshable_method
    def side(self) -> None:
        """What was read, in words and on a board to correct; or what is seen of a followed window; or what to do."""
        t, reading = self.t, self.reading
        if self.problem:
            with ui.element("div").classes("panel"):
                Words(self.problem, "p").classes("banner banner--bad").props("role=alert data-problem")
        if self.following.on:
            self.following.build()
        elif reading is None:
            with ui.element("div").classes("panel"):
                heading(t("recognise.how"))
                with ui.element("ol").classes("read__steps"):
                    for number in (1, 2, 3):
                        Words(t(f"recognise.step_{number}"), "li")
        else:
            with ui.element("div").classes("panel"):
                self.summary(reading)
            if self.editor and self.base:
                with ui.element("div").classes("panel").props("data-editor"):
                    self.edit(self.editor, self.base)
        with ui.element("p").classes("fine read__study"):
            ui.icon("school").props('aria-hidden="true"')
            Words(t("recognise.study"))

    def summary(self, reading: ReadingView) -> None:
        """What was read, in words."""
        t = self.t
        if reading.refused is not None:
            known = reading.code if reading.code in REFUSALS else "unclear"
            told = Words(t(f"recognise.refused_{known}"), "p").classes("banner banner--bad").props("role=alert")
            told.props["data-refused"], told.props["title"] = reading.code, reading.refused
            if reading.corners:
                Words(t("recognise.adjust"), "p").classes("fine")
        if reading.rules is None:
            return
        game = self.games[base_name(reading.rules)]
        title = " · ".join(filter(None, (game_title(t, game.name, game.title), rules_words(t, reading.rules))))
        heading(title).props("data-game-read")
        unknown = sum(cell.text is None for row in reading.cells for cell in row)
        if reading.refused is None:
            Words(t("recognise.sure", percent=round(100 * reading.confidence)), "p").classes("fine")
        if unknown:
            Words(t("recognise.unknown", count=unknown), "p").props("data-unknown")
        if reading.others:
            names = t("list.comma").join(game_title(t, name) for name in reading.others)
            Words(t("recognise.others", games=names), "p").classes("fine")

    def edit(self, editor: DoubtEditor, view: PositionView) -> None:
        """The board as it was read, to correct and to take."""
        t = self.t
        game = self.games[base_name(view.rules)]
        board = Board(
            view.rules,
            t,
            self.visit.preferences,
            players=side_names(t, game.players),
            on_square=editor.touch,
            label=t("recognise.board"),
        )
        board.props["texts"] = {**board.props["texts"], "legal": t("recognise.unsure")}
        editor.begin(board, view)
        editor.build()
        with ui.element("div").classes("actions").style("margin-top:8px"):
            button(t("analysis.play_on"), self.take_to_play, icon="play_arrow").props("data-play-on")
            button(t("recognise.suggest"), self.suggest, icon="lightbulb").props("data-suggest")
        self.suggestion.build()

    # What the stage tells

    async def read(self, reading: ReadingView) -> None:
        """A picture was read."""
        self.problem, self.reading, self.editor = "", reading, None
        self.suggestion.clear()
        if reading.rules and base_name(reading.rules) in self.games:
            await self.begin_editing(reading, reading.rules)
        self.side.refresh()
        self.live.set_text(self.t("recognise.done") if reading.refused is None else self.t("recognise.not_read"))

    async def begin_editing(self, reading: ReadingView, rules: str) -> None:
        """An editor with what was read; unknown squares are empty and marked."""
        cells = [[cell.text or "" for cell in row] for row in reading.cells]
        view = reading.position
        if view is None:
            try:
                view = await self.visit.service.show_position(PositionRequest(rules=rules))
            except (GameError, ServiceError):
                return
            first = sum(text[:1] in ("X", "R") for row in cells for text in row)
            second = sum(text[:1] in ("O", "B") for row in cells for text in row)
            view = view.model_copy(update={"cells": cells, "mover": int(first > second), "passed": False})
        self.editor = DoubtEditor(self.visit, self.games[base_name(rules)], rules, self.edited)
        texts = [cell.text for row in reading.cells for cell in row]
        self.editor.doubtful = {square for square, text in enumerate(texts) if text is None}
        self.base = view

    async def looked(self, look: LookView) -> None:
        """A followed window was looked at."""
        self.problem = ""
        await self.following.look(look)

    def failed(self, code: str, message: str) -> None:
        """Something could not be read at all."""
        t = self.t
        self.reading, self.editor = None, None
        if code in FAILURES:
            self.problem = t(f"recognise.failed_{code}", reason=message)
        else:
            self.problem = t("notice.refused", reason=message)
        self.side.refresh()

    def ended(self) -> None:
        """The window is not followed any more."""
        self.following.end()
        self.side.refresh()

    # What comes after

    async def edited(self, view: PositionView | None) -> None:
        """Take the editor's position to the analysis page or into a game; or begin again with what was read."""
        playing, self.playing = self.playing, False
        if view is None:
            if self.reading:
                await self.read(self.reading)
        elif playing:
            await self.play_on(view)
        else:
            self.analyse(view)

    async def take_to_play(self) -> None:
        if self.editor:
            self.playing = True
            await self.editor.finish()
            self.playing = False

    async def suggest(self) -> None:
        """Mark on the picture where to play in the position as it is edited."""
        editor = self.editor
        if editor is None:
            return

        async def found(view: PositionView | None) -> None:
            if view is not None:
                self.suggestion.begin(view)

        editor.on_done, usual = found, editor.on_done
        await editor.finish()
        editor.on_done = usual

    def analyse(self, view: PositionView) -> None:
        ui.navigate.to(f"/position?{urlencode({'rules': view.rules, 'key': view.key})}")

    async def play_on(self, view: PositionView) -> None:
        """Ask who to play against, then begin; the visitor has the side to move."""
        t = self.t
        name = base_name(view.rules)
        known = [found for found in self.catalogue.opponents if found.games is None or name in found.games]
        names = {found.name: seat_name(t, found.name) for found in known} | {HUMAN: t("mode.people")}
        chosen = {"name": list(names)[len(names) // 2]}
        side = side_names(t, self.games[name].players)[view.mover or 0]
        with ui.dialog() as dialog, ui.element("div").classes("dialog"):
            heading(t("analysis.play_on"))
            Words(t("analysis.play_on_text", side=side), "p").classes("fine")
            with field(t("play.opponent")):
                select(t("play.opponent"), names, chosen["name"], lambda name: chosen.update(name=name))
            with ui.element("div").classes("dialog__buttons"):
                button(t("action.cancel"), dialog.close)
                button(t("play.start"), lambda: dialog.submit(True), style="main").props("data-confirm")
        if await dialog:
            seats = (HUMAN, chosen["name"]) if view.mover == 0 else (chosen["name"], HUMAN)
            async with self.visit.guarded():
                made = await self.visit.service.create_game(
                    self.visit.visitor, NewGame(rules=view.rules, seats=seats, start=view.key)
                )
                ui.navigate.to(f"/game/{made.id}")


async def build(visit: Visit) -> None:
    limits = await visit.service.picture_limits()
    RecognisePage(visit, await visit.service.catalogue(), available=limits.available).build()
