"""Every option of a training run, as one tree of dataclasses that is read from and written to TOML.

Read top to bottom: the docstring below a field is its documentation. Unknown keys and impossible values are refused by
name. `configs/` holds one file a game.
"""

import dataclasses
import tomllib
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.registry import game as find_game
from boyi.nets.config import NetConfig

CONFIGS = (Path("configs"), Path(__file__).resolve().parents[3] / "configs")
"""Where configurations by name are looked for: the working directory, and beside the sources."""


class BadConfig(GameError):
    """A configuration with an unknown key or an impossible value."""


@dataclass(frozen=True)
class SelfPlayConfig:
    """How the games are played that are learnt from."""

    games: int = 256
    """Games a generation."""
    shards: int = 4
    """Into how many separately seeded parts a generation is split; workers take whole parts."""
    parallel: int = 64
    """Games that a worker plays at once: the batch of the net."""
    search: str = "gumbel"
    """gumbel (few simulations, improved policies as targets) or puct (visits as targets)."""
    simulations: int = 32
    """Simulations a move."""
    considered: int = 16
    """gumbel: moves that sequential halving begins with."""
    value_scale: float = 1.0
    """gumbel: how strongly values shape the improved policy (the paper's c_scale)."""
    visit_scale: float = 50.0
    """gumbel: the paper's c_visit."""
    exploration: float = 1.5
    """puct: the constant of the rule."""
    noise_alpha: float = 0.3
    """puct: the Dirichlet noise's concentration at the root."""
    noise_share: float = 0.25
    """puct: the share of the noise in the root's priors."""
    temperature: float = 1.0
    """puct: moves are drawn by visits to the power of 1 / temperature ..."""
    temperature_plies: int = 12
    """puct: ... for so many plies; then the most visited one is played."""
    reuse: bool = True
    """puct: keep the tree below the move that was played."""
    opening: int = 4
    """A game begins with 0 to so many random moves, which are not learnt from."""
    full_share: float = 1.0
    """The share of moves that are searched fully and learnt from (playout-cap randomisation); 1 for all."""
    fast_simulations: int = 8
    """Simulations of the other moves."""
    resign: float = 1.0
    """Resign when the own value stays below minus this; 1 never resigns."""
    resign_share: float = 0.9
    """The share of games in which resigning is allowed; the rest are played out as a check."""
    max_plies: int = 2000
    """A longer game counts as a draw."""
    precision: str = "float32"
    """float32, or int8: the games are played by the net in 8 bits, two to three times as fast; it learns in float32."""
    exact: bool = False
    """Whether the ends of games get the exact values that solver, tablebase and threat search know."""
    teacher: str = ""
    """A player, such as quick:nodes=2000, whose games are learnt from instead of the net's own; "" for none."""
    taught: int = 0
    """With a teacher: so many generations learn from it, the later ones from themselves; 0 for all."""
    strays: float = 0.15
    """The share of moves in a teacher's games that the net itself plays, so that it learns to mend its mistakes."""


@dataclass(frozen=True)
class ReplayConfig:
    """Which samples are learnt from."""

    window: int = 20_000
    """The newest rows that are learnt from, at first; then the window grows with the rows played, as KataGo's."""
    exponent: float = 0.75
    """How fast it grows: 1 with all rows, 0 not at all."""
    largest: int = 500_000
    """The most rows it ever holds."""
    reuse: float = 4.0
    """How often a row is learnt from at most, on average over its time in the window."""


@dataclass(frozen=True)
class LearnConfig:
    """How the net learns."""

    batch: int = 256
    """Rows a step."""
    optimiser: str = "adamw"
    """adamw or sgd (with Nesterov momentum 0.9)."""
    rate: float = 2e-3
    """The learning rate."""
    warmup: int = 100
    """Steps over which the rate rises from 0."""
    final_share: float = 0.25
    """The last share of the run, in which the rate falls to a twentieth along a cosine."""
    decay: float = 1e-4
    """Weight decay, on weights but not on biases and normalisation."""
    clip: float = 5.0
    """The largest norm of a gradient."""
    average: float = 0.99
    """Weights are averaged with this share of the old average a step; the average plays. 0 for none."""
    value_weight: float = 1.0
    """The weight of the value's loss beside the policy's."""
    search_share: float = 0.25
    """The share of the search's value in the value target; the rest is the game's outcome."""
    auxiliary_weight: float = 0.15
    """The weight of each auxiliary loss."""
    symmetries: bool = True
    """Whether every row is turned and mirrored at random when it is read."""
    threads: int = 2
    """Threads of PyTorch."""


