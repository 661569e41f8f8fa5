"""From a picture to a position: `recognise`.

Grids are looked for in the picture as it is, then in the picture straightened by its own lines; where four corners are
given, only between them. Every grid can be a board of squares, of points, or a bare "#"; each reading is judged by the
rules, and the best one is the answer, or, with a reason, the nearest guess.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from boyi.games import BadPosition, Game, GameError, Position
from boyi.games import game as find_game
from boyi.vision.blocks import find_blocks
from boyi.vision.cells import Sites, in_quarters, look
from boyi.vision.corners import look_into_corners
from boyi.vision.discs import SIDE as DISCS_SIDE
from boyi.vision.discs import find_discs
from boyi.vision.hints import without_hints
from boyi.vision.judge import FEWEST_SQUARES, OTHELLO_SIZES, USUAL_SIZES, Unfit, Verdict, compose, doubtful, judge
from boyi.vision.lattice import Lattice, find_lattices
from boyi.vision.loose import SIDE as LOOSE_SIDE
from boyi.vision.loose import find_loose
from boyi.vision.patches import FEW_SQUARES, Grid, cut_patches, upright_grid
from boyi.vision.perspective import MARGIN, STRAIGHT, from_corners, in_picture, straightened
from boyi.vision.picture import resized
from boyi.vision.rims import between, goes_on, may_have_rim, of_usual_size
from boyi.vision.second_looks import LETTERED, look_again, without_buttons

MOST_DOUBTFUL = 0.1
"""The share of sites that may be unknown before the picture is refused."""
MOST_BESIDE = 0.4
"""The number of unknown squares beside the number of stones, from which a board of points is refused."""
UNUSUAL = 0.85
"""How much a board of points of an unusual number is worth beside one of a usual number."""
TAKING_TURNS = 0.7
"""A position that suits its game less, because one side has more stones than it can, is believed only if the game is
named: a stone was lost or invented, or it is a handicap."""
HANDICAP = 0.5
"""A board of points with odd numbers of stones is worth so much beside another: more than a grid that is no board."""
INCOMPLETE = 0.94
"""A board with unknown squares is worth so much beside another."""
GOOD = 0.93
"""Mean trust of a board that ends the search."""
CLEAR = 0.7
"""Confidence of such a board: a grid with a line too many shows counts of stones that no game has."""
LEAST_SUPPORT = 0.5
BETTER_THERE = 0.1
"""A grid whose support is larger by so much is looked at too before the search ends."""
WHOLE_BOARD, PART_OF_BOARD = 0.3, 0.8
"""How much of a next line may be there where a grid must be all there is, and where it may have a rim."""
BUTTONS_BESIDE = 0.55
"""And where it has three squares a side, which may look like the buttons beside them."""
WELL_THERE, GOES_ON, CONTINUED = 0.9, 0.4, 0.6
"""Below that support a lattice of whose next line more is there than the second counts only for this share of it; and
so does one that is not `ALL_THERE` from `PART_OF_BOARD` on."""
FEWEST_POINTS, EINSTEIN = 9, 5
"""Lines of the smallest board of points that is believed where no game is named, but for one of EinStein."""
HALF = 0.35, 0.65
"""Lines that go on so far beyond the outermost crossings, on all sides, end at the edge of the board: every point is
drawn as a cell with a cross in it."""
HEADINGS = 2
"""A table is longer than the board in it by fewer rows or columns."""
GOES_ON_BEYOND = "the board goes on beyond the grid that was found"
UNFRAMED = 0.5
"""Lines that go on so many pitches beyond their crossings have no frame."""
CLOSED, OPEN = 0.2, 0.9
"""And surely none where they go on further than the second on some sides and less than the first on the others."""
SIDES = (1_024, 512, 256)
"""Pixels a side of the pictures in which lines are looked for: the net sees squares of 9 to 150 pixels."""
WELL_SHOWN, ASLANT = 100, 0.92
"""Squares of fewer pixels the first of these pictures shows well: if only another one shows them, their lines may run
aslant, and their support counts for less."""
CLOSER, ENLARGED = 1_536, 2.0
"""And where nothing is read in these, in one of so many, but enlarged at most so much: small print."""
PART, FEW, SMALL = 0.6, 4, 18.0
"""A grid of more than a few lines whose lines go on by so much of a pitch is a part of another; and pixels a square
below which a larger picture shows it better."""
ALL_THERE = 0.97
"""Below that support a line of a grid may not be one."""
FRAME, AT_EDGE = 16, 0.15
"""Pixels of grey around a picture whose edges may be lines of the board; and how far from them, in pitches, it ends."""
MOST_OBLONG = 1.7
"""Squares of plain stones are not wider or higher than that; those of signs and numbers may be."""
AGAIN = 3
"""So many of the best grids of squares, and of points, are looked at again where nothing was read."""
LARGEST_STRAIGHTENED = 1_500
"""Pixels a side of the picture that is straightened."""
TILTED_ASPECT = 1.9
"""Most that the two pitches of a straightened board may differ."""
UPRIGHT, SUPPORTED = 0.93, 0.55
"""Support above which a clear board ends the search, before and after the picture was straightened: a board that is a
little tilted has an upright grid too, which is not well there."""


@dataclass(frozen=True)
class Cell:
    """One site: its text, None for unknown, and how sure it is."""

    text: str | None
    confidence: float


@dataclass(frozen=True)
class Reading:
    """What was read off a picture. `refused` says why nothing was; then the rest is the nearest guess, or missing."""

    refused: str | None
    code: str = ""
    """Which of `judge.REFUSALS` that is."""
    grid: Grid | None = None
    game: Game | None = None
    cells: tuple[tuple[Cell, ...], ...] = ()
    """Rows of the board, from the top."""
    position: Position | None = None
    """None while a cell is unknown."""
    confidence: float = 0.0
    """The least sure cell's, times how well the whole suits the game."""
    others: tuple[str, ...] = ()
    """Other games that would suit as well."""

    @property
    def texts(self) -> tuple[tuple[str | None, ...], ...]:
        return tuple(tuple(cell.text for cell in row) for row in self.cells)

    def is_part_of(self, whole: "Reading") -> bool:
        """Whether this was read from a part of the board of another reading: squares aside of its middle, or such that
        there are pieces outside them, though their colours may not say whose they are, or others are unclear; of
        three by three squares, also if no game has so many."""
        if self.grid is None or self.position is None or whole.grid is None:
            return False
        codes = ("pieces", "unclear", "size") if self.grid.rows == FEW_SQUARES else ("pieces", "unclear")
        if whole.position is None and whole.code not in codes:
            return False
        place = self.grid.inside(whole.grid)
        if place is None:
            return False
        (left, top, right, bottom), last = place, whole.grid.rows - 1
        if (
            whole.position is not None
            and self.grid.lattice == "squares"
            and (left + right, top + bottom) != (last, last)
        ):
            return True
        there = np.array([[bool(text) for text in row] for row in whole.texts])
        return int(there.sum()) > int(there[top : bottom + 1, left : right + 1].sum())


