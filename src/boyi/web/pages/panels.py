"""Parts of a game's page that are drawn as one piece of HTML each: players, moves, the die."""

from dataclasses import dataclass, field
from html import escape

from boyi.service.views import GameView, MoveView, PositionView
from boyi.web.board import look
from boyi.web.i18n import Translator
from boyi.web.i18n.phrases import HUMAN, base_name, facts, move_words, percent, seat_name, side_names, value_for

CLICKED_PLY = "(event) => { const found = event.target.closest('[data-ply]'); if (found) emit(+found.dataset.ply); }"
"""Reports the ply of whatever was clicked in a list."""
PIPS = {
    1: ((50, 50),),
    2: ((28, 28), (72, 72)),
    3: ((28, 28), (50, 50), (72, 72)),
    4: ((28, 28), (28, 72), (72, 28), (72, 72)),
    5: ((28, 28), (28, 72), (50, 50), (72, 28), (72, 72)),
    6: ((28, 26), (28, 50), (28, 74), (72, 26), (72, 50), (72, 74)),
}


def die_picture(value: int | None, player: int) -> str:
    """A die in the colour of the player who rolls; without a value, a question mark."""
    dots = "".join(f'<circle cx="{x}" cy="{y}" r="9"/>' for x, y in PIPS.get(value or 0, ()))
    face = dots or '<text x="50" y="69" text-anchor="middle" font-size="54" font-weight="700">?</text>'
    return (
        f'<svg viewBox="0 0 100 100" class="die die--{player}" aria-hidden="true">'
        f'<rect x="4" y="4" width="92" height="92" rx="22"/><g>{face}</g></svg>'
    )


@dataclass
class Turn:
    """What one player does before the other's turn: a roll and a move, two stones, or one."""

    player: int
    plies: list[int] = field(default_factory=list)


def turns(moves: list[MoveView]) -> list[Turn]:
    """The moves of a game, gathered into turns; a roll belongs to the move after it."""
    found: list[Turn] = []
    rolls: list[int] = []
    for ply, move in enumerate(moves):
        if move.player == -1:
            rolls.append(ply)
            continue
        if not found or found[-1].player != move.player or rolls:
            found.append(Turn(move.player))
        found[-1].plies += [*rolls, ply]
        rolls = []
    if rolls:
        found.append(Turn(1 - found[-1].player if found else 0, rolls))
    return found


def move_list(t: Translator, moves: list[MoveView], current: int) -> str:
    """The moves in two columns as HTML; a click on one carries its ply in `data-ply`. `current` plies are played."""
    cells: list[str] = []
    number = 0
    for turn in turns(moves):
        if turn.player == 0 or number == 0:
            number += 1
            cells.append(f'<span class="moves__number">{number}</span>')
            if turn.player == 1:
                cells.append('<span class="moves__none">…</span>')
        elif cells and len(cells) % 3 == 0:
            number += 1
            cells += [f'<span class="moves__number">{number}</span>', '<span class="moves__none">…</span>']
        cells.append(f'<span class="moves__turn">{"".join(_move(t, moves, ply, current) for ply in turn.plies)}</span>')
    return "".join(cells)


def _move(t: Translator, moves: list[MoveView], ply: int, current: int) -> str:
    chosen = ' aria-current="true"' if ply + 1 == current else ""
    text = escape(move_words(t, moves[ply].move))
    if moves[ply].player == -1:
        text = f'<span class="moves__die">{text}</span>'
    return f'<button type="button" class="moves__move" data-ply="{ply + 1}"{chosen}>{text}</button>'


def player_panel(t: Translator, game: GameView, position: PositionView, player: int) -> str:
    """A player's name, stones, clock and what it is thinking, as HTML."""
    side = side_names(t, game.players)[player]
    pieces = list(look(game.rules).pieces.values())
    alone = game.seats.count(HUMAN) == 1
    to_move = game.status == "running" and position.mover == player
    thinking = game.thinking if to_move and game.seats[player] != HUMAN else None
    parts = [
        f'<span class="seat__stone">{pieces[player * len(pieces) // 2]}</span>',
        f'<span class="seat__names"><b>{escape(seat_name(t, game.seats[player], alone=alone))}</b>'
        f'<span class="fine">{escape(side)}</span></span>',
    ]
    counts = facts(position).counts
    if counts:
        parts.append(
            f'<span class="seat__count" title="{escape(t("seat.count"))}">'
            f'<span class="sr-only">{escape(t("seat.count"))} </span>{counts[player]}</span>'
        )
    if game.remaining_s:
        runs = "1" if to_move and not game.paused else "0"
        left = f"{game.remaining_s[player]:.1f}"
        parts.append(f'<span class="seat__clock" role="timer" data-clock="{left}" data-running="{runs}"></span>')
    if thinking:
        share = min(100.0, 100 * thinking.seconds / max(thinking.expected_s, 0.1))
        told = [t("seat.preparing") if thinking.preparing else t("seat.thinking")]
        if thinking.value is not None:
            told.append(t("seat.expects", percent=percent(value_for(thinking.value, player))))
        if thinking.simulations:
            told.append(t("seat.simulations", count=f"{thinking.simulations:,}"))
        parts.append(
            f'<span class="seat__thinking"><span class="seat__bar"><i style="width:{share:.0f}%"></i></span>'
            f'<span class="fine">{escape(" · ".join(told))}</span></span>'
        )
    return "".join(parts)


def die_value(position: PositionView) -> int | None:
    """What the die shows, in games that have one."""
    return facts(position).die


def has_die(position: PositionView) -> bool:
    """Whether a die belongs beside the board."""
    return base_name(position.rules) == "einstein" or position.chances is not None
