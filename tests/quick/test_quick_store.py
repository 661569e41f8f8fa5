"""Files of quick nets: whole or refused, and readable by the safetensors package."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boyi
from boyi.models.cards import BadModel, Card
from boyi.quick.store import load, pack, save, unpack

GAME = boyi.game("tictactoe")
ARRAYS = {"weights": np.arange(12, dtype=np.int16).reshape(3, 4), "last": np.array([0.5, -2.0], np.float32)}


def write(folder: Path) -> Path:
    stem = folder / "net"
    save(stem, GAME, "tuples", ARRAYS, training={"minutes": 3}, elo={"elo": 12.0})
    return stem


def test_a_net_comes_back(tmp_path: Path) -> None:
    stem = write(tmp_path)
    card, arrays = load(stem, GAME, ("tuples",))
    assert card.net["kind"] == "tuples"
    assert card.training == {"minutes": 3}
    assert card.net["shapes"] == {"weights": [3, 4], "last": [2]}
    assert arrays["weights"].dtype == np.int16
    assert all((arrays[name] == ARRAYS[name]).all() for name in ARRAYS)
    assert load(f"{stem}.json", GAME)[0] == card


def test_the_arrays_are_safetensors(tmp_path: Path) -> None:
    numpy = pytest.importorskip("safetensors.numpy")
    found = numpy.load_file(f"{write(tmp_path)}.safetensors")
    assert (found["weights"] == ARRAYS["weights"]).all()
    assert (unpack(numpy.save(ARRAYS), "theirs")["last"] == ARRAYS["last"]).all()


def test_wrong_games_are_refused(tmp_path: Path) -> None:
    stem = write(tmp_path)
    with pytest.raises(BadModel, match="tictactoe, not for othello"):
        load(stem, boyi.game("othello"))
    with pytest.raises(BadModel, match="not othello-patterns"):
        load(stem, GAME, ("othello-patterns",))
    with pytest.raises(BadModel, match="cannot be read"):
        load(tmp_path / "none", GAME)


def test_another_size_is_refused(tmp_path: Path) -> None:
    save(tmp_path / "net", boyi.game("othello", size=6), "othello-patterns", ARRAYS)
    with pytest.raises(BadModel, match="size=6, not size=8"):
        load(tmp_path / "net", boyi.game("othello"))


@pytest.mark.parametrize("at", [0, 9, -1])
def test_a_changed_byte_is_noticed(tmp_path: Path, at: int) -> None:
    stem = write(tmp_path)
    file = stem.with_suffix(".safetensors")
    data = bytearray(file.read_bytes())
    data[at] ^= 1
    file.write_bytes(data)
    with pytest.raises(BadModel, match="checksums differ"):
        load(stem, GAME)


@pytest.mark.parametrize("change", [{"format": 9}, {"game": 3}, {"more": 1}, {"net": {}}, {"sha256": []}])
def test_wrong_cards_are_refused(tmp_path: Path, change: dict[str, object]) -> None:
    stem = write(tmp_path)
    file = stem.with_suffix(".json")
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    with pytest.raises(BadModel):
        Card.read(stem)


@given(st.binary(max_size=300))
def test_any_bytes_are_arrays_or_refused(data: bytes) -> None:
    try:
        found = unpack(data, "some file")
    except BadModel:
        return
    assert isinstance(found, dict)


@given(st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.dictionaries(st.text(), inner)))
def test_any_header_is_arrays_or_refused(header: object) -> None:
    text = json.dumps(header).encode()
    try:
        found = unpack(len(text).to_bytes(8, "little") + text, "some file")
    except BadModel:
        return
    assert found == {}


def test_nothing_packs_and_unpacks() -> None:
    assert unpack(pack({}), "none") == {}
