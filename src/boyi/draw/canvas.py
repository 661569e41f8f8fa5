"""A growing SVG document: elements in drawing order and the style classes they use."""

import re
import unicodedata
from xml.sax.saxutils import escape, quoteattr

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def number(value: float) -> str:
    """A coordinate with at most two decimals."""
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def clean(text: str) -> str:
    """The text with every character that XML forbids replaced."""
    return _NOT_XML.sub("\ufffd", text)


def text_width(text: str) -> float:
    """Estimated width in units of the font size: 1 for East Asian wide characters, 0.6 for others."""
    return sum(1.0 if unicodedata.east_asian_width(character) in "WF" else 0.6 for character in text)


def fitted(text: str, font: float, room: float) -> float:
    """The font size, at most `font`, at which the text is no wider than `room`."""
    return min(font, room / max(text_width(text), 0.6))


class Canvas:
    """Collects elements. `scope` is the id of the whole picture and begins every id inside it."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        self.elements: list[str] = []
        self.classes: set[str] = set()

    def element(self, tag: str, content: str = "", /, **attributes: str | float) -> str:
        """The markup of one element; `content` is markup.

        Underscores in attribute names become hyphens, and `style` names a class of the style sheet.
        """
        parts = [tag]
        for name, value in attributes.items():
            shown = value if isinstance(value, str) else number(value)
            if name == "style":
                self.classes.add(shown)
            key = "class" if name == "style" else name.replace("_", "-")
            parts.append(f"{key}={quoteattr(shown)}")
        start = " ".join(parts)
        return f"<{start}>{content}</{tag}>" if content else f"<{start}/>"

    def add(self, tag: str, content: str = "", /, **attributes: str | float) -> None:
        """Draw one element over what is there."""
        self.elements.append(self.element(tag, content, **attributes))

    def words(self, text: str, x: float, y: float, font: float, *, room: float, **attributes: str | float) -> str:
        """The markup of a text centred on (x, y), in a smaller font where it would be wider than `room`."""
        font = fitted(text, font, room)
        return self.element("text", escape(clean(text)), x=x, y=y + 0.36 * font, font_size=font, **attributes)

    def write(self, text: str, x: float, y: float, font: float, *, room: float, **attributes: str | float) -> None:
        """Draw `words` over what is there."""
        self.elements.append(self.words(text, x, y, font, room=room, **attributes))
