"""What an analysis has found, for the panel beside the board and for the board itself."""

from html import escape
from typing import Literal

from boyi.service.views import AnalysisView, LineView, PositionView
from boyi.web.board import Remarks
from boyi.web.i18n import Translator
from boyi.web.i18n.phrases import move_words, percent, value_for, value_words

Shown = Literal["value", "visits", "prior", "none"]
LINES = 6
"""Lines in the panel."""
MARKED = 12
"""Moves that carry a number on the board."""


def short_count(count: int) -> str:
    """A count short enough for a square: 950, 12k, 3.4M."""
    if count < 1000:
        return str(count)
    scaled, letter = (count / 1e6, "M") if count >= 999_500 else (count / 1000, "k")
    return f"{scaled:.1f}{letter}" if scaled < 9.95 else f"{scaled:.0f}{letter}"


def number(line: LineView, mover: int, shown: Shown) -> str:
    """What is written on a move's square."""
    if shown == "value":
        return str(percent(value_for(line.value, mover)))
    if shown == "visits":
        return short_count(line.visits)
    return "" if line.prior is None else str(round(100 * line.prior))


def worthwhile(found: AnalysisView) -> list[LineView]:
    """The lines that say something: not those that the search has hardly looked at."""
    if not any(line.visits for line in found.lines):
        return found.lines
    return [line for line in found.lines if line.visits > 1 or line.exact or line.move == found.move]


def remarks(found: AnalysisView, position: PositionView, shown: Shown) -> Remarks:
    """The analysis on the board."""
    mover = position.mover or 0
    if shown == "none":
        return Remarks(suggestion=found.move)
    lines = (found.lines if shown == "prior" else worthwhile(found))[:MARKED]
    most = max((line.visits for line in lines), default=0)
    best = max((value_for(line.value, mover) for line in lines), default=0.0)
    heat = {}
    for line in lines:
        if shown == "value" or not most:
            heat[line.move] = max(0.0, 1.0 - 2.5 * (best - value_for(line.value, mover)))
        elif shown == "visits":
            heat[line.move] = line.visits / most
        else:
            heat[line.move] = min(1.0, 1.5 * (line.prior or 0.0))
    return Remarks({line.move: number(line, mover, shown) for line in lines}, heat, found.move)


def summary(t: Translator, found: AnalysisView, mover: int, sides: tuple[str, str]) -> str:
    """Who stands better, as HTML with a bar, and how deep the analysis has looked."""
    if found.value is None:
        return f'<div class="fine">{escape(t("analysis.preparing"))}</div>' if found.preparing else ""
    share = percent(found.value)
    words = value_words(t, found.value, mover, sides, exact=found.exact)
    work = [t("analysis.simulations", count=f"{found.simulations:,}")] if found.simulations else []
    work += [t("analysis.nodes", count=short_count(found.nodes))] if found.nodes and not found.simulations else []
    work += [t("analysis.depth", depth=found.depth)] if found.depth else []
    work.append(t("analysis.seconds", seconds=f"{found.seconds:.1f}"))
    exact = f' <span class="exact">{escape(t("analysis.exact"))}</span>' if found.exact else ""
    return (
        f"<div><b>{escape(words)}</b>{exact}</div>"
        f'<div class="meter" role="img" aria-label="{escape(t("graph.win", side=sides[0]))} {share} %">'
        f'<i style="width:{share}%"></i></div><div class="fine">{escape(" · ".join(work))}</div>'
    )


def line_list(t: Translator, found: AnalysisView, mover: int) -> str:
    """The best lines as HTML; a click carries the line's number among the worthwhile ones in `data-ply`."""
    rows = []
    for index, line in enumerate(worthwhile(found)[:LINES]):
        moves = " ".join(move_words(t, move) for move in (line.moves or [line.move])[:14])
        exact = f'<span class="exact">{escape(t("analysis.exact"))}</span>' if line.exact else ""
        visits = f'<span class="found__visits">{short_count(line.visits)}</span>' if line.visits else ""
        rows.append(
            f'<button type="button" class="found" data-ply="{index}">'
            f'<span class="found__value">{percent(value_for(line.value, mover))} %</span>'
            f'<span class="found__moves">{escape(moves)}</span>{exact}{visits}</button>'
        )
    return "".join(rows)
