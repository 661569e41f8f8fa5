"""How well boards are read: exact boards, cells, silent errors, refusals and milliseconds, by source of pictures.

Sources are split by theme and by program, never by picture. The drawn ones come from `boyi.vision.sources`; pictures of
programs that nobody here wrote lie in `tests/vision/screens` with what stands on them in `screens.toml`, those of small
programs as students write them in `tests/vision/students`, and take part where these folders are. `seconds` bounds the
processor time of each source.
`boyi.bench.vision_curves` plots what damage does.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from boyi.bench.result import Result
from boyi.vision.damage import DAMAGE, on_desktop
from boyi.vision.picture import resized
from boyi.vision.recognise import Reading, recognise
from boyi.vision.scenes import Scene
from boyi.vision.screens import right_board, screens
from boyi.vision.sources import SOURCES, STRANGE, Source

SCREENS = Path(__file__).resolve().parents[3] / "tests" / "vision" / "screens"
STUDENTS = SCREENS.with_name("students")
STRENGTHS = (0.25, 0.5, 0.75, 1.0)
FEWEST = 12
"""Pictures at every strength of a damage."""
SIZES = (0.65, 0.8, 1.15, 1.3)
"""How large the programs' pictures are shown the second time, one size after the other."""
UNSEEN = ("own light", "own dark", "plain")
"""Drawn sources whose looks are not among the training pictures."""


@dataclass(frozen=True)
class Share(Result):
    """A share of the pictures of a source, in per cent."""

    pictures: int = 0


@dataclass
class Tally:
    """What happened to the pictures of one source."""

    pictures: int = 0
    exact: int = 0
    silent: int = 0
    refused: int = 0
    doubtful: int = 0
    cells: int = 0
    right_cells: int = 0
    time_s: float = 0.0

    def add(self, truth: Scene, reading: Reading, spent_s: float) -> None:
        self.pictures += 1
        self.time_s += spent_s
        if reading.refused is not None:
            self.refused += 1
        elif reading.position is None:
            self.doubtful += 1
        elif right_board(truth, reading):
            self.exact += 1
        else:
            self.silent += 1
        if truth.cells:
            self.cells += sum(map(len, truth.cells))
            if reading.grid is not None and len(reading.cells) == len(truth.cells) and near(truth, reading):
                pairs = zip(reading.texts, truth.cells, strict=True)
                self.right_cells += sum(a == b for mine, true in pairs for a, b in zip(mine, true, strict=True))

    def results(self, source: str, *, negatives: bool) -> Iterator[Share]:
        shares = {"silent errors": self.silent, "refused": self.refused}
        if not negatives:
            shares = {"board exact": self.exact, **shares, "with unknown cells": self.doubtful}
        for what, number in shares.items():
            yield Share(f"{source}, {what}", 100 * number / self.pictures, "%", pictures=self.pictures)
        if not negatives:
            yield Share(f"{source}, cells", 100 * self.right_cells / self.cells, "%", pictures=self.pictures)
        yield Share(f"{source}, time", 1000 * self.time_s / self.pictures, "ms a picture", pictures=self.pictures)


def near(truth: Scene, reading: Reading) -> bool:
    """Whether the board was found where it is; a source that does not know counts as found."""
    if truth.sites.size == 0 or reading.grid is None:
        return True
    if reading.grid.rows != truth.sites.shape[0] or reading.grid.columns != truth.sites.shape[1]:
        return False
    away = np.linalg.norm(reading.grid.sites - truth.sites.reshape(-1, 2), axis=1)
    return bool(away.max() < 0.4 * reading.grid.pitch)


def read_scene(scene: Scene, *, times: int = 1) -> tuple[Reading, float]:
    """A reading and the processor time it took, at best."""
    spent_s = []
    for _ in range(times):
        start = time.process_time()
        reading = recognise(scene.picture)
        spent_s.append(time.process_time() - start)
    return reading, min(spent_s)