@dataclass(frozen=True)
class MeasureConfig:
    """How strength is followed."""

    every: int = 5
    """Generations between measurements; 0 for none."""
    games: int = 20
    """Games of a measurement."""
    anchors: tuple[str, ...] = ("random", "mcts:sims=100", "mcts:sims=1000", "mcts:sims=10000")
    """Fixed opponents, weakest first; one that is beaten by 90 % makes way for the next."""
    simulations: int = 64
    """Simulations a move of the net."""
    gate: float = 0.0
    """0: self-play always uses the latest net. Else a net must score so much against the best one to replace it."""
    gate_games: int = 40
    """Games of that comparison."""


@dataclass(frozen=True)
class TrainConfig:
    """A training run."""

    game: str
    """The game, with its parameters if wanted: gomoku:size=9."""
    generations: int = 100
    """Rounds of self-play and learning."""
    minutes: float = 0.0
    """End the run after so much time, whatever the generation; 0 for no limit."""
    workers: int = 2
    """Processes that play."""
    seed: int = 0
    """Same seed and options, same run."""
    keep_every: int = 10
    """Of old checkpoints every so many-th is kept, besides the newest three."""
    licence: str = "MIT"
    """What the model's card says."""
    start: str = ""
    """A model to start from, as a path without suffix; "" for fresh weights."""
    net: NetConfig = field(default_factory=NetConfig)
    selfplay: SelfPlayConfig = field(default_factory=SelfPlayConfig)
    replay: ReplayConfig = field(default_factory=ReplayConfig)
    learn: LearnConfig = field(default_factory=LearnConfig)
    measure: MeasureConfig = field(default_factory=MeasureConfig)

    def __post_init__(self) -> None:
        check(self)

    @property
    def found_game(self) -> Game:
        return find_game(self.game)


_AT_LEAST_ONE = {
    "generations",
    "workers",
    "keep_every",
    "games",
    "shards",
    "parallel",
    "simulations",
    "considered",
    "window",
    "largest",
    "batch",
    "threads",
    "gate_games",
    "max_plies",
}
_SHARES = {
    "noise_share",
    "full_share",
    "resign_share",
    "final_share",
    "average",
    "search_share",
    "gate",
    "exponent",
    "strays",
}
_CHOICES = {"search": ("gumbel", "puct"), "precision": ("float32", "int8"), "optimiser": ("adamw", "sgd")}


def check(config: TrainConfig) -> None:
    """Raise `BadConfig` for a value that makes no sense."""
    sections = [
        ("", config),
        *((f"{name}.", getattr(config, name)) for name in ("selfplay", "replay", "learn", "measure")),
    ]
    for prefix, section in sections:
        for name, value in vars(section).items():
            if name in _CHOICES and value not in _CHOICES[name]:
                raise BadConfig(f"{prefix}{name}={value!r} is not possible; allowed: {', '.join(_CHOICES[name])}")
            if name in _AT_LEAST_ONE and value < 1:
                raise BadConfig(f"{prefix}{name}={value!r} is not possible; it must be 1 or more")
            if name in _SHARES and not 0 <= value <= 1:
                raise BadConfig(f"{prefix}{name}={value!r} is not possible; it must be from 0 to 1")
            if isinstance(value, int | float) and name != "seed" and not 0 <= value < float("inf"):
                raise BadConfig(f"{prefix}{name}={value!r} is not possible; it must be 0 or more")
    if config.selfplay.shards > config.selfplay.games:
        raise BadConfig(f"selfplay.shards={config.selfplay.shards} is more than selfplay.games={config.selfplay.games}")
    config.net.observer_for(config.found_game)


def usual_config(game: str) -> TrainConfig:
    """The options for a game that has no file: a net that suits the size of its board."""
    return TrainConfig(game=game, net=NetConfig.for_game(find_game(game)))


