"""`Board`: the element that shows a position and takes moves. Its other half is `board.js`."""

from collections.abc import Callable, Mapping
from typing import Any

from nicegui.element import Element
from nicegui.events import GenericEventArguments

from boyi.service.views import PositionView, Preferences
from boyi.web.board.picture import NOTHING, Remarks, look, position_picture
from boyi.web.i18n import Translator
from boyi.web.i18n.phrases import piece_words


class Board(Element, component="board.js"):
    """A board for one game. `show` puts a position on it.

    A legal click or key shows its stone in the browser at once and then reports the move; the next `show` replaces the
    picture, `take_back` removes the stone. `edit` is "" for playing; "paint" reports each touched square, "swap" pairs
    of squares that a piece is dragged between.
    """

    def __init__(
        self,
        rules: str,
        t: Translator,
        preferences: Preferences,
        *,
        players: tuple[str, str],
        on_move: Callable[[str, int], Any] | None = None,
        on_square: Callable[[int], Any] | None = None,
        on_swap: Callable[[int, int], Any] | None = None,
        label: str = "",
    ) -> None:
        super().__init__()
        self._preferences = preferences
        found = look(rules)
        texts = ("empty", "legal", "movable", "last", "confirm", "cancel", "zoom_in", "zoom_out")
        self._props.update(
            columns=found.diagram.width,
            rows=found.diagram.height,
            pieces=dict(found.pieces),
            words={cell: piece_words(cell, players) for cell in found.pieces},
            texts={name: t(f"board.{name}") for name in texts},
            label=label,
            sound=preferences.sound,
            confirm=preferences.confirm_moves,
            edit="",
        )
        if on_move:
            self.on("move", lambda event: _call(on_move, event, "move", "ply"))
        if on_square:
            self.on("square", lambda event: _call(on_square, event, "square"))
        if on_swap:
            self.on("swap", lambda event: _call(on_swap, event, "start", "end"))

    def show(
        self,
        view: PositionView,
        *,
        ply: int = 0,
        active: bool = False,
        legal: bool | None = None,
        remarks: Remarks = NOTHING,
        edit: str = "",
    ) -> None:
        """Show a position; `active` lets the visitor move, and `ply` comes back with the move."""
        preferences = self._preferences
        owner = view.mover if view.mover in (0, 1) else 0
        pieces = list(self._props["pieces"])
        with self._props.suspend_updates():
            self._props.update(
                picture=position_picture(
                    view,
                    theme=preferences.theme,
                    legal=active and (preferences.show_legal if legal is None else legal),
                    coordinates=preferences.show_coordinates,
                    remarks=remarks,
                ),
                names=view.squares,
                cells=[cell for row in view.cells for cell in row],
                moves=[[target.move, target.squares] for target in view.moves] if active else [],
                last=view.last,
                ghost=pieces[owner] if len(pieces) == 2 else "",
                active=active,
                ply=ply,
                edit=edit,
            )
        self.update()

    def set_preferences(self, preferences: Preferences) -> None:
        """Take over how the visitor wants boards; seen at the next `show`."""
        self._preferences = preferences
        self._props.update(sound=preferences.sound, confirm=preferences.confirm_moves)

    def take_back(self) -> None:
        """Remove the stone that a refused move has shown."""
        self.run_method("takeBack")


def _call(handler: Callable[..., Any], event: GenericEventArguments, *names: str) -> Any:
    """Call a handler with the named values of an event, where they are all there."""
    values: Mapping[str, Any] = event.args if isinstance(event.args, dict) else {}
    if all(isinstance(values.get(name), int | str) for name in names):
        return handler(*(values[name] for name in names))
    return None
