"""The nets that read boards can be trained: samples, what is learnt from them, and the files."""

import copy
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

import boyi
from boyi import draw
from boyi.vision.nets import EMPTY, KINDS, NUMBERS, RING, STONE
from boyi.vision.patches import cut_patches
from boyi.vision.sample import Sample, darker_first, grid_of
from boyi.vision.samples import main as write_samples
from boyi.vision.samples import random_sample
from boyi.vision.screen_samples import screen_samples
from boyi.vision.surfaces import SURFACES, covered

torch = pytest.importorskip("torch")
from boyi.vision.train import EXAMPLES, NETS, SHIPPED, keep, make, read, sample_paths, write  # noqa: E402
from boyi.vision.train import main as train  # noqa: E402
from boyi.vision.train_lines import CROP, LineNet, fit_lines, lines_of, random_part  # noqa: E402
from boyi.vision.train_numbers import fit, number_net, number_samples  # noqa: E402
from boyi.vision.train_sites import SiteNet, batch_of, boards_of, changed, exact_share, fit_sites  # noqa: E402


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def plain_sample(size: int = 5, pitch: int = 20, *, framed: bool = True) -> Sample:
    """Black lines on white between sites, and dark and light stones by turns in the first row."""
    edge, side = 15, size * pitch + 30
    picture = np.full((side, side, 3), 200, np.uint8)
    for number in range(size + 1):
        if framed or 0 < number < size:
            at = edge + number * pitch
            picture[edge : side - edge, at] = picture[at, edge : side - edge] = 0
    place = edge + pitch / 2 + pitch * np.arange(size)
    kinds, sides = np.full((size, size), EMPTY), np.full((size, size), -1)
    for column in range(size):
        x, y = round(place[column]), round(place[0])
        picture[y - 7 : y + 8, x - 7 : x + 8] = (20, 250)[column % 2]
        kinds[0, column], sides[0, column] = STONE, column % 2
    return Sample(picture, np.stack(np.meshgrid(place, place), 2), kinds, sides, "squares", framed)


def onnx_session(path: Path) -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])


def test_a_sample_is_the_same_for_the_same_seed_and_survives_its_file(tmp_path: Path) -> None:
    first, second = (random_sample(np.random.default_rng(3)) for _ in range(2))
    first.save(tmp_path / "a.npz")
    again = Sample.load(tmp_path / "a.npz")
    for other in (second, again):
        assert np.array_equal(first.picture, other.picture)
        assert np.array_equal(first.kinds, other.kinds)
        assert (first.lattice, first.framed, first.lined) == (other.lattice, other.framed, other.lined)
    assert first.kinds.shape == first.sides.shape == first.sites.shape[:2]
    assert set(first.kinds.ravel().tolist()) <= set(range(len(KINDS)))
    assert (first.sides[np.isin(first.kinds, (STONE, RING), invert=True)] == -1).all()


