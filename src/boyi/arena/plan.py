"""Which games a match or a tournament has: `Plan`, and the fixture of every game number.

A plan is data and all that decides its games, so that a killed run can go on: game n is the same game whoever plays it
and when. Rounds come one after the other, and in a round every pairing plays a pair of games.
"""

import dataclasses
import functools
import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from boyi.arena.control import Control
from boyi.arena.match import Schedule
from boyi.arena.openings import find_openings, random_opening
from boyi.arena.sprt import Sprt
from boyi.games.errors import GameError
from boyi.games.registry import game as find_game
from boyi.players import Limit

KINDS = ("robin", "gauntlet", "ladder")
LADDER_REACH = 2
"""How many of the next players each one meets in a ladder."""


class Fixture(NamedTuple):
    """A game to be played."""

    number: int
    first: int
    second: int
    """The players, by their numbers in the plan."""
    pair: int
    """Decides opening and dice; the two games of a pair share it."""
    seat: int
    """Where the first player sits."""


@dataclass(frozen=True)
class Plan:
    """Everything that decides the games. Make one by `make_plan`, which finds the openings."""

    game: str
    players: tuple[str, ...]
    games: int
    """How many for each pairing."""
    kind: str = "robin"
    """`robin`: all meet all; `gauntlet`: the first meets all others; `ladder`: everyone meets the next two."""
    seed: int = 0
    control: Control = field(default_factory=Control)
    openings: int | None = None
    """Random plies; None for the game's usual number."""
    lines: tuple[str, ...] = ()
    """The set of openings, if one is used."""
    adjudicate: int = 0
    sprt: Sprt | None = None
    """Ends a match of two players as soon as its games decide."""

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise GameError(f"{len(self.players)} players are too few; a tournament takes at least 2")
        if self.kind not in KINDS:
            raise GameError(f"kind={self.kind!r} is not possible; allowed: {', '.join(KINDS)}")
        if self.sprt and len(self.players) > 2:
            raise GameError(f"sprt decides between 2 players, not {len(self.players)}")
        schedule(self)

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """Who meets whom, by number."""
        count = len(self.players)
        if self.kind == "gauntlet":
            return [(0, other) for other in range(1, count)]
        reach = LADDER_REACH if self.kind == "ladder" else count
        return [(a, b) for a, b in itertools.combinations(range(count), 2) if b - a <= reach]

    @property
    def num_games(self) -> int:
        return self.games * len(self.pairings)

    def fixtures(self) -> Iterator[Fixture]:
        """All games in order of their numbers."""
        pairings = self.pairings
        for round_number in range((self.games + 1) // 2):
            for index, (first, second) in enumerate(pairings):
                pair = round_number * len(pairings) + index
                for seat in range(min(2, self.games - 2 * round_number)):
                    yield Fixture(2 * pair + seat, first, second, pair, seat)

    def to_json(self) -> str:
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str) -> "Plan":
        """The plan that `to_json` wrote; `GameError` for any other text."""
        try:
            facts = json.loads(text)
            control = facts.pop("control")
            limit = Limit(**control.pop("limit"))
            lists: dict[str, Any] = {name: tuple(map(str, facts.pop(name))) for name in ("players", "lines")}
            sprt = facts.pop("sprt")
            return cls(**facts, **lists, control=Control(limit, **control), sprt=Sprt(**sprt) if sprt else None)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise GameError(f"the plan is damaged: {error}") from None


@functools.lru_cache(16)
def schedule(plan: Plan) -> Schedule:
    """How the games of a plan are played."""
    return Schedule(
        find_game(plan.game), plan.games, plan.seed, plan.control, plan.openings, plan.lines, plan.adjudicate
    )


def make_plan(
    game: str,
    players: tuple[str, ...],
    *,
    games: int,
    kind: str = "robin",
    seed: int = 0,
    control: Control | None = None,
    openings: str | int | None = None,
    adjudicate: int = 0,
    sprt: Sprt | None = None,
) -> Plan:
    """A plan with its openings: a number of random plies, `balanced`, the path of a file of openings, or None for the
    balanced set where the game has one and needs it, else for random plies."""
    found = find_game(game)
    text = "" if openings is None else str(openings).strip()
    plies = int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else None
    if plies is not None and plies > 0:
        random_opening(found, seed, plies)  # an error before the first game where it is over by then
    return Plan(
        game,
        tuple(players),
        games,
        kind,
        seed,
        control or Control(),
        openings=plies,
        lines=() if plies is not None else find_openings(found, text),
        adjudicate=adjudicate,
        sprt=sprt,
    )
