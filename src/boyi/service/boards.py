"""Positions, games and pictures as views: what the rules say, in the words of `views`. Runs in threads."""

import contextlib
import functools
import re
import zlib
from pathlib import Path

from boyi import draw
from boyi.games import CHANCE, BadParameter, BadPosition, Game, GameError, Position, games
from boyi.games import game as find_game
from boyi.games.generics import chance, has_rule, setup
from boyi.games.registry import built_in_games, own_file, own_games
from boyi.service.opponents import opponent_views
from boyi.service.views import (
    AnalysisView,
    Catalogue,
    ComposeRequest,
    ExportView,
    OutcomeView,
    ParameterView,
    PictureRequest,
    PositionRequest,
    PositionView,
    RulesView,
    Target,
)


def rules_named(text: str) -> Game:
    """A game with its parameters: of this package, or one of the owner's that has passed its check. Never a path."""
    base = text.partition(":")[0]
    if base in built_in_games():
        return _named(text, None)
    file = own_file(base)
    if file is None:
        raise BadParameter(f"unknown game {text[:80]!r}; known are {', '.join(games())}")
    return _named(text, file)


def prepare() -> None:
    """Have the rules of all games compiled that pages need to show a board."""
    for name in games():
        with contextlib.suppress(GameError):
            position_view(rules_named(name).start())


@functools.lru_cache(256)
def _named(text: str, file: Path | None) -> Game:
    """`file` is another one after an own game was changed."""
    try:
        return find_game(text)
    except GameError:
        raise
    except (Exception, SystemExit) as error:
        raise BadParameter(f"the rules of {text[:80]!r} cannot be loaded: {type(error).__name__}: {error}") from error


def is_built_in(rules: str) -> bool:
    """Whether a game is one of this package, which never changes while the server runs."""
    return rules.partition(":")[0] in built_in_games()


def rules_version(game: Game) -> int:
    """The version of a game's rules; of an own game another one with every change of its text."""
    file = own_file(game.name)
    return game.version if file is None else zlib.crc32(str(file).encode()) >> 1


def title_of(rules: str) -> str:
    """What a game is called; of one that is gone, its name."""
    try:
        return rules_named(rules).title
    except GameError:
        return rules.partition(":")[0]


@functools.lru_cache(256)
def rules_text(game: Game) -> str:
    """The one way to write a game: parameters that are not the usual ones, in their order."""
    usual = find_game(game.name).options()
    different = [f"{name}={value}" for name, value in game.options().items() if value != usual[name]]
    return game.name + (":" + ",".join(different) if different else "")


def mover_of(position: Position) -> int | None:
    """Whose turn it is in the eyes of people: for a roll, the player who rolls."""
    while position.turn == CHANCE:
        position = position.play_action(position.actions[0])
    return position.turn


def must_pass(position: Position) -> bool:
    """Whether there is nothing to decide: the only move touches no square, and no die is rolled."""
    if position.turn in (None, CHANCE) or len(position.actions) != 1:
        return False
    return not position.game.touched(position.state, position.actions[0])


def was_pass(position: Position) -> bool:
    if position.previous is not None:
        return must_pass(position.previous)
    return position.key.endswith(" pass")


def last_squares(position: Position) -> list[int]:
    """The squares of the last move; without a history, the one that the key remembers."""
    known = list(position.game.last(position))
    if not known and position.previous is None:
        last = position.game.square(position.key.split()[-1])
        return [] if last is None else [last]
    return known


def outcome_view(position: Position) -> OutcomeView | None:
    end = position.outcome
    return None if end is None else OutcomeView(winner=end.winner, score=end.score, reason=end.reason)


