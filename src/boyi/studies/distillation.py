"""Quick and deep nets as teachers of each other, against nets that teach themselves. Start at `run_distillation`.

On every board four nets get the same minutes: a quick net and a deep one that teach themselves, a quick net that learns
from the games of the deep net that comes with Boyi (`boyi.studies.teachers`), and a deep net that learns from the games
of the quick player that comes with it. Then they meet at equal time.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from boyi.arena import Control, Estimate, Tournament, make_plan
from boyi.games.registry import game as find_game
from boyi.nets.evaluator import NetEvaluator
from boyi.nets.shipped import shipped
from boyi.players.player import Limit
from boyi.quick.library import kind_of
from boyi.quick.store import save
from boyi.studies.facts import kept_time, made_by, read_json, spent, table
from boyi.studies.matches import Comparison, Finding
from boyi.studies.teachers import SECONDS, STUDENTS, Lessons, deep_games
from boyi.train.config import TrainConfig, find_config
from boyi.train.files import write_file
from boyi.train.loop import train
from boyi.train.quick import quick_config, train_quick
from boyi.train.report import Silence
from boyi.train.run import Row

GAMES_SHARE = 0.85
"""Of the time of a taught quick net, what goes into the teacher's games; it learns from them in the rest."""
FACTS = "facts.json"
LEARNT = ("quick, taught", "its error", "quick, alone", "deep, taught", "deep, alone")
PAIRS = (
    ("quick, taught", "quick, alone"),
    ("quick, taught", "deep, shipped"),
    ("quick, alone", "deep, shipped"),
    ("deep, taught", "deep, alone"),
    ("deep, taught", "quick, alone"),
    ("deep, alone", "quick, alone"),
)
"""Who meets whom."""
DECISIVE = (0, 3)
"""The pairs of one family, which play all games; the others, of unlike strength, half of them."""


class Board(NamedTuple):
    """A game, how many games a match of it has, and the thinking time of a move."""

    name: str
    games: int
    seconds: float


@dataclass(frozen=True)
class Size:
    """How large the study is."""

    boards: tuple[Board, ...] = (
        Board("othello", 40, 0.03),
        Board("einstein", 200, 0.005),
        Board("gomoku", 40, 0.03),
        Board("connect6", 40, 0.03),
        Board("gomoku:size=9", 40, 0.03),
    )
    minutes: float = 5.0
    """Of each net."""
    simulations: int = 16
    """A move of the deep teacher."""
    nodes: int = 300
    """A move of the quick teacher."""
    smaller: int = 4
    """Generations of the deep nets are so many times smaller than usual, because the runs are short."""


QUICK = Size(
    (Board("othello:size=6", 2, 0.005), Board("einstein", 4, 0.005), Board("gomoku:size=9", 2, 0.005)),
    minutes=0.01,
    simulations=2,
    nodes=20,
    smaller=1000,
)


