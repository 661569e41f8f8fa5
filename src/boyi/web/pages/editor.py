"""The board editor: put stones, say whose turn it is and what else the rules want to know, and take the position."""

from collections.abc import Awaitable, Callable

from nicegui import ui
from nicegui.element import Element

from boyi.games.errors import GameError
from boyi.service.views import ComposeRequest, PositionRequest, PositionView, RulesView
from boyi.web.board import Board, look
from boyi.web.i18n.phrases import facts, piece_words, side_names
from boyi.web.pages.controls import Words, button, field, picture, segments
from boyi.web.pages.shell import Visit

ERASER = ""


class Editor:
    """Edits the position on the page's own board; `on_done` takes the finished position, or None to cancel."""

    def __init__(
        self, visit: Visit, game: RulesView, rules: str, on_done: Callable[[PositionView | None], Awaitable[None]]
    ) -> None:
        self.visit, self.t = visit, visit.t
        self.game, self.rules = game, rules
        self.on_done = on_done
        self.piece = game.pieces[0]
        self.board: Board | None = None

    def begin(self, board: Board, view: PositionView) -> None:
        """Start from a position."""
        known = facts(view)
        self.board, self.view = board, view
        self.cells = [list(row) for row in view.cells]
        self.turn = view.mover or 0
        self.die = known.die
        self.stones_left = known.stones_left or 2
        self.passed = view.passed
        self.draw()

    def draw(self) -> None:
        if self.board:
            shown = self.view.model_copy(update={"cells": self.cells, "moves": [], "last": [], "outcome": None})
            self.board.show(shown, active=True, legal=False, edit="paint")

    def touch(self, square: int) -> None:
        """Put the chosen piece, or take the same one away; a numbered stone leaves where it stood before."""
        row, column = divmod(square, len(self.cells[0]))
        chosen = ERASER if self.cells[row][column] == self.piece else self.piece
        if chosen and len(self.game.pieces) > 2:
            self.cells = [["" if cell == chosen else cell for cell in line] for line in self.cells]
        self.cells[row][column] = chosen
        self.draw()

    def build(self) -> None:
        """The editor's panel."""
        t = self.t
        sides = side_names(t, self.game.players)
        with field(t("editor.piece")):
            self.palette(sides)
        with field(t("editor.turn")):
            segments(
                t("editor.turn"), {0: sides[0], 1: sides[1]}, self.turn, lambda value: setattr(self, "turn", value)
            )
        if self.game.has_dice:
            with field(t("editor.die")):
                dice: dict[int | None, str] = {None: t("editor.not_rolled")} | {
                    value: str(value) for value in range(1, 7)
                }
                segments(t("editor.die"), dice, self.die, lambda value: setattr(self, "die", value))
        if self.game.name == "connect6":
            with field(t("editor.stones_left")):
                segments(
                    t("editor.stones_left"),
                    {1: "1", 2: "2"},
                    self.stones_left,
                    lambda value: setattr(self, "stones_left", value),
                )
        if self.game.name == "othello":
            ui.switch(
                t("editor.passed"), value=self.passed, on_change=lambda event: setattr(self, "passed", event.value)
            ).props("data-passed")
        with ui.element("div").classes("actions").style("margin-top:16px"):
            button(t("editor.done"), self.finish, icon="check", style="main").props("data-editor-done")
            button(t("editor.clear"), self.clear).props("data-editor-clear")
            button(t("editor.usual"), self.usual)
            button(t("action.cancel"), lambda: self.on_done(None))
        self.problem = Words("", "p").classes("fine").props('role="alert"')

    def palette(self, sides: tuple[str, str]) -> None:
        """The pieces and the eraser, one of them chosen."""
        pictures = look(self.rules).pieces
        made: dict[str, Element] = {}

        def choose(piece: str) -> None:
            self.piece = piece
            for name, item in made.items():
                item.props["aria-checked"] = "true" if name == piece else "false"
                item.update()

        with ui.element("div").props('role="radiogroup"').classes("palette") as group:
            group.props["aria-label"] = self.t("editor.piece")
            for piece in [*self.game.pieces, ERASER]:
                item = ui.element("button").props('type="button" role="radio"').classes("palette__piece")
                item.props["aria-label"] = piece_words(piece, sides) if piece else self.t("editor.eraser")
                item.props["aria-checked"] = "true" if piece == self.piece else "false"
                item.props["data-piece"] = piece or "eraser"
                item.on("click", lambda piece=piece: choose(piece))
                made[piece] = item
                with item:
                    if piece:
                        picture(pictures[piece])
                    else:
                        ui.icon("backspace").props('aria-hidden="true"')

    def clear(self) -> None:
        self.cells = [[""] * len(row) for row in self.cells]
        self.draw()

    async def usual(self) -> None:
        view = await self.visit.service.show_position(PositionRequest(rules=self.rules))
        self.cells = [list(row) for row in view.cells]
        self.draw()

    async def finish(self) -> None:
        """Hand over the position, or say what is wrong with it."""
        wanted = ComposeRequest(
            rules=self.rules,
            cells=self.cells,
            turn=1 if self.turn else 0,
            die=self.die if self.game.has_dice else None,
            stones_left=(1 if self.stones_left == 1 else 2) if self.game.name == "connect6" else None,
            passed=self.passed if self.game.name == "othello" else False,
        )
        try:
            view = await self.visit.service.compose_position(wanted)
        except GameError as error:
            self.problem.set_text(self.t("editor.wrong", reason=str(error)))
            return
        await self.on_done(view)
