"""`boyi analyse GAME`: what a player thinks of a position."""

import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from rich.live import Live
from rich.table import Table

from boyi import draw
from boyi.arena import warm_up
from boyi.cli.output import announce_compilation, notes, print_json, print_table
from boyi.games import CHANCE, Position
from boyi.games import game as find_game
from boyi.players import Choice, Limit, Player
from boyi.players import player as find_player
from boyi.players.strongest import analyst

COLUMNS = ["move", "win %#", "value#", "visits#", "prior %#", "line"]


def analyse(
    game: str,
    *,
    position: str | None = None,
    moves: str = "",
    player: str | None = None,
    seconds: float | None = None,
    simulations: int | None = None,
    lines: int = 10,
    svg: Path | None = None,
    png: Path | None = None,
    theme: Literal["light", "dark", "auto"] = "light",
    json: Annotated[bool, Parameter(negative="")] = False,
    seed: int | None = None,
) -> None:
    """Say what a player thinks of a position. Ctrl-C stops the thinking and prints the answer so far.

    Parameters
    ----------
    game
        A game, with parameters if wanted: othello, gomoku:size=9, or the path of a rules file.
    position
        The position's key. Default: the start.
    moves
        Moves to play from there first, and rolls where dice decide, such as "e5 d6".
    player
        Who thinks, by name. Default: the strongest there is, made to value many moves.
    seconds
        How long to think. Default: as long as the player usually takes.
    simulations
        How many simulations to make.
    lines
        How many moves to show.
    svg
        Write a picture of the board with the values on it to this file.
    png
        The same as PNG.
    theme
        The picture's colours: light, dark or auto.
    json
        Print the analysis as JSON.
    seed
        Seed of the player, and of a random set-up where the game has one and no position is given.
    """
    if lines < 1:
        raise ValueError(f"--lines must be at least 1, not {lines}")
    for file in (svg, png):
        _check_writable(file)
    announce_compilation()
    chosen = find_game(game)
    name = player or analyst(chosen)
    thinker = find_player(name, chosen, seed=seed or 0)
    here = chosen.position(position) if position else chosen.start(seed=seed)
    for move in re.split(r"[\s,]+", moves.strip()) if moves.strip() else []:
        here = here.play(move)
    choice = None
    if here.turn not in (None, CHANCE):
        with thinker:
            if seconds is not None:
                with find_player(name, chosen) as another:
                    warm_up(another, here)
            choice = think(thinker, here, Limit(simulations=simulations, seconds=seconds), lines)
    if json:
        print_json(report(here, choice, lines) | {"player": name})
    else:
        _print(here, choice, lines)
    if svg:
        svg.write_text(picture(here, choice, lines, theme), encoding="utf-8")
    if png:
        png.write_bytes(draw.png(picture(here, choice, lines, theme), scale=2))


def think(player: Player, position: Position, limit: Limit, lines: int) -> Choice:
    """A player's choice, or with Ctrl-C the last it had; shown on standard error while it comes about."""
    choice: Choice | None = None
    stop = False

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal stop
        if stop or choice is not None:
            raise KeyboardInterrupt
        stop = True  # there is nothing to answer with before the first report

    if player.note:
        notes.print(f"Note: {player.note}.", style="yellow")
    notes.print("Thinking; Ctrl-C stops it and answers.", style="dim")
    with _on_interrupt(interrupt), Live(console=notes, transient=True, auto_refresh=False) as screen:
        try:
            for choice in player.watch(position, limit, every_s=0.25):
                if notes.is_terminal:
                    screen.update(_live(position, choice, lines), refresh=True)
                if stop:
                    break
        except KeyboardInterrupt:
            if choice is None:
                raise
    assert choice is not None
    return choice


def report(position: Position, choice: Choice | None, lines: int) -> dict[str, Any]:
    """The analysis as JSON has it. `value` is for player 0, from -1 to 1; `win` for the side to move, from 0 to 1."""
    result: dict[str, Any] = {"game": position.game.name, "position": position.key, "turn": position.turn}
    if choice is None:
        end = position.outcome
        return result | {"chances": position.chances, "outcome": None if end is None else vars(end)}
    rows = [
        {
            "move": line.move,
            "value": line.value,
            "win": _win(position, line.value),
            "visits": line.visits,
            "prior": line.prior,
            "moves": list(line.moves),
            "exact": line.exact,
        }
        for line in choice.lines[:lines]
    ]
    return result | vars(choice) | {"win": _win(position, choice.value), "lines": rows}


