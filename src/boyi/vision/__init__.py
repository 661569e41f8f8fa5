"""Reads boards off pictures: screenshots, photos, the live screen.

`load_picture` opens a file safely, `recognise` finds the board and says what stands on it, `draw_over` shows it on the
picture, `follow` watches a screen. Inside, read `recognise`, then `lines` and `lattice` (where the board is), `patches`
and `cells` (what stands there), `judge` (what the rules say). `scenes`, `pages`, `damage` and `sources` make pictures
to train and measure with.
Needs the `vision` extra: opencv-python-headless.
"""

from boyi.vision.overlay import draw_over
from boyi.vision.picture import BadPicture, decode_picture, load_picture
from boyi.vision.recognise import Cell, Reading, recognise
from boyi.vision.watch import Belief, Follower, Seen, follow, screen_frames

__all__ = [
    "BadPicture",
    "Belief",
    "Cell",
    "Follower",
    "Reading",
    "Seen",
    "decode_picture",
    "draw_over",
    "follow",
    "load_picture",
    "recognise",
    "screen_frames",
]
