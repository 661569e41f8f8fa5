"""Marks of legal moves that look like stones: where they stand, the rules of Othello say. Start at `without_hints`."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from boyi.games import BadPosition, Game
from boyi.vision.cells import Sites
from boyi.vision.colours import lab
from boyi.vision.judge import SURE_STROKE
from boyi.vision.marks import covered
from boyi.vision.nets import EMPTY, KINDS, OTHER, STONE
from boyi.vision.sides import APART, CLEARLY, CLOSE, SURELY, split_colours

FEWEST = 2
"""Fewer marks may stand on all legal moves by chance."""
BARE = (0.5, 0.98)
"""What is empty with a smaller share may bear a mark; a faint one looks nearly empty."""


def without_hints(sites: Sites, othello: Game) -> tuple[Sites, int] | None:
    """The sites without signs, or without those of one colour of three, that stand on all legal moves of a side and
    nowhere else, and which side that is; None where there are none, or where it could be seen in two ways."""
    for bare in () if sites.strokes else BARE:
        found = _without(sites, (sites.side >= 0) | (sites.shares[:, EMPTY] < bare), othello)
        if found is not None:
            return found
    for bare in BARE:
        signs = (sites.side < 0) & (sites.shares[:, EMPTY] < bare)
        signs |= sites.strokes & (sites.side >= 0) & (sites.trust < SURE_STROKE)  # a question mark is nearly a ring
        side = np.where(signs, -1, sites.side)
        turns = [turn for turn in (0, 1) if _stand_on_moves(side, np.flatnonzero(signs), othello, turn)]
        if len(turns) == 1:
            shares = np.where(signs[:, None], np.arange(len(KINDS)) == EMPTY, sites.shares).astype(np.float32)
            return replace(sites, side=side, shares=shares, trust=np.where(signs, SURELY, sites.trust)), turns[0]
    return None


def _without(sites: Sites, there: NDArray[np.bool_], othello: Game) -> tuple[Sites, int] | None:
    shown = np.flatnonzero(there)
    if len(shown) < FEWEST + 4:
        return None
    colours = lab(sites.patches.bodies()[shown])
    ground = lab(sites.patches.ground[None])[0]
    hollow = np.linalg.norm(colours - lab(sites.patches.around[shown]), axis=1) < CLOSE / 2
    for nearest in range(3):  # marks are likelier of a colour near the board's
        found = {}
        for group in _threes(colours):
            middles = np.stack([np.median(colours[group == part], axis=0) for part in range(3)])
            hint = int(np.argsort(np.linalg.norm(middles - ground, axis=1))[nearest])
            light = max((part for part in range(3) if part != hint), key=middles[:, 0].tolist().__getitem__)
            side = np.full(len(sites.side), -1)
            marks = (group == hint) | hollow
            side[shown[~marks]] = group[~marks] == light
            for turn in (0, 1):
                if _stand_on_moves(side, shown[marks], othello, turn):
                    found[tuple(side.tolist())] = turn
        if found:
            break
    if len(found) != 1:
        return None
    [(told, turn)] = found.items()
    side = np.array(told)
    shares = np.where(np.arange(len(KINDS)) == np.where(side < 0, EMPTY, STONE)[:, None], np.float32(SURELY), 0)
    centres = np.stack([np.median(colours[side[shown] == player], axis=0) for player in (0, 1)])
    trust = sites.shares[:, EMPTY].astype(float)
    trust[covered(sites.patches, ~there, centres)] *= 0.5
    trust[shown] = SURELY
    trust[shown[_odd(sites, shown, side, colours)]] = 0.0
    return replace(sites, side=side, shares=shares, trust=trust, colours=centres, spread=0.0), turn


def _odd(
    sites: Sites, shown: NDArray[np.int64], side: NDArray[np.int64], colours: NDArray[np.float32]
) -> NDArray[np.bool_]:
    """[shown]: whether a stone has another colour than the others of its side, or something is a sign that the others
    are not."""
    odd, strange = np.zeros(len(shown), bool), sites.shares[shown].argmax(axis=1) == OTHER
    for player in (-1, 0, 1):
        own = side[shown] == player
        odd[own] = strange[own] & (strange[own].sum() < own.sum() / 2)
        if player >= 0:
            odd[own] |= np.linalg.norm(colours[own] - np.median(colours[own], axis=0), axis=1) > APART
    return odd


def _threes(colours: NDArray[np.float32]) -> Iterator[NDArray[np.int64]]:
    """[n] each: three groups of colours, by cutting them into two and one of these into two again."""
    first = _halves(colours)
    for half in (0, 1):
        part = first == half
        if part.sum() >= FEWEST:
            group = np.where(part, 0, 2)
            group[part] = _halves(colours[part])
            if len(np.unique(group)) == 3 and _are_clear(colours, group):
                yield group


def _are_clear(colours: NDArray[np.float32], group: NDArray[np.int64]) -> bool:
    """Whether three groups of colours lie far apart beside how the colours of each differ."""
    middles = np.stack([np.median(colours[group == part], axis=0) for part in range(3)])
    spread = float(np.linalg.norm(colours - middles[group], axis=1).mean())
    gaps = [float(np.linalg.norm(middles[first] - middles[second])) for first, second in ((0, 1), (0, 2), (1, 2))]
    return min(gaps) > max(CLOSE, CLEARLY * spread)


def _halves(colours: NDArray[np.float32]) -> NDArray[np.int64]:
    """[n]: 0 for the darker half of colours that are cut into two, 1 for the lighter one."""
    centres = split_colours(colours).centres
    return np.asarray(np.linalg.norm(colours[:, None] - centres, axis=2).argmin(axis=1), np.int64)


def _stand_on_moves(side: NDArray[np.int64], marks: NDArray[np.int64], othello: Game, turn: int) -> bool:
    """Whether the marks are on all squares where this side may play, with the stones as they are."""
    if len(marks) < FEWEST:
        return False
    width = othello.shape[1]
    texts = ["" if player < 0 else "XO"[player] for player in side.tolist()]
    rows = [texts[start : start + width] for start in range(0, len(texts), width)]
    try:
        position = othello.compose(rows, turn)
    except BadPosition:
        return False
    return set(position.moves) == {othello.squares[site] for site in marks.tolist()}
