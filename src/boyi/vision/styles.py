"""How a board may look: a style is a bag of random choices, of colours, grid lines or gaps, stones, marks, fonts.

`scenes` paints boards in these styles. Start at `random_style`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from boyi.vision.colours import Colour, blend, distance, random_colour
from boyi.vision.signs import FONTS, Signs, random_signs
from boyi.vision.surfaces import SURFACES

PALE, FAINT = 0.12, 0.12
"""How many boards have stones of their own colour, and stones that differ little from it."""
GREY = 0.06
"""How many boards have crosses and rings of a colour between the board's and black or white, as on dead buttons."""
COLOURED_SQUARES = 0.3
"""How many boards of numbered stones show them as coloured squares."""
LAST = ("none", "dot", "ring", "ring", "square", "frame", "triangle", "tint", "cross", "saltire", "corners")
"""Marks of the last move."""
HINTS = ("dot", "dot", "ring", "text", "star", "tint", "saltire", "plus", "spark", "ghost", "box", "outline", "outline")
"""What stands on empty sites: legal moves, star points, values, signs of any kind."""
PLACEHOLDERS = (*"_.-·*+", "--", "□", "▢")
"""Signs that some programs put on every empty site."""
DECOR = ("face", "spark", "spiral", "letter", "dimple", "stripe")
"""What all stones of a side may bear."""


@dataclass(frozen=True)
class Style:
    """How a board looks. Lengths are shares of the distance between two sites."""

    lattice: str
    board: Colour
    second: Colour
    """The other colour of a chequered board; the same as `board` otherwise."""
    line: Colour
    paper: Colour
    paper_end: Colour
    """What the paper's colour becomes towards the lower right."""
    card: float
    """Radius of the corners of a sheet that the board lies on, 0 for none."""
    line_width: float
    snapped: bool
    """Whether lines lie on whole pixels; otherwise some are two pixels wide and pale."""
    line_shadow: float
    """Strength of a shadow beside the lines, and around the points where they cross."""
    wobble: float
    """How far from straight the lines are that a hand drew."""
    dash: float
    """Length of the dashes of a broken line, 0 for a whole one."""
    short: float
    """How far the lines of a board without a frame end before its edge; below 0 beyond it."""
    line_glow: float
    """Strength of a light around the lines."""
    gap: float
    """Distance of cells that are drawn one by one, 0 for a board of lines."""
    boxed: float
    """Width of the line around each of these cells, 0 for none."""
    between: Colour
    """The colour that shows between the cells."""
    lifted: float
    """Strength of a shadow under each of them."""
    bare: bool
    """Whether there is no cell under a piece."""
    rounding: float
    """Radius of the corners of cells and tiles; 0.5 for round ones."""
    raised: float
    """Width of the light and dark sides of every square, as of buttons."""
    slope: float
    """How much lighter the board is at one end and darker at the other."""
    unlined: bool
    """Whether stones fill their squares and no line is drawn between these."""
    frame: bool
    """Whether the outermost lines of a board of squares are drawn."""
    rim: float
    stones: tuple[Colour, Colour]
    inked: Colour | None
    """The colour of all stones where only their number and a circle on them say whose they are."""
    badge: float
    """Radius of a light disc under the number of a stone, 0 for none."""
    shape: str
    """ "disc" or "tile"."""
    radius: float
    shade: float
    """Light and dark of a stone's gradient, 0 for a flat one."""
    lit: tuple[float, float]
    """Where the gradient is lightest, in shares of a stone's width and height."""
    outline: float
    edge: float
    """How much of black, or of white on a dark board, is in the outline's colour."""
    shadow: float
    cast: tuple[float, float]
    """How far to the right and down a stone's shadow falls."""
    penumbra: tuple[float, ...]
    """Radii of the discs that make up the shadow, in shares of the stone's: several for a soft one."""
    gloss: float
    """Strength of a spot of light on each stone."""
    bevel: float
    """Strength of a circle inside each stone."""
    crescent: float
    """Strength of a crescent of light or shadow at a stone's edge."""
    facet: float
    """Width of the light and dark sides of a tile, 0 for a flat one."""
    veins: float
    """Strength of lines across light stones, as on shell."""
    glare: float
    """Strength of light that falls on a part of the board."""
    marks: tuple[Colour, Colour]
    """Colours of crosses and rings."""
    signs: Signs
    struck: bool
    """Whether a line runs through a whole row of a small board, as through the three that won."""
    font: str
    bold: bool
    italic: bool
    """Whether numbers on stones lean."""
    digit: float
    """Size of a number on a stone, as a share of its diameter."""
    heavy: float
    """Width of the line that makes a number fatter than its font, as a share of its size."""
    drop: float
    """How much too low a number stands on its stone, in pitches."""
    ink: tuple[Colour, Colour]
    coordinates: bool
    label_reach: float
    """How far outside the outermost sites they stand."""
    label_size: float
    label_sides: int
    """On one side each, or on both."""
    hints: float
    """Share of empty sites with a legal-move dot, a star point or a small number."""
    hint_kind: str
    hint_size: float
    """Radius of a dot, a ring or a star point."""
    hint_ink: float
    """How strong the colour of a text is."""
    last_kind: str
    mark: float
    """Size of the mark of the last move, as a share of a stone's radius."""
    mark_width: float
    """Width of its line, as a share of a stone's radius."""
    plain_mark: bool
    """Whether it is black or white, not red."""
    texture: float
    grain: float
    """Strength of streaks on the board, as in wood."""
    level_grain: bool
    pixels: int
    """Pixels a pitch of a board that is drawn in large pixels, else 0."""
    surface: str
    """Which of `surfaces.SURFACES` the board is made of; "" for one colour."""
    relief: float
    """How much lighter and darker that makes it."""
    around: bool
    """Whether the surface goes on beyond the board."""
    decor: tuple[str, str]
    """Which of `DECOR` the stones of each side bear; "" for none."""
    decor_size: float
    """Its size, as a share of a stone's radius."""
    oblong: float
    """How much wider than high a square is."""
    tinted: int
    """How many squares have a colour of their own: goals, where the last move came from."""
    tint: float
    """How strong these colours are."""
    chosen: int
    """How many squares have a coloured frame: the one under the cursor, the last move."""
    double_frame: float
    """Distance of a second frame from the outermost lines; 0 for none."""
    frame_width: float
    """Width of its line."""


