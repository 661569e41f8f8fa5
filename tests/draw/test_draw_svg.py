"""SVG pictures, read back with an XML parser, and PNG pictures."""

import re
import struct
import sys
import xml.etree.ElementTree as ET
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boyi.draw import Arrow, Diagram, Overlay, Piece, png, svg, themes

NS = "{http://www.w3.org/2000/svg}"
HOSTILE = '"><script>alert("&amp;")</script>'
DISCS = {"X": Piece("disc", "black"), "O": Piece("disc", "white")}
OTHELLO = Diagram(
    (("", "", "", ""), ("", "O", "X", ""), ("", "X", "O", ""), ("", "", "", "")),
    DISCS,
    surface="felt",
    columns=("a", "b", "c", "d"),
    row_labels=("1", "2", "3", "4"),
    dots=(5, 15),
)
GO = Diagram((("X", "", ""), ("", "O", ""), ("", "", "")), DISCS, "points", "wood", dots=(4,))
EINSTEIN = Diagram(
    (("R1", "", "R3"), ("", "", ""), ("B2", "", "B6")),
    {cell: Piece("tile", "red" if cell[0] == "R" else "blue", cell[1]) for cell in ("R1", "R3", "B2", "B6")},
    surface="slate",
    areas={0: "blue", 8: "red"},
)
BUSY = Overlay(
    last=(0, 4),
    legal=(1, 2, 3),
    movable=(0, 2),
    values={3: "57", 6: "+1", 0: "0.83"},
    heat={3: 0.4, 6: 1.0},
    arrows=(Arrow(2, 4, label="61%"), Arrow(2, 5, "red", weight=0.2)),
    suggestion=5,
    caption="Red rolled 3",
)


def parse(picture: str) -> ET.Element:
    return ET.fromstring(picture)


def texts(root: ET.Element) -> list[str]:
    return ["".join(element.itertext()) for element in root.iter(f"{NS}text")]


def styled(root: ET.Element, style: str) -> list[ET.Element]:
    return [element for element in root.iter() if element.get("class") == style]


