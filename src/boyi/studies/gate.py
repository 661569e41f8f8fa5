"""Document 004's question on tic-tac-toe: train the latest net always, or keep a best net behind a gate?

Both are trained from the same seed; after every generation the policy alone, without search, is played out against
every answer, from both seats. Start at `compare_gates`.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from boyi.games.game import Game
from boyi.games.position import Position
from boyi.games.registry import game as find_game
from boyi.players.net import PolicyPlayer
from boyi.players.player import Player
from boyi.studies.facts import made_by
from boyi.train.config import TrainConfig, find_config
from boyi.train.loop import train
from boyi.train.report import Silence
from boyi.train.run import Row

GATE = 0.55
GENERATIONS = 40


@dataclass(frozen=True)
class Moment:
    """How well the net of a generation plays without search."""

    kind: str
    """`latest` or `gate`."""
    generation: int
    seconds: float
    lost: int
    """Lines of play, of all that its choices allow, in which it loses."""
    lines: int


def compare_gates(
    folder: Path,
    *,
    generations: int = GENERATIONS,
    seed: int = 0,
    on_moment: Callable[[Moment], None] = lambda moment: None,
) -> list[Moment]:
    """Train both ways, or go on with it, and write `report.md`; the moments of both."""
    found = []
    for kind, gate in (("latest", 0.0), ("gate", GATE)):
        usual = find_config("tictactoe")
        config = replace(
            usual,
            generations=generations,
            seed=seed,
            keep_every=1,
            measure=replace(usual.measure, every=0, gate=gate),
        )
        run = folder / kind
        rows = train(config, run, report=Silence())
        for moment in moments(kind, config, run, rows):
            found.append(moment)
            on_moment(moment)
    (folder / "report.md").write_text(report(found, generations=generations, seed=seed), encoding="utf-8")
    return found


def moments(kind: str, config: TrainConfig, folder: Path, rows: list[Row]) -> list[Moment]:
    """What the net that plays after each generation is worth."""
    game, found = find_game(config.game), []
    for row in rows:
        if row["generation"]:
            model = folder / "checkpoints" / f"{row['plays']:06d}" / "model"
            found.append(Moment(kind, row["generation"], row["elapsed_s"], *losses(game, str(model))))
    return found


@functools.lru_cache(64)
def losses(game: Game, model: str) -> tuple[int, int]:
    """Lost lines and all lines of a net without search, from both seats."""
    with PolicyPlayer(game, model=model) as player:
        counted = [lost_lines(player, seat, game.start()) for seat in (0, 1)]
    return sum(lost for lost, _ in counted), sum(lines for _, lines in counted)


def lost_lines(player: Player, seat: int, position: Position) -> tuple[int, int]:
    """In how many of all lines a player in a seat loses, whatever the other side does."""
    if position.outcome is not None:
        return int(position.outcome.winner == 1 - seat), 1
    moves = [player.choose(position).move] if position.turn == seat else position.moves
    counted = [lost_lines(player, seat, position.play(move)) for move in moves]
    return sum(lost for lost, _ in counted), sum(lines for _, lines in counted)


def perfect_since(found: list[Moment]) -> Moment | None:
    """The first moment from which on a net never lost again."""
    first = None
    for moment in found:
        first = None if moment.lost else first or moment
    return first


def report(found: list[Moment], *, generations: int, seed: int) -> str:
    """Both ways beside each other, as Markdown."""
    seconds = sum(max(moment.seconds for moment in found if moment.kind == kind) for kind in ("latest", "gate"))
    lines = [
        "# Latest net or best net on tic-tac-toe",
        "",
        "Document 004 compares self-play that always uses the latest net with self-play by the best net so far, which",
        f"a new net must beat by {GATE:.0%} to replace. It reports about 10 minutes to best play with the latest net,",
        "about 30 with the gate.",
        "",
        made_by(f"boyi study tictactoe-gate --generations {generations} --seed {seed}", seconds),
        "",
        "| net in self-play | perfect since generation | after seconds | lines lost at the end |",
        "|---|---|---|---|",
    ]
    for kind in ("latest", "gate"):
        mine = [moment for moment in found if moment.kind == kind]
        since = perfect_since(mine)
        when = f"{since.generation} | {since.seconds:.0f}" if since else "never | "
        lines.append(f"| {kind} | {when} | {mine[-1].lost} of {mine[-1].lines} |")
    lines += [
        "",
        "The gate is a match, and between nets that play well nearly all games are drawn: then no net scores enough to",
        "replace the best one, however much it has learnt.",
        "",
        "| generation | lines lost, latest | lines lost, gate |",
        "|---|---|---|",
    ]
    by_kind = {(moment.kind, moment.generation): moment for moment in found}
    for generation in sorted({moment.generation for moment in found}):
        pair = [by_kind.get((kind, generation)) for kind in ("latest", "gate")]
        lines.append(f"| {generation} | " + " | ".join(str(one.lost) if one else "" for one in pair) + " |")
    return "\n".join(lines) + "\n"