def _board_colour(random: np.random.Generator) -> Colour:
    usual: list[Colour] = [
        (46, 139, 87), (34, 120, 60), (0, 128, 0), (220, 179, 92), (238, 207, 150), (200, 160, 90), (255, 255, 255),
        (245, 245, 240), (30, 34, 40), (60, 66, 74), (51, 102, 153), (190, 190, 195), (250, 240, 215), (20, 60, 40),
    ]  # fmt: skip
    if random.random() < 0.3:
        return random_colour(random)
    base = usual[int(random.integers(len(usual)))]
    return blend(base, random_colour(random), float(random.uniform(0, 0.18)))


def _contrasting(random: np.random.Generator, against: Colour, at_least: float) -> Colour:
    for _ in range(50):
        found = random_colour(random)
        if distance(found, against) >= at_least:
            return found
    return (255, 255, 255) if sum(against) < 380 else (0, 0, 0)


def odd_colour(random: np.random.Generator, others: Sequence[Colour]) -> Colour:
    """A colour that is none of the others."""
    found = [random_colour(random) for _ in range(50)]
    return max(
        found, key=lambda colour: min(sum(abs(a - b) for a, b in zip(colour, one, strict=True)) for one in others)
    )


def _faint(random: np.random.Generator, board: Colour, stones: tuple[Colour, Colour]) -> tuple[Colour, Colour]:
    """The stones of a board, those that are nearer to its lightness nearly of its colour."""
    dark = sum(board) < 380
    near = blend(board, (0, 0, 0) if dark else (255, 255, 255), float(random.uniform(0.35, 0.8)))
    return (near, stones[1]) if dark else (stones[0], near)


