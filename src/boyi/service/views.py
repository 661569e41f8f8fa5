"""What goes into the service and what comes out of it: plain data, checked, with a JSON shape each.

Values are the expected result for player 0 from -1 to 1, as everywhere. Squares are numbered row by row from the top
left.
"""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Name = Annotated[str, StringConstraints(max_length=100, strip_whitespace=True)]
Rules = Annotated[str, StringConstraints(min_length=1, max_length=100)]
"""A game with its parameters: `othello`, `gomoku:size=9,variant=renju`."""
Key = Annotated[str, StringConstraints(min_length=1, max_length=4000)]
MoveText = Annotated[str, StringConstraints(min_length=1, max_length=20)]
Language = Literal["en", "zh-Hant", "zh-Hans"]
Theme = Literal["light", "dark", "auto"]


class View(BaseModel):
    """What comes out: never changed."""

    model_config = ConfigDict(frozen=True)


class Request(BaseModel):
    """What comes in: unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


# The catalogue


class ParameterView(View):
    name: str
    values: list[int | str]
    default: int | str


class RulesView(View):
    """A game that can be played."""

    name: str
    title: str
    players: tuple[str, str]
    parameters: list[ParameterView]
    has_dice: bool
    has_setup: bool
    """Whether the first position is chosen: placed by hand or drawn at random."""
    can_compose: bool = True
    """Whether positions can be put together by hand; else they are reached by playing."""
    pieces: list[str]
    """The texts of cells, for the board editor: "X", "O", "R1" ..."""


class OpponentView(View):
    """Somebody to play against. Its sentence is the translation key `opponent.<name>`."""

    name: str
    games: list[str] | None
    """The games it plays; None for all."""
    rules: str | None = None
    """The only board and rules it plays; None for all."""
    thinks_s: float
    """About how long it thinks, at most."""


class Catalogue(View):
    games: list[RulesView]
    opponents: list[OpponentView]
    """From the weakest to the strongest."""


# Positions


class Target(View):
    """A legal move and the squares it is about: from and to, or one, or none (a pass, a die)."""

    move: str
    squares: list[int]


class OutcomeView(View):
    winner: int | None
    score: int
    reason: str
    """As the game words it, or `resigned`, or `time`."""


class PositionView(View):
    """A position and all that a board needs to show it."""

    rules: str
    key: str
    turn: int | None
    """0, 1, -1 where chance decides, None when the game is over."""
    mover: int | None
    """Whose turn it is in the eyes of people: for a roll, the player who rolls."""
    cells: list[list[str]]
    squares: list[str]
    """The name of every square."""
    moves: list[Target]
    chances: dict[str, float] | None
    last: list[int]
    passed: bool
    """Whether the last move was a pass."""
    outcome: OutcomeView | None
    caption: str


class PositionRequest(Request):
    rules: Rules
    key: Key | None = None
    moves: list[MoveText] = Field(default=[], max_length=1000)
    """Played from the key, or from the start."""


class ComposeRequest(Request):
    """A position put together by hand."""

    rules: Rules
    cells: list[list[Annotated[str, StringConstraints(max_length=4)]]] = Field(max_length=20)
    turn: Literal[0, 1]
    die: int | None = Field(default=None, ge=1, le=6)
    stones_left: Literal[1, 2] | None = None
    """Connect6: stones still to be put in this turn."""
    passed: bool = False
    """Othello: whether the last move was a pass."""


# Kept games


class Clock(Request):
    """Time for a player's whole game, and what each move adds."""

    minutes: float = Field(gt=0, le=600)
    increment_s: float = Field(default=0, ge=0, le=600)


class NewGame(Request):
    rules: Rules
    seats: tuple[Name, Name] = ("human", "strongest")
    """`human`, or an opponent of the catalogue."""
    start: Key = "usual"
    """`usual`, `random` (EinStein's set-up), or a position's key."""
    moves: list[MoveText] = Field(default=[], max_length=1000)
    """Already played from the start: to play on from a game."""
    dice: Literal["screen", "hand"] = "screen"
    """Who rolls: the app, or people with a real die, for both sides."""
    clock: Clock | None = None
    name: Name = ""


