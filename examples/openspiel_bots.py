"""Boyi's players as bots of OpenSpiel, and OpenSpiel's bots as players of Boyi, in one process and without a protocol.

    python examples/openspiel_bots.py othello

Tic-tac-toe, Gomoku and Othello number their actions alike in both libraries, so a game is its list of actions.
"""

import sys
from collections.abc import Callable, Iterator

import pyspiel

import boyi
from boyi.arena import play_match
from boyi.games.position import Position
from boyi.players.player import Choice, Limit, Player

NAMES = {"othello": "othello", "gomoku": "gomoku(size=15,connect=5)", "tictactoe": "tic_tac_toe"}


class BoyiBot(pyspiel.Bot):
    """A Boyi player, by name, that plays where OpenSpiel asks a bot."""

    def __init__(self, game: str, player: str, *, seed: int = 0) -> None:
        pyspiel.Bot.__init__(self)
        self.game = boyi.game(game)
        self.player = boyi.player(player, self.game, seed=seed)

    def step(self, state: pyspiel.State) -> int:
        position = self.game.start()
        for action in state.history():
            position = position.play_action(action)
        return position.action(self.player.choose(position).move)

    def restart_at(self, state: pyspiel.State) -> None:
        """Nothing to do: a state holds its whole game."""


class OpenSpielPlayer(Player):
    """A bot of OpenSpiel that plays where Boyi asks a player; `make` gets OpenSpiel's game and a seed."""

    def __init__(self, game: boyi.Game, make: Callable[[pyspiel.Game, int], pyspiel.Bot], *, seed: int = 0) -> None:
        super().__init__(game, seed=seed)
        self.theirs = pyspiel.load_game(NAMES[game.name])
        self.bot = make(self.theirs, seed)

    def think(self, position: Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        state = self.theirs.new_initial_state()
        for action in actions_to(position):
            state.apply_action(action)
        yield Choice(position.game.write_move(position.state, self.bot.step(state)))


def actions_to(position: Position) -> list[int]:
    """The actions from the start of a game to a position."""
    found: list[int] = []
    while position.previous is not None:
        found.append(position.previous.action(position.move))
        position = position.previous
    if position != position.game.start():
        raise boyi.GameError("OpenSpiel needs a game from its start; this one begins with a position")
    return found[::-1]


def tree_search(game: pyspiel.Game, seed: int, *, simulations: int = 200) -> pyspiel.Bot:
    """OpenSpiel's own Monte-Carlo tree search, in C++."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed + 1)
    return pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, False, seed + 1, False)


def play_there(name: str, player: str, *, seed: int = 0) -> list[float]:
    """One game of OpenSpiel: a Boyi player moves first, OpenSpiel's tree search second; the returns of both."""
    game = pyspiel.load_game(NAMES[name])
    bots = [BoyiBot(name, player, seed=seed), tree_search(game, seed)]
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    return list(state.returns())


def play_here(name: str, player: str, *, games: int = 4) -> float:
    """A match of Boyi: the score of a Boyi player against OpenSpiel's tree search."""
    game = boyi.game(name)
    found = play_match(
        game,
        lambda seed: boyi.player(player, game, seed=seed),
        lambda seed: OpenSpielPlayer(game, tree_search, seed=seed),
        games=games,
    )
    return found.estimate.score


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else "tictactoe"
    print("in OpenSpiel, returns of Boyi's and OpenSpiel's player:", play_there(wanted, "mcts:sims=2000"))
    print(f"in Boyi, score of Boyi's player: {play_here(wanted, 'mcts:sims=2000'):.0%}")
