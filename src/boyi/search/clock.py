"""Thinking by the clock: run a search in slices until a limit is reached, and say what ended it."""

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from boyi.search.simulate import DONE, FULL, PROVEN

SLICE_S = 0.02
FIRST = 16
"""Simulations of the first slice, whose speed is not known."""
ENOUGH = 0.8
"""The share of the time left that a slice may plan with: simulations are not all equally long."""
REST_S = 0.0002
"""A rest of time too short for another slice."""


class Progress(NamedTuple):
    """Simulations made, seconds since the clock was started, and what ended the thinking: `simulations`, `seconds`,
    `proven`; `memory` once a tree has no more room, whether it goes on or not; "" while it goes on."""

    made: int
    seconds: float
    stopped: str


def clock(
    step: Callable[[int], tuple[int, int]],
    *,
    simulations: int | None,
    seconds: float | None,
    every_s: float | None,
    began: float | None = None,
    reserve_s: float = 0.0,
) -> Iterator[Progress]:
    """Run `step(count) -> (made, why)` in slices until a limit is reached, yielding every `every_s` seconds; the last
    yield is the end.

    Slices grow to about a fiftieth of a second and shrink towards the end, so that the limit is met within a
    millisecond. The time runs from `began`, by default from this call; `reserve_s` of it is left for what follows.
    """
    began = shown = time.perf_counter() if began is None else began
    deadline = float("inf") if seconds is None else began + seconds - reserve_s
    made, size, full = 0, FIRST, False
    each = 0.0
    while True:
        now = time.perf_counter()
        stopped = ""
        if simulations is not None and made >= simulations:
            stopped = "simulations"
        elif now >= deadline or (made and deadline - now < max(REST_S, each)):
            stopped = "seconds"
        else:
            done, why = step(size if simulations is None else min(size, simulations - made))
            made += done
            full |= why == FULL
            after = time.perf_counter()
            each = (after - now) / max(done, 1)
            room_s = min(SLICE_S, ENOUGH * max(deadline - after, 0.0))
            size = max(1, min(4 * size, int(room_s / max(each, 1e-9))))
            if why == PROVEN or (done == 0 and why == DONE):
                stopped = "proven" if why == PROVEN else "simulations"
            elif done == 0:
                stopped = "memory"
            now = after
        if stopped or (every_s is not None and now - shown >= every_s):
            shown = now
            yield Progress(made, now - began, "memory" if full and stopped != "proven" else stopped)
        if stopped:
            return
