"""Tabular Q-learning of tic-tac-toe against a named player, on the Gymnasium environment.

python examples/q_learning.py
"""

from collections import defaultdict

import numpy as np

from boyi.adapters.gymnasium import GameEnv


def learn(games: int = 20_000, *, against: str = "random", step: float = 0.2, explore: float = 0.1, seed: int = 0):
    """Play and learn; returns the table from position keys to action values."""
    env = GameEnv("tictactoe", against=against, seat=None)
    random = np.random.default_rng(seed)
    values = defaultdict(lambda: np.zeros(env.action_space.n))
    for game in range(games):
        _, info = env.reset(seed=seed if game == 0 else None)
        over = False
        while not over:
            key, mask = info["key"], info["action_mask"]
            action = random.choice(np.flatnonzero(mask)) if random.random() < explore else best(values[key], mask)
            _, reward, over, _, info = env.step(action)
            later = 0.0 if over else values[info["key"]][info["action_mask"] == 1].max()
            values[key][action] += step * (reward + later - values[key][action])
    return values


def best(row, mask):
    """The legal action with the highest value."""
    return int(np.argmax(np.where(mask == 1, row, -np.inf)))


def score(values, games: int = 400, *, against: str = "random", seed: int = 1) -> float:
    """The mean result of the greedy policy, from -1 to 1."""
    env = GameEnv("tictactoe", against=against, seat=None)
    total = 0.0
    for game in range(games):
        _, info = env.reset(seed=seed if game == 0 else None)
        over = False
        while not over:
            _, reward, over, _, info = env.step(best(values[info["key"]], info["action_mask"]))
        total += reward
    return total / games


if __name__ == "__main__":
    table = learn()
    print(f"{len(table)} positions seen; mean result against random play: {score(table):+.2f}")