def test_pages_in_a_browser_show_what_they_are_said_to_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sites are where the board is: where the truth has a piece, the picture differs from the empty sites."""
    words = ["samples", str(tmp_path), "--boards", "0", "--pages", "6", "--seed", "4"]
    monkeypatch.setattr("sys.argv", words)
    write_samples()
    samples = [Sample.load(path) for path in sorted(tmp_path.glob("page-*.npz"))]
    assert len(samples) >= 4
    assert {sample.lattice for sample in samples} == {"squares", "points"}
    for sample in samples:
        grid = grid_of(sample.sites, sample.lattice, np.random.default_rng(0), off=0.0)
        tiles = cut_patches(sample.picture, grid).tiles.astype(float)[:, 3:-3, 3:-3]
        empty = (sample.kinds == EMPTY).ravel()
        away = np.abs(tiles - np.median(tiles[empty], axis=0)).mean(axis=(1, 2, 3))
        assert np.median(away[~empty]) > 3 * np.median(away[empty]) + 2
    before = [path.stat().st_mtime_ns for path in sorted(tmp_path.glob("page-*.npz"))]
    write_samples()
    assert [path.stat().st_mtime_ns for path in sorted(tmp_path.glob("page-*.npz"))] == before


@pytest.mark.parametrize("kind", SURFACES)
def test_surfaces_change_only_their_box(kind: str) -> None:
    picture = np.full((60, 80, 3), 120, np.uint8)
    found = covered(np.random.default_rng(1), picture, (20, 10, 70, 50), kind, 0.3)
    inside = np.zeros((60, 80), bool)
    inside[10:50, 20:70] = True
    assert (found[~inside] == 120).all()
    assert found[inside].std() > 2


def test_the_darker_colour_comes_first_if_anyone_can_tell() -> None:
    white, black, grey = (np.full(3, value, np.float32) for value in (250, 10, 130))
    both = np.array([0, 1])
    assert darker_first(np.stack((white, black)), both).tolist() == [1, 0]  # type: ignore[union-attr]
    assert darker_first(np.stack((white, white - 10)), both) is None
    assert darker_first(np.stack((black, grey)), np.array([0, 0])).tolist() == [0, 1]  # type: ignore[union-attr]
    assert darker_first(np.stack((white, grey)), np.array([1, 1])) is None


@pytest.mark.parametrize("framed", [True, False])
def test_lines_lie_where_they_are_drawn(framed: bool) -> None:
    sample = plain_sample(framed=framed)
    down, across = lines_of(sample, np.eye(3), 130).astype(bool)
    dark = (sample.picture == 0).all(axis=2)
    assert dark[:130, :130][down | across].mean() > 0.3  # lines two pixels wide, one of them drawn, and hidden ones
    near = lines_of(sample, np.eye(3), 130).max(axis=0)
    assert near[dark[:130, :130]].mean() > 0.95
    assert np.array_equal(down, across.T)


def test_parts_of_pictures_keep_their_lines() -> None:
    sample = plain_sample(8, 30)
    random = np.random.default_rng(5)
    for _ in range(6):
        part, lines = random_part(sample, random)
        assert part.shape == (CROP, CROP, 3)
        assert lines.shape == (2, CROP // 2, CROP // 2)
        assert lines.any(axis=(1, 2)).all()


def test_the_net_of_lines_learns_and_reads_any_size(tmp_path: Path) -> None:
    told: list[str] = []
    torch.manual_seed(1)
    net = LineNet()
    fit_lines(net, lambda place: plain_sample(8, 30), 1, minutes=0.05, seed=0, batch=2, tell=told.append)
    write("lines", net, tmp_path / "lines.onnx")
    planes = np.random.default_rng(0).random((1, 3, 64, 96), np.float32)
    share = onnx_session(tmp_path / "lines.onnx").run(None, {"planes": planes})[0]
    assert share.shape == (1, 2, 32, 48)
    with torch.no_grad():
        assert np.allclose(share, net(torch.from_numpy(planes)).sigmoid().numpy(), atol=1e-4)


def test_the_net_of_sites_learns_a_board(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    boards = [next(boards_of(plain_sample(5, pitch), random)) for pitch in (20, 24, 28, 33)]
    torch.manual_seed(1)
    net = SiteNet()
    before = exact_share(net, boards)
    for _ in range(8):  # a busy computer learns less in the same time
        fit_sites(net, boards, minutes=0.1, seed=0, batch=4, tell=lambda text: None)
        if exact_share(net, boards) > before:
            break
    assert exact_share(net, boards) > before
    write("sites", net, tmp_path / "sites.onnx")
    planes = boards[0].patches.planes
    session = onnx_session(tmp_path / "sites.onnx")
    shares = session.run(None, {"planes": planes})[0]
    assert shares.shape == (25, len(KINDS) + 2)
    assert np.allclose(shares[:, : len(KINDS)].sum(axis=1), 1, atol=1e-4)
    order = random.permutation(25)
    assert np.allclose(session.run(None, {"planes": planes[order]})[0], shares[order], atol=1e-3)


def test_boards_of_several_sizes_are_learnt_together_as_alone() -> None:
    random = np.random.default_rng(0)
    boards = [next(boards_of(plain_sample(size, 24), random)) for size in (3, 6)]
    net = SiteNet().eval()
    with torch.no_grad():
        planes, counts, *_ = batch_of(boards)
        alone = torch.cat([net.logits(*batch_of([board])[:2]) for board in boards])
        assert torch.allclose(net.logits(planes, counts), alone, atol=1e-4)


def test_changed_boards_keep_what_stands_on_them() -> None:
    board = next(boards_of(plain_sample(), np.random.default_rng(0)))
    random = np.random.default_rng(1)
    swapped = 0
    for _ in range(40):
        other = changed(board, random)
        assert np.array_equal(other.kinds, board.kinds)
        bright = other.bodies[:5].mean(axis=1)
        assert ((bright > bright.mean()).astype(int) == other.sides[:5]).all()
        swapped += int(other.sides[0] == 1)
    assert 0 < swapped < 20


def test_numbers_are_learnt(tmp_path: Path) -> None:
    planes, wanted = next(number_samples(np.random.default_rng(1), 3))
    assert planes.shape[1:] == (1, 28, 28)
    assert set(wanted.tolist()) <= set(range(len(NUMBERS)))
    bright = np.arange(100) % 2
    plain = np.ones((100, 1, 28, 28), np.float32) * bright[:, None, None, None].astype(np.float32)
    torch.manual_seed(0)
    net = number_net()
    assert fit(net, plain, bright, epochs=30, seed=0) == 1.0
    write("numbers", net, tmp_path / "numbers.onnx")
    shares = onnx_session(tmp_path / "numbers.onnx").run(None, {"planes": planes[:5]})[0]
    assert np.allclose(shares.sum(axis=1), 1, atol=1e-4)


@pytest.mark.parametrize("name", NETS)
def test_the_shipped_nets_can_be_trained_on(name: str, tmp_path: Path) -> None:
    """Read from its file and written again, a net says the same as before."""
    net = make(name)
    read(net, SHIPPED / f"{name}.onnx")
    write(name, net, tmp_path / "again.onnx")
    planes = np.random.default_rng(0).random(EXAMPLES[name], np.float32)
    shares = [
        onnx_session(path).run(None, {"planes": planes})[0]
        for path in (SHIPPED / f"{name}.onnx", tmp_path / "again.onnx")
    ]
    assert np.allclose(*shares, atol=1e-5)


def test_a_net_can_keep_some_of_what_it_knew() -> None:
    before, after = (make("numbers") for _ in range(2))
    new = copy.deepcopy(after)
    keep(after, before, 0.25)
    for old, found, other in zip(*(net.state_dict().values() for net in (before, after, new)), strict=True):
        assert torch.allclose(found.float(), 0.25 * old + 0.75 * other, atol=1e-6)


def test_lines_are_not_learnt_where_nothing_is_drawn(tmp_path: Path) -> None:
    for number in range(2):
        replace(plain_sample(), lined=bool(number)).save(tmp_path / f"{number:06d}.npz")
    assert [path.name for path in sample_paths(tmp_path, lined=True)] == ["000001.npz"]
    assert len(sample_paths(tmp_path, lined=False)) == 2


def test_samples_may_have_any_names(tmp_path: Path) -> None:
    for name in ("more-1", "1", "screen-desk-0001"):
        plain_sample().save(tmp_path / f"{name}.npz")
    assert sorted(path.stem for path in sample_paths(tmp_path, lined=False)) == ["1", "more-1", "screen-desk-0001"]


def test_the_commands_paint_train_and_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(2):
        replace(plain_sample(), framed=bool(number)).save(tmp_path / f"{number:06d}.npz")
    monkeypatch.setattr("sys.argv", ["samples", str(tmp_path), "--boards", "2"])
    write_samples()
    assert len(list(tmp_path.glob("*.npz"))) == 2  # those that are there are kept
    monkeypatch.setattr("sys.argv", ["samples", str(tmp_path / "six"), "--boards", "1", "--sizes", "6"])
    write_samples()
    assert Sample.load(tmp_path / "six" / "000000.npz").kinds.shape == (6, 6)
    for more in ([], ["--go-on", str(tmp_path), "--keep", "0.5"]):
        words = ["train", str(tmp_path), "--nets", "sites", "--minutes", "0.01", "--out", str(tmp_path), *more]
        monkeypatch.setattr("sys.argv", words)
        train()
        assert (tmp_path / "sites.onnx").is_file()
    (tmp_path / "sites.onnx").rename(tmp_path / "lines.onnx")
    words = ["train", str(tmp_path), "--nets", "lines", "--out", str(tmp_path / "new"), "--go-on", str(tmp_path)]
    monkeypatch.setattr("sys.argv", words)
    with pytest.raises(SystemExit, match="no file of this net"):
        train()
    monkeypatch.setattr("sys.argv", ["train", str(tmp_path / "empty"), "--nets", "lines"])
    with pytest.raises(SystemExit, match="no samples"):
        train()


@pytest.mark.parametrize(
    ("command", "words", "said"),
    [
        (train, ["--go-on", "--keep", "1.5"], "--keep 1.5 is no share"),
        (train, ["--keep", "0.4"], "--keep needs --go-on"),
        (train, ["--threads", "0"], "--threads 0"),
        (write_samples, ["--sizes", "8", "40"], "--sizes 40"),
        (write_samples, ["--boards", "0", "--skins", "no-folder"], "--skins no-folder: there are no pages"),
    ],
)
def test_bad_options_are_named(
    command: Callable[[], None],
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.argv", ["command", str(tmp_path), *words])
    with pytest.raises(SystemExit):
        command()
    assert said in capsys.readouterr().err


def test_pictures_of_programs_are_learnt_from_by_their_truth(tmp_path: Path) -> None:
    boards = {
        "othello": [list("........") for _ in range(8)],
        "einstein": [row.split() for row in ("R1 R2 . . .", ". R3 . . .", ". . . . .", ". . B4 . B5", ". . . . B6")],
    }
    for column, text in zip(range(1, 7), "XXOOXO", strict=True):
        boards["othello"][3][column] = boards["othello"][4][column] = text
    entries = []
    for name, cells in boards.items():
        position = boyi.game(name).compose([[text.strip(".") for text in row] for row in cells], 0)
        (tmp_path / f"{name}.png").write_bytes(draw.png(position.svg()))
        shifted = [["."] * len(cells), *cells[:-1]]
        unseen = [["X" if text == "." and (row, column) == (0, 0) else text for column, text in enumerate(texts)]
                  for row, texts in enumerate(cells)]  # fmt: skip
        entries += [(name, "true", cells), (name, "false", cells), (name, "true", shifted)]
        entries += [(name, "true", unseen)] * (name == "othello")
    (tmp_path / "screens.toml").write_text(
        "".join(
            f'[[screen]]\nfile = "{name}.png"\nprogram = "own"\ntuned = {tuned}\ngame = "{name}"\n'
            f"cells = {[' '.join(row) for row in cells]}\n"
            for name, tuned, cells in entries
        )
    )
    samples = list(screen_samples(tmp_path))
    whole, smaller, larger = samples[:3]
    assert len(samples) == 9  # not the one that nobody looked at, nor that of which the truth is elsewhere
    assert (whole.kinds == STONE).sum() == 12
    assert np.array_equal(whole.sides[3], [-1, 0, 0, 1, 1, 0, 1, -1])
    for other, size in ((smaller, 0.7), (larger, 1.35)):
        assert other.picture.shape[0] == round(size * whole.picture.shape[0])
        assert np.allclose((other.sites + 0.5) / (whole.sites + 0.5), size)
    assert samples[3].kinds[0, 0] == STONE  # whatever was read
    assert (samples[6].kinds == STONE).sum() == 6
    assert (samples[6].sides == -1).all()  # red is not the darker one