def position_view(position: Position) -> PositionView:
    game = position.game
    over = position.turn is None
    return PositionView(
        rules=rules_text(game),
        key=position.key,
        turn=position.turn,
        mover=mover_of(position),
        cells=[list(row) for row in position.cells],
        squares=list(game.squares),
        moves=[]
        if over
        else [
            Target(move=move, squares=list(game.touched(position.state, action)))
            for move, action in zip(position.moves, position.actions, strict=True)
        ],
        chances=position.chances,
        last=last_squares(position),
        passed=was_pass(position),
        outcome=outcome_view(position),
        caption=position.caption,
    )


def start_of(game: Game, wanted: str, seed: int) -> Position:
    """The first position of a game: `usual`, `random`, or a key."""
    if wanted == "usual":
        return game.start()
    if wanted == "random":
        if not has_rule(setup, type(game.rules)):
            raise BadPosition(f"{game.name} always starts the same; start is 'usual' or a position's key")
        return game.start(seed=seed)
    return game.position(wanted)


def replay(position: Position, moves: list[str]) -> Position:
    for move in moves:
        position = position.play(move)
    return position


def show_position(wanted: PositionRequest) -> PositionView:
    game = rules_named(wanted.rules)
    return position_view(replay(start_of(game, wanted.key or "usual", 0), wanted.moves))


def compose_position(wanted: ComposeRequest) -> PositionView:
    made = rules_named(wanted.rules).compose(
        wanted.cells, wanted.turn, die=wanted.die, stones_left=wanted.stones_left, passed=wanted.passed
    )
    return position_view(made)


def catalogue() -> Catalogue:
    found = [_known_view(name, None) for name in built_in_games()]
    for name in own_games():
        with contextlib.suppress(GameError):
            found.append(_known_view(name, own_file(name)))
    return Catalogue(games=found, opponents=opponent_views())


@functools.lru_cache(64)
def _known_view(name: str, file: Path | None) -> RulesView:
    return _rules_view(_named(name, file))


def _rules_view(game: Game) -> RulesView:
    usual = game.options()
    return RulesView(
        name=game.name,
        title=game.title,
        players=game.players,
        parameters=[
            ParameterView(name=name, values=list(values), default=usual[name])
            for name, values in game.parameters.items()
        ],
        has_dice=has_rule(chance, type(game.rules)),
        has_setup=has_rule(setup, type(game.rules)),
        can_compose=type(game).read_key is not Game.read_key,
        pieces=list(game.pieces),
    )


def picture(wanted: PictureRequest, known: AnalysisView | None) -> ExportView:
    """A position drawn, with what is known of its moves."""
    position = rules_named(wanted.rules).position(wanted.key)
    values: dict[str, float | str] = {}
    heat: dict[str, float] = {}
    suggestion = None
    if known is not None and wanted.values != "none" and position.turn not in (None, CHANCE):
        sign = -1 if position.turn == 1 else 1
        most = max((line.visits for line in known.lines), default=0)
        for line in known.lines[:12]:
            values[line.move] = {
                "value": f"{50 * (1 + sign * line.value):.0f}",
                "visits": draw_count(line.visits),
                "prior": "" if line.prior is None else f"{100 * line.prior:.0f}",
            }[wanted.values]
            heat[line.move] = line.visits / most if most else 0.5
        suggestion = known.move
    text = position.svg(
        theme=wanted.theme, size=wanted.size, legal=wanted.legal, values=values, heat=heat, suggestion=suggestion
    )
    return drawn(text, wanted.format, position.game.name)


def draw_count(count: int) -> str:
    """A count short enough for a square: 950, 12k, 3.4M."""
    for size, letter in ((1_000_000, "M"), (1000, "k")):
        if count >= size:
            return f"{count / size:.1f}".removesuffix(".0")[:3].removesuffix(".") + letter
    return str(count)


def drawn(svg: str, format: str, name: str) -> ExportView:
    name = re.sub(r"[^a-z0-9-]+", "-", name.lower())
    if format == "png":
        return ExportView(content=draw.png(svg, scale=2), media_type="image/png", file_name=f"{name}.png")
    return ExportView(content=svg.encode(), media_type="image/svg+xml", file_name=f"{name}.svg")
