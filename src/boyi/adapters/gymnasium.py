"""Any game as a Gymnasium environment for one agent: `GameEnv("othello", against="mcts:sims=200")`.

The other side is a player of Boyi. Observations and actions are as in `boyi.adapters.pettingzoo`; `info["action_mask"]`
holds the legal actions, and an illegal one is an error that says so.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from boyi.adapters.pettingzoo import after_chance, picture
from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.registry import game as find_game
from boyi.players.registry import player as find_player


class GameEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """One side of a game against a named player. Rewards come at the end: 1, 0 or -1.

    seat: 0 to move first, 1 to move second, None for one of them by lot in each game.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}

    def __init__(
        self,
        game: str | Game,
        *,
        against: str = "random",
        seat: int | None = 0,
        observer: str | None = None,
        render_mode: str | None = None,
        **parameters: Any,
    ) -> None:
        if seat not in (0, 1, None):
            raise GameError(f"seat={seat!r} is not possible; allowed: 0, 1, None for either by lot")
        self.game = find_game(game, **parameters) if isinstance(game, str) else game
        self.against, self.wanted_seat, self.observer, self.render_mode = against, seat, observer, render_mode
        planes = self.game.start(seed=0).observe(observer)
        self.observation_space = spaces.Box(0.0, 1.0, planes.shape, np.float32)
        self.action_space = spaces.Discrete(self.game.num_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start a game; `options={"key": KEY}` starts from a position."""
        super().reset(seed=seed)
        number = int(self.np_random.integers(2**32))
        self.seat = int(self.np_random.integers(2)) if self.wanted_seat is None else self.wanted_seat
        self.opponent = find_player(self.against, self.game, seed=number)
        key = (options or {}).get("key")
        self.position = self.game.position(key) if key else self.game.start(seed=number)
        self._answer()
        return self.position.observe(self.observer), self._info()

    def step(self, action: np.int64) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        self.position = self.position.play_action(int(action))
        self._answer()
        end = self.position.outcome
        reward = 0.0
        if end is not None and end.winner is not None:
            reward = 1.0 if end.winner == self.seat else -1.0
        return self.position.observe(self.observer), reward, end is not None, False, self._info()

    def _answer(self) -> None:
        """Let dice and the opponent act until it is the agent's turn, or the game is over."""
        self.position = after_chance(self.position, self.np_random)
        while self.position.turn == 1 - self.seat:
            self.position = self.position.play(self.opponent.choose(self.position).move)
            self.position = after_chance(self.position, self.np_random)

    def _info(self) -> dict[str, Any]:
        mask = np.zeros(self.game.num_actions, np.int8)
        if self.position.turn == self.seat:
            mask[list(self.position.actions)] = 1
        return {"action_mask": mask, "key": self.position.key, "seat": self.seat}

    def render(self) -> Any:
        return picture(self.position, self.render_mode)

    def close(self) -> None:
        if hasattr(self, "opponent"):
            self.opponent.close()