def bench_vision(*, seconds: float = 20.0, seed: int = 0) -> Iterator[Share]:
    """Every source clean, the programs' pictures, also in other sizes, damage of every kind, then a full screen."""
    cv2.setNumThreads(1)
    read_scene(SOURCES["plain"](np.random.default_rng(seed)))
    games: dict[str, Tally] = {}
    for name, source in SOURCES.items():
        tally = measured(source, name, seconds, seed, games if name in UNSEEN else {})
        yield from tally.results(name, negatives=name in (STRANGE, "negatives"))
    for game, tally in sorted(games.items()):
        yield from list(tally.results(f"game {game}", negatives=False))[:2]
    yield from programs(SCREENS)
    yield from programs(STUDENTS, "small programs")
    yield from programs(SCREENS, "programs in other sizes", sizes=SIZES)
    for damage, apply in DAMAGE.items():
        for strength in STRENGTHS:
            random = np.random.default_rng([seed, 7])
            tally = Tally()
            start = time.process_time()
            while tally.pictures < FEWEST or time.process_time() - start < seconds / len(STRENGTHS):
                name = UNSEEN[tally.pictures % 3]
                scene = apply(SOURCES[name](random), random, strength)
                tally.add(scene, *read_scene(scene))
            yield from list(tally.results(f"{damage} {strength:g}", negatives=False))[:2]
    random = np.random.default_rng([seed, 9])
    tally = Tally()
    while tally.pictures < max(3, round(seconds)):
        scene = on_desktop(SOURCES[("own light", "plain")[tally.pictures % 2]](random), random)
        tally.add(scene, *read_scene(scene, times=3))
    yield from tally.results("full-HD desktop", negatives=False)


def measured(source: Source, name: str, seconds: float, seed: int, games: dict[str, Tally]) -> Tally:
    """Read pictures of a source until the time is up, at least three and at most 400; `games` counts them by game."""
    random = np.random.default_rng([seed, *name.encode()])
    tally = Tally()
    start = time.process_time()
    while tally.pictures < 3 or (time.process_time() - start < seconds and tally.pictures < 400):
        scene = source(random)
        found = read_scene(scene)
        tally.add(scene, *found)
        games.setdefault(scene.game.partition(":")[0], Tally()).add(scene, *found)
    return tally


def programs(
    folder: Path, name: str = "programs", *, each: bool = False, sizes: Sequence[float] = (1.0,)
) -> Iterator[Share]:
    """Pictures of programs: those looked at while tuning, those never looked at, and those without a board.

    With `each` also the share of exact boards, or of refusals, of every program. They are shown in one of `sizes` each.
    """
    tallies: dict[str, Tally] = {}
    by_program: dict[str, Tally] = {}
    for number, (program, tuned, whole) in enumerate(screens(folder)):
        scene = replace(whole, picture=resized(whole.picture, sizes[number % len(sizes)]))
        group = f"{name}, no board" if not scene.cells else f"{name} tuned on" if tuned else f"{name} unseen"
        found = read_scene(scene)
        tallies.setdefault(group, Tally()).add(scene, *found)
        by_program.setdefault(program, Tally()).add(scene, *found)
    if each:
        for program, tally in by_program.items():
            yield next(tally.results(program, negatives=not tally.cells))
    for group, tally in sorted(tallies.items()):
        yield from tally.results(group, negatives=group.endswith("no board"))


def main(arguments: list[str]) -> None:
    """Measure the pictures of a folder that has a `screens.toml`, by program and altogether."""
    if len(arguments) != 1 or not (Path(arguments[0]) / "screens.toml").is_file():
        raise SystemExit("write: python -m boyi.bench.vision FOLDER, where FOLDER has pictures and their screens.toml")
    cv2.setNumThreads(1)
    for result in programs(Path(arguments[0]), each=True):
        print(f"{result.name}: {result.value:.3g} {result.unit} ({result.pictures} pictures)")


if __name__ == "__main__":
    main(sys.argv[1:])