def run_distillation(
    folder: Path, *, size: Size | None = None, seed: int = 0, tell: Callable[[str], None] = lambda text: None
) -> list[Finding]:
    """Teach and train, or go on with it, play the matches, and write `report.md`, anew after every board."""
    size = size or Size()
    findings: list[Finding] = []
    facts: list[list[str]] = []
    for board in size.boards:
        place = folder / board.name.replace(":", "-").replace("=", "-")
        with kept_time(folder):
            named, learnt = make_nets(board.name, place, size, seed)
        facts.append([board.name, *learnt])
        tell(f"{board.name}: {', '.join(learnt)}")
        for number, pair in enumerate(PAIRS):
            games = board.games if number in DECISIVE else max(2, board.games // 2)
            players = named[pair[0]], named[pair[1]]
            control = Control(Limit(seconds=board.seconds))
            plan = make_plan(board.name, players, games=games, seed=seed, control=control)
            tournament = Tournament(plan, folder=place / f"match-{number + 1}", workers=0)
            tournament.run()
            findings.append(Finding(Comparison(*players, "", games=games, seconds=board.seconds), tournament.match))
            tell(f"{board.name}, {' - '.join(pair)}: {tournament.match.estimate.score:.1%}")
        write_report(folder, size, facts, findings, seed=seed)
    return findings


def make_nets(name: str, place: Path, size: Size, seed: int) -> tuple[dict[str, str], list[str]]:
    """Teach and train the four nets of a board, or go on with it: players by name, and what they learnt from."""
    teach_quick(name, place / "quick-taught", size, seed)
    facts = read_json(place / "quick-taught" / FACTS, {})
    learnt = [_learnt(facts["games"], facts["seconds"]), facts["error"]]
    changes = [f"minutes={size.minutes}", f"seed={seed}", "measure_games=0", "keep_every=1000"]
    rows = train_quick(quick_config(name, None, changes), place / "quick-alone", report=Silence())
    learnt.append(_learnt(_games(rows), rows[-1]["elapsed_s"]))
    found = {
        "deep, shipped": "net",
        "quick, taught": f"quick:model={place / 'quick-taught' / 'model'}",
        "quick, alone": f"quick:model={_newest(place / 'quick-alone', rows)}",
    }
    for kind, teacher in (("taught", f"quick:nodes={size.nodes}"), ("alone", "")):
        folder = place / f"deep-{kind}"
        config = deep_config(name, teacher, size, seed=seed)
        rows = train(config, folder, report=Silence(), clock=time.process_time)
        found[f"deep, {kind}"] = f"net:model={_newest(folder, rows)}"
        learnt.append(_learnt(_games(rows), rows[-1]["elapsed_s"]))
    return found, learnt


def teach_quick(name: str, folder: Path, size: Size, seed: int) -> None:
    """Make a quick net of games that the deep net that comes with Boyi plays against itself."""
    if (folder / FACTS).is_file():
        return
    game = find_game(name)
    net = NetEvaluator(game, shipped(game))
    played_s = 60 * GAMES_SHARE * size.minutes
    samples = deep_games(name, net, folder / "games", seconds=played_s, simulations=size.simulations, seed=seed)
    began, kind = time.process_time(), kind_of(game).name
    arrays, error = STUDENTS[kind](Lessons(game, net, samples, size.minutes, seed))
    save(folder / "model", game, kind, arrays, training={"games": samples.num_games})
    seconds = time.process_time() - began + sum(read_json(folder / "games" / SECONDS, []))
    write_file(folder / FACTS, json.dumps({"games": samples.num_games, "seconds": seconds, "error": error}))


def deep_config(name: str, teacher: str, size: Size, *, seed: int) -> TrainConfig:
    """The usual configuration of a board with or without a teacher, for runs of a few minutes on one core."""
    usual = find_config(name)
    games = max(2, usual.selfplay.games // size.smaller)
    return replace(
        usual,
        generations=10_000,
        minutes=size.minutes,
        workers=1,
        seed=seed,
        selfplay=replace(usual.selfplay, teacher=teacher, exact=False, games=games, shards=2),
        learn=replace(usual.learn, threads=1),
        measure=replace(usual.measure, every=0),
    )


def _newest(folder: Path, rows: list[Row]) -> Path:
    return folder / "checkpoints" / f"{rows[-1]['generation']:06}" / "model"


def _games(rows: list[Row]) -> int:
    return sum(int(row.get("games", 0)) for row in rows)


def _learnt(games: int, seconds: float) -> str:
    return f"{games:,} ({seconds / 60:.1f})"


def write_report(folder: Path, size: Size, facts: list[list[str]], findings: list[Finding], *, seed: int) -> None:
    """What was learnt from, and how strong it made whom."""
    options = " --quick" if size == QUICK else f" --minutes {size.minutes:g}"
    seconds = spent(folder) + sum(sum(row.seconds) for finding in findings for row in finding.result.rows)
    scores: dict[str, list[Estimate]] = {}
    for board, start in zip(size.boards, range(0, len(findings), len(PAIRS)), strict=False):
        scores[board.name] = [finding.result.estimate for finding in findings[start : start + len(PAIRS)]]
    played = [f"{board.name} {board.games} games, {1000 * board.seconds:g} ms" for board in size.boards[: len(scores)]]
    lines = [
        "# Quick and deep nets as teachers",
        "",
        f"On every board four nets get {size.minutes:g} minutes of one core each. `quick, alone` and `deep, alone`",
        "teach themselves. `quick, taught` learns from games that the deep net which comes with Boyi plays against",
        f"itself, {size.simulations} simulations a move; `deep, taught` from games of the quick player that comes with",
        f"it, {size.nodes} nodes a move. What the teachers' own training took is not counted. `deep, shipped` is the",
        "deep teacher.",
        "",
        made_by(f"boyi study distillation{options} --seed {seed}", seconds),
        "",
        "Games that were learnt from, and the minutes of processor time that playing and learning took. The error is",
        "in discs or chances on positions that were not learnt from, and for line tables the log-loss of results in",
        "the last pass.",
        "",
        *table(["board", *LEARNT], facts),
        "",
        "## Strength",
        "",
        "Scores of the first with 95 % intervals, at equal time a move and from the same openings or dice with",
        f"exchanged colours: {'; '.join(played)}; half of the games where a quick net meets a deep one.",
        "",
    ]
    for first in range(0, len(PAIRS), 3):
        heads = [" - ".join(pair) for pair in PAIRS[first : first + 3]]
        rows = [[name, *(_score(one) for one in found[first : first + 3])] for name, found in scores.items()]
        lines += [*table(["board", *heads], rows), ""]
    lines += ["## Which is stronger", "", *(f"- {name}: {answer(found)}" for name, found in scores.items())]
    write_file(folder / "report.md", "\n".join(lines) + "\n")


def _score(found: Estimate) -> str:
    return f"{found.score:.1%} ({found.low:.1%} .. {found.high:.1%})"


def answer(found: list[Estimate]) -> str:
    """What the scores of the `PAIRS` say, in a sentence."""
    quick, _, _, deep, deep_taught, deep_alone = (_stronger(one) for one in found)
    much = {1: "more", 0: "neither clearly more nor less", -1: "less"}
    last = {
        (-1, -1): "the quick net that taught itself beats both deep nets",
        (1, 1): "both deep nets beat the quick net that taught itself",
    }.get((deep_taught, deep_alone), "neither deep net nor quick net is the stronger one throughout")
    return (
        f"a quick net learns {much[quick]} from a deep net than from itself, "
        f"a deep net {much[deep]} from the quick player than from itself; {last}."
    )


def _stronger(found: Estimate) -> int:
    """1 where the first is the stronger one, -1 where it is the weaker one, 0 where the games do not tell."""
    return int(found.low > 0.5) - int(found.high < 0.5)
