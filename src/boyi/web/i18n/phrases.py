"""Sentences about games, put together from what the service says: titles, captions, ends, values, opponents."""

from dataclasses import dataclass

from boyi.service.views import AnalysisView, GameView, OutcomeView, PositionView
from boyi.web.i18n import Translator

HUMAN = "human"


def base_name(rules: str) -> str:
    """The game of a text such as `gomoku:size=9`."""
    return rules.partition(":")[0]


def game_title(t: Translator, rules: str, title: str = "") -> str:
    """A game's name."""
    name = base_name(rules)
    return t.either(f"game.{name}.title", title or name)


def rules_words(t: Translator, rules: str) -> str:
    """A game's parameters in words: `9 × 9, Renju`; empty for the usual ones."""
    words = []
    for part in rules.partition(":")[2].split(","):
        name, _, value = part.partition("=")
        if name == "size":
            words.append(f"{value} × {value}")
        elif name:
            words.append(
                t.either(f"value.{value}", "") or t("value.of", name=t.either(f"parameter.{name}", name), value=value)
            )
    return t("list.comma").join(words)


def side_names(t: Translator, players: tuple[str, str]) -> tuple[str, str]:
    """The names of the two sides: Black and White, Red and Blue."""
    first, second = (t.either(f"side.{name.lower()}", name) for name in players)
    return first, second


def piece_words(cell: str, players: tuple[str, str]) -> str:
    """A piece in words; `players` are the sides' names: `Black`, `Red 3`."""
    owner = players[cell[0] in "OB"]
    return f"{owner} {cell[1:]}" if cell[1:] else owner


def seat_name(t: Translator, seat: str, *, alone: bool = True) -> str:
    """Who sits there: the visitor, a person, or an opponent by name."""
    if seat == HUMAN:
        return t("seat.you") if alone else t("seat.person")
    kind, _, rest = seat.partition(":")
    if kind == "level":
        return t("seat.level", number=rest)
    if kind == "player":
        return rest
    if kind == "run":
        run, _, generation = rest.rpartition("@")
        return t("seat.checkpoint", run=run, generation=generation)
    return t.either(f"opponent.{seat}.name", seat)


def opponent_sentence(t: Translator, name: str) -> str:
    """What an opponent is like."""
    return t("opponent.trained.sentence") if ":" in name else t.either(f"opponent.{name}.sentence", "")


@dataclass(frozen=True)
class Facts:
    """What a caption speaks of, read from a position's key where the position does not say it."""

    die: int | None = None
    stones_left: int | None = None
    must_pass: bool = False
    counts: tuple[int, int] | None = None
    """Pieces of either side on the board, in games that count them."""


def facts(view: PositionView) -> Facts:
    """The facts of a position of one of our own games; nothing for a user's game."""
    name, words = base_name(view.rules), view.key.split()
    first = [cell[:1] in ("X", "R") for row in view.cells for cell in row if cell]
    counts = (sum(first), len(first) - sum(first))
    must_pass = [target.move for target in view.moves] == ["pass"]
    if name == "einstein":
        return Facts(die=int(words[-1]) if words[-1].isdecimal() else None, counts=counts)
    if name == "connect6":
        return Facts(stones_left=int(words[2]) if len(words) > 2 else None)
    if name == "othello":
        return Facts(must_pass=must_pass, counts=counts)
    return Facts(must_pass=must_pass)


def caption(t: Translator, view: PositionView, sides: tuple[str, str]) -> str:
    """One line on what is to be done, or how it ended."""
    if view.outcome:
        return ending(t, view.outcome, sides, view)
    if f"game.{base_name(view.rules)}.title" not in t or view.mover is None:
        return view.caption
    side, known = sides[view.mover], facts(view)
    if view.turn == -1:
        return t("caption.rolls", side=side)
    if known.die:
        return t("caption.rolled", side=side, die=known.die)
    if known.must_pass:
        return t("caption.must_pass", side=side)
    if known.stones_left:
        return t(f"caption.stones_{known.stones_left}", side=side)
    return t("caption.to_move", side=side)


def ending(t: Translator, outcome: OutcomeView, sides: tuple[str, str], view: PositionView | None = None) -> str:
    """How a game ended and why."""
    reason = outcome.reason.replace(" ", "_")
    counts = facts(view).counts if view else None
    parameters = {"score": f"{counts[0]}:{counts[1]}" if counts else f"{outcome.score:+d}"}
    if outcome.winner is None:
        told = t(f"reason.{reason}", side="", other="", **parameters) if f"reason.{reason}" in t else outcome.reason
        return t("end.draw", reason=told)
    winner, loser = sides[outcome.winner], sides[1 - outcome.winner]
    parameters |= {"side": winner, "other": loser}
    told = t(f"reason.{reason}", **parameters) if f"reason.{reason}" in t else outcome.reason
    return t("end.wins", side=winner, reason=told)


def result_words(t: Translator, outcome: OutcomeView, seats: tuple[str, str], sides: tuple[str, str]) -> str:
    """The result in two or three words, from the visitor's view where one side is the visitor's."""
    if outcome.winner is None:
        return t("result.draw")
    own = [player for player in (0, 1) if seats[player] == HUMAN]
    if len(own) != 1:
        return t("result.side_wins", side=sides[outcome.winner])
    return t("result.won") if own[0] == outcome.winner else t("result.lost")


def percent(value: float) -> int:
    """A value from -1 to 1 as a share of the points in percent."""
    return round(50 * (1 + max(-1.0, min(1.0, value))))


def value_for(value: float, player: int) -> float:
    """A value, which is player 0's, from a player's view."""
    return value if player == 0 else -value


def value_words(t: Translator, value: float, mover: int, sides: tuple[str, str], *, exact: bool = False) -> str:
    """Who stands better, and how much."""
    own = value_for(value, mover)
    if exact and abs(own) in (0.0, 1.0):
        return t(
            {1.0: "judgement.proven_win", 0.0: "judgement.proven_draw", -1.0: "judgement.proven_loss"}[own],
            side=sides[mover],
        )
    share = percent(own)
    if share >= 85:
        key = "judgement.winning"
    elif share >= 60:
        key = "judgement.better"
    elif share > 40:
        key = "judgement.even"
    elif share > 15:
        key = "judgement.worse"
    else:
        key = "judgement.losing"
    return t(key, side=sides[mover], percent=share)


def hint_words(t: Translator, found: AnalysisView, mover: int, sides: tuple[str, str]) -> str:
    """A hint with its reason."""
    if found.move is None:
        return t("hint.none")
    if found.value is None:
        return t("hint.move", move=move_words(t, found.move))
    reason = value_words(t, found.value, mover, sides, exact=found.exact)
    return t("hint.move_reason", move=move_words(t, found.move), reason=reason)


def move_words(t: Translator, move: str) -> str:
    """A move as people read it."""
    return t("move.pass") if move == "pass" else move


def spoken_move(t: Translator, game: GameView, ply: int, sides: tuple[str, str]) -> str:
    """A move as it is announced."""
    made = game.moves[ply]
    if made.player == -1:
        return t("spoken.rolled", die=made.move)
    if made.passed or made.move == "pass":
        return t("spoken.passes", side=sides[made.player])
    return t("spoken.move", side=sides[made.player], move=made.move.replace("-", " "))
