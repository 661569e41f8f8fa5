"""Does a quick net learn more from a deep net's games than from its own? Start at `run_distillation`.

The deep net of a game plays itself, from random openings, for so many minutes of processor time; line tables learn the
moves, the values and the results of these games. Beside them other tables teach themselves for as long. Then all meet
at equal time. The other way, a deep net taught by the quick player, is how several of Boyi's deep nets were made.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from boyi.arena import Control, Tournament, make_plan
from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.randomness import generator
from boyi.games.registry import game as find_game
from boyi.players.player import Limit, Player
from boyi.players.registry import player as find_player
from boyi.quick.library import kind_of
from boyi.quick.lines_board import Board, index_of, make_board
from boyi.quick.lines_learn import MAX_STONES, Games, blank_games, random_opening
from boyi.quick.lines_learner import KEEP, LinesConfig, first_squares, learn
from boyi.quick.lines_tables import packed
from boyi.quick.lines_weights import SCALE, board_tables, first_weights
from boyi.quick.store import pack, save, unpack
from boyi.studies.facts import kept_time, made_by, spent, table
from boyi.studies.matches import Comparison, Finding
from boyi.train.files import write_file
from boyi.train.quick import quick_config, train_quick
from boyi.train.report import Silence

BATCH = 20
SURE = 0.98
"""Values of a teacher beyond this count as this."""

PAIRS = (("taught by the deep net", "self-taught"), ("taught by the deep net", "deep net"), ("self-taught", "deep net"))


@dataclass(frozen=True)
class Size:
    """How large the study is."""

    boards: tuple[str, ...] = ("gomoku:size=9", "gomoku")
    minutes: float = 5.0
    """Of processor time that each learner's games take."""
    teacher: str = "net:sims=32"
    games: int = 40
    seconds: float = 0.05
    """Thinking time a move in the matches."""


QUICK = Size(("gomoku:size=9",), 0.02, "net:sims=4", 2, 0.005)


def run_distillation(
    folder: Path, *, size: Size | None = None, seed: int = 0, tell: Callable[[str], None] = lambda text: None
) -> list[Finding]:
    """Teach and train, or go on with it, play the matches, and write `report.md`."""
    size = size or Size()
    findings, facts = [], []
    for name in size.boards:
        game = find_game(name)
        if kind_of(game).name != "lines":
            raise GameError(f"this study is for games with line tables, Gomoku and Connect6, not {name}")
        place = folder / name.replace(":", "-").replace("=", "-")
        with kept_time(folder):
            games = teachers_games(game, place / "games", size, seed)
            tell(f"{name}: {len(games.lengths):,} games of {size.teacher}")
            stem = place / "taught"
            losses = teach(game, games, stem, seed)
        changes = [f"minutes={size.minutes}", f"seed={seed}", "measure_games=0", "keep_every=1000"]
        rows = train_quick(quick_config(name, None, changes), place / "self", report=Silence())
        alone = place / "self" / "checkpoints" / f"{rows[-1]['generation']:06}" / "model"
        own = sum(int(row.get("games", 0)) for row in rows)
        facts.append([name, f"{len(games.lengths):,}", f"{losses['value_loss']:.3f}", f"{own:,}"])
        taught, self_taught = f"quick:model={stem}", f"quick:model={alone}"
        for number, one in enumerate(
            (
                Comparison(taught, self_taught, "", games=size.games, seconds=size.seconds),
                Comparison(taught, "net", "", games=size.games, seconds=size.seconds),
                Comparison(self_taught, "net", "", games=size.games, seconds=size.seconds),
            )
        ):
            control = Control(Limit(seconds=one.seconds))
            plan = make_plan(name, (one.first, one.second), games=one.games, seed=seed, control=control)
            tournament = Tournament(plan, folder=place / f"match-{number}", workers=0)
            tournament.run()
            findings.append(Finding(one, tournament.match))
            tell(f"{name}, {' - '.join(PAIRS[number])}: {tournament.match.estimate.score:.1%}")
    write_report(folder, size, facts, findings, seed=seed)
    return findings