def random_style(random: np.random.Generator, lattice: str) -> Style:
    """A style drawn at random, such that what is drawn can be seen."""
    board = _board_colour(random)
    chequered = lattice == "squares" and random.random() < 0.12
    ink: Colour = (0, 0, 0) if sum(board) > 380 or random.random() < 0.3 else (255, 255, 255)
    line = blend(board, ink, float(random.uniform(0.22, 1.0)))
    if distance(line, board) < 22:
        line = blend(board, (255, 255, 255) if sum(board) < 300 else (0, 0, 0), 0.5)
    tone = int(random.integers(0, 70)), int(random.integers(185, 256))
    black, white = (tone[0],) * 3, (tone[1],) * 3
    if random.random() < 0.3:
        black, white = blend(black, random_colour(random), 0.35), blend(white, random_colour(random), 0.25)
    if random.random() < 0.3:
        red: Colour = (int(random.integers(170, 256)), int(random.integers(0, 90)), int(random.integers(0, 90)))
        blue: Colour = (int(random.integers(0, 90)), int(random.integers(20, 150)), int(random.integers(150, 256)))
        black, white = red, blue
    elif random.random() < 0.15:
        black = _contrasting(random, board, 50)
        white = _contrasting(random, blend(black, board, 0.5), 90)
    if random.random() < PALE:
        black, white = (black, board) if sum(board) > 380 else (board, white)
    elif random.random() < FAINT:
        black, white = _faint(random, board, (black, white))
    gap = float(random.uniform(0.02, 0.3)) if lattice == "squares" and random.random() < 0.35 else 0.0
    boxed = float(random.choice([random.uniform(0.008, 0.05), random.uniform(0.05, 0.12)]))
    boxed = boxed if gap and random.random() < 0.4 else 0.0
    bare = bool(gap and not boxed and random.random() < 0.25)
    between = blend(board, line, float(random.uniform(0.05, 0.35))) if bare else line
    if boxed:
        between = blend(board, random_colour(random), float(random.choice([0, 0.3])))
    shape = "tile" if lattice == "squares" and random.random() < 0.25 else "disc"
    least = 60 if random.random() < 0.9 else 40
    marks = _contrasting(random, board, least), _contrasting(random, board, least)
    paper = _board_colour(random)
    double_frame = float(random.uniform(0.06, 0.3) if lattice == "squares" else random.uniform(0.15, 0.6))
    double_frame = double_frame if random.random() < 0.15 else 0.0
    if random.random() < 0.3:
        marks = marks[0], marks[0]
    if random.random() < GREY:
        shade = blend(board, (255, 255, 255) if sum(board) < 380 else (0, 0, 0), float(random.uniform(0.3, 0.6)))
        marks = shade, shade
    return Style(
        lattice=lattice,
        board=board,
        second=blend(board, ink, float(random.uniform(0.05, 0.3))) if chequered else board,
        line=line,
        paper=paper,
        paper_end=_board_colour(random) if random.random() < 0.12 else paper,
        card=float(random.uniform(0.05, 0.4)) if random.random() < 0.15 else 0.0,
        line_width=float(random.uniform(0.008, 0.07) if random.random() < 0.85 else random.uniform(0.07, 0.16)),
        snapped=bool(random.random() < 0.7),
        line_shadow=float(random.choice([0, 0, 0, 0, 0, 0.15, 0.35])),
        wobble=float(random.uniform(0.01, 0.06)) if random.random() < 0.06 else 0.0,
        dash=float(random.uniform(0.05, 0.25)) if random.random() < 0.03 else 0.0,
        short=float(random.uniform(-0.12, 0.25)) if random.random() < 0.4 else 0.0,
        line_glow=float(random.uniform(0.3, 0.9)) if random.random() < 0.05 else 0.0,
        gap=gap,
        boxed=boxed,
        between=between,
        lifted=float(random.uniform(0.1, 0.5)) if gap and random.random() < 0.25 else 0.0,
        bare=bare,
        rounding=float(random.choice([0, 0, 0.05, 0.15, 0.3, 0.5] if shape == "disc" else [0, 0, 0.05, 0.15])),
        raised=float(random.uniform(0.02, 0.09)) if lattice == "squares" and random.random() < 0.1 else 0.0,
        slope=float(random.choice([0, 0, 0, 0.1, 0.25])),
        unlined=False,
        frame=lattice == "points" or gap > 0 or chequered or random.random() < 0.75,
        rim=float(random.choice([0, 0, 0.1, 0.4, 0.4, 0.8] if lattice == "points" else [0, 0, 0.1, 0.4])),
        stones=(black, white),
        inked=None,
        badge=0.0,
        shape=shape,
        radius=float(random.uniform(0.45, 0.5) if random.random() < 0.25 else random.uniform(0.33, 0.49)),
        shade=float(random.choice([0, 0.3, 0.6, 0.9])),
        lit=(float(random.uniform(0.25, 0.6)), float(random.uniform(0.2, 0.5))),
        outline=float(random.choice([0, 0.01, 0.02, 0.05])),
        edge=float(random.uniform(0.4, 1.0)),
        shadow=float(random.choice([0, 0, 0.3, 0.5])),
        cast=(float(random.uniform(-0.03, 0.09)), float(random.uniform(0.0, 0.12))),
        penumbra=((1.0,), (1.2, 1.1, 1.0, 0.9))[int(random.integers(2))],
        gloss=float(random.choice([0, 0, 0, 0.5, 0.9])),
        bevel=float(random.choice([0, 0, 0, 0.25, 0.5])),
        crescent=float(random.uniform(0.15, 0.6)) if random.random() < 0.08 else 0.0,
        facet=float(random.choice([0, 0.08, 0.16])) if shape == "tile" else 0.0,
        veins=float(random.choice([0, 0, 0, 0, 0.15, 0.3])),
        glare=float(random.choice([0, 0, 0, 0, 0, 0, 0.25, 0.5])),
        marks=marks,
        signs=random_signs(random),
        struck=bool(random.random() < 0.12),
        font=str(random.choice(FONTS)),
        bold=bool(random.random() < 0.5),
        italic=bool(random.random() < 0.15),
        digit=float(random.uniform(0.38, 0.85)),
        ink=((255, 255, 255), (0, 0, 0)) if random.random() < 0.6 else ((255, 235, 120), (130, 20, 20)),
        coordinates=bool(random.random() < 0.5),
        label_reach=float(random.uniform(0.7, 1.15)),
        label_size=float(random.uniform(0.3, 0.55)),
        label_sides=int(random.integers(1, 3)),
        hints=float(random.choice([0, 0, 0.05, 0.15, 0.3, 0.3, 1.0])),
        hint_kind=str(random.choice(HINTS)),
        hint_size=float(random.uniform(0.05, 0.18)),
        hint_ink=float(random.uniform(0.4, 1.0)) if random.random() < 0.5 else 1.0,
        last_kind=str(random.choice(LAST)),
        mark=float(random.uniform(0.25, 0.85)),
        mark_width=float(random.uniform(0.05, 0.35)),
        plain_mark=bool(random.random() < 0.6),
        texture=float(random.choice([0, 0, 2, 5])),
        grain=float(random.choice([0, 0, 0, 0.12, 0.3])) if lattice == "points" else 0.0,
        level_grain=bool(random.random() < 0.4),
        pixels=int(random.integers(10, 26)) if random.random() < 0.08 else 0,
        heavy=float(random.choice([0, 0, 0, 0.06, 0.13])),
        drop=float(random.uniform(-0.05, 0.09)) if random.random() < 0.4 else 0.0,
        surface=str(random.choice(tuple(SURFACES))) if random.random() < 0.4 else "",
        relief=float(random.uniform(0.03, 0.3)),
        around=bool(random.random() < 0.3),
        decor=_decor(random),
        decor_size=float(random.uniform(0.35, 0.8)),
        oblong=_oblong(random),
        tinted=int(random.choice([0, 0, 1, 2, 4])) if lattice == "squares" else 0,
        tint=float(random.uniform(0.15, 0.85)),
        chosen=int(random.choice([0, 0, 0, 0, 0, 1, 2])) if lattice == "squares" else 0,
        double_frame=double_frame,
        frame_width=float(random.uniform(0.01, 0.06 if random.random() < 0.5 else 0.01 + 0.9 * double_frame)),
    )