def recognise(
    picture: NDArray[np.uint8],
    *,
    game: Game | None = None,
    turn: int | None = None,
    die: int | None = None,
    corners: Sequence[tuple[float, float]] | None = None,
) -> Reading:
    """Read the board in a picture [height, width, 3].

    `corners` are the outermost crossings of its lines, clockwise from the top left. Without `turn` the mover is judged
    by the number of stones; `die` is EinStein's.
    """
    best: tuple[float, Reading, float] | None = None
    oblong: list[tuple[float, Grid]] = []
    square: list[tuple[float, Grid]] = []
    grids_of: dict[str, list[tuple[float, Grid]]] = {"squares": [], "points": []}

    def unread() -> bool:
        return best is None or best[1].position is None

    def is_longer(support: float, grid: Grid | None) -> bool:
        """Whether a grid that is better there is much longer than this part of it."""
        if corners is not None or grid is None:
            return False
        wholes = oblong if grid.rows > FEW_SQUARES else square
        return any(other > support and _much_longer(whole, grid) for other, whole in wholes)

    sources = _between(picture, corners, game) if corners is not None else _anywhere(picture, game is not None, unread)
    for certain, grids in sources:
        for number, (support, found) in enumerate(grids):
            grid = of_usual_size(picture, found) if corners is None else found
            if grid.rows != grid.columns:
                oblong.append((support, grid))
                continue
            if is_longer(support, grid):
                continue
            sites = look_into_corners(picture, grid) or look(picture, grid)
            more = sites.strokes and grid.rows > FEW_SQUARES
            if more and any(other > WELL_THERE and _has_one_more(picture, whole, grid) for other, whole in oblong):
                continue
            score, reading = _read(picture, sites, support, game, turn, die)
            if best is None or best[1].is_part_of(reading) or (score > best[0] and not reading.is_part_of(best[1])):
                best = score, reading, support
            square.append((support, grid))
            grids_of[grid.lattice].append((score, grid))
            clear = reading.confidence > CLEAR and sites.quality > GOOD and not _unusual(grid, game)
            rival = any(other > support + BETTER_THERE for other, _ in grids[number + 1 :])
            if reading.position is not None and clear and support > certain and not rival:
                return best[1]  # not always this one: a part of a board may be clearer than the whole
    if best is None and oblong:
        best = *_read(picture, look(picture, oblong[0][1]), oblong[0][0], game, turn, die), oblong[0][0]
    if best is None:
        where = "between these corners" if corners is not None else "in the picture"
        return Reading(f"there is no board {where}: no evenly spaced lines cross each other", "no_board")
    if best[1].position is not None and is_longer(best[2], best[1].grid):
        return replace(best[1], refused=GOES_ON_BEYOND, code="size", position=None, confidence=0.0)
    for _, grid in oblong if best[1].position is None else ():
        for sites in without_buttons(picture, grid):
            again = _read(picture, sites, 1.0, game, turn, die)[1]
            if again.position is not None:
                return again
    for seen in grids_of.values() if best[1].position is None else ():
        for _, grid in sorted(seen, key=lambda pair: -pair[0])[:AGAIN]:
            for sites, of_game in look_again(picture, grid, game):
                again = _read(picture, sites, 1.0, of_game, turn, die)[1]
                if again.position is not None and not sites.strokes:
                    return again
    return best[1]


