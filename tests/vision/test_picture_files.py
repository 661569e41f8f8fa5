"""Files that are no pictures, broken ones, empty ones, and ones that claim to be gigantic."""

import struct
import tracemalloc
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boyi.vision.picture import MOST_PIXELS, BadPicture, decode_picture, header_size, load_picture

KINDS = (".png", ".jpg", ".webp", ".bmp", ".gif")


def encoded(kind: str, picture: np.ndarray) -> bytes:
    return bytes(cv2.imencode(kind, picture)[1])


def png_header(width: int, height: int) -> bytes:
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_opened_at_its_size(kind: str, tmp_path: Path) -> None:
    picture = np.full((40, 70, 3), 200, np.uint8)
    cv2.circle(picture, (30, 20), 10, (0, 0, 255), -1)
    data = encoded(kind, picture)
    found = header_size(data)
    assert found is not None
    assert found[:2] == (70, 40)
    file = tmp_path / f"board{kind}"
    file.write_bytes(data)
    assert np.abs(load_picture(file).astype(int) - picture).mean() < (
        30 if kind == ".gif" else 8
    )  # GIF has 256 colours


def test_transparent_parts_are_white() -> None:
    picture = np.zeros((30, 30, 4), np.uint8)
    picture[:15] = (10, 20, 30, 255)
    found = decode_picture(encoded(".png", picture))
    assert found[5, 5].tolist() == [10, 20, 30]
    assert found[25, 5].tolist() == [255, 255, 255]


def test_grey_and_deep_pictures_become_colour() -> None:
    grey = decode_picture(encoded(".png", np.full((30, 30), 77, np.uint8)))
    assert grey.shape == (30, 30, 3)
    deep = decode_picture(encoded(".png", np.full((30, 30, 3), 0x4D00, np.uint16)))
    assert deep.dtype == np.uint8
    assert abs(int(deep[0, 0, 0]) - 0x4D) <= 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"hello, this is a text", "no picture of a known kind"),
        (b"\x89PNG\r\n\x1a\n", "no picture of a known kind"),
        (b"\xff\xd8\xff\xe0 nothing more", "no picture"),
        (b"%PDF-1.7", "no picture of a known kind"),
        (png_header(100, 100), "broken"),
        (png_header(60_000, 60_000), "60000 x 60000"),
        (png_header(8, 8), "at least 24"),
        (b"GIF89a" + struct.pack("<HH", 65535, 65535) + b"\0" * 30, "65535 x 65535"),
        (b"BM" + b"\0" * 16 + struct.pack("<ii", 2**30, -(2**30)) + b"\0" * 30, "1073741824 x 1073741824"),
    ],
)
def test_bad_files_are_named(data: bytes, message: str) -> None:
    with pytest.raises(BadPicture, match=message):
        decode_picture(data)


def test_a_bomb_is_refused_before_it_is_decoded() -> None:
    """A PNG of a few kilobytes that would unpack to gigabytes."""
    row = zlib.compress(b"\0" * 3_000_000, 9)
    body = b"IDAT" + row
    bomb = png_header(20_000, 40_000) + struct.pack(">I", len(row)) + body + struct.pack(">I", zlib.crc32(body))
    tracemalloc.start()
    with pytest.raises(BadPicture, match=f"{MOST_PIXELS:,}"):
        decode_picture(bomb)
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()


def test_folders_and_missing_files(tmp_path: Path) -> None:
    with pytest.raises(BadPicture, match="folder"):
        load_picture(tmp_path)
    with pytest.raises(OSError, match="nothing"):
        load_picture(tmp_path / "nothing.png")


@settings(max_examples=150, deadline=None)
@given(data=st.binary(max_size=300), kind=st.sampled_from(KINDS), cut=st.integers(0, 400))
def test_damaged_files_never_crash(data: bytes, kind: str, cut: int) -> None:
    whole = encoded(kind, np.full((30, 40, 3), 128, np.uint8))
    for broken in (data, whole[:cut], whole[:20] + data + whole[20:]):
        try:
            picture = decode_picture(broken)
        except BadPicture:
            continue
        assert picture.ndim == 3
        assert picture.dtype == np.uint8
