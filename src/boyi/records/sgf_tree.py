"""The syntax of SGF FF[4]: text to nodes and back, whatever the game. Start at `parse_tree` and `split`.

Properties keep their values as they stand in the file, escapes included; `simple` and `text_of` take those away.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from boyi.records.record import MOST_PLIES, BadRecord
from boyi.records.source import blocks

BEGIN = re.compile(r"\(\s*;")
MARK = re.compile(r"[()\[]")
VALUE = re.compile(r"[^\]\\]*(?:\\.[^\]\\]*)*\]", re.DOTALL)
ROOT = re.compile(r"\(\s*;\s*(?:FF|GM|CA|AP|SZ)\s*\[")
TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z0-9]{1,64})|\[([^\]\\]*(?:\\.[^\]\\]*)*)\])", re.DOTALL)
AHEAD = 100
"""Characters that are looked ahead for a root node where a tree does not end properly."""


@dataclass(slots=True)
class Node:
    """Properties by identifier, and the nodes that may follow; the first is the main line."""

    properties: dict[str, list[str]] = field(default_factory=dict)
    children: list["Node"] = field(default_factory=list)

    def first(self, name: str) -> str | None:
        """The first value of a property as it stands."""
        values = self.properties.get(name)
        return values[0] if values else None


def split(chunks: Iterator[str]) -> Iterator[tuple[int, str | None]]:
    """The trees of a collection with the line each begins in; a tree that never ends stops where the next begins."""
    state = _Depth()
    return blocks(chunks, BEGIN, state.find_end, ROOT)


class _Depth:
    """How deep in parentheses the scan of a tree is."""

    def __init__(self) -> None:
        self.depth = 1

    def find_end(self, text: str, at: int, fresh: bool, last: bool) -> tuple[int, int]:
        if fresh:
            self.depth = 1
        while found := MARK.search(text, at):
            place = found.start()
            if not last and place + AHEAD > len(text):
                return -1, at
            if found.group() == "[":
                value = VALUE.match(text, place + 1)
                broken = ROOT.search(text, place + 1, value.end() if value else len(text)) if last or value else None
                if broken and text[broken.start() - 1] in "\r\n":
                    return broken.start(), 0
                if not value:
                    return -1, place
                at = value.end()
                continue
            if found.group() == "(":
                if ROOT.match(text, place):
                    return place, 0
                self.depth += 1
            else:
                self.depth -= 1
                if self.depth == 0:
                    return found.end(), 0
            at = found.end()
        return -1, len(text)


def parse_tree(text: str) -> Node:
    """The root of one tree; `BadRecord` with the place of what is wrong."""
    root: Node | None = None
    node: Node | None = None
    stack: list[Node | None] = []
    values: list[str] | None = None
    at = nodes = 0
    end = len(text.rstrip())
    while at < end:
        found = TOKEN.match(text, at)
        if not found:
            raise BadRecord(f"line {text.count(chr(10), 0, at) + 1} of the game: {text[at : at + 30]!r} is not SGF")
        at = found.end()
        mark, name, value = found.groups()
        if value is not None:
            if values is None:
                raise BadRecord(f"value [{value[:30]}] has no property")
            values.append(value)
        elif name:
            if node is None:
                raise BadRecord(f"property {name[:20]} stands outside a node")
            ident = "".join(letter for letter in name if letter.isupper()) if not name.isupper() else name
            if not ident:
                raise BadRecord(f"{name[:20]!r} is no property: it takes capital letters")
            values = node.properties.setdefault(ident, [])
        elif mark == ";":
            if not stack:
                raise BadRecord("a node stands outside the tree")
            nodes += 1
            if nodes > MOST_PLIES:
                raise BadRecord(f"it has more than {MOST_PLIES:,} nodes")
            fresh = Node()
            if node is not None:
                node.children.append(fresh)
            elif root is not None:
                raise BadRecord("it has two first nodes")
            root = root or fresh
            node, values = fresh, None
        elif mark == "(":
            if root is not None and not stack:
                raise BadRecord("something follows the end of the tree")
            stack.append(node)
            values = None
        else:
            if not stack:
                raise BadRecord("a ) has no (")
            node, values = stack.pop(), None
    if root is None or stack:
        raise BadRecord("the tree does not end: a ) is missing")
    return root


def text_of(value: str) -> str:
    """A Text value as people read it: line ends stay, other white space becomes spaces."""
    value = value.replace("\r\n", "\n").replace("\n\r", "\n").replace("\r", "\n")
    value = re.sub(r"\\\n", "", value)
    value = re.sub(r"[\t\v\f]", " ", value)
    return re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL)


def simple(value: str) -> str:
    """A SimpleText value: all on one line."""
    return text_of(value).replace("\n", " ")


def escaped(text: str) -> str:
    """A text as a value."""
    return text.replace("\\", "\\\\").replace("]", "\\]")
