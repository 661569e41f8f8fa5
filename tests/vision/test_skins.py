"""Pages with a board, each in a taste of its own, that the net learns from."""

import re
from pathlib import Path
from random import Random

import numpy as np
import pytest

import boyi
from boyi.games.registry import built_in_games
from boyi.vision.nets import CROSS, EMPTY, RING, STONE
from boyi.vision.patches import cut_patches
from boyi.vision.sample import Sample, grid_of
from boyi.vision.samples import main as write_samples
from boyi.vision.skins import SCALES, TOLD, random_position, skin_samples

SKINS = Path(__file__).parent / "skins"
SHOWN = (
    "a-tictactoe-pages/react_tutorial", "b-desktop/ttt_tk_canvas", "c-othello-pages/c01_felt_canvas", "d-points/g01",
    "e-signs-and-numbers/ewn01", "g-squares/st05",
)  # fmt: skip

CHOOSING = """<!doctype html><html><head><meta name="game" content="tictactoe"><meta name="sizes" content="3">
<meta name="lattice" content="squares"><meta name="signs" content="strokes"><meta name="lines" content="inner"></head>
<body><table style="border-collapse: collapse"></table><script>
document.body.style.background = pick(["white", "navy"]);
const side = between(50, 90);
document.querySelector("table").innerHTML = BOARD.cells.map((row, y) => "<tr>" + row.map((sign, x) =>
    `<td data-site style="width: ${side}px; height: ${side}px; padding: 0; background: ivory;
    border-left: ${x ? 2 : 0}px solid; border-top: ${y ? 2 : 0}px solid">${sign}</td>`).join("") + "</tr>").join("");
</script></body></html>"""


def test_every_skin_says_what_it_is_and_asks_nobody_for_anything() -> None:
    pages = sorted(SKINS.glob("*/*.html"))
    assert len(pages) > 500
    for page in pages:
        text = page.read_text(encoding="utf-8")
        told = dict(TOLD.findall(text))
        assert set(told) - {"lines"} == {"game", "sizes", "lattice", "signs"}, page
        assert told.get("lines", "none") in ("framed", "inner", "none"), page
        assert told["lattice"] in ("squares", "points"), page
        assert told["signs"] in ("strokes", "discs", "letters"), page
        assert told["game"] in (*built_in_games(), "caro"), page
        assert all(3 <= int(size) <= 20 for size in told["sizes"].split()), page
        assert "Math.random" not in text, page
        assert set(re.findall(r"https?://[\w.]+", text)) <= {"http://www.w3.org"}, page