def teachers_games(game: Game, folder: Path, size: Size, seed: int) -> Games:
    """Games of the teacher against itself, kept in batches with the seconds that they took."""
    folder.mkdir(parents=True, exist_ok=True)
    batches: list[Games] = []
    seconds = 0.0
    board = make_board(game.rules, board_tables(game.rules, first_weights(game.rules, 0)))
    with find_player(size.teacher, game, seed=seed) as teacher:
        while seconds < 60 * size.minutes or not batches:
            file = folder / f"{len(batches):04}.safetensors"
            if not file.is_file():
                began = time.process_time()
                batch = play_batch(teacher, board, seed, len(batches))
                took = np.array([time.process_time() - began])
                write_file(file, pack({**batch._asdict(), "seconds": took}))
            arrays = unpack(file.read_bytes(), file.name)
            seconds += float(arrays["seconds"][0])
            batches.append(Games(**{name: arrays[name] for name in Games._fields}))
    return Games(*(np.concatenate(parts) for parts in zip(*batches, strict=True)))


def play_batch(teacher: Player, board: Board, seed: int, number: int) -> Games:
    """Some games from random openings."""
    games, rng = blank_games(BATCH), generator(seed, number)
    for index in range(BATCH):
        opening = np.zeros(8, np.int16)
        stones = int(random_opening(board, rng, opening))
        games.points[index, :stones] = opening[:stones]
        position = teacher.game.start()
        for point in opening[:stones]:
            position = position.play_action(int(index_of(board, point)))
        while position.turn is not None and stones < MAX_STONES:
            choice = teacher.choose(position)
            sign = 1 - 2 * position.turn
            value = min(max(sign * (choice.value or 0.0), -SURE), SURE)
            action = position.actions[position.moves.index(choice.move)]
            games.points[index, stones] = board.points[action]
            games.scores[index, stones] = round(SCALE * 2 * math.atanh(value))
            stones += 1
            position = position.play_action(action)
        games.lengths[index] = stones
        winner = position.outcome.winner if position.outcome is not None else None
        games.results[index] = 0 if winner is None else 1 - 2 * winner
    return games


def teach(game: Game, games: Games, stem: Path, seed: int) -> dict[str, Any]:
    """Fit line tables to games, as a self-taught net begins after its first generations; what the losses were."""
    weights = first_weights(game.rules, seed)
    losses = learn(game, weights, first_squares(weights), [games], LinesConfig(seed=seed), len(KEEP))
    save(stem, game, "lines", packed(game, weights), training={"games": len(games.lengths)})
    return losses


def write_report(folder: Path, size: Size, facts: list[list[str]], findings: list[Finding], *, seed: int) -> None:
    """What was learnt from, and how strong it made whom."""
    options = " --quick" if size == QUICK else f" --minutes {size.minutes:g}"
    seconds = spent(folder) + sum(sum(row.seconds) for finding in findings for row in finding.result.rows)
    seconds += 60 * size.minutes * len(size.boards)
    matches = []
    for number, finding in enumerate(findings):
        found = finding.result.estimate
        score = f"{found.score:.1%} ({found.low:.1%} .. {found.high:.1%})"
        matches.append([size.boards[number // 3], *PAIRS[number % 3], str(finding.result.games), score])
    lines = [
        "# A quick net taught by a deep one",
        "",
        f"The deep net that comes with Boyi (`{size.teacher}`) plays itself for {size.minutes:g} minutes of one core,",
        "and line tables learn its moves, its values and the results. Other tables teach themselves for as long. They",
        f"meet each other and the deep net with {1000 * size.seconds:g} ms a move. How the other way went, a deep net",
        "taught by the quick player, stands under [Teacher and student](../strength.md#teacher-and-student).",
        "",
        made_by(f"boyi study distillation{options} --seed {seed}", seconds),
        "",
        *table(["board", "the deep net's games", "value log-loss on them", "games of the self-taught"], facts),
        "",
        *table(["board", "first quick net", "second", "games", "score, 95 %"], matches),
        "",
    ]
    write_file(folder / "report.md", "\n".join(lines))
