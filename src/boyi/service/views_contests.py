"""Matches and tournaments, as plain data."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from boyi.service.views import Name, PositionView, Request, Rules, View
from boyi.service.views_training import RunName

ContestStatus = Literal["running", "waiting", "stopped", "finished", "failed"]
Kind = Literal["robin", "gauntlet", "ladder"]


class EntrantView(View):
    """Somebody who can take part."""

    name: str
    """An opponent of the catalogue, `level:0` to `level:10`, or `engine:NAME`."""
    rules: str | None
    """The only board and rules it plays; None for all, as far as is known."""
    elo: float | None = None
    """Of a level that was measured."""


class Entrants(View):
    entrants: list[EntrantView]


class NewContest(Request):
    rules: Rules
    entrants: list[Name] = Field(min_length=2, max_length=16)
    games: int = Field(default=10, ge=1, le=2000)
    """For each two that meet."""
    kind: Kind = "robin"
    """`robin`: all meet all; `gauntlet`: the first meets all others; `ladder`: everyone meets the next two."""
    name: RunName | None = None
    """None for the game's name and a number."""
    seed: int = Field(default=0, ge=0, lt=2**31)


class StandingView(View):
    """A line of the table."""

    name: str
    number: int
    """Its place in the crosstable."""
    games: int
    points: float
    wins: int
    draws: int
    losses: int
    forfeits: int
    elo: float
    low: float
    high: float
    """Elo with its 95 % interval; the mean of all is 0."""


class MeetingView(View):
    points: float
    games: int


class RunningGame(View):
    number: int
    players: tuple[str, str]
    """Of the first and the second side."""
    plies: int
    position: PositionView


class ContestSummary(View):
    id: str
    rules: str
    title: str
    kind: Kind
    entrants: list[str]
    status: ContestStatus
    message: str
    done: int
    total: int
    updated: datetime


class ContestView(ContestSummary):
    version: int
    """Grows with every change."""
    standings: list[StandingView]
    """The best first."""
    crosstable: list[list[MeetingView | None]]
    """Points of the entrant of the row against that of the column, both as in `entrants`."""
    running: list[RunningGame]
    formats: list[str]
    """Formats in which its records can be had."""


class ContestList(View):
    contests: list[ContestSummary]
    """The last changed first."""