class MoveView(View):
    move: str
    player: int
    """0, 1, or -1 for a roll."""
    seconds: float
    passed: bool = False


class Thinking(View):
    """What a thinking opponent has found so far."""

    seconds: float
    expected_s: float
    value: float | None
    depth: int
    simulations: int
    preparing: bool = False
    """Whether it waits for the game's code to be compiled, which happens once on a computer."""


class GameView(View):
    """A kept game."""

    id: str
    version: int
    """Grows with every change, so that a face knows what is newest."""
    name: str
    rules: str
    title: str
    players: tuple[str, str]
    seats: tuple[str, str]
    start: str
    """The key of the first position."""
    moves: list[MoveView]
    position: PositionView
    status: Literal["running", "over"]
    outcome: OutcomeView | None
    dice: Literal["screen", "hand"]
    clock: Clock | None
    remaining_s: tuple[float, float] | None
    """What the clocks show at the moment of this view."""
    paused: bool
    thinking: Thinking | None
    can_undo: bool
    share: str | None
    """The token of its share link."""
    mine: bool
    created: datetime
    updated: datetime


class GameSummary(View):
    id: str
    name: str
    rules: str
    title: str
    seats: tuple[str, str]
    plies: int
    status: Literal["running", "over"]
    outcome: OutcomeView | None
    updated: datetime


class GameList(View):
    games: list[GameSummary]
    next: str | None
    """Pass it as `after` for the next page."""


class MoveRequest(Request):
    move: MoveText
    ply: int = Field(ge=0)
    """How many moves the caller has seen: a move for a game that moved on is refused, one sent twice is played once."""


class RenameRequest(Request):
    name: Name


class RematchRequest(Request):
    swap: bool = True


# Analysis


class LineView(View):
    move: str
    value: float
    visits: int
    prior: float | None
    moves: list[str]
    exact: bool


class AnalysisRequest(Request):
    rules: Rules
    key: Key
    seconds: float = Field(default=60.0, gt=0, le=600)


class AnalysisView(View):
    """What the analysis has found so far; the longest one of a position is kept."""

    rules: str
    key: str
    move: str | None
    value: float | None
    wdl: tuple[float, float, float] | None
    score: float | None
    lines: list[LineView]
    simulations: int
    nodes: int
    depth: int
    seconds: float
    exact: bool
    finished: bool
    preparing: bool = False
    """Whether it waits for the game's code to be compiled, which happens once on a computer."""


class ReviewPoint(View):
    """One position of a game: what it was worth, and what the move played gave away."""

    ply: int
    key: str
    player: int | None
    value: float | None
    exact: bool
    move: str | None
    """The move played here."""
    best: str | None
    best_line: list[str]
    loss: float | None
    """Expected result given away by the mover, 0 to 2; None for rolls and the last position."""


class ReviewView(View):
    game: str
    done: int
    total: int
    finished: bool
    points: list[ReviewPoint]
    mistakes: list[int]
    """Plies of the worst moves, worst first."""


class ReviewRequest(Request):
    seconds_per_move: float = Field(default=0.5, ge=0.05, le=10)


class ExportView(View):
    content: bytes
    media_type: str
    file_name: str


class PictureRequest(Request):
    """A picture of a position."""

    rules: Rules
    key: Key
    format: Literal["svg", "png"] = "svg"
    theme: Theme = "light"
    size: int = Field(default=480, ge=80, le=2000)
    legal: bool = False
    values: Literal["none", "value", "visits", "prior"] = "none"
    """What is known of the position's moves by analysis, drawn on the squares."""


# The visitor


class Preferences(Request):
    language: Language = "en"
    theme: Theme = "auto"
    show_legal: bool = True
    show_coordinates: bool = True
    confirm_moves: bool = False
    sound: bool = False


class Status(View):
    """How the server is doing."""

    version: str
    workers: int
    busy: int
    queued: int
    games: int