def _much_longer(whole: Grid, part: Grid) -> bool:
    """Whether a grid is but a part of one that is longer by more than headings."""
    longer = max(whole.rows, whole.columns) - part.rows
    return longer >= HEADINGS and part.inside(whole) is not None


def _has_one_more(picture: NDArray[np.uint8], whole: Grid, part: Grid) -> bool:
    """Whether a grid is longer than another by squares that are no headings: in many nothing stands."""
    place = part.inside(whole)
    if place is None:
        return False
    left, top, right, bottom = place
    more = np.ones((whole.rows, whole.columns), bool)
    more[top : bottom + 1, left : right + 1] = False
    return float((cut_patches(picture, whole).sizes.reshape(more.shape)[more] < 1).mean()) < LETTERED


Candidates = tuple[float, list[tuple[float, Grid]]]
"""Support above which a clear board among these grids ends the search, and the grids, each with its support."""


def _anywhere(picture: NDArray[np.uint8], named: bool, unread: Callable[[], bool]) -> Iterator[Candidates]:
    """Grids of the picture, large and small, while nothing was read also of a larger one, then of the straightened
    picture; those of most lines first."""
    fills = False
    for side in SIDES:
        seen, shrink = _shrunk(picture, side)
        lattices = find_lattices(seen)
        fills |= any(_fills(one, seen) for one in lattices)
        placed = _placed(_whole(lattices, side), shrink, named)
        large = WELL_SHOWN * max(picture.shape[:2]) / SIDES[0]
        yield UPRIGHT, [(s * (ASLANT if side < SIDES[0] and g.pitch < large else 1.0), g) for s, g in placed]
    if unread():
        seen, shrink = _enlarged(picture)
        yield UPRIGHT, _placed(_whole(find_lattices(seen), SIDES[0]), shrink, named)
    if unread() and fills:
        seen, shrink = _shrunk(picture, SIDES[1])
        framed = cv2.copyMakeBorder(seen, *(FRAME,) * 4, cv2.BORDER_CONSTANT, value=(128, 128, 128))
        back = np.array([[1.0, 0, -FRAME], [0, 1, -FRAME], [0, 0, 1]])
        placed = _placed(_whole(find_lattices(np.asarray(framed, np.uint8)), SIDES[1]), 1.0, named)
        yield UPRIGHT, [(s, _scaled(replace(g, place=back @ g.place), shrink)) for s, g in placed]
    if unread():
        seen, shrink = _shrunk(picture, DISCS_SIDE)
        unlined = (*find_blocks(picture), *(_scaled(grid, shrink) for grid in find_discs(seen)))
        yield UPRIGHT, [(1.0, grid) for grid in unlined]
    if unread():
        seen, shrink = _shrunk(picture, LOOSE_SIDE)
        yield UPRIGHT, [(ALL_THERE, _scaled(grid, shrink)) for grid in find_loose(seen)]
    small, shrink = _shrunk(picture, LARGEST_STRAIGHTENED)
    straight = straightened(small)
    if straight is None:
        return
    level, matrix = straight
    for side in SIDES:
        seen, more = _shrunk(level, side)
        placed = _placed(_whole(find_lattices(seen, TILTED_ASPECT), side), more, named)
        there = [(s, g) for s, g in placed if g.rows > FEW_SQUARES or s > ASLANT]  # few lines are soon found
        yield SUPPORTED, [(support, _scaled(in_picture(grid, matrix), shrink)) for support, grid in there]