def picture(position: Position, choice: Choice | None, lines: int, theme: str) -> str:
    """The board as SVG with the chances to win, in per cent, on the moves; the warmer, the more was it looked at."""
    if choice is None:
        return position.svg(theme=theme)
    shown = choice.lines[:lines]
    most = max((line.visits for line in shown), default=0)
    return position.svg(
        theme=theme,
        values={line.move: _percent(position, line.value) for line in shown},
        heat={line.move: line.visits / most if most else _win(position, line.value) or 0.0 for line in shown},
        suggestion=choice.move,
    )


def _print(position: Position, choice: Choice | None, lines: int) -> None:
    print(position)
    if choice is not None:
        print()
        print_table(COLUMNS, _rows(position, choice, lines))
        print(f"\n{_summary(position, choice)}")
    elif position.chances:
        print("\nHere the dice decide. Outcomes:")
        print_table(["outcome", "chance %#"], [[move, f"{share:.1%}"[:-1]] for move, share in position.chances.items()])
        print(f'\nTo analyse one of them, put it at the end of --moves, such as --moves "{position.moves[-1]}".')


def _rows(position: Position, choice: Choice, lines: int) -> list[list[str]]:
    if not choice.lines:
        return [[choice.move, _percent(position, choice.value), _value(choice.value), "", "", ""]]
    return [
        [
            line.move,
            _percent(position, line.value),
            _value(line.value) + ("!" if line.exact else ""),
            f"{line.visits:,}" if line.visits else "",
            "" if line.prior is None else f"{100 * line.prior:.1f}",
            " ".join(line.moves),
        ]
        for line in choice.lines[:lines]
    ]


def _summary(position: Position, choice: Choice) -> str:
    side = position.game.players[position.turn or 0]
    facts = [f"{side} plays {choice.move}"]
    if choice.value is not None:
        facts.append(f"wins {_percent(position, choice.value)} %" + (", proven" if choice.exact else ""))
        facts.append(f"value {_value(choice.value)} for {position.game.players[0]}")
    counts = {"simulations": choice.simulations, "nodes": choice.nodes, "depth": choice.depth}
    if choice.score is not None:
        facts.append(f"expected margin {choice.score:+.1f} for {position.game.players[0]}")
    facts += [f"{count:,} {name}" if name != "depth" else f"depth {count}" for name, count in counts.items() if count]
    ended = {"": "", "memory": " (the tree filled its memory)"}.get(choice.stopped, f" (ended by {choice.stopped})")
    return "; ".join([*facts, f"{choice.seconds:.1f} s{ended}"])


def _live(position: Position, choice: Choice, lines: int) -> Table:
    table = Table(*(name.removesuffix("#") for name in COLUMNS), box=None, caption=_summary(position, choice))
    for row in _rows(position, choice, lines):
        table.add_row(*row)
    return table


def _win(position: Position, value: float | None) -> float | None:
    """The expected share of points for the side to move, a draw being half: its chance to win where there are none."""
    return None if value is None else (1 + (value if position.turn == 0 else -value)) / 2


def _percent(position: Position, value: float | None) -> str:
    win = _win(position, value)
    return "" if win is None else f"{100 * win:.0f}"


def _value(value: float | None) -> str:
    return "" if value is None else f"{value:+.3f}"


def _check_writable(file: Path | None) -> None:
    """Fail before the thinking, not after it."""
    if file is not None and not file.parent.is_dir():
        raise FileNotFoundError(f"cannot write {str(file)!r}: there is no folder {str(file.parent)!r}")
    if file is not None and file.is_dir():
        raise IsADirectoryError(f"cannot write {str(file)!r}: it is a folder")


@contextmanager
def _on_interrupt(handler: Any) -> Iterator[None]:
    """Handle Ctrl-C; outside the main thread, where Python allows no handler, leave it alone."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
