"""A visitor of the service, for its tests."""

from collections.abc import Callable
from typing import Any

from boyi.service.service import Service
from boyi.service.views import GameView, MoveRequest, NewGame


class Guest:
    """A visitor at one game, as a face of the service would have it."""

    def __init__(self, service: Service, visitor: str) -> None:
        self.service, self.visitor, self.id = service, visitor, ""

    async def create(self, rules: str, *seats: str, **wanted: Any) -> GameView:
        made = await self.service.create_game(
            self.visitor, NewGame(rules=rules, seats=seats or ("human", "human"), **wanted)
        )
        self.id = made.id
        return made

    async def show(self) -> GameView:
        return await self.service.show_game(self.visitor, self.id)

    async def play(self, *moves: str) -> GameView:
        """Play moves, each after whatever came before it."""
        view = await self.show()
        for move in moves:
            view = await self.service.play_move(self.visitor, self.id, MoveRequest(move=move, ply=len(view.moves)))
        return view

    async def until(self, condition: Callable[[GameView], bool]) -> GameView:
        """The first view that satisfies a condition."""
        async for view in self.service.watch_game(self.visitor, self.id):
            if condition(view):
                return view
        raise AssertionError("the game was deleted")
