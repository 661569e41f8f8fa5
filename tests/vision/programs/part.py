"""A part of the pictures: a program, or a few that belong together, with what it needs and where its files go."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page

from programs import browser, screen
from programs.positions import Cells
from programs.pythons import python_with
from programs.truth import Truth


@dataclass
class Place:
    """Where a part finds what it needs and leaves its pictures."""

    pictures: Path
    truth: Truth
    own: Path
    """A folder for the part alone."""
    python: Path = field(init=False)
    """A Python with the part's packages."""
    page: Page = field(init=False)
    address: str = field(init=False)
    """Where the page finds `modules`."""

    @property
    def modules(self) -> Path:
        """The npm packages and all other files that Chromium is shown."""
        return self.own / "node_modules"

    def file(self, name: str) -> Path:
        return self.pictures / f"{name}.png"

    def shot(
        self, name: str, game: str = "", cells: Cells = (), *, program: str = "", few_colours: bool = False
    ) -> None:
        """Take a picture of the screen, and note what stands on it."""
        screen.shot(self.file(name), few_colours=few_colours)
        self.note(name, game, cells, program=program)

    def pictured(self, page: Page, name: str, game: str = "", cells: Cells = (), *, program: str = "") -> None:
        """Take a picture of a page, and note what stands on it."""
        browser.pictured(page, self.file(name))
        self.note(name, game, cells, program=program)

    def note(self, name: str, game: str = "", cells: Cells = (), *, program: str = "") -> None:
        """Note what stands on a picture, which is called PROGRAM-NUMBER unless told."""
        self.truth.add(f"{name}.png", program or (name.rpartition("-")[0] if cells else name), game, cells)


@dataclass(frozen=True)
class Part:
    name: str
    take: Callable[[Place], None]
    debian: Mapping[str, str] = field(default_factory=dict)
    """Command or file -> Debian's package, beside those of a screen, of Chromium and of npm."""
    pip: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()
    """Python packages whose own requirements are not needed to show a board, or are among `pip`."""
    npm: tuple[str, ...] = ()
    unpacked: tuple[str, ...] = ()
    """npm packages that are pages; what they require to be served or built is not needed."""
    screen: bool = False
    """Runs under a virtual screen."""
    browser: bool = False
    """Runs in Chromium."""

    @property
    def needs(self) -> Mapping[str, str]:
        """Command or file -> Debian's package."""
        needs = dict(self.debian)
        if self.screen:
            needs |= screen.NEEDS
        if self.browser:
            needs |= browser.NEEDS
        if self.npm or self.unpacked:
            needs |= browser.NPM_NEEDS
        return needs

    def missing(self) -> Iterator[tuple[str, str]]:
        """What is not there, and Debian's package that has it."""
        for name, package in self.needs.items():
            if not (Path(name).exists() if name.startswith("/") else shutil.which(name)):
                yield name, package

    def run(self, folder: Path, truth: Truth) -> None:
        """Take the pictures into the folder; packages and settings go into FOLDER/parts/NAME."""
        place = Place(folder, truth, folder / "parts" / self.name)
        place.modules.mkdir(parents=True, exist_ok=True)
        if self.pip or self.alone:
            place.python = python_with(place.own / "python", self.pip, self.alone)
        if self.npm:
            browser.install(place.own, self.npm)
        for package in self.unpacked:
            browser.unpack(place.own, package)
        with ExitStack() as stack:
            if self.screen:
                stack.enter_context(screen.screen())
            if self.browser:
                place.page, place.address = stack.enter_context(browser.browser(place.modules))
            self.take(place)
