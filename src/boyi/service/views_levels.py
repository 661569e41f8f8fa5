"""Strength levels, as plain data."""

from boyi.service.views import View


class LevelView(View):
    """A level; its seat in a game is `level:NUMBER`. Elo 0 is the player who moves at random."""

    number: int
    elo: float | None
    low: float | None
    high: float | None
    """Elo and its 95 % interval, where the level was measured."""


class LevelsView(View):
    rules: str
    levels: list[LevelView]
    """From 0, which loses on purpose, to the strongest."""
    games: int
    """The visitor's last games against levels that were counted."""
    elo: float | None
    """How strong the visitor seems to be; None before there are enough games."""
    suggested: int
    """The level that suits the visitor; the seat `level:auto` takes it."""
