"""Which game a board is of, and which position: what the rules say about what was seen.

Start at `judge`. A `Verdict` is a game with the text of every site; where nothing fits, `Unfit` says why.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from boyi.games import BadParameter, BadPosition, Game, Position
from boyi.games import game as find_game
from boyi.vision.cells import Sites, by_ink, without_rings
from boyi.vision.nets import OTHER
from boyi.vision.numbers import MOST_BARE, assign_numbers, read_numbers
from boyi.vision.patches import MIDDLE

SURE, SURE_STROKE, SURE_OF_NINE = 0.6, 0.88, 0.75
"""Below this the answer for a site is unknown, and so it is on boards of crosses and rings, which letters resemble: on
large ones, and on one of three by three squares, where all must be sure."""
OTHELLO_SIZES = (6, 8)
"""Taken for Othello without being told so; 4 by 4 squares are too often a part of something larger."""
EMPTY_SIZES = (13, 15, 19)
"""Empty boards of so many points with stars are taken for boards without being told so; others are tables, puzzles."""
STAR_LINE, STAR, CLEAR_STAR = 3, 8.0, 3.0
"""Stars near the corners are on the fourth lines; they differ from other points by so much, of 255, and so many times
as much as most of these do from each other."""
USUAL_SIZES = (9, 13, 15, 19)
"""Sizes of boards of points."""
LARGE_SIZES = (15, 19)
"""Sizes of large boards; others are likelier one of these with lines too few or too many."""
FEWEST_SQUARES = 9
"""From this size on stones in squares, not on points, are taken for Gomoku without being told so."""
FEWEST_BALLS, BRIGHT = 4, 40.0
"""Fewer bright ones in squares may be of a game with balls of many colours; chroma of a bright colour in CIE Lab."""
SAME_TONE = 1.5
"""Of two colours whose lightness differs by less, of 100, nobody can say which is the darker one."""
CHEQUERED, LARGEST_DRAUGHTS = 8.0, 12
"""So much lighter is every other square of a chequered board, of 255."""
OUTSIDE, UNLIKE, MOST_UNLIKE = 0.5, 6.0, 0.8
"""Where a board ends, so far outside it, in pitches, this share of the places on every side differs by so much, of 255,
from its empty squares."""
MOST_LEAD = 4
"""Stones that one side may have more than the other, as a handicap."""
MOST_ALONE = 24
"""Discs of Othello that may all have one colour."""
REDDISH, MIXED = 12.0, 3.5
"""Which of two colours is red shows only where one is, by a* of CIE Lab; else the side nearer the top left began
there, if it is so much nearer on average, in squares across and down: of random games 2 % have it otherwise."""
MOST_STONES = 6
"""Stones of each side of EinStein."""
NO_NUMBER = 0.9
"""What bears no number so surely, and is an empty ring, marks a square to go to."""
REFUSALS = ("no_board", "empty", "size", "pieces", "unclear", "illegal")
"""Why a picture is refused, for programs and translations: no grid, a bare grid of some game, a size or pieces that no
game has, too much that is unclear, no position of the game."""


class Unfit(Exception):
    """What was seen is a grid, but no board of the game; the text is the reason, `code` one of `REFUSALS`."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code


@dataclass(frozen=True)
class Verdict:
    """A game and what stands where."""

    game: Game
    texts: tuple[str, ...]
    """The likeliest text of each site, row by row."""
    trust: NDArray[np.float64]
    """[sites]: how sure each text is."""
    fit: float
    """How well the whole suits the rules, 0 to 1."""
    others: tuple[str, ...] = ()
    """Names of games that what was seen would suit as well."""


