"""Descriptions of boards: bad ones are refused with the bad value named."""

from collections.abc import Callable

import pytest

import boyi.draw
from boyi.draw import Arrow, Diagram, Overlay, Piece, svg, text

STONE = {"X": Piece("disc", "black")}
BOARD = Diagram((("X", ""), ("", "")), STONE)


def test_public_names() -> None:
    assert sorted(boyi.draw.__all__) == ["Arrow", "Diagram", "Overlay", "Piece", "png", "svg", "text"]
    assert all(callable(getattr(boyi.draw, name)) for name in boyi.draw.__all__)


@pytest.mark.parametrize(
    ("make", "parts"),
    [
        (lambda: Piece("cube", "black"), ["shape 'cube'", "disc, tile, cross, ring"]),
        (lambda: Piece("disc", "mauve"), ["colour 'mauve'", "black, white, red, blue"]),
        (lambda: Diagram((("",),), {}, lattice="hex"), ["lattice 'hex'", "squares, points"]),
        (lambda: Diagram((("",),), {}, surface="sand"), ["surface 'sand'", "felt, wood, paper, slate"]),
        (lambda: Diagram((("X", "Q"),), STONE), ["cell 'Q'", "choose one of X"]),
        (lambda: Diagram((("", ""), ("",)), {}), ["row 1 has 1 cells", "row 0 has 2"]),
        (lambda: Diagram((), {}), ["at least one row"]),
        (lambda: Diagram((("", ""),), {}, columns=("a",)), ["1 column labels for 2 columns"]),
        (lambda: Diagram((("", ""),), {}, row_labels=("1", "2")), ["2 row labels for 1 rows"]),
        (lambda: Diagram((("", ""),), {}, dots=(2,)), ["dots: square 2", "0 to 1"]),
        (lambda: Diagram((("", ""),), {}, areas={-1: "red"}), ["areas: square -1", "0 to 1"]),
        (lambda: Diagram((("", ""),), {}, areas={0: "pink"}), ["colour 'pink'", "accent"]),
        (lambda: Arrow(0, 1, "pink"), ["colour 'pink'", "accent"]),
        (lambda: Arrow(0, 1, weight=1.5), ["weight", "1.5"]),
        (lambda: Arrow(3, 3), ["two squares", "3"]),
        (lambda: Overlay(heat={0: -0.1}), ["heat", "-0.1"]),
        (lambda: Overlay(heat={0: float("nan")}), ["heat", "nan"]),
        (lambda: svg(BOARD, theme="neon"), ["theme 'neon'", "light, dark, auto"]),
        (lambda: svg(BOARD, size=7), ["size 7 is too small for 2 columns"]),
    ],
)
def test_errors_name_the_bad_value_and_the_allowed_ones(make: Callable[[], object], parts: list[str]) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is checked below
        make()
    for part in parts:
        assert part in str(caught.value)


@pytest.mark.parametrize("draw", [svg, text])
@pytest.mark.parametrize(
    "overlay",
    [
        Overlay(last=(4,)),
        Overlay(legal=(4,)),
        Overlay(movable=(4,)),
        Overlay(values={4: "1"}),
        Overlay(heat={4: 0.5}),
        Overlay(arrows=(Arrow(0, 4),)),
        Overlay(suggestion=4),
    ],
)
def test_squares_off_the_board_are_refused(draw: Callable[[Diagram, Overlay], str], overlay: Overlay) -> None:
    with pytest.raises(ValueError, match="square 4 is not on the board; squares are 0 to 3"):
        draw(BOARD, overlay)
