"""Any game as a PettingZoo environment: `env("othello", size=6)`.

Agents take turns as the game says (Connect6 moves twice, Othello passes by an action); dice are rolled by the
environment. An observation is a dictionary: `observation`, the planes [C, H, W] from the mover's view, and
`action_mask`. Rewards come at the end: 1, 0 or -1.
"""

import io
from typing import Any

import gymnasium.spaces as spaces
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from PIL import Image

from boyi.draw import png
from boyi.games.game import Game
from boyi.games.generics import CHANCE
from boyi.games.position import Position
from boyi.games.registry import game as find_game

AGENTS = ["player_0", "player_1"]


def env(game: str | Game, *, render_mode: str | None = None, observer: str | None = None, **parameters: Any) -> AECEnv:
    """The environment with PettingZoo's usual guards: illegal actions lose, and a reset comes first."""
    wrapped: AECEnv = raw_env(game, render_mode=render_mode, observer=observer, **parameters)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801 (the name that PettingZoo asks for)
    """The environment without guards."""

    def __init__(
        self, game: str | Game, *, render_mode: str | None = None, observer: str | None = None, **parameters: Any
    ) -> None:
        super().__init__()
        self.game = find_game(game, **parameters) if isinstance(game, str) else game
        self.metadata = {
            "name": f"boyi_{self.game.name}_v0",
            "render_modes": ["ansi", "rgb_array"],
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.render_mode = render_mode
        self.observer = observer
        self.possible_agents = list(AGENTS)
        self.random = np.random.default_rng()
        planes = self.game.start(seed=0).observe(observer)
        self.action_spaces = {agent: spaces.Discrete(self.game.num_actions) for agent in AGENTS}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, planes.shape, np.float32),
                    "action_mask": spaces.Box(0, 1, (self.game.num_actions,), np.int8),
                }
            )
            for agent in AGENTS
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game; `options={"key": KEY}` starts from a position."""
        if seed is not None:
            self.random = np.random.default_rng(seed)
        key = (options or {}).get("key")
        start = self.game.position(key) if key else self.game.start(seed=int(self.random.integers(2**32)))
        self.position = after_chance(start, self.random)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._look()
        self.agent_selection = AGENTS[self.position.turn or 0]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        mask = np.zeros(self.game.num_actions, np.int8)
        if self.position.turn == AGENTS.index(agent):
            mask[list(self.position.actions)] = 1
        return {"observation": self.position.observe(self.observer), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.position = after_chance(self.position.play_action(int(action)), self.random)
        self._look()
        self.agent_selection = AGENTS[1 - AGENTS.index(agent) if self.position.turn is None else self.position.turn]
        self._accumulate_rewards()

    def _look(self) -> None:
        """Notice the end of the game."""
        end = self.position.outcome
        if end is None:
            return
        result = 0.0 if end.winner is None else 1.0 - 2.0 * end.winner
        self.rewards = {AGENTS[0]: result, AGENTS[1]: -result}
        self.terminations = dict.fromkeys(AGENTS, True)

    def render(self) -> str | NDArray[np.uint8] | None:
        return picture(self.position, self.render_mode)

    def close(self) -> None:
        pass


def after_chance(position: Position, random: np.random.Generator) -> Position:
    """The position where a player decides, or the end: dice are rolled on the way."""
    while position.turn == CHANCE:
        chances = position.chances
        assert chances is not None
        position = position.play(str(random.choice(list(chances), p=list(chances.values()))))
    return position


def picture(position: Position, mode: str | None) -> str | NDArray[np.uint8] | None:
    """A position as text or as an array [H, W, 3] of colours."""
    if mode == "ansi":
        return str(position)
    if mode != "rgb_array":
        return None
    with Image.open(io.BytesIO(png(position.svg()))) as image:
        return np.asarray(image.convert("RGB"))
