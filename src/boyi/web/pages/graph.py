"""A game's course as a graph of win probabilities, and its mistakes."""

from html import escape
from typing import Any

from boyi.service.views import MoveView, ReviewView
from boyi.web.i18n import Translator
from boyi.web.i18n.phrases import move_words, percent

LEFT, RIGHT = 36, 12
"""Pixels beside the plotted area."""
CLICKED_SHARE = (
    f"(event) => {{ const box = event.currentTarget.getBoundingClientRect();"
    f" emit(Math.min(1, Math.max(0, (event.clientX - box.left - {LEFT}) / (box.width - {LEFT + RIGHT})))); }}"
)
"""Where along the graph a click was, 0 to 1."""
GREY = "#8b8f98"


def options(t: Translator, review: ReviewView, total: int, current: int, side: str) -> dict[str, Any]:
    """The graph for `ui.echart`: the first player's win probability by ply, mistakes marked, a line where we are."""
    values = {point.ply: percent(point.value) for point in review.points if point.value is not None}
    marks = [
        {"coord": [ply, values[ply]], "itemStyle": {"color": "#d8503f"}}
        for ply in review.mistakes[:10]
        if ply in values
    ]
    return {
        "animation": False,
        "grid": {"left": LEFT, "right": RIGHT, "top": 10, "bottom": 22},
        "tooltip": {"trigger": "axis", "valueFormatter": None, "confine": True},
        "xAxis": {
            "type": "category",
            "boundaryGap": False,
            "data": [str(ply) for ply in range(total + 1)],
            "axisLine": {"lineStyle": {"color": GREY}},
            "axisLabel": {"color": GREY, "hideOverlap": True},
            "axisTick": {"show": False},
        },
        "yAxis": {
            "min": 0,
            "max": 100,
            "interval": 50,
            "axisLabel": {"color": GREY, "formatter": "{value}%"},
            "splitLine": {"lineStyle": {"color": GREY, "opacity": 0.25}},
        },
        "series": [
            {
                "type": "line",
                "name": t("graph.win", side=side),
                "data": [values.get(ply) for ply in range(total + 1)],
                "connectNulls": True,
                "symbol": "none",
                "lineStyle": {"color": "#7a6cf0", "width": 2},
                "areaStyle": {"color": "#7a6cf0", "opacity": 0.16},
                "markPoint": {"symbol": "circle", "symbolSize": 8, "label": {"show": False}, "data": marks},
                "markLine": {
                    "symbol": "none",
                    "label": {"show": False},
                    "lineStyle": {"color": GREY, "type": "solid", "width": 1.5},
                    "data": [{"xAxis": str(current)}],
                },
            }
        ],
    }


def mistake_list(t: Translator, review: ReviewView, moves: list[MoveView], sides: tuple[str, str]) -> str:
    """The worst moves and what was better, as HTML; a click carries the ply in `data-ply`."""
    points = {point.ply: point for point in review.points}
    rows = []
    for ply in review.mistakes:
        point = points.get(ply)
        if point is None or point.loss is None or point.player not in (0, 1) or ply >= len(moves):
            continue
        loss = round(50 * point.loss)
        told = t("mistake.played", ply=ply + 1, side=sides[point.player], move=move_words(t, moves[ply].move))
        better = t("mistake.better", move=move_words(t, point.best)) if point.best else ""
        rows.append(
            f'<button type="button" class="mistake" data-ply="{ply}"><span class="mistake__loss">−{loss} %</span>'
            f'<span>{escape(told)} <span class="fine">{escape(better)}</span></span></button>'
        )
    return "".join(rows)
