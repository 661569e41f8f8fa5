"""Measuring players against each other. Start at `match`; `statistics` says what a result is worth."""

from boyi.arena.match import GameRow, MatchResult, play_match, usual_openings
from boyi.arena.named import play_named_match, warm_up
from boyi.arena.statistics import Estimate, elo, estimate

__all__ = [
    "Estimate",
    "GameRow",
    "MatchResult",
    "elo",
    "estimate",
    "play_match",
    "play_named_match",
    "usual_openings",
    "warm_up",
]
