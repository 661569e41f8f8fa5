"""The record of a game as a tree: its moves with comments, and the variations below the moves that they replace."""

from dataclasses import dataclass, field
from html import escape

from boyi.service.views_records import PlyView, RecordView
from boyi.web.i18n import Translator
from boyi.web.i18n.phrases import move_words

DEEPEST = 12
"""Variations that lie deeper in each other are not drawn."""


@dataclass
class Tree:
    """A drawn tree: its HTML, and for every node, by the number in its `data-ply`, the moves that lead to it."""

    html: str = ""
    paths: list[list[str]] = field(default_factory=list)


def has_tree(record: RecordView) -> bool:
    """Whether there is more to show than a list of moves."""
    return bool(record.comment) or any(ply.comment or ply.variations for ply in record.plies)


def draw_tree(t: Translator, record: RecordView) -> Tree:
    """The record as nested lists."""
    tree = Tree()
    comment = f'<p class="tree__comment">{escape(record.comment)}</p>' if record.comment else ""
    tree.html = comment + _line(t, tree, record.plies, [], 0)
    return tree


def _line(t: Translator, tree: Tree, plies: list[PlyView], before: list[str], depth: int) -> str:
    """A line of moves; where one has variations or a comment, those follow before the line goes on."""
    parts: list[str] = []
    for ply in plies:
        path = [*before, ply.move]
        number = len(tree.paths)
        tree.paths.append(path)
        count = "" if parts and depth == 0 and not parts[-1].endswith("</ul>") else f"{len(path)}. "
        text = escape(count + move_words(t, ply.move))
        parts.append(f'<button type="button" class="tree__move" data-ply="{number}">{text}</button>')
        if ply.comment:
            parts.append(f'<span class="tree__comment">{escape(ply.comment)}</span>')
        if ply.variations and depth < DEEPEST:
            others = (f"<li>{_line(t, tree, line, before, depth + 1)}</li>" for line in ply.variations)
            parts.append(f'<ul class="tree__others">{"".join(others)}</ul>')
        before = path
    return "".join(parts)