def square_at(root: ET.Element, x: float, y: float, width: int) -> int:
    """The square that holds a point, found with the geometry the root element announces."""
    left, top, cell = (float(root.attrib[f"data-{name}"]) for name in ("left", "top", "cell"))
    return int((y - top) // cell) * width + int((x - left) // cell)


def centre_of(root: ET.Element, square: int, width: int) -> tuple[float, float]:
    left, top, cell = (float(root.attrib[f"data-{name}"]) for name in ("left", "top", "cell"))
    return left + (square % width + 0.5) * cell, top + (square // width + 0.5) * cell


def placed(root: ET.Element, width: int) -> dict[int, str]:
    """Square -> look for every placed piece; fails where two stand on one square."""
    found: dict[int, str] = {}
    for use in root.iter(f"{NS}use"):
        square = square_at(root, float(use.attrib["x"]), float(use.attrib["y"]), width)
        assert square not in found
        found[square] = use.attrib["href"].partition("-")[2]
    return found


@pytest.mark.parametrize("size", [160, 333, 480, 961])
def test_a_complete_document_of_the_asked_width(size: int) -> None:
    root = parse(svg(OTHELLO, BUSY, size=size, title="A board"))
    assert root.tag == f"{NS}svg"
    assert root.attrib["role"] == "img"
    assert root.attrib["width"] == str(size)
    assert root.attrib["viewBox"] == f"0 0 {size} {root.attrib['height']}"
    assert root[0].tag == f"{NS}title"
    assert root[0].text == "A board"


def test_the_caption_stands_in_for_a_title() -> None:
    assert parse(svg(OTHELLO, Overlay(caption="Black to move")))[0].text == "Black to move"


def test_every_piece_is_drawn_once_where_it_stands() -> None:
    assert placed(parse(svg(OTHELLO)), 4) == {5: "disc-white", 6: "disc-black", 9: "disc-black", 10: "disc-white"}
    assert placed(parse(svg(GO)), 3) == {0: "disc-black", 4: "disc-white"}
    oblong = Diagram((("X", "", "", "O"), ("", "", "O", "")), DISCS)
    assert placed(parse(svg(oblong)), 4) == {0: "disc-black", 3: "disc-white", 6: "disc-white"}
    root = parse(svg(EINSTEIN, BUSY))
    assert placed(root, 3) == {0: "tile-red", 2: "tile-red", 6: "tile-blue", 8: "tile-blue"}
    labels = Counter(texts(root))
    assert all(labels[label] == 1 for label in "1326")


@pytest.mark.parametrize("shape", ["disc", "tile", "cross", "ring"])
@pytest.mark.parametrize("colour", ["black", "white", "red", "blue"])
def test_every_look_is_defined(shape: str, colour: str) -> None:
    root = parse(svg(Diagram((("X",),), {"X": Piece(shape, colour)})))
    assert placed(root, 1) == {0: f"{shape}-{colour}"}
    body = next(group for group in root.iter(f"{NS}g") if group.get("id", "").endswith(f"-{shape}-{colour}"))
    paints = {part.get("fill", "").rpartition(f"-{shape}-")[2] for part in body} | {part.get("stroke") for part in body}
    assert (f"{colour}-fill)" if shape in ("disc", "tile") else themes.STONES[colour].body) in paints


@pytest.mark.parametrize("diagram", [OTHELLO, GO, EINSTEIN])
@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_every_reference_and_style_class_is_defined(diagram: Diagram, theme: str) -> None:
    picture = svg(diagram, BUSY, theme=theme)
    root = parse(picture)
    ids = {element.attrib["id"] for element in root.iter() if "id" in element.attrib}
    assert set(re.findall(r"""(?:href="|url\()#([\w-]+)""", picture)) <= ids
    sheet = root.findtext(f"{NS}style") or ""
    used = {element.attrib["class"] for element in root.iter() if "class" in element.attrib}
    assert set(re.findall(r"\.([a-z]+\d*)\{", sheet)) == used
    assert all(selector.startswith(f"#{root.attrib['id']} .") for selector in re.findall(r"([^{}]*)\{[a-z]", sheet))


def test_dots_lie_on_points_and_on_corners_of_squares() -> None:
    (dot,) = styled(parse(svg(GO)), "mark")
    root = parse(svg(GO))
    assert (float(dot.attrib["cx"]), float(dot.attrib["cy"])) == pytest.approx(centre_of(root, 4, 3), abs=0.51)
    root = parse(svg(OTHELLO))
    cell = float(root.attrib["data-cell"])
    for square, mark in zip(OTHELLO.dots, styled(root, "mark"), strict=True):
        x, y = centre_of(root, square, 4)
        assert (float(mark.attrib["cx"]), float(mark.attrib["cy"])) == pytest.approx(
            (x - cell / 2, y - cell / 2), abs=0.6
        )


def test_hostile_texts_stay_texts() -> None:
    diagram = Diagram((("X", ""),), {"X": Piece("tile", "red", HOSTILE)}, columns=(HOSTILE, "b"), row_labels=(HOSTILE,))
    overlay = Overlay(values={0: HOSTILE, 1: HOSTILE}, arrows=(Arrow(0, 1, label=HOSTILE),), caption=HOSTILE)
    root = parse(svg(diagram, overlay, title=HOSTILE))
    assert not [element for element in root.iter() if "script" in element.tag]
    assert Counter(texts(root))[HOSTILE] == 7
    assert root[0].text == HOSTILE


@given(st.text(st.characters(), max_size=20))
def test_any_caption_gives_valid_xml(caption: str) -> None:
    root = parse(svg(GO, Overlay(caption=caption, values={1: caption})))
    allowed = re.sub("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", caption)
    lines = allowed.replace("\r\n", "\n").replace("\r", "\n")
    assert texts(root) == [lines] * (2 if caption else 1)


def test_themes_differ_and_auto_carries_both() -> None:
    light, dark, auto = (svg(OTHELLO, BUSY, theme=theme) for theme in ("light", "dark", "auto"))
    for card, inside, outside in (("light", light, dark), ("dark", dark, light)):
        colour = themes.CARDS[card].paper
        assert colour in inside
        assert colour not in outside
        assert colour in auto
    assert "@media (prefers-color-scheme:dark)" in auto
    assert "@media" not in light + dark


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("surface", ["felt", "wood", "paper", "slate"])
def test_values_are_readable_on_any_heat(theme: str, surface: str) -> None:
    for step in range(themes.HEAT_STEPS + 1):
        fill, ink = themes.heat_colours(themes.SURFACES[theme][surface], step)
        assert themes.contrast(fill, ink) >= 4.2


def test_contrast_and_mix_agree_with_known_values() -> None:
    assert themes.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert themes.contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
    assert themes.mix("#000000", "#ff8000", 0.5) == "#804000"


def test_the_same_picture_is_the_same_text() -> None:
    assert svg(EINSTEIN, BUSY) == svg(EINSTEIN, BUSY)


def test_pictures_on_one_page_share_no_ids() -> None:
    pictures = [
        svg(OTHELLO),
        svg(OTHELLO, theme="dark"),
        svg(OTHELLO, size=481),
        svg(OTHELLO, coordinates=False),
        svg(OTHELLO, title="x"),
        svg(OTHELLO, Overlay(last=(5,))),
        svg(GO),
    ]
    ids = [found for picture in pictures for found in re.findall(r'\bid="([^"]+)"', picture)]
    assert len(ids) >= 4 * len(pictures)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(("start", "end"), [(0, 8), (8, 0), (2, 1), (1, 7)])
@pytest.mark.parametrize("weight", [0.0, 1.0])
def test_arrows_go_from_centre_to_centre(start: int, end: int, weight: float) -> None:
    root = parse(svg(EINSTEIN, Overlay(arrows=(Arrow(start, end, weight=weight),))))
    (arrow,) = root.iter(f"{NS}polygon")
    corners = [tuple(map(float, corner.split(","))) for corner in arrow.attrib["points"].split()]
    assert corners[0] == pytest.approx(centre_of(root, end, 3), abs=0.51)
    tail_x, tail_y = ((a + b) / 2 for a, b in zip(corners[3], corners[4], strict=True))
    assert (tail_x, tail_y) == pytest.approx(centre_of(root, start, 3), abs=0.51)
    assert float(arrow.attrib["opacity"]) == pytest.approx(0.4 + 0.4 * weight)


def test_arrows_keep_their_colours() -> None:
    root = parse(svg(GO, Overlay(arrows=(Arrow(0, 1), Arrow(1, 2, "red"), Arrow(2, 1, "white")))))
    assert [arrow.attrib["class"] for arrow in root.iter(f"{NS}polygon")] == ["accent", "red", "white"]


def test_heavier_arrows_are_wider() -> None:
    def width(weight: float) -> float:
        (arrow,) = parse(svg(EINSTEIN, Overlay(arrows=(Arrow(0, 6, weight=weight),)))).iter(f"{NS}polygon")
        xs = [float(corner.split(",")[0]) for corner in arrow.attrib["points"].split()]
        return max(xs) - min(xs)

    assert width(1.0) > width(0.5) > width(0.0) > 0


def test_an_arrow_label_stands_in_the_end_square_past_the_tip() -> None:
    root = parse(svg(EINSTEIN, Overlay(arrows=(Arrow(0, 4, label="61%"),))))
    (label,) = (element for element in root.iter(f"{NS}text") if element.text == "61%")
    x, y = float(label.attrib["x"]), float(label.attrib["y"])
    tip_x, tip_y = centre_of(root, 4, 3)
    assert square_at(root, x, y, 3) == 4
    assert x > tip_x
    assert y > tip_y


def test_legal_dots_give_way_to_values_and_arrows() -> None:
    overlay = Overlay(legal=(1, 3, 4, 6), values={3: "57"}, arrows=(Arrow(0, 4),))
    root = parse(svg(EINSTEIN, overlay))
    dots = [square_at(root, float(dot.attrib["cx"]), float(dot.attrib["cy"]), 3) for dot in styled(root, "mark")]
    assert dots == [1, 6]


@pytest.mark.parametrize("square", [0, 1, 4])
@pytest.mark.parametrize("lattice", ["squares", "points"])
def test_the_last_move_shows_on_stones_and_on_empty_squares(square: int, lattice: str) -> None:
    diagram = Diagram(GO.rows, DISCS, lattice)
    root = parse(svg(diagram, Overlay(last=(square,))))
    tints = [
        square_at(root, float(tint.attrib["x"]) + 1, float(tint.attrib["y"]) + 1, 3) for tint in styled(root, "last")
    ]
    assert tints == ([square] if lattice == "squares" else [])
    rings = [element for element in root.iter(f"{NS}circle") if element.get("stroke") == themes.LAST]
    where = [square_at(root, float(ring.attrib["cx"]), float(ring.attrib["cy"]), 3) for ring in rings]
    assert where == ([] if lattice == "squares" and square == 1 else [square])
    above = list(root)[max(i for i, child in enumerate(root) if child.tag == f"{NS}use") + 1 :]
    assert all(ring in above for ring in rings)


def test_heat_is_a_tinted_square_or_a_plate_under_the_value() -> None:
    overlay = Overlay(heat={3: 0.4}, values={3: "40"})
    for diagram, tag in ((EINSTEIN, "rect"), (GO, "circle")):
        root = parse(svg(diagram, overlay))
        (plate,) = styled(root, "heat4")
        (value,) = styled(root, "ink4")
        assert plate.tag == f"{NS}{tag}"
        assert value.text == "40"
        assert list(root).index(plate) < list(root).index(value)


def test_suggestion_movable_and_areas_are_drawn_on_their_squares() -> None:
    root = parse(svg(EINSTEIN, Overlay(movable=(2, 6), suggestion=4)))

    def squares(style: str) -> list[int]:
        found = []
        for box in styled(root, style):
            half = float(box.attrib["width"]) / 2
            found.append(square_at(root, float(box.attrib["x"]) + half, float(box.attrib["y"]) + half, 3))
        return found

    assert squares("movable") == [2, 6]
    assert set(squares("suggestion")) == {4}
    assert squares("blue") == [0]
    assert squares("red") == [8]


def test_coordinates_can_be_left_out() -> None:
    assert sorted(texts(parse(svg(OTHELLO)))) == ["1", "2", "3", "4", "a", "b", "c", "d"]
    assert texts(parse(svg(OTHELLO, coordinates=False))) == []


def test_everything_lies_inside_the_picture() -> None:
    for width, height in ((3, 3), (7, 6), (15, 15), (20, 20), (1, 9)):
        rows = tuple(("X",) * width for _ in range(height))
        labels = tuple(map(str, range(1, height + 1)))
        diagram = Diagram(rows, DISCS, "points", "wood", tuple("abcdefghijklmnopqrst"[:width]), labels)
        root = parse(svg(diagram, Overlay(caption="A caption much longer than the board is wide " * 4)))
        left, top, cell = (float(root.attrib[f"data-{name}"]) for name in ("left", "top", "cell"))
        assert left + width * cell <= float(root.attrib["width"]) - 8
        assert top + height * cell <= float(root.attrib["height"]) - 20
        for element in root.iter(f"{NS}text"):
            reach = 0.3 * float(element.attrib["font-size"]) * len(element.text or "")
            assert float(element.attrib["x"]) - reach >= 0
            assert float(element.attrib["x"]) + reach <= float(root.attrib["width"])
            assert float(element.attrib["y"]) < float(root.attrib["height"])


def test_a_full_board_stays_small() -> None:
    rows = tuple(tuple("XO"[(row + column) % 2] for column in range(19)) for row in range(19))
    assert len(svg(Diagram(rows, DISCS, "points", "wood"))) < 30_000


@pytest.mark.parametrize("scale", [1.0, 2.0, 1.5])
@pytest.mark.parametrize("theme", ["light", "auto"])
def test_png_has_the_size_of_the_picture_times_the_scale(scale: float, theme: str) -> None:
    pytest.importorskip("resvg_py")
    picture = svg(OTHELLO, BUSY, size=240, theme=theme)
    data = png(picture, scale=scale)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    height = int(parse(picture).attrib["height"])
    assert struct.unpack(">II", data[16:24]) == (round(240 * scale), pytest.approx(height * scale, abs=1))


def test_png_without_its_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(RuntimeError, match="pip install resvg_py"):
        png(svg(GO))
