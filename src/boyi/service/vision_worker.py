"""What runs in the process that reads pictures: requests come in through a pipe, views go out.

Pictures come from anywhere, and decoders have their faults: a picture that kills this process kills nothing else. It
ends with the pipe, so that a server that was killed leaves nothing behind, and when nobody has asked for long.

A text instead of a request means that pictures will come soon. To the server go `("read", view)` or `("refused",
kind, text)`, where `kind` is "picture" or "game".
"""

import contextlib
import os
import signal
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from boyi import draw
from boyi.games import GameError, Position, games
from boyi.service.boards import position_view, rules_named, rules_text
from boyi.service.views_vision import (
    PICTURE_PIXELS,
    BeliefView,
    CellView,
    LookRequest,
    LookView,
    PictureFile,
    ReadingView,
)

if TYPE_CHECKING:
    from boyi.vision import Belief, Reading

IDLE_S = 300.0
NICENESS = 5


def serve(pipe: Connection) -> None:
    """The life of the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    import cv2

    cv2.setNumThreads(1)
    with contextlib.suppress(EOFError, OSError):
        while pipe.poll(IDLE_S):
            wanted = pipe.recv()
            if isinstance(wanted, PictureFile):
                pipe.send(answered(wanted))
            else:
                prepare()


def prepare() -> None:
    """Load what the first picture would wait for: the nets, and the rules of the games."""
    from boyi.vision import decode_picture, recognise

    for name in games():
        start = rules_named(name).start()
        position_view(start)
        recognise(decode_picture(draw.png(start.svg(size=300))))


def answered(wanted: PictureFile) -> tuple[str, ReadingView | LookView] | tuple[str, str, str]:
    """The answer to a request."""
    from boyi.vision import BadPicture

    try:
        return "read", look(wanted) if isinstance(wanted, LookRequest) else read(wanted)
    except BadPicture as error:
        return "refused", "picture", str(error)
    except GameError as error:
        return "refused", "game", str(error)
    except MemoryError:
        return "refused", "picture", "there was not enough memory for the picture"


def read(wanted: PictureFile) -> ReadingView:
    """Read a picture."""
    return _seen(wanted)[0]


def look(wanted: LookRequest) -> LookView:
    """Read a picture and judge it by what was believed before."""
    from boyi.vision import Belief

    told, position = wanted.belief, None
    if told.rules is not None and told.key is not None:
        position = rules_named(told.rules).position(told.key)
        wanted = wanted.model_copy(update={"turn": None})
    view, reading = _seen(wanted)
    before = Belief(position, tuple(tuple(row) for row in told.texts), told.equal)
    belief, seen = before.after(reading)
    return LookView(
        reading=view,
        belief=_told(belief),
        changed=seen is not None,
        moves=list(seen.moves) if seen else [],
        position=None if belief.position is None else position_view(belief.position),
    )


def _told(belief: "Belief") -> BeliefView:
    position: Position | None = belief.position
    return BeliefView(
        rules=None if position is None else rules_text(position.game),
        key=None if position is None else position.key,
        texts=[list(row) for row in belief.texts],
        equal=belief.equal,
    )


def _seen(wanted: PictureFile) -> tuple[ReadingView, "Reading"]:
    from boyi.vision import decode_picture, recognise

    game = None if wanted.rules is None else rules_named(wanted.rules)
    picture = decode_picture(wanted.content, most_pixels=PICTURE_PIXELS)
    found = recognise(picture, game=game, turn=wanted.turn, die=wanted.die, corners=wanted.corners)
    grid = found.grid
    view = ReadingView(
        refused=found.refused,
        code=found.code,
        width=picture.shape[1],
        height=picture.shape[0],
        rules=None if found.game is None else rules_text(found.game),
        cells=[[CellView(text=cell.text, confidence=cell.confidence) for cell in row] for row in found.cells],
        position=None if found.position is None else position_view(found.position),
        confidence=round(found.confidence, 4),
        others=list(found.others),
        corners=[] if grid is None else grid.outline.round(1).tolist(),
        lines=[] if grid is None else [(*start, *end) for start, end in grid.lines.round(1).tolist()],
        sites=[] if grid is None else grid.sites.round(1).tolist(),
        pitch=0.0 if grid is None else round(grid.pitch, 1),
    )
    return view, found
