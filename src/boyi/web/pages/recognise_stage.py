"""`Stage`: the element that takes a picture and shows what was read on it. Its other half is `static/recognise.js`."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nicegui import ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments
from pydantic import ValidationError

from boyi.service.views_vision import LookView, ReadingView
from boyi.web.i18n import Translator

STATIC = Path(__file__).parent / "static"
STYLE_SHEET = f"/_boyi/recognise.css?{hashlib.sha256((STATIC / 'recognise.css').read_bytes()).hexdigest()[:12]}"
TEXTS = (
    "drop",
    "sources",
    "choose",
    "paste",
    "capture",
    "follow",
    "stop",
    "by_hand",
    "search",
    "no_capture",
    "here",
    "picture",
)
CORNERS = ("top_left", "top_right", "bottom_right", "bottom_left")


class Stage(Element, component="static/recognise.js"):
    """Pictures go from the browser straight to the API; what was read comes here.

    `on_look` is called for every look at a followed window, `on_end` when following it has ended.
    """

    def __init__(
        self,
        t: Translator,
        *,
        on_read: Callable[[ReadingView], Any],
        on_look: Callable[[LookView], Any],
        on_fail: Callable[[str, str], Any],
        on_end: Callable[[], Any],
    ) -> None:
        super().__init__()
        ui.add_head_html(f'<link rel="stylesheet" href="{STYLE_SHEET}">')
        texts: dict[str, Any] = {name: t(f"recognise.{name}") for name in TEXTS}
        self.props["texts"] = texts | {"corners": [t(f"recognise.{name}") for name in CORNERS]}
        self.props["rules"], self.props["here"] = "", []

        def read(event: GenericEventArguments) -> Any:
            return on_read(ReadingView.model_validate(event.args))

        def look(event: GenericEventArguments) -> Any:
            return on_look(LookView.model_validate({**event.args, "belief": {}}))

        def failed(event: GenericEventArguments) -> Any:
            told = event.args if isinstance(event.args, dict) else {}
            return on_fail(str(told.get("error", ""))[:40], str(told.get("message", ""))[:300])

        self.on("read", checked(read))
        self.on("look", checked(look))
        self.on("failed", failed)
        self.on("ended", lambda: on_end())

    def expect(self, rules: str) -> None:
        """Which game it is; "" for whatever suits. A picture that is there is read again."""
        self.props["rules"] = rules
        self.update()

    def point(self, squares: list[int]) -> None:
        """Mark where to play: one square, or from one to another; none of them takes the mark away."""
        if self.props["here"] != squares:
            self.props["here"] = squares
            self.update()

    def believe(self, rules: str, key: str) -> None:
        """Correct the position that is believed of the followed window."""
        self.run_method("believe", rules, key)


def checked(handler: Callable[[GenericEventArguments], Any]) -> Callable[[GenericEventArguments], Any]:
    """A handler of views that leaves out what is none: the browser may send anything."""

    async def call(event: GenericEventArguments) -> None:
        try:
            waiting = handler(event)
        except (ValidationError, TypeError):
            return
        if waiting is not None:
            await waiting

    return call
