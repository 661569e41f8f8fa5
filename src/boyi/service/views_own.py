"""The owner's own games, as plain data: which rules files there are, and what their check has found."""

from typing import Literal

from boyi.service.views import View

OwnStatus = Literal["waiting", "checking", "passed", "failed", "no_game"]


class OwnGameView(View):
    """A rules file."""

    name: str
    """The file's name without its ending: also the name of the game."""
    status: OwnStatus
    """`no_game` is a file that defines no GAME: others may import it."""
    stage: str
    """What is being checked, or what was being checked when it failed: `load`, or a name of
    `boyi.service.conformance.CHECKS` such as `rules` or `symmetries`."""
    message: str
    """What is wrong, in English."""
    file: str
    line: int | None
    """Where it is wrong, as far as that is known."""
    title: str
    """What the game is called, once it has passed."""
    offered: bool
    """Whether it can be played: this text, or an earlier one that passed."""


class OwnGames(View):
    allowed: bool
    """Whether the owner has a folder for them."""
    folder: str
    """Where it is; empty on a server that is not for this computer alone."""
    games: list[OwnGameView]
