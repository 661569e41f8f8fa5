"""EinStein's set-up placed by hand: stones of one side change places in their home triangle."""

from boyi.service.views import PositionRequest
from boyi.web.board import Board
from boyi.web.i18n.phrases import side_names
from boyi.web.pages.controls import Words, segments
from boyi.web.pages.shell import Visit

RULES = "einstein"
HOMES = ((1, 2, 3, 6, 7, 11), (25, 24, 20, 23, 19, 15))
"""The squares 1..25 of each side's home triangle, stone by stone as usual."""


class Arrangement:
    """Where the twelve stones stand, and who rolls first."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        self.squares = [list(home) for home in HOMES]
        self.first = 0
        self.board: Board | None = None

    @property
    def key(self) -> str:
        """The position's key."""
        red, blue = (" ".join(map(str, side)) for side in self.squares)
        return f"{red} / {blue} {('red', 'blue')[self.first]} -"

    async def build(self) -> None:
        """The board on which stones are dragged, or tapped one after the other, to change places."""
        t = self.visit.t
        sides = side_names(t, ("Red", "Blue"))
        self.board = Board(RULES, t, self.visit.preferences, players=sides, on_swap=self.swap, label=t("setup.board"))
        await self.show()
        Words(t("setup.help"), "p").classes("fine")
        segments(
            t("setup.first"),
            {0: t("setup.rolls_first", side=sides[0]), 1: t("setup.rolls_first", side=sides[1])},
            self.first,
            self.begin,
        )

    def begin(self, player: int) -> None:
        self.first = player

    async def show(self) -> None:
        view = await self.visit.service.show_position(PositionRequest(rules=RULES, key=self.key))
        if self.board:
            self.board.show(view, active=True, legal=False, edit="swap")

    async def swap(self, start: int, end: int) -> None:
        """Let two stones of one side change places."""
        for side in self.squares:
            if start + 1 in side and end + 1 in side:
                first, second = side.index(start + 1), side.index(end + 1)
                side[first], side[second] = end + 1, start + 1
        await self.show()
