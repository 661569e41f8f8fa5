"""Training runs, as plain data: what is asked for, and how a run stands."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from boyi.service.views import PositionView, Request, Rules, View

RunName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,27}$")]
"""What a run or a player is called: it is also its address and its folder."""
Method = Literal["deep", "quick"]
"""A policy-value net under a tree search, or a very small net that a search asks about millions of positions."""
RunStatus = Literal["running", "waiting", "paused", "stopped", "finished", "failed", "elsewhere"]


class NewRun(Request):
    """A training run. What is left out is as the game's configuration has it; see `training_options`."""

    rules: Rules
    name: RunName | None = None
    """None for the game's name and a number."""
    method: Method = "deep"
    """What is trained."""
    minutes: float | None = Field(default=None, ge=0, le=100_000)
    """End after so much training time; 0 for no limit. A quick net counts processor time, and 0 is what is usual."""
    generations: int | None = Field(default=None, ge=1, le=100_000)
    """End after so many rounds of self-play and learning."""
    games: int | None = Field(default=None, ge=8, le=100_000)
    """Deep: games of self-play in a generation."""
    simulations: int | None = Field(default=None, ge=2, le=10_000)
    """Deep: simulations for each move of self-play."""
    blocks: int | None = Field(default=None, ge=1, le=40)
    """Deep: blocks of the net."""
    channels: int | None = Field(default=None, ge=4, le=512)
    """Deep: channels of each block."""
    workers: int | None = Field(default=None, ge=1, le=64)
    """Processes that play."""
    measure_every: int | None = Field(default=None, ge=0, le=100_000)
    """Quick: generations between measurements of strength; 0 for one at the end."""
    measure_games: int | None = Field(default=None, ge=0, le=10_000)
    """Quick: games of a measurement; 0 for none."""
    seed: int | None = Field(default=None, ge=0, lt=2**31)
    """Same seed and options, same run."""


class TrainingOptions(View):
    """What a run of a game is like if nothing else is asked for. An option that the method or the net of the game's
    configuration does not have is None."""

    rules: str
    method: Method
    minutes: float
    generations: int
    games: int | None = None
    simulations: int | None = None
    blocks: int | None = None
    channels: int | None = None
    workers: int
    measure_every: int | None = None
    measure_games: int | None = None
    seed: int
    missing: list[str] = []
    """Packages without which this server cannot train such a net."""


class RunPoint(View):
    """One generation."""

    generation: int
    elapsed_s: float
    loss: float | None = None
    loss_policy: float | None = None
    loss_value: float | None = None
    entropy: float | None = None
    """Of the policies of self-play, in nats."""
    games_per_hour: float | None = None
    positions_per_s: float | None = None
    length: float | None = None
    """Positions of an average game."""
    first_player: float | None = None
    """The first player's share of the points."""
    anchor: str | None = None
    """Whom the net was measured against, if it was."""
    anchor_score: float | None = None
    elo: float | None = None
    elo_low: float | None = None
    elo_high: float | None = None
    """Above the anchor, with a 95 % interval."""


class Stage(View):
    """What a running run is doing: `starting`, `self-play`, `playing`, `learning`, `measuring`, `gate`."""

    name: str
    done: float
    total: float


class Plateau(View):
    """No gain for several measurements."""

    since: int
    """The generation that scored as well already."""
    anchor: str
    before: float
    best: float
    """The best score since."""


class RunSummary(View):
    id: str
    rules: str
    title: str
    method: Method
    status: RunStatus
    message: str
    """Why a run failed."""
    generation: int
    generations: int
    minutes: float
    elapsed_s: float
    share: float
    """How much of it is done, 0 to 1."""
    left_s: float | None
    """How long it will take, as far as that is known."""
    updated: datetime


class RunView(RunSummary):
    version: int
    """Grows with every change."""
    stage: Stage | None
    points: list[RunPoint]
    checkpoints: list[int]
    """Generations whose net is kept: they can be played against and promoted."""
    plateau: Plateau | None
    notes: list[str]
    """What the run told last, in English."""
    options: TrainingOptions
    files: int
    """Grows with the games played; `run_positions` has the latest."""
    folder: str = ""
    """Where the run is kept, for commands; empty where anybody but the owner reaches the server."""
    game: str = ""
    """The game as commands name it, an own one by its rules file; empty as `folder`."""


class RunList(View):
    runs: list[RunSummary]
    """The last changed first."""


class RunPositions(View):
    """The ends of the latest games of self-play; of a quick run, of games that its newest net played for show."""

    generation: int
    positions: list[PositionView]


class PromoteRequest(Request):
    generation: int = Field(ge=0, le=10_000_000)
    name: RunName
    """What the player is called."""
