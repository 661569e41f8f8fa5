"""The two kinds of runs, deep and quick, seen alike: which options each has, how much of it is done, who trains it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boyi.games import Game
from boyi.games.errors import BadParameter
from boyi.service import boards
from boyi.service.views_training import Method, NewRun, TrainingOptions
from boyi.train.config import TrainConfig, changed, find_config, write_toml
from boyi.train.packages import missing_packages
from boyi.train.quick import QuickConfig, is_quick, quick_config, write_quick_toml
from boyi.train.run import config_of, share_done

Config = TrainConfig | QuickConfig
PLACES: dict[Method, dict[str, str]] = {
    "deep": {
        "minutes": "minutes",
        "generations": "generations",
        "games": "selfplay.games",
        "simulations": "selfplay.simulations",
        "blocks": "net.blocks",
        "channels": "net.channels",
        "workers": "workers",
        "seed": "seed",
    },
    "quick": {name: name for name in ("minutes", "generations", "workers", "measure_every", "measure_games", "seed")},
}
"""Where each option that can be asked for stands in a configuration."""
MEASURE_EVERY = 10
"""Generations of a quick run between measurements, so that there is a curve to watch."""


def options_of(game: Game, method: Method) -> TrainingOptions:
    """What a run of a game is like if nothing else is asked for."""
    return options(_usual(boards.rules_text(game), method))


def wanted_config(wanted: NewRun) -> Config:
    """The configuration that a request asks for."""
    rules = boards.rules_text(boards.rules_named(wanted.rules))
    places = PLACES[wanted.method]
    given = {name: value for name in _all_options() if (value := getattr(wanted, name)) is not None}
    for name in given:
        if name not in places:
            raise BadParameter(f"{name} is no option of a {wanted.method} net; its options: {', '.join(places)}")
    changes = [f"{places[name]}={value}" for name, value in given.items()]
    usual = _usual(rules, wanted.method)
    if isinstance(usual, QuickConfig):
        return quick_config(rules, None, [f"measure_every={MEASURE_EVERY}", *changes])
    return changed(usual, [f'game="{rules}"', *changes])


def read(folder: Path) -> Config:
    """The configuration of a run."""
    return quick_config(None, folder / "config.toml", ()) if is_quick(folder) else config_of(folder, [])


def text(config: Config) -> str:
    """A configuration as a run's folder keeps it."""
    return write_quick_toml(config) if isinstance(config, QuickConfig) else write_toml(config)


def method_of(config: Config) -> Method:
    return "quick" if isinstance(config, QuickConfig) else "deep"


def minutes_of(config: Config) -> float:
    """How long a run is to train; 0 for no limit."""
    return config.plan.minutes if isinstance(config, QuickConfig) else config.minutes


def share_of(config: Config, rows: list[dict[str, Any]]) -> float:
    """How much of a run is over, 0 to 1."""
    if not rows:
        return 0.0
    if isinstance(config, TrainConfig):
        return min(1.0, share_done(config, rows))
    generation, elapsed_s = int(rows[-1]["generation"]), float(rows[-1]["elapsed_s"])
    return min(1.0, max(generation / config.generations, elapsed_s / 60 / config.plan.minutes))


def options(config: Config) -> TrainingOptions:
    """The options of a run, as people see them."""
    facts: dict[str, Any] = {
        "rules": boards.rules_text(config.found_game),
        "method": method_of(config),
        "minutes": minutes_of(config),
        "generations": config.generations,
        "workers": config.workers,
        "seed": config.seed,
    }
    if isinstance(config, QuickConfig):
        facts |= {"measure_every": config.measure_every, "measure_games": config.measure_games}
    else:
        net = config.net.to_json()
        facts |= {
            "games": config.selfplay.games,
            "simulations": config.selfplay.simulations,
            "blocks": net.get("blocks"),
            "channels": net.get("channels"),
            "missing": list(missing_packages()),
        }
    return TrainingOptions(**facts)


def _usual(rules: str, method: Method) -> Config:
    if method == "deep":
        return find_config(rules)
    return quick_config(rules, None, [f"measure_every={MEASURE_EVERY}"])


def _all_options() -> Sequence[str]:
    return list(dict.fromkeys(name for places in PLACES.values() for name in places))
