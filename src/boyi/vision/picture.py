"""Pictures from files and bytes that may be anything: the header tells the size before anything is decoded."""

import struct
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from boyi.games.errors import GameError

MOST_BYTES = 48_000_000
MOST_PIXELS = 40_000_000
MOST_SIDE = 16_000
FEWEST_SIDE = 24
STRIP = 256
KNOWN = "PNG, JPEG, WebP, GIF or BMP"


class BadPicture(GameError):
    """No picture, a broken one, or one of a size that nothing can be read from."""


def load_picture(path: Path | str) -> NDArray[np.uint8]:
    """A picture file as [height, width, 3], blue, green, red."""
    path = Path(path)
    if path.is_dir():
        raise BadPicture(f"{str(path)!r} is a folder, not a picture")
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise BadPicture(f"{str(path)!r} has {size:,} bytes; a picture may have {MOST_BYTES:,}")
    with path.open("rb") as file:
        return decode_picture(file.read(MOST_BYTES + 1), name=repr(str(path)))


def resized(picture: NDArray[np.uint8], size: float) -> NDArray[np.uint8]:
    """The picture so many times as large, without aliasing."""
    if size == 1:
        return picture
    shape = [max(1, round(size * side)) for side in picture.shape[1::-1]]
    way = cv2.INTER_AREA if size < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, shape, interpolation=way), np.uint8)


def decode_picture(data: bytes, *, name: str = "the picture", most_pixels: int = MOST_PIXELS) -> NDArray[np.uint8]:
    """A picture from the bytes of a file. `BadPicture` says what is wrong with it; memory is bounded by its pixels."""
    if not data:
        raise BadPicture(f"{name} is empty")
    if len(data) > MOST_BYTES:
        raise BadPicture(f"{name} has more than {MOST_BYTES:,} bytes")
    found = header_size(data)
    if found is None:
        raise BadPicture(f"{name} is no picture of a known kind; known are {KNOWN}")
    width, height, clear = found
    if max(width, height) > MOST_SIDE or width * height > most_pixels:
        raise BadPicture(
            f"{name} is {width} x {height}; at most {most_pixels:,} pixels, {MOST_SIDE:,} a side, are read"
        )
    if min(width, height) < FEWEST_SIDE:
        raise BadPicture(f"{name} is {width} x {height}; a board needs at least {FEWEST_SIDE} pixels a side")
    flag = cv2.IMREAD_UNCHANGED if clear else cv2.IMREAD_COLOR
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), flag)
    except cv2.error as error:
        raise BadPicture(f"{name} is broken: it cannot be decoded") from error
    if picture is None or picture.size == 0:
        raise BadPicture(f"{name} is broken: it cannot be decoded")
    return on_white(picture)


def on_white(picture: NDArray[Any]) -> NDArray[np.uint8]:
    """Eight bits and three channels, transparent parts white."""
    if picture.dtype == np.uint16:
        picture = (picture >> 8).astype(np.uint8)
    if picture.ndim == 2:
        return np.asarray(cv2.cvtColor(picture.astype(np.uint8), cv2.COLOR_GRAY2BGR), np.uint8)
    if picture.shape[2] == 3:
        return np.ascontiguousarray(picture, dtype=np.uint8)
    mixed = np.empty((*picture.shape[:2], 3), np.uint8)
    for top in range(0, len(picture), STRIP):  # in strips: as a whole it would take ten times the picture's memory
        strip = picture[top : top + STRIP].astype(np.uint16)
        share = strip[..., -1:]
        mixed[top : top + STRIP] = (strip[..., :-1] * share + 255 * (255 - share) + 127) // 255
    return mixed


def header_size(data: bytes) -> tuple[int, int, bool] | None:
    """Width, height and whether it may be transparent, from the first bytes; None for no picture of a known kind."""
    try:
        if data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR":
            width, height, _, colours = struct.unpack(">IIBB", data[16:26])
            return width, height, colours in (4, 6)
        if data[:6] in (b"GIF87a", b"GIF89a"):
            return *struct.unpack("<HH", data[6:10]), False
        if data[:2] == b"BM":
            width, height = struct.unpack("<ii", data[18:26])
            return abs(width), abs(height), False
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp_size(data)
        if data[:3] == b"\xff\xd8\xff":
            return _jpeg_size(data)
    except struct.error:
        return None
    return None


def _webp_size(data: bytes) -> tuple[int, int, bool] | None:
    kind = data[12:16]
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF, False
    if kind == b"VP8L":
        (bits,) = struct.unpack("<I", data[21:25])
        return (bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1, bool(bits >> 28 & 1)
    if kind == b"VP8X":
        width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
        return width, height, bool(data[20] & 0x10)
    return None


def _jpeg_size(data: bytes) -> tuple[int, int, bool] | None:
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height, False
        if marker in (0xD9, 0xDA):
            return None
        (length,) = struct.unpack(">H", data[at + 2 : at + 4])
        at += 2 + max(length, 2)
    return None
