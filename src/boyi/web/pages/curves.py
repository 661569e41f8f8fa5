"""The curves of training runs, as options of `ui.echart`: one run, or two to compare."""

from collections.abc import Callable, Sequence
from typing import Any

from boyi.service.views_training import Method, RunPoint, RunView
from boyi.web.i18n import Translator

GREY = "#8b8f98"
COLOURS = ("#7a6cf0", "#e0803a", "#3a9c6b", "#c0508f", "#3f8fd0", "#b59a2e")
SECOND = 2
"""How many colours further the curves of a second run begin."""
KINDS: dict[Method, tuple[str, ...]] = {
    "deep": ("strength", "loss", "entropy", "speed"),
    "quick": ("strength", "error", "positions"),
}
"""The charts of a run, by what it trains."""

Read = Callable[[RunPoint], float | None]


def kinds(runs: Sequence[RunView]) -> list[str]:
    """The charts of one run, or of two."""
    return list(dict.fromkeys(kind for run in runs for kind in KINDS[run.method]))


def elo(point: RunPoint) -> float | None:
    """Elo above the anchor; where all games were won or lost, the end of the interval that is known."""
    if point.anchor is None or point.anchor_score is None or point.elo is not None:
        return point.elo
    return point.elo_low if point.anchor_score > 0.5 else point.elo_high


def curves(t: Translator, kind: str, points: Sequence[RunPoint]) -> dict[str, Read]:
    """The curves of a chart by their names."""
    if kind == "strength":
        anchors = dict.fromkeys(point.anchor for point in points if point.anchor)
        return {
            anchor: lambda point, anchor=anchor: elo(point) if point.anchor == anchor else None  # type: ignore[misc]
            for anchor in anchors
        }
    if kind == "loss":
        return {t("curve.policy"): lambda p: p.loss_policy, t("curve.value"): lambda p: p.loss_value}
    if kind == "error":
        return {t("curve.error"): lambda p: p.loss if p.loss_value is None else p.loss_value}
    if kind == "entropy":
        return {t("curve.entropy"): lambda p: p.entropy}
    if kind == "positions":
        return {t("curve.positions"): lambda p: p.positions_per_s}
    return {t("curve.speed"): lambda p: p.games_per_hour}


def options(t: Translator, kind: str, runs: Sequence[RunView]) -> dict[str, Any]:
    """A chart over the generations; of a second run the curves are dashed."""
    series = []
    for number, run in enumerate(runs):
        if kind not in KINDS[run.method] and kind != "positions":  # that is the same for both
            continue
        for colour, (name, read) in enumerate(curves(t, kind, run.points).items()):
            data = [[point.generation, _short(value)] for point in run.points if (value := read(point)) is not None]
            told = t("curve.of", name=name, run=run.id) if len(runs) > 1 else name
            tint = COLOURS[(colour + SECOND * number) % len(COLOURS)]
            style = {"color": tint, "width": 2, "type": "dashed" if number else "solid"}
            series.append(
                {
                    "type": "line",
                    "name": told,
                    "data": data,
                    "showSymbol": len(data) == 1 or (len(data) < 40 and len(runs) == 1),
                    "symbolSize": 5,
                    "lineStyle": style,
                    "itemStyle": {"color": style["color"]},
                }
            )
    many = len(series) > 1 or (kind == "strength" and bool(series))  # whom it was measured against
    return {
        "animation": False,
        "grid": {"left": 8, "right": 14, "top": 30 if many else 12, "bottom": 6, "containLabel": True},
        "legend": {"show": many, "top": 0, "textStyle": {"color": GREY}, "type": "scroll"},
        "tooltip": {"trigger": "axis", "confine": True},
        "xAxis": {
            "type": "value",
            "minInterval": 1,
            "axisLine": {"lineStyle": {"color": GREY}},
            "axisLabel": {"color": GREY},
            "splitLine": {"show": False},
        },
        "yAxis": {
            "type": "value",
            "scale": kind in ("loss", "error", "strength"),
            "axisLabel": {"color": GREY},
            "splitLine": {"lineStyle": {"color": GREY, "opacity": 0.25}},
        },
        "series": series,
    }


def _short(value: float) -> float:
    return float(f"{value:.4g}")