def smaller(style: Style, random: np.random.Generator) -> Style:
    """The style with stones that leave most of their squares free, and with still smaller marks of empty ones."""
    radius = float(
        np.exp(random.uniform(np.log(0.06), np.log(0.33))) if style.lattice == "squares" else random.uniform(0.24, 0.33)
    )
    hints = 0.0 if style.hint_kind in ("box", "spark", "saltire", "plus") else style.hints
    return replace(style, radius=radius, hints=hints, hint_size=min(style.hint_size, 0.35 * radius))


def with_placeholders(style: Style, random: np.random.Generator) -> Style:
    """The style with the same sign on every empty site."""
    sign = PLACEHOLDERS[int(random.integers(len(PLACEHOLDERS)))]
    ink = float(random.uniform(0.3, 1.0))
    return replace(style, hints=1.0, hint_kind=sign, hint_size=float(random.uniform(0.08, 0.3)), hint_ink=ink)


def calmed(style: Style, random: np.random.Generator) -> Style:
    """The style without most of what makes a board hard to read, as programs usually draw it."""
    even = replace(style, texture=0.0, glare=0.0, slope=0.0, pixels=0, line_shadow=0.0)
    if random.random() < 0.8:
        even = replace(even, surface="", grain=0.0, relief=0.0)
    if random.random() < 0.7:
        even = replace(even, tinted=0, chosen=min(even.chosen, 1), hints=0.0)
    if random.random() < 0.5:
        white = (255, 255, 255)
        line = blend(white, (0, 0, 0), random.uniform(0.2, 1))
        between = blend(white, even.between, 0.2) if even.bare or even.boxed else line
        even = replace(even, paper=white, paper_end=white, board=white, second=white, line=line, between=between)
        dark = tuple(colour if distance(colour, white) > 110 else (20, 20, 20) for colour in even.marks)
        even = replace(even, marks=(dark[0], dark[1]))
    return even


