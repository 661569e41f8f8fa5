"""Text pictures, letter by letter."""

from hypothesis import given
from hypothesis import strategies as st

from boyi.draw import Arrow, Diagram, Overlay, Piece, text

EINSTEIN = Diagram(
    (("R1", "", "R3"), ("", "R5", ""), ("B2", "", "B6")),
    {cell: Piece("tile", "red" if cell < "C" else "blue", cell[1]) for cell in ("R1", "R3", "R5", "B2", "B6")},
    columns=("A", "B", "C"),
    row_labels=("10", "9", "8"),
)
XO = {"X": Piece("disc", "black", symbol="#"), "O": Piece("disc", "white")}


def test_marks_keep_the_columns_aligned() -> None:
    overlay = Overlay(
        last=(1, 4), legal=(5, 7), movable=(2, 0), suggestion=5, arrows=(Arrow(2, 5),), caption="Red rolled 3"
    )
    assert text(EINSTEIN, overlay) == (
        "     A   B   C\n10 (R1) [.](R3) 10\n 9   . [R5] <*>  9\n 8  B2   *  B6   8\n     A   B   C\nRed rolled 3"
    )


def test_values_widen_every_column() -> None:
    diagram = Diagram((("X", "", ""), ("", "O", "")), XO, columns=("a", "b", "c"), row_labels=("2", "1"))
    overlay = Overlay(last=(0,), legal=(1, 2), values={1: "57", 4: "-3"}, heat={1: 0.5})
    assert text(diagram, overlay).splitlines() == [
        "      a     b     c",
        "2    [#]   57     *  2",
        "1     .  O:-3     .  1",
        "      a     b     c",
    ]


def test_without_coordinates() -> None:
    diagram = Diagram((("X", ""), ("", "O")), XO, columns=("a", "b"), row_labels=("2", "1"))
    assert text(diagram, Overlay(last=(3,)), coordinates=False) == "  #  .\n  . [O]"


@given(
    cells=st.lists(st.sampled_from(["", "R1", "B2"]), min_size=12, max_size=12),
    last=st.sets(st.integers(0, 11)),
    movable=st.sets(st.integers(0, 11)),
    suggestion=st.none() | st.integers(0, 11),
)
def test_marks_take_only_the_place_of_blanks(
    cells: list[str], last: set[int], movable: set[int], suggestion: int | None
) -> None:
    diagram = Diagram(
        tuple(tuple(cells[i : i + 4]) for i in (0, 4, 8)),
        EINSTEIN.pieces | {"R1": Piece("ring", "red")},
        columns=("a", "b", "c", "d"),
    )
    marked = text(diagram, Overlay(last=tuple(last), movable=tuple(movable), suggestion=suggestion))
    bare = marked.translate(str.maketrans("[]<>()", " " * 6))
    assert [line.rstrip() for line in bare.splitlines()] == text(diagram).splitlines()
    marks = last | movable | ({suggestion} if suggestion is not None else set())
    assert sum(marked.count(mark) for mark in "[<(") == len(marks)
    assert marked.count("[") == len(last)