def find_config(game: str | None, file: Path | None = None) -> TrainConfig:
    """The configuration for a game: from a file, or one of `configs/` by name or for that game, or the usual one."""
    if file is not None:
        config = read_config(file)
        if game is not None and config.found_game != find_game(game):
            raise BadConfig(f"{file} is for {config.game}, not for {game}")
        return config
    if game is None:
        raise BadConfig("name a game to train, such as tictactoe, or a file with --config")
    for folder in CONFIGS:
        if "/" not in game and (folder / f"{game}.toml").is_file():
            return read_config(folder / f"{game}.toml")
    wanted = find_game(game)
    for folder in CONFIGS:
        for known in sorted(folder.glob("*.toml")):
            config = read_config(known)
            if config.found_game == wanted:
                return config
    return usual_config(game)


def read_config(file: Path, changes: Iterable[str] = ()) -> TrainConfig:
    """A configuration from a TOML file, with changes such as `selfplay.simulations=64` applied to it."""
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadConfig(f"no configuration {str(file)!r}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadConfig(f"{str(file)!r} is no TOML file: {error}") from None
    try:
        return changed(from_tree(found), changes)
    except GameError as error:
        raise BadConfig(f"{file}: {error}") from None


def changed(config: TrainConfig, changes: Iterable[str]) -> TrainConfig:
    """A configuration with changes applied, each written `name=value` or `section.name=value`, values as in TOML."""
    tree = to_tree(config)
    for change in changes:
        path, equals, text = change.partition("=")
        if not equals:
            raise BadConfig(f"{change!r} is no change; write section.name=value, such as selfplay.simulations=64")
        try:
            value = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            value = text
        section, dot, name = path.strip().rpartition(".")
        if dot and section not in tree:
            raise BadConfig(f"unknown option {path!r}; sections are net, selfplay, replay, learn, measure")
        (tree[section] if dot else tree)[name] = value
    return from_tree(tree)


def to_tree(config: TrainConfig) -> dict[str, Any]:
    """A configuration as nested dictionaries."""
    tree = dataclasses.asdict(config)
    tree["net"] = config.net.to_json()
    tree["measure"]["anchors"] = list(config.measure.anchors)
    return tree


def from_tree(tree: Mapping[str, Any]) -> TrainConfig:
    """The reverse of `to_tree`."""
    config: TrainConfig = _build(TrainConfig, tree, "")
    return config


def _build(kind: Any, tree: Any, prefix: str) -> Any:
    if not isinstance(tree, Mapping):
        raise BadConfig(f"{prefix.rstrip('.')!r} is a section, not {tree!r}")
    if kind is NetConfig:
        return NetConfig.from_json(tree)
    hints = typing.get_type_hints(kind)
    values = {}
    for name, value in tree.items():
        if name not in hints:
            raise BadConfig(f"unknown option {prefix + str(name)!r}; known are {', '.join(prefix + n for n in hints)}")
        hint = hints[name]
        nested = dataclasses.is_dataclass(hint)
        values[name] = _build(hint, value, f"{name}.") if nested else read_value(hint, value, prefix + name)
    if kind is TrainConfig and "game" not in values:
        raise BadConfig("the configuration names no game; add a line such as game = 'othello'")
    return kind(**values)


def read_value(hint: Any, value: Any, name: str) -> Any:
    """A value of the kind that a field wants."""
    if isinstance(hint, types.GenericAlias):
        if isinstance(value, list | tuple) and all(isinstance(entry, str) for entry in value):
            return tuple(value)
        raise BadConfig(f"{name}={value!r} is no list of texts")
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not hint:
        kinds = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
        raise BadConfig(f"{name}={value!r} is not {kinds[hint]}")
    return value


def write_toml(config: TrainConfig) -> str:
    """A configuration as TOML, every option written out."""
    tree = to_tree(config)
    lines = [f"{name} = {toml_text(value)}" for name, value in tree.items() if not isinstance(value, dict)]
    for section, values in tree.items():
        if isinstance(values, dict):
            lines += ["", f"[{section}]", *(f"{name} = {toml_text(value)}" for name, value in values.items())]
    return "\n".join(lines) + "\n"


def toml_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml_text(entry) for entry in value) + "]"
    return repr(value)
