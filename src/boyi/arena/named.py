"""Matches between players given by name, which can be spread over processes."""

from collections.abc import Callable

from boyi.arena.control import Control
from boyi.arena.match import GameRow, MatchResult
from boyi.arena.plan import Plan
from boyi.arena.tournament import Event, Finished, Tournament
from boyi.games.errors import GameError
from boyi.players import Limit


def play_named_match(
    game: str,
    first: str,
    second: str,
    *,
    games: int,
    seed: int = 0,
    limit: Limit | None = None,
    openings: int | None = None,
    workers: int = 1,
    on_game: Callable[[GameRow], None] | None = None,
) -> MatchResult:
    """`play_match` with the game and the players by name, such as `gomoku:size=9` and `mcts:sims=500`.

    With several workers each game goes to the next free process. Where players do not look at the clock, the result is
    the same for any number of workers; `on_game` hears of games in the order in which they end.
    """
    if workers < 1:
        raise GameError(f"workers={workers} is not possible; it must be 1 or more")

    def tell(event: Event) -> None:
        if on_game and isinstance(event, Finished):
            on_game(event.row)

    plan = Plan(game, (first, second), games, seed=seed, control=Control(limit or Limit()), openings=openings)
    tournament = Tournament(plan, workers=0 if workers == 1 else workers, on_event=tell)
    tournament.run()
    return tournament.match
