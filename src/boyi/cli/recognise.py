"""`boyi recognise IMAGE`: read the board off a picture, or follow one on the screen."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from boyi.cli.output import announce_compilation, notes, print_json
from boyi.games import CHANCE, Game, GameError, Position
from boyi.games import game as find_game
from boyi.players import Choice, Limit
from boyi.players import player as find_player

if TYPE_CHECKING:
    from boyi.vision import Reading

SIDES = {"first": 0, "black": 0, "x": 0, "red": 0, "second": 1, "white": 1, "o": 1, "blue": 1}


def recognise(
    image: Path | None = None,
    *,
    game: str | None = None,
    turn: str | None = None,
    die: int | None = None,
    corners: str | None = None,
    best: str | None = None,
    seconds: float | None = None,
    simulations: int | None = None,
    out: Path | None = None,
    watch: Annotated[bool, Parameter(negative="")] = False,
    region: str | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
    seed: int = 0,
) -> None:
    """Read the board off a picture: which game, which position, how sure. A picture without a board is refused.

    Parameters
    ----------
    image
        A PNG, JPEG, WebP, GIF or BMP file.
    game
        The game, with parameters if wanted: othello, gomoku:size=9. Default: the one that suits what is seen.
    turn
        Who is to move: black, white, red, blue, x, o, first or second. Default: judged by the number of stones.
    die
        The roll, in EinStein. Default: it is still to be rolled.
    corners
        Where the outermost lines of the board meet, clockwise from the top left: "12,40 400,38 405,430 10,428".
    best
        A player, by name, that says which move to play; the picture marks it "Here".
    seconds
        How long that player thinks.
    simulations
        How many simulations it makes.
    out
        Write the picture with the recognised board drawn over it to this PNG file.
    watch
        Follow a board on the screen instead of reading a file. Meant for study and for your own programs; do not use
        it against people on rated sites.
    region
        The part of the screen to watch, as x,y,width,height. Default: the first screen.
    json
        Print the result as JSON; with --watch one line for every change.
    seed
        Seed of the player.
    """
    try:
        from boyi.vision import draw_over, load_picture
        from boyi.vision import recognise as read
    except ImportError as error:
        raise OSError(f"reading pictures needs OpenCV: make setup, or pip install 'boyi[vision]' ({error})") from error
    announce_compilation()
    wanted = None if game is None else find_game(game)
    side = _side(turn)
    limit = Limit(seconds=seconds, simulations=simulations)
    if watch:
        _watch(wanted, side, best, limit, seed, None if region is None else _numbers(region, 4, "--region"), json)
        return
    if image is None:
        raise GameError("recognise reads a picture: boyi recognise board.png, or --watch for the screen")
    if out is not None and not out.parent.is_dir():
        raise FileNotFoundError(f"cannot write {str(out)!r}: there is no folder {str(out.parent)!r}")
    picture = load_picture(image)
    points = None if corners is None else _points(corners)
    found = read(picture, game=wanted, turn=side, die=die, corners=points)
    choice = _best(found.position, best, limit, seed)
    if out is not None:
        _write(out, draw_over(picture, found, choice.move if choice else None))
    if json:
        print_json(report(found, choice))
    elif found.refused is None:
        _print(found, choice)
    if found.refused is not None:
        raise OSError(f"refused: {found.refused}{_guess(found)}")


def report(found: "Reading", choice: Choice | None = None) -> dict[str, Any]:
    """A reading as JSON has it. `key` is null while a cell is unknown; such a cell's text is null."""
    cells = [[{"text": cell.text, "confidence": cell.confidence} for cell in row] for row in found.cells]
    corners = [] if found.grid is None else [[round(x, 1), round(y, 1)] for x, y in found.grid.outline.tolist()]
    name = None if found.game is None else _rules_text(found.game)
    read: dict[str, Any] = {"game": name, "cells": cells, "corners": corners}
    if found.refused is not None:
        return {"refused": found.refused, "guess": read if cells else None}
    position = found.position
    result = read | {
        "refused": None,
        "key": None if position is None else position.key,
        "turn": None if position is None else position.turn,
        "confidence": round(found.confidence, 4),
        "unknown": sum(cell.text is None for row in found.cells for cell in row),
        "others": list(found.others),
    }
    if choice is not None:
        result["best"] = {"move": choice.move, "value": choice.value}
    return result


def _rules_text(game: Game) -> str:
    usual = find_game(game.name).options()
    different = [f"{name}={value}" for name, value in game.options().items() if value != usual[name]]
    return game.name + (":" + ",".join(different) if different else "")


def _print(found: "Reading", choice: Choice | None) -> None:
    assert found.game is not None
    unknown = sum(cell.text is None for row in found.cells for cell in row)
    if found.position is None:
        for row in found.cells:
            print(" ".join(f"{'?' if cell.text is None else cell.text or '.':>2}" for cell in row))
        print(f"\n{_rules_text(found.game)}; {unknown} squares are unknown (?), so there is no position yet")
        return
    print(found.position)
    print(f"\n{_rules_text(found.game)}; confidence {found.confidence:.2f}")
    print(f"key: {found.position.key}")
    if found.others:
        print(f"it could also be {', '.join(found.others)}; --game says which")
    if choice is not None:
        print(f"Here: {choice.move}")


def _guess(found: "Reading") -> str:
    if found.grid is None:
        return ""
    named = "" if found.game is None else f" of {_rules_text(found.game)}"
    return f"; the nearest guess is a board{named} of {found.grid.rows} by {found.grid.columns}"


def _best(position: Position | None, best: str | None, limit: Limit, seed: int) -> Choice | None:
    """What the player would do; None where there is nothing to decide."""
    if position is None or best is None or position.turn in (None, CHANCE):
        return None
    with find_player(best, position.game, seed=seed) as player:
        return player.choose(position, limit)


def _watch(
    game: Game | None,
    side: int | None,
    best: str | None,
    limit: Limit,
    seed: int,
    region: tuple[float, ...] | None,
    json: bool,
) -> None:
    from boyi.vision import follow, screen_frames
    from boyi.vision.watch import STUDY_ONLY

    notes.print(STUDY_ONLY, style="dim")
    area = None if region is None else (int(region[0]), int(region[1]), int(region[2]), int(region[3]))
    for seen in follow(screen_frames(region=area), game=game, turn=side):
        choice = _best(seen.position, best, limit, seed)
        if json:
            seen_as = {"moves": list(seen.moves), "legal": seen.legal, "key": seen.position.key}
            print_json(report(seen.reading, choice) | seen_as)
            continue
        print(f"\n{seen.position}")
        if seen.moves:
            print(f"played: {' '.join(seen.moves)}")
        if choice is not None:
            print(f"Here: {choice.move}")


def _side(turn: str | None) -> int | None:
    if turn is None:
        return None
    if turn.lower() not in SIDES:
        raise GameError(f"--turn {turn!r} is not possible; allowed: {', '.join(SIDES)}")
    return SIDES[turn.lower()]


def _numbers(text: str, count: int, option: str) -> tuple[float, ...]:
    try:
        found = tuple(float(part) for part in text.replace(",", " ").split())
    except ValueError:
        found = ()
    if len(found) != count:
        raise GameError(f"{option} {text!r} is not possible; it takes {count} numbers")
    return found


def _points(corners: str) -> list[tuple[float, float]]:
    flat = _numbers(corners, 8, "--corners")
    return [(flat[k], flat[k + 1]) for k in range(0, 8, 2)]


def _write(path: Path, picture: Any) -> None:
    import cv2

    path.write_bytes(cv2.imencode(".png", picture)[1].tobytes())