def _whole(lattices: list[Lattice], side: int) -> list[Lattice]:
    """Those that are all there is of their grid, and not so small that a larger picture shows them better.

    Where the edge of the wood may look like a line more, the part of such a lattice without it is kept too.
    """
    large = [one for one in lattices if side == SIDES[0] or min(one.x.pitch, one.y.pitch) > SMALL]
    whole = [one for one in large if one.continued < PART or one.x.count <= FEW or one.overshoot > UNFRAMED]
    inner = {min(one.x.count, one.y.count) for one in whole if abs(one.x.count - one.y.count) == 1}
    inner |= {one.x.count - 1 for one in whole if one.x.count == one.y.count and one.support < ALL_THERE}
    return whole + [
        one
        for one in large
        if one not in whole and one.x.count == one.y.count and one.x.count in inner and one.support >= ALL_THERE
    ]


def _fills(lattice: Lattice, picture: NDArray[np.uint8]) -> bool:
    """Whether a lattice goes from side to side of the picture, or from the top to the bottom: the edges of the picture
    may be lines of the board."""
    height, width = picture.shape[:2]
    ways = ((lattice.x, width), (lattice.y, height))
    return any(comb.start < AT_EDGE * comb.pitch and comb.end > size - AT_EDGE * comb.pitch for comb, size in ways)


def _placed(lattices: list[Lattice], shrink: float, named: bool) -> list[tuple[float, Grid]]:
    return [(_worth(lattice), _scaled(grid, shrink)) for lattice in lattices for grid in _grids(lattice, named)]


def _worth(lattice: Lattice) -> float:
    """The support of a lattice, less where lines are partly missing or run aslant, and go on beyond it: a part of a
    tilted board."""
    tilted = lattice.support < ALL_THERE and lattice.beyond > (
        GOES_ON if lattice.support < WELL_THERE else PART_OF_BOARD
    )
    return lattice.support * (CONTINUED if tilted else 1.0)


def _shrunk(picture: NDArray[np.uint8], side: float) -> tuple[NDArray[np.uint8], float]:
    """The picture with at most so many pixels a side, and how much smaller it is."""
    shrink = side / max(picture.shape[:2])
    if shrink >= 1:
        return picture, 1.0
    return resized(picture, shrink), shrink


def _enlarged(picture: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], float]:
    """The picture as large as `CLOSER` says, and how much smaller it is: less than 1 where it is smaller."""
    size = min(CLOSER / max(picture.shape[:2]), ENLARGED)
    if size <= 1:
        return _shrunk(picture, CLOSER)
    return np.asarray(cv2.resize(picture, None, fx=size, fy=size, interpolation=cv2.INTER_CUBIC), np.uint8), size


def _scaled(grid: Grid, shrink: float) -> Grid:
    if shrink == 1.0:
        return grid
    return Grid(np.diag([1 / shrink, 1 / shrink, 1.0]) @ grid.place, grid.rows, grid.columns, grid.lattice)


