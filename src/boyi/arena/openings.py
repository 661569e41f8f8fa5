"""How games of a match begin: random plies, or a set of openings that are about even.

A set is a text file with one opening a line: the moves (and rolls) from the usual start, or `@` and the key of the
position to start from. Lines that begin with `#` are comments. The sets of this package stand in `data/`, one a game
with its usual parameters, made by `boyi openings GAME --make`.
"""

import functools
import importlib.resources
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from boyi.arena.play import roll
from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.generics import CHANCE, chance, has_rule, setup
from boyi.games.position import Position
from boyi.games.registry import game as find_game
from boyi.games.registry import games
from boyi.players import Limit, Player, player
from boyi.players.strongest import strongest

ENOUGH_LINES = 1000
"""How many different openings there should be where nothing else is random: 4 plies in tic-tac-toe, 5 in Othello,
2 in Gomoku and Connect6."""
BALANCED = "balanced"
PLIES = {"connect6": 5, "gomoku": 5, "othello": 8, "tictactoe": 4}
"""Plies of the openings of a set; for Connect6 whole turns, which is all that some engines can be told of."""
LARGE, CENTRE = 9, 3
"""On boards wider than LARGE, openings stay within so many lines of the middle."""
QUICK_SHARE = 20
"""Of the nodes of the last look at an opening, the first one has the share of 1 to this."""


def usual_openings(game: Game) -> int:
    """How many random plies a match should begin with: none where dice or set-ups give variety, else a few."""
    if has_variety(game):
        return 0
    position, plies, lines = game.start(), 0, 1
    while lines < ENOUGH_LINES and position.turn is not None:
        lines *= len(position.moves)
        position, plies = position.play(position.moves[0]), plies + 1
    return plies


def has_variety(game: Game) -> bool:
    """Whether dice or random set-ups make games differ without an opening."""
    return has_rule(chance, type(game.rules)) or has_rule(setup, type(game.rules))


def random_opening(game: Game, seed: int, plies: int) -> tuple[str, ...]:
    """Random moves after which the game still runs, `plies` of them besides the rolls between."""
    choose = random.Random(f"opening {seed}")
    for _ in range(100):
        position, dice, played = game.start(seed=seed), random.Random(f"dice {seed}"), 0
        while position.turn is not None and played < plies:
            if position.turn == CHANCE:
                position = position.play(roll(position, dice))
            else:
                position, played = position.play(choose.choice(position.moves)), played + 1
        if position.turn is not None:
            return position.history
    raise GameError(f"openings={plies} is too many: {game.name} is over by then")


# Sets of openings


def find_openings(game: Game, wanted: str) -> tuple[str, ...]:
    """The lines of a set: `balanced` for the one of this package, "" for it where a match needs one and there is one,
    or the path of a file. Empty where random plies are to be played."""
    if wanted == "":
        return () if has_variety(game) or not _is_usual(game) else _shipped(game.name)
    if wanted == BALANCED:
        found = _shipped(game.name) if _is_usual(game) else ()
        if not found:
            raise GameError(
                f"there is no balanced set of openings for {game!r}; make one with boyi openings GAME --make --out FILE"
            )
        return found
    return read_openings(game, Path(wanted))