def judge(picture: NDArray[np.uint8], sites: Sites, wanted: Game | None) -> Verdict:
    """The game that suits the sites best, or `wanted` in the size that was seen."""
    rows, columns = sites.grid.rows, sites.grid.columns
    if rows != columns:
        raise Unfit("size", f"the grid is {rows} by {columns}; boards are square")
    if wanted is not None:
        return _as_wanted(picture, sites, wanted)
    size = rows
    if not sites.occupied.any():
        if sites.grid.lattice == "points" and size in EMPTY_SIZES and _starred(sites):
            return _plain(sites, find_game("gomoku", size=size), ("connect6",) if size == 19 else ())
        raise Unfit("empty", f"an empty grid of {size} by {size} could be anything; say which game it is")
    if sites.strokes:
        if size == 3:
            return _plain(sites, find_game("tictactoe"))
        if sites.grid.lattice == "squares" and 5 <= size <= 20:
            return _lettered(picture, sites, size)
        if sites.grid.lattice == "points" and size in USUAL_SIZES:
            return _plain(sites, find_game("gomoku", size=size))
        raise Unfit("size", f"crosses and rings on {size} by {size} are of no game here")
    if size == 5:
        return _einstein(picture, sites)
    if sites.grid.lattice == "squares" and size in OTHELLO_SIZES:
        return _othello(sites, size)
    if size == 3:
        raise Unfit("size", "stones on 3 by 3 squares could be of any game; say which game it is")
    return _line_game(sites, size)


def _starred(sites: Sites) -> bool:
    """Whether the points near the corners are marked, as on boards for Go."""
    size = sites.grid.rows
    middles = sites.patches.tiles[:, MIDDLE].astype(float)
    away = np.abs(middles - np.median(middles, axis=0)).max(axis=2).mean(axis=1).reshape(size, size)[1:-1, 1:-1]
    stars = [STAR_LINE - 1, size - STAR_LINE - 2]
    least = max(STAR, CLEAR_STAR * float(np.percentile(away, 75)))
    return bool(away[np.ix_(stars, stars)].min() > least)


def _as_wanted(picture: NDArray[np.uint8], sites: Sites, wanted: Game) -> Verdict:
    size = sites.grid.rows
    if wanted.name == "einstein":
        if size != 5:
            raise Unfit("size", f"the board has {size} by {size} squares; EinStein has 5 by 5")
        return _einstein(picture, sites)
    if wanted.shape != (size, size):
        try:
            wanted = wanted.variant(size=size)
        except BadParameter as error:
            raise Unfit("size", f"the board has {size} by {size} squares; {error}") from error
    if wanted.name == "othello":
        return _othello(sites, size)
    return _plain(sites, wanted)


def _plain(sites: Sites, game: Game, others: tuple[str, ...] = ()) -> Verdict:
    """Sides 0 and 1 are X and O."""
    texts = tuple("" if side < 0 else "XO"[side] for side in sites.side.tolist())
    lead = sites.count(0) - sites.count(1)
    fit = 1.0 if -1 <= lead <= 1 else max(0.3, 1 - 0.2 * abs(lead))
    return Verdict(game, texts, sites.trust, fit, others)


def _line_game(sites: Sites, size: int) -> Verdict:
    """Gomoku or Connect6, told apart by how many stones each side has."""
    if not 5 <= size <= 20:
        raise Unfit("size", f"stones on {size} by {size} are of no game here")
    _check_tone(sites)
    lead = sites.count(0) - sites.count(1)
    draughts = size <= LARGEST_DRAUGHTS and _chequered(sites)
    if sites.grid.lattice == "squares" and (size < FEWEST_SQUARES or abs(lead) > 1 or draughts):
        raise Unfit("size", f"stones in {size} by {size} squares are of no usual game; say which game it is")
    dark, light = sites.count(0), sites.count(1)
    if sites.grid.lattice == "squares" and dark + light < FEWEST_BALLS and _coloured(sites):
        raise Unfit("size", f"{dark + light} coloured balls in squares could be any game; say which game it is")
    if dark + light == 1 and (light or sites.grid.lattice == "squares"):
        raise Unfit("size", "one stone in a square, or a white one, may be a shaded square; say which game it is")
    if abs(lead) > MOST_LEAD:
        raise Unfit("illegal", f"{dark} dark and {light} light stones are of no game in which the players take turns")
    turn_is_over = light == dark + 1 or (dark == light + 1 and light % 2 == 0)
    as_gomoku = dark - light in (-1, 0, 1)  # White may have begun
    if size == 19 and turn_is_over and dark + light > 1:
        return _plain(sites, find_game("connect6"), ("gomoku",) if as_gomoku else ())
    return _plain(
        sites,
        find_game("gomoku", size=size),
        ("connect6",) if 6 <= size <= 19 and (light >= dark or turn_is_over or (size == 19 and as_gomoku)) else (),
    )