def _between(
    picture: NDArray[np.uint8], corners: Sequence[tuple[float, float]], game: Game | None
) -> Iterator[Candidates]:
    """Grids whose outermost lines run through four corners; without lines, the board of the game that is given."""
    points = np.array(corners, float)
    if points.shape != (4, 2) or not np.isfinite(points).all():
        raise GameError(f"corners={corners!r} are not four points x,y")
    turns = [_turn(*points[[k, (k + 1) % 4, (k + 2) % 4]]) for k in range(4)]
    if min(turns) <= 0:
        raise GameError("the corners are not those of a board, clockwise from the top left")
    straight, matrix = from_corners(picture, points)
    low, high = MARGIN * STRAIGHT, (1 - MARGIN) * STRAIGHT
    near = [
        lattice
        for lattice in find_lattices(straight)
        if all(abs(c.start - low) < 0.4 * c.pitch and abs(c.end - high) < 0.4 * c.pitch for c in (lattice.x, lattice.y))
    ]
    yield 0.0, [(lattice.support, in_picture(grid, matrix)) for lattice in near for grid in _grids(lattice, True)[:2]]
    if game is not None:
        rows, columns = game.shape
        gaps = (columns, rows) if game.lattice == "squares" else (columns - 1, rows - 1)
        step_x, step_y = (high - low) / gaps[0], (high - low) / gaps[1]
        shift = 0.5 if game.lattice == "squares" else 0.0
        grid = upright_grid(low + shift * step_x, low + shift * step_y, step_x, step_y, rows, columns, game.lattice)
        yield 0.0, [(0.6, in_picture(grid, matrix))]


def _turn(first: NDArray[np.float64], middle: NDArray[np.float64], last: NDArray[np.float64]) -> float:
    """Above 0 where the way turns right, as it does clockwise round a board."""
    before, after = middle - first, last - middle
    return float(before[0] * after[1] - before[1] * after[0])


def _grids(lattice: Lattice, named: bool) -> list[Grid]:
    """The boards that a lattice may be; where no game is `named`, one of an unusual size must be all there is."""
    x, y = lattice.x, lattice.y
    found = []
    unframed = [reach > UNFRAMED for reach in lattice.reached]

    def add(kind: str, left: float, right: float, top: float, bottom: float) -> None:
        """A board whose outermost sites are so many pitches outside the outermost crossings."""
        rows, columns = round(y.count + top + bottom), round(x.count + left + right)
        place = x.start - left * x.pitch, y.start - top * y.pitch, x.pitch, y.pitch
        found.append(upright_grid(*place, rows, columns, kind))

    sides = [0.5 if bare else -0.5 for bare in unframed]
    if any(unframed) and not all(unframed):
        size = round(x.count + sides[0] + sides[1])
        even = all(reach < CLOSED or reach > OPEN for reach in lattice.reached)
        usual = size == OTHELLO_SIZES[-1] or (size >= FEWEST_SQUARES and even)
        if size == round(y.count + sides[2] + sides[3]) and usual and not lattice.continued:
            add("squares", *sides)  # some sides have no frame
    most = BUTTONS_BESIDE if x.count == FEW else WHOLE_BOARD
    most = PART if x.count - 1 in USUAL_SIZES else most
    alone = named or x.count - 1 in OTHELLO_SIZES or lattice.continued < most
    if min(x.count, y.count) > 3 and not all(unframed) and alone:
        add("squares", *(-0.5,) * 4)
    whole = lattice.beyond < WHOLE_BOARD or (HALF[0] < lattice.overshoot < HALF[1] and not lattice.continued)
    enough = min(x.count, y.count) >= (EINSTEIN if named else FEWEST_POINTS) or x.count == y.count == EINSTEIN
    if enough and (named or x.count in USUAL_SIZES or whole):
        add("points", *(0,) * 4)
    if all(unframed) and max(x.count, y.count) < 20:
        add("squares", *(0.5,) * 4)
    return found


