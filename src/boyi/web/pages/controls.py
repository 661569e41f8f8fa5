"""Small controls that the pages share, in the app's own style."""

from collections.abc import Callable, Mapping
from typing import Any

from nicegui import ui
from nicegui.element import Element
from nicegui.elements.mixins.text_element import TextElement


class Words(TextElement):
    """A text in an element of any tag."""

    def __init__(self, text: str, tag: str = "span") -> None:
        super().__init__(tag=tag, text=text)


def heading(text: str, *, level: int = 2) -> Words:
    """A heading."""
    return Words(text, f"h{level}").classes("title" if level == 1 else "subtitle")


def link(text: str, target: str, *, icon: str = "", style: str = "link-button") -> Element:
    """A link to another page."""
    made = ui.element("a").classes(style)
    made.props["href"] = target
    with made:
        if icon:
            ui.icon(icon).props('aria-hidden="true"')
        Words(text)
    return made


def button(
    text: str, on_click: Callable[..., Any] | None = None, *, icon: str | None = None, style: str = ""
) -> ui.button:
    """A button with a text. Styles: "" plain, "main", "quiet", "bad"."""
    made = ui.button(text, on_click=on_click, icon=icon, color=None).props("no-caps unelevated :ripple=false")
    return made.classes(f"button button--{style}" if style else "button")


def icon_button(icon: str, label: str, on_click: Callable[..., Any] | None = None) -> ui.button:
    """A button with an icon alone; the label is spoken and shown on hover."""
    made = ui.button(icon=icon, on_click=on_click, color=None).props("no-caps unelevated :ripple=false flat")
    made.props["aria-label"] = label
    made.props["title"] = label
    return made.classes("tool")


def picture(svg: str, *, style: str = "", label: str = "") -> Element:
    """An SVG of our own making; `label` is read out, without one it is decoration."""
    made = ui.element("div").classes(style)
    made.props["innerHTML"] = svg
    if label:
        made.props["role"], made.props["aria-label"] = "img", label
    else:
        made.props["aria-hidden"] = "true"
    return made


def segments(
    label: str,
    options: Mapping[Any, str],
    value: Any,
    on_change: Callable[[Any], Any],
    *,
    pictures: Mapping[Any, str] | None = None,
) -> Element:
    """A row of choices of which one is taken: radio buttons that look like a segmented control."""
    with ui.element("div").props('role="radiogroup"').classes("segments") as group:
        group.props["aria-label"] = label
        made: dict[Any, Element] = {}

        def choose(chosen: Any) -> Any:
            for name, item in made.items():
                item.props["aria-checked"] = "true" if name == chosen else "false"
                item.props["tabindex"] = "0" if name == chosen else "-1"
                item.update()
            return on_change(chosen)

        for name, text in options.items():
            item = ui.element("button").props('type="button" role="radio"').classes("segments__item")
            item.props["aria-checked"] = "true" if name == value else "false"
            item.props["tabindex"] = "0" if name == value else "-1"
            item.props["data-value"] = str(name)
            item.on("click", lambda name=name: choose(name))
            made[name] = item
            with item:
                if pictures and name in pictures:
                    picture(pictures[name], style="segments__picture")
                ui.label(text)
    return group


def field(label: str) -> Element:
    """A labelled part of a form; use it as a context."""
    made = ui.element("div").classes("field")
    with made:
        ui.label(label).classes("field__label")
    return made


def select(label: str, options: Mapping[Any, str], value: Any, on_change: Callable[[Any], Any]) -> ui.select:
    """A drop-down list."""
    made = ui.select(dict(options), value=value, on_change=lambda event: on_change(event.value))
    made.props("outlined dense options-dense borderless=false").classes("select")
    made.props["aria-label"] = label
    return made