def _check_tone(sites: Sites) -> None:
    """Refuse stones of two colours of which none is the darker one."""
    if abs(float(sites.colours[0, 0] - sites.colours[1, 0])) < SAME_TONE:
        raise Unfit("pieces", "the two colours of stones are equally light; nobody can tell which side is Black")


def _coloured(sites: Sites) -> bool:
    """Whether no stone is black, white or grey."""
    return bool((np.hypot(*sites.colours[:, 1:].T) > BRIGHT).all())


def _chequered(sites: Sites) -> bool:
    """Whether every other square is darker, as for draughts or amazons."""
    row, column = np.indices(sites.occupied.shape)
    around = sites.patches.around.mean(axis=1)
    first, second = (around[(((row + column) % 2 == odd) & ~sites.occupied).ravel()] for odd in (0, 1))
    if not len(first) or not len(second):
        return False
    apart = abs(float(np.median(first) - np.median(second)))
    return apart > max(CHEQUERED, *(float(np.median(np.abs(half - np.median(half)))) for half in (first, second)))


def _othello(sites: Sites, size: int) -> Verdict:
    _check_tone(sites)
    full = sites.occupied
    middle = full[size // 2 - 1 : size // 2 + 1, size // 2 - 1 : size // 2 + 1]
    if not middle.all():
        raise Unfit("illegal", "the four squares in the middle are not all occupied, as they always are in Othello")
    if int(full.sum()) > MOST_ALONE and 0 in (sites.count(0), sites.count(1)):
        raise Unfit("illegal", f"all {int(full.sum())} discs have one colour, as they hardly ever have in Othello")
    if cv2.connectedComponents(full.astype(np.uint8), connectivity=8)[0] != 2:
        raise Unfit("illegal", "the discs do not hang together, as they always do in Othello")
    return replace(_plain(sites, find_game("othello", size=size)), fit=1.0)


def _lettered(picture: NDArray[np.uint8], sites: Sites, size: int) -> Verdict:
    """Crosses and rings in squares: Othello where they stand as its discs do, else Gomoku of another size."""
    if size in OTHELLO_SIZES:
        try:
            return replace(_othello(sites, size), others=("gomoku",))
        except Unfit as reason:
            told = f"crosses and rings in {size} by {size} squares are of no usual game; say which game it is"
            raise Unfit("size", told) from reason
    if size + 1 in LARGE_SIZES and not _ends(picture, sites):
        told = f"crosses and rings in {size} by {size} squares may be a part of {size + 1} by {size + 1}"
        raise Unfit("size", f"{told}; say which game it is")
    return _plain(sites, find_game("gomoku", size=size))


def _ends(picture: NDArray[np.uint8], sites: Sites) -> bool:
    """Whether what is beside the squares, on all sides, has not their colour: no more of them is there."""
    row, last = np.arange(sites.grid.rows), sites.grid.rows - 1 + 0.5 + OUTSIDE
    before, behind = np.full(len(row), -0.5 - OUTSIDE), np.full(len(row), last)
    most = np.array(picture.shape[1::-1]) - 1
    for places in ((before, row), (behind, row), (row, before), (row, behind)):
        spots = np.rint(sites.grid.at(np.stack(places, axis=1)))
        x, y = spots.clip(0, most).astype(int).T
        unlike = np.abs(picture[y, x] - sites.patches.ground).max(axis=1) > UNLIKE
        outside = ((spots < 0) | (spots > most)).any(axis=1)
        if (unlike | outside).mean() < MOST_UNLIKE:
            return False
    return True


def _einstein(picture: NDArray[np.uint8], sites: Sites) -> Verdict:
    numbers = read_numbers(picture, sites)
    bare = [site for site, share in numbers.items() if float(share[0]) > NO_NUMBER]
    if bare:
        sites = without_rings(sites, bare)
        numbers = {site: share for site, share in numbers.items() if sites.side[site] >= 0}
    if len(numbers) < 2:
        raise Unfit("pieces", "no stones of both sides with numbers stand on the 5 by 5 squares")
    counts = sorted((sites.count(0), sites.count(1)))
    if counts[0] <= 1 or counts[1] > MOST_STONES:  # perhaps one is selected, and the others differ by what is on them
        inked = by_ink(sites)
        if inked is not None and min(inked.count(0), inked.count(1)) >= counts[0]:
            sites = inked
    groups = [[site for site in numbers if sites.side[site] == side] for side in (0, 1)]
    if max(map(len, groups)) > MOST_STONES:
        raise Unfit("pieces", f"{max(map(len, groups))} stones of one colour are more than EinStein has")
    plain = sum(float(share[0]) > 0.5 for share in numbers.values())
    if plain > MOST_BARE * len(numbers):
        raise Unfit("pieces", "the stones on the 5 by 5 squares bear no numbers from 1 to 6")
    red, certain = _red_group(sites)
    texts, trust = [""] * len(sites.side), sites.trust.copy()
    for side, group in enumerate(groups):
        for site, (number, share) in assign_numbers(numbers, group).items():
            texts[site] = ("R" if side == red else "B") + number
            trust[site] *= share**2 * certain  # a wrong number is as bad as a wrong stone, and likelier
    return Verdict(find_game("einstein"), tuple(texts), trust, 1.0)


def _red_group(sites: Sites) -> tuple[int, float]:
    """Which of the two groups of stones is Red, and how sure that is: by colour, else by who is nearer the top left."""
    warmth = sites.colours[:, 1] + sites.colours[:, 2]
    if np.isnan(warmth).any():
        only = int(np.isnan(warmth[0]))
        value = float(warmth[only])
        if abs(value) < 15:
            return only, 0.5
        return (only, 0.9) if value > 0 else (1 - only, 0.9)
    warmer = int(warmth[1] > warmth[0])
    if abs(float(warmth[0] - warmth[1])) > 25 and float(sites.colours[warmer, 1]) > REDDISH:
        return warmer, 1.0
    place = np.add.outer(np.arange(5), np.arange(5)).ravel()
    nearer = [float(place[sites.side == side].mean()) for side in (0, 1)]
    if abs(nearer[0] - nearer[1]) < MIXED:
        raise Unfit("pieces", "neither side is red, and the stones are too mixed to tell which began at the top left")
    return int(nearer[1] < nearer[0]), 0.8


def mover(verdict: Verdict) -> tuple[int, dict[str, int]]:
    """Who is to move, judged by the number of stones, and what else a position needs."""
    dark = sum(text in ("X",) for text in verdict.texts)
    light = sum(text in ("O",) for text in verdict.texts)
    name = verdict.game.name
    if name == "connect6":
        if dark == light:
            return (dark % 2, {"stones_left": 1}) if dark else (0, {"stones_left": 1})
        return int(dark > light), {}
    if name == "othello":
        return (dark + light) % 2, {}
    if name in ("gomoku", "tictactoe"):
        return int(dark > light), {}
    return 0, {}


def compose(verdict: Verdict, turn: int | None, die: int | None) -> Position:
    """The position; `BadPosition` where the rules allow none."""
    columns = verdict.game.shape[1]
    rows = [verdict.texts[start : start + columns] for start in range(0, len(verdict.texts), columns)]
    guessed, more = mover(verdict)
    known: dict[str, int | None] = {**more, "die": die} if verdict.game.name == "einstein" or die else {**more}
    first = guessed if turn is None else turn
    if "stones_left" in known and turn is not None and turn != guessed:
        del known["stones_left"]
    try:
        return verdict.game.compose(rows, first, **known)  # type: ignore[arg-type]
    except BadPosition:
        if turn is not None:
            raise
        return verdict.game.compose(rows, 1 - first, **known)  # type: ignore[arg-type]


def doubtful(sites: Sites, trust: NDArray[np.float64]) -> tuple[int, ...]:
    """The sites whose answer is unknown."""
    of_nine = SURE_OF_NINE if len(trust) == 9 and sites.occupied.sum() > 1 else SURE_STROKE
    least = of_nine if sites.strokes else SURE
    strange = (sites.shares.argmax(axis=1) == OTHER) | (trust < least)
    return tuple(np.flatnonzero(strange).tolist())