def numbered_stones(style: Style, random: np.random.Generator) -> Style:
    """The style with stones as EinStein has them: red and blue ones with a number, most of them in full colours."""
    red: Colour = (int(random.integers(150, 256)), int(random.integers(0, 100)), int(random.integers(0, 100)))
    blue: Colour = (int(random.integers(0, 100)), int(random.integers(20, 170)), int(random.integers(110, 256)))
    if random.random() < 0.25:
        pale = float(random.uniform(0.35, 0.75))
        red, blue = blend(red, (255, 255, 255), pale), blend(blue, (255, 255, 255), pale)
    if random.random() < 0.8:
        style = replace(style, stones=(red, blue))
    if random.random() < COLOURED_SQUARES:
        style = replace(style, shape="tile", radius=0.5 - style.gap / 2, outline=0.0, facet=0.0)
    if random.random() < 0.15:
        style = replace(style, badge=float(random.uniform(0.5, 0.8)))
    elif random.random() < 0.2:
        wood = blend((235, 200, 150), random_colour(random), float(random.uniform(0, 0.2)))
        body = wood if random.random() < 0.5 else style.board
        style = replace(style, stones=(red, blue), inked=body, shape="disc", facet=0.0, gloss=0.0, veins=0.0, shade=0.0)
        if min(distance(red, body), distance(blue, body)) < 70:
            style = replace(style, inked=(250, 248, 240))
    return replace(style, hints=0.0 if style.hint_kind == "text" else style.hints, decor=("", ""))


def as_blocks(style: Style, random: np.random.Generator) -> Style:
    """The style with stones that fill their squares and nothing between these: a board of three plain colours."""
    flat = {"gap": 0.0, "raised": 0.0, "rounding": 0.0, "outline": 0.0, "shadow": 0.0, "facet": 0.0, "shade": 0.0}
    plain = replace(style, **flat, gloss=0.0, bevel=0.0, veins=0.0, crescent=0.0, surface="", grain=0.0, pixels=0)  # type: ignore[arg-type]
    far = min(distance(style.stones[0], style.board), distance(style.stones[1], style.board)) > 60
    stones = style.stones if far else ((15, 15, 15), (245, 245, 245))
    board = style.board if 200 < sum(style.board) < 600 else (0, 140, 30)
    return replace(plain, unlined=True, frame=True, shape="tile", radius=0.5, stones=stones, board=board, second=board)


def _oblong(random: np.random.Generator) -> float:
    kind = random.random()
    if kind < 0.75:
        return 1.0
    return float(np.exp(random.uniform(-0.14, 0.14) if kind < 0.92 else random.uniform(-0.4, 0.8)))


def _decor(random: np.random.Generator) -> tuple[str, str]:
    kind = random.random()
    if kind < 0.85:
        return "", ""
    first = str(random.choice(DECOR))
    return (first, first) if kind < 0.93 else (first, str(random.choice(("", *DECOR))))