def test_skins_show_what_they_are_said_to_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the truth has a piece, the picture differs from the empty sites; what is there already is kept."""
    skins, folder = tmp_path / "skins", tmp_path / "boards"
    skins.mkdir()
    for number, name in enumerate(SHOWN):
        (skins / f"{number}.html").write_bytes((SKINS / f"{name}.html").read_bytes())
    words = ["samples", str(folder), "--boards", "0", "--skins", str(skins), "--each", "2", "--seed", "3"]
    monkeypatch.setattr("sys.argv", words)
    write_samples()
    paths = sorted(folder.glob("skin-*.npz"))
    samples = [Sample.load(path) for path in paths]
    assert len(samples) > len(SHOWN)
    assert {sample.lattice for sample in samples} == {"squares", "points"}
    kinds = set(np.concatenate([sample.kinds.ravel() for sample in samples]).tolist())
    assert kinds >= {EMPTY, STONE, RING, CROSS}
    for sample in samples:
        grid = grid_of(sample.sites, sample.lattice, np.random.default_rng(0), off=0.0)
        tiles = cut_patches(sample.picture, grid).tiles.astype(float)[:, 3:-3, 3:-3]
        empty = (sample.kinds == EMPTY).ravel()
        if empty.sum() < 2 or empty.all():
            continue
        away = np.abs(tiles - np.median(tiles[empty], axis=0)).mean(axis=(1, 2, 3))
        assert np.median(away[~empty]) > 3 * np.median(away[empty]) + 2
    before = [path.stat().st_mtime_ns for path in paths]
    write_samples()
    assert [path.stat().st_mtime_ns for path in sorted(folder.glob("skin-*.npz"))] == before


def test_a_skin_chooses_its_look_and_tells_its_lines(tmp_path: Path) -> None:
    """A board drawn by pick() and between(): other looks with other positions, and the same ones with the same seed."""
    (tmp_path / "inner.html").write_text(CHOOSING, encoding="utf-8")
    told = tmp_path / "inner.html"
    first, again, other = ([sample for _, sample in skin_samples([told], range(6), seed)] for seed in (1, 1, 2))
    assert all((one.picture == two.picture).all() for one, two in zip(first, again, strict=True))
    for samples in (first, other):
        assert len({tuple(sample.picture[0, 0]) for sample in samples}) == 2
        steps = [float(sample.sites[0, 1, 0] - sample.sites[0, 0, 0]) for sample in samples]
        assert len({round(step) for step in steps}) > 3
        assert 50 * min(SCALES) - 1 < min(steps) <= max(steps) < 90 * max(SCALES) + 1
        assert not any(sample.framed for sample in samples)
        assert all(sample.lined for sample in samples)


def test_small_discs_are_labelled_as_stones_of_their_colour(tmp_path: Path) -> None:
    """A third as wide as their squares; the white ones are as white as the board."""
    discs = (
        CHOOSING.replace('"strokes"', '"discs"').replace('content="3"', 'content="8"').replace("between(50, 90)", "60")
    )
    discs = discs.replace('content="tictactoe"', 'content="othello"').replace("ivory", "#7a7")
    sign = """<i style="display: block; margin: auto; width: 18px; height: 18px; border-radius: 9px;
        background: ${sign == "X" ? "black" : sign ? "white" : "none"}"></i>"""
    (tmp_path / "discs.html").write_text(discs.replace("${sign}</td>", sign + "</td>"), encoding="utf-8")
    for _, sample in skin_samples([tmp_path / "discs.html"], range(4), 3):
        stones = sample.kinds != EMPTY
        assert (sample.kinds[stones] == STONE).all()
        assert (sample.sides[stones] >= 0).all()
        for row, column in np.argwhere(stones):
            x, y = np.rint(sample.sites[row, column]).astype(int)
            assert sample.sides[row, column] == int(sample.picture[y, x].mean() > 128)


def test_a_page_that_shows_no_board_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken.html").write_text(CHOOSING.replace("data-site", ""), encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["samples", str(tmp_path / "boards"), "--boards", "0", "--skins", str(tmp_path)])
    with pytest.raises(SystemExit, match=r"broken\.html: the page shows 0 sites instead of 9"):
        write_samples()


@pytest.mark.parametrize(("name", "size", "length"), [("tictactoe", 3, 3), ("gomoku", 9, 5), ("connect6", 19, 6)])
def test_stones_are_placed_in_turn_until_a_row_is_full(name: str, size: int, length: int) -> None:
    rows = 0
    for seed in range(40):
        board = random_position(Random(seed), name, size)
        cells, numbers = np.array(board["cells"]), np.array(board["numbers"])
        count = int((cells != "").sum())
        assert sorted(numbers[cells != ""].tolist()) == list(range(1, count + 1))
        assert numbers[tuple(board["last"])] == count
        first = (cells == "X").sum() - (cells == "O").sum()
        assert first in ((0, 1) if name != "connect6" else (-1, 0, 1))
        if board["win"] is not None:
            rows += 1
            assert len(board["win"]) == length
            assert board["last"] in board["win"]
            assert len({cells[row, column] for row, column in board["win"]}) == 1
    assert name != "tictactoe" or 0 < rows < 40


def test_skins_of_othello_are_told_the_legal_moves() -> None:
    board = random_position(Random(5), "othello", 8)
    rows = [["XO".find(text) for text in row] for row in board["cells"]]
    position = boyi.game("othello").compose(board["cells"], "XO".index(board["turn"]))
    assert {position.game.squares[8 * row + column] for row, column in board["legal"]} == set(position.moves)
    assert np.array(rows)[tuple(board["last"])] == 1 - "XO".index(board["turn"])


def test_skins_of_einstein_get_numbered_stones() -> None:
    board = random_position(Random(2), "einstein", 5)
    stones = [text for row in board["cells"] for text in row if text]
    assert len(set(stones)) == len(stones) > 2
    assert all(re.fullmatch("[RB][1-6]", text) for text in stones)
    assert 1 <= board["die"] <= 6