def _read(
    picture: NDArray[np.uint8], sites: Sites, support: float, game: Game | None, turn: int | None, die: int | None
) -> tuple[float, Reading]:
    """How good a reading is, and the reading."""
    rows, columns = sites.grid.rows, sites.grid.columns
    worth = sites.quality * min(1.0, 0.4 + 0.6 * support) * (rows * columns) ** 0.1
    unusual = game is None and rows not in USUAL_SIZES
    if _unusual(sites.grid, game):
        worth *= UNUSUAL
    perhaps_othello = rows in OTHELLO_SIZES and (game is None or game.name == "othello")
    if perhaps_othello and sites.grid.lattice == "squares":
        hinted = without_hints(sites, find_game("othello", size=rows))
        if hinted is not None and (doubtful(sites, sites.trust) or not doubtful(hinted[0], hinted[0].trust)):
            sites, turn = hinted[0], hinted[1] if turn is None else turn
    try:
        verdict = judge(picture, sites, game)
    except Unfit as reason:
        return 0.4 * worth, Reading(str(reason), reason.code, sites.grid, cells=_cells(sites, None))
    unknown = doubtful(sites, verdict.trust)
    cells = _cells(sites, verdict)
    refused, code = None, ""
    if len(unknown) > _most_unknown(verdict, unusual):
        refused, code = f"{len(unknown)} of {len(verdict.texts)} squares are unclear", "unclear"
    elif support < LEAST_SUPPORT and (sites.strokes or sites.quality < GOOD):  # strokes hide no lines
        refused, code = "the lines of the grid are mostly missing", "no_board"
    elif _is_oblong(sites, verdict):
        refused, code = "the squares are too oblong for stones", "size"
    elif sites.grid.lattice == "squares" and in_quarters(sites):
        refused, code = "the squares hold quarters of discs", "size"
    elif sites.spread > 14:
        refused, code = "the pieces have more than two colours", "pieces"
    elif rows > 3 and (sites.strokes or rows != OTHELLO_SIZES[-1]) and goes_on(picture, sites):
        refused, code = GOES_ON_BEYOND, "size"
    elif unusual and sites.grid.lattice == "points" and may_have_rim(sites):
        refused, code = (
            f"whether the outermost of {rows} lines are a frame cannot be seen; say which game it is",
            "size",
        )
    elif not sites.strokes and between(picture, sites):
        refused, code = "stones stand between their places", "unclear"
    elif game is None and not unknown and verdict.fit < TAKING_TURNS:
        dark, light = sites.count(0), sites.count(1)
        told = f"{dark} dark and {light} light stones are of no game in which the players take turns"
        refused, code = f"{told}; say which game it is", "illegal"
    position = None
    if refused is None and not unknown:
        try:
            verdict, position = _composed(verdict, turn, die)
        except BadPosition as error:
            refused, code = f"what stands on the board is no position of {verdict.game.name}: {error}", "illegal"
    confidence = float(verdict.trust.min()) * verdict.fit if refused is None else 0.0
    reading = Reading(refused, code, sites.grid, verdict.game, cells, position, confidence, verdict.others)
    fit = max(verdict.fit, HANDICAP) if sites.grid.lattice == "points" else verdict.fit
    worth *= 0.6 if refused is not None else INCOMPLETE if unknown else 1.0
    return worth * fit, reading


def _is_oblong(sites: Sites, verdict: Verdict) -> bool:
    """Whether plain stones stand in squares that are no squares: these may be halves of them."""
    plain = not sites.strokes and verdict.game.name != "einstein"
    return plain and not 1 / MOST_OBLONG < sites.grid.aspect < MOST_OBLONG


def _unusual(grid: Grid, game: Game | None) -> bool:
    """Whether a board has a size that is likelier a usual one of points with a line too many or too few."""
    many = grid.lattice == "points" or grid.rows >= FEWEST_SQUARES
    return game is None and many and grid.rows not in USUAL_SIZES


def _most_unknown(verdict: Verdict, unusual: bool) -> float:
    """How many squares may be unknown: none on a board of an unusual size, else few beside the known stones."""
    most = MOST_DOUBTFUL * len(verdict.texts)
    if verdict.game.name != "gomoku":
        return most
    stones = sum(bool(text) for text in verdict.texts)
    return 0.0 if unusual else min(most, max(1.0, MOST_BESIDE * stones))


def _composed(verdict: Verdict, turn: int | None, die: int | None) -> tuple[Verdict, Position]:
    """The position, of another game that would suit as well if the rules of the likeliest allow none."""
    try:
        return verdict, compose(verdict, turn, die)
    except BadPosition:
        for name in verdict.others:
            other = replace(verdict, game=find_game(name, size=verdict.game.shape[0]), others=())
            try:
                return other, compose(other, turn, die)
            except BadPosition:
                continue
        raise


def _cells(sites: Sites, verdict: Verdict | None) -> tuple[tuple[Cell, ...], ...]:
    trust = sites.trust if verdict is None else verdict.trust
    texts: Sequence[str] = (
        ["" if side < 0 else "XO"[side] for side in sites.side.tolist()] if verdict is None else verdict.texts
    )
    unknown = set(doubtful(sites, trust))
    width = sites.grid.columns
    flat = [Cell(None if site in unknown else text, round(float(trust[site]), 4)) for site, text in enumerate(texts)]
    return tuple(tuple(flat[start : start + width]) for start in range(0, len(flat), width))
