"""`boyi play GAME`: a game in the terminal against a named player."""

import functools
import random
from collections.abc import Callable
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from boyi.cli.output import announce_compilation, notes, print_json
from boyi.games import CHANCE, IllegalMove, Position
from boyi.games import game as find_game
from boyi.players import Choice, Player, player

HELP = "Type a move, or: moves (list them), hint, undo, resign, quit."


def play(
    game: str = "othello",
    *,
    against: str | None = None,
    second: Annotated[bool, Parameter(negative="")] = False,
    terminal: Annotated[bool, Parameter(negative="")] = False,
    json: Annotated[bool, Parameter(negative="")] = False,
    seed: int | None = None,
) -> None:
    """Play a game in the terminal.

    Parameters
    ----------
    game
        A game, with parameters if wanted: othello, gomoku:size=9, or the path of a rules file.
    against
        The opponent, by name. Default: the strongest there is.
    second
        Let the opponent move first.
    terminal
        Play in the terminal, as `play` always does; the app in the browser is `boyi serve`.
    json
        Print the finished game as JSON on standard output.
    seed
        Seed of the dice, of a random set-up and of the opponent; without it every game differs.
    """
    announce_compilation()
    chosen = find_game(game)
    number = random.SystemRandom().randrange(2**32) if seed is None else seed
    make = functools.partial(player, against or "strongest", chosen, seed=number)
    screen = notes if json else Console()
    with make() as opponent:
        if opponent.note:
            notes.print(f"Note: {opponent.note}.", style="yellow")
        end, resigned = _converse(chosen.start(seed=number), opponent, make, int(second), random.Random(number), screen)
    if json:
        result = end.outcome
        print_json(
            {
                "game": chosen.name,
                "key": end.key,
                "moves": list(end.history),
                "finished": result is not None or resigned,
                "winner": 1 - int(second) if resigned else result.winner if result else None,
                "score": result.score if result else None,
                "resigned": resigned,
            }
        )


def _converse(
    position: Position,
    opponent: Player,
    adviser: Callable[[], Player],
    human: int,
    dice: random.Random,
    screen: Console,
) -> tuple[Position, bool]:
    """Play to the end, or until the human has had enough; return the last position, and whether the human resigned.

    Hints come from a player of its own, made for each, so that they do not change how the opponent plays.
    """
    start = position
    screen.print(HELP, style="dim")
    while (mover := position.turn) is not None:
        side = position.game.players[mover]
        if position.chances:
            position = position.play(dice.choices(list(position.chances), list(position.chances.values()))[0])
        elif mover != human:
            choice = opponent.choose(position)
            screen.print(f"{side} plays {choice.move}{_opinion(position, choice)}", style="bold", highlight=False)
            position = position.play(choice.move)
        else:
            screen.print(f"\n{position}", markup=False, highlight=False)
            try:
                word = screen.input("> ").strip()
            except EOFError:
                break
            if word in ("quit", "q", "exit"):
                break
            if word == "resign":
                screen.print(f"{side} resigns; {position.game.players[1 - human]} wins", style="bold")
                return position, True
            if word in ("moves", "?", "help"):
                screen.print(" ".join(position.moves), highlight=False)
            elif word == "hint":
                with adviser() as player_of_hints:
                    choice = player_of_hints.choose(position)
                screen.print(f"Hint: {choice.move}{_opinion(position, choice)}{_line(choice)}", highlight=False)
            elif word == "undo":
                position = _before(position, human) or start
            else:
                try:
                    position = position.play(word)
                except IllegalMove as error:
                    screen.print(str(error), style="red", markup=False, highlight=False)
    screen.print(f"\n{position}", markup=False, highlight=False)
    return position, False


def _opinion(position: Position, choice: Choice) -> str:
    """What the side to move expects, as a share of the points; nothing from a player without opinion."""
    if choice.value is None:
        return ""
    win = (1 + (choice.value if position.turn == 0 else -choice.value)) / 2
    return f" ({position.game.players[position.turn or 0]} {win:.0%}{', proven' if choice.exact else ''})"


def _line(choice: Choice) -> str:
    line = next((line.moves for line in choice.lines if line.move == choice.move), ())
    return f", then {' '.join(line[1:])}" if line[1:] else ""


def _before(position: Position, human: int) -> Position | None:
    """The human's previous decision."""
    earlier = position.previous
    while earlier is not None and earlier.turn in (1 - human, CHANCE):
        earlier = earlier.previous
    return earlier
