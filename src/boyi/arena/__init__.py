"""Measuring players against each other. Start at `tournament`, or at `match` for two players that are not named.

`plan` says which games there are, `play` how one is played, `workers` who plays it, `store` where it is kept;
`statistics`, `sprt` and `ratings` say what the results are worth, `report` and `plot` show it.
"""

from boyi.arena.control import Control
from boyi.arena.match import GameRow, MatchResult, play_match
from boyi.arena.named import play_named_match
from boyi.arena.openings import usual_openings
from boyi.arena.plan import Fixture, Plan, make_plan
from boyi.arena.ratings import Ratings, rate
from boyi.arena.sprt import Sprt
from boyi.arena.statistics import Estimate, elo, estimate
from boyi.arena.tournament import Tournament
from boyi.arena.workers import warm_up

__all__ = [
    "Control",
    "Estimate",
    "Fixture",
    "GameRow",
    "MatchResult",
    "Plan",
    "Ratings",
    "Sprt",
    "Tournament",
    "elo",
    "estimate",
    "make_plan",
    "play_match",
    "play_named_match",
    "rate",
    "usual_openings",
    "warm_up",
]