def read_openings(game: Game, file: Path) -> tuple[str, ...]:
    """The openings of a file, each tried out; `GameError` names the line that is wrong."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise GameError(
            f"openings {str(file)[:200]!r} is neither a number, nor {BALANCED!r}, nor a file of openings: {error}"
        ) from None
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            over = opening_position(game, line).turn is None
        except GameError as error:
            raise GameError(f"{file}, line {number}: {error}") from None
        if over:
            raise GameError(f"{file}, line {number}: the game is over after {line.strip()[:80]!r}")
        lines.append(line.strip())
    if not lines:
        raise GameError(f"{file} has no opening")
    return tuple(lines)


def opening_start(game: Game, line: str) -> tuple[Position, tuple[str, ...]]:
    """The position from which an opening starts, and its moves."""
    if line.startswith("@"):
        return game.position(line[1:]), ()
    return game.start(), tuple(line.split())


def opening_position(game: Game, line: str) -> Position:
    """The position after an opening."""
    position, moves = opening_start(game, line)
    for move in moves:
        position = position.play(move)
    return position


def _is_usual(game: Game) -> bool:
    return game.name in games() and game == find_game(game.name)


@functools.cache
def _shipped(name: str) -> tuple[str, ...]:
    file = importlib.resources.files("boyi.arena") / "data" / f"{name}.openings"
    if not file.is_file():
        return ()
    return tuple(line for line in file.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#"))


# Making a set


@dataclass(frozen=True)
class Opening:
    """A line of a set, and how far from even a search finds it: 0 to 1."""

    line: str
    uneven: float


def make_openings(
    game: Game,
    *,
    count: int,
    tries: int,
    nodes: int,
    judge: str = "",
    plies: int | None = None,
    most_uneven: float = 0.25,
    seed: int = 0,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[Opening, ...]:
    """The `count` most even of `tries` random openings, different under every symmetry of the board, most even first.

    A player, the strongest unless `judge` names another, looks at all of them for a short time and at the better ones
    again with all its nodes; none is taken whose value, from -1 to 1, is farther from 0 than `most_uneven`. Fewer are
    found where the game has not so many.
    """
    for name, value in (("count", count), ("tries", tries), ("nodes", nodes)):
        if value < 1:
            raise GameError(f"{name}={value} is not possible; it must be 1 or more")
    plies = PLIES.get(game.name, usual_openings(game) + 2) if plies is None else plies
    candidates = list(_candidates(game, tries, plies, seed))
    total = len(candidates) + min(len(candidates), 2 * count)
    with player(judge or strongest(game), game, seed=seed) as thinker:
        done = 0
        for share, kept in ((QUICK_SHARE, 2 * count), (1, count)):
            limit = Limit(nodes=max(1, nodes // share), simulations=max(1, nodes // share))
            judged = []
            for line in candidates:
                judged.append(Opening(line, abs(_value(thinker, opening_position(game, line), limit))))
                done += 1
                on_progress(done, total)
            judged.sort(key=lambda opening: opening.uneven)
            judged = judged[:kept]
            candidates = [opening.line for opening in judged]
    return tuple(opening for opening in judged if opening.uneven <= most_uneven)


def write_openings(file: Path, openings: Sequence[Opening], comment: str) -> None:
    """Write a set; the comment says how it was made."""
    lines = [f"# {comment}", *(opening.line for opening in openings)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _candidates(game: Game, tries: int, plies: int, seed: int) -> Iterator[str]:
    """Lines of random openings after which the game still runs, no two of them alike."""
    seen: set[bytes] = set()
    for number in range(tries):
        choose = random.Random(f"candidate {seed} {number}")
        if has_variety(game):
            position = game.start(seed=choose.getrandbits(31))
        else:
            position = game.start()
            for _ in range(plies):
                if position.turn is None:
                    break
                position = position.play(choose.choice(_central(position)))
        core = game.num_core
        canonical = min(game.transform(position.state, turned)[:core].tobytes() for turned in game.symmetries)
        if position.turn is not None and canonical not in seen:
            seen.add(canonical)
            yield "@" + position.key if has_variety(game) else " ".join(position.history)


def _central(position: Position) -> tuple[str, ...]:
    """The moves near the middle of a large board; elsewhere all."""
    height, width = position.game.shape
    if width <= LARGE:
        return position.moves
    near = []
    for move, action in zip(position.moves, position.actions, strict=True):
        row, column = divmod(action, width)
        if abs(row - height // 2) <= CENTRE and abs(column - width // 2) <= CENTRE:
            near.append(move)
    return tuple(near) or position.moves


def _value(thinker: Player, position: Position, limit: Limit) -> float:
    """The expected result for player 0, over the rolls where dice come first."""
    if position.turn is None:
        end = position.outcome
        return 0.0 if end is None or end.winner is None else 1.0 - 2 * end.winner
    if position.turn == CHANCE:
        return sum(p * _value(thinker, position.play(face), limit) for face, p in (position.chances or {}).items())
    value = thinker.choose(position, limit).value
    return 0.0 if value is None else value
