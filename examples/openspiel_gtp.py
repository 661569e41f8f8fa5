"""OpenSpiel's MCTS bot as a GTP engine: what it takes to let a foreign program play here.

    boyi match "cmd:gtp:python examples/openspiel_gtp.py othello 200" random --game othello --games 10

The arguments are the game, `othello`, `gomoku` or `tictactoe`, and the bot's simulations a move.
"""

import sys

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

NAMES = {"othello": "othello", "gomoku": "gomoku(size=15,connect=5)", "tictactoe": "tic_tac_toe"}
SIZES = {"othello": 8, "gomoku": 15, "tictactoe": 3}
LETTERS = "ABCDEFGHJKLMNOPQRST"


def main(name: str, simulations: int) -> None:
    game, size = pyspiel.load_game(NAMES[name]), SIZES[name]
    random = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, simulations, mcts.RandomRolloutEvaluator(1, random), random_state=random)
    state = game.new_initial_state()

    def read(point: str) -> int:
        if point.lower() == "pass":
            return size * size
        row = int(point[1:]) - 1 if name == "othello" else size - int(point[1:])
        return row * size + LETTERS.index(point[0].upper())

    def write(action: int) -> str:
        if action == size * size:
            return "pass"
        row, column = divmod(action, size)
        return f"{LETTERS[column]}{row + 1 if name == 'othello' else size - row}"

    for line in sys.stdin:
        command, *arguments = line.split() or [""]
        answer = "="
        if command == "clear_board":
            state = game.new_initial_state()
        elif command == "play" and read(arguments[1]) in state.legal_actions():
            state.apply_action(read(arguments[1]))
        elif command == "genmove":
            action = bot.step(state)
            state.apply_action(action)
            answer = f"= {write(action)}"
        elif command not in ("protocol_version", "list_commands", "boardsize", "time_settings", "quit"):
            answer = "? unknown or illegal"
        print(f"{answer}\n", flush=True)
        if command == "quit":
            break


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
