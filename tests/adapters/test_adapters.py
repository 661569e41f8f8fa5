"""The environments, by the libraries' own tests and by whole games."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import boyi
from boyi.adapters.gymnasium import GameEnv
from boyi.adapters.pettingzoo import env, raw_env
from boyi.games.errors import GameError, IllegalMove

GAMES = {
    "tictactoe": {},
    "einstein": {},
    "othello": {"size": 6},
    "gomoku": {"size": 9},
    "connect6": {"size": 9},
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_says_yes(name):
    api_test(env(name, **GAMES[name]), num_cycles=200)
    seed_test(lambda: env(name, **GAMES[name]), num_cycles=100)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_the_game(name):
    """The environment's own record of a game, replayed by the rules: same turns, same masks, same result."""
    made = raw_env(name, **GAMES[name])
    made.reset(seed=5)
    luck = np.random.default_rng(1)
    total = dict.fromkeys(made.possible_agents, 0.0)
    for agent in made.agent_iter():
        seen, reward, over, _, _ = made.last()
        total[agent] += reward
        if over:
            made.step(None)
            continue
        assert agent == f"player_{made.position.turn}"
        legal = np.flatnonzero(seen["action_mask"])
        assert legal.tolist() == sorted(made.position.actions)
        assert seen["observation"].min() >= 0
        assert seen["observation"].max() <= 1
        made.step(int(luck.choice(legal)))
    winner = made.position.outcome.winner
    result = 0 if winner is None else 1 - 2 * winner
    assert total == {"player_0": result, "player_1": -result}


def test_connect6_moves_twice():
    made = raw_env("connect6", size=9)
    made.reset()
    movers = []
    for action in range(7):
        movers.append(made.agent_selection)
        made.step(action)
    assert [mover[-1] for mover in movers] == ["0", "1", "1", "0", "0", "1", "1"]


def test_an_illegal_action_loses():
    made = env("tictactoe")
    made.reset()
    made.step(4)
    made.step(4)
    assert made.terminations["player_1"]
    assert made.rewards["player_1"] == -1


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_pictures(mode):
    made = raw_env("tictactoe", render_mode=mode)
    made.reset()
    shown = made.render()
    if mode == "ansi":
        assert shown.count(".") == 9
    else:
        assert shown.ndim == 3
        assert shown.shape[2] == 3
        assert shown.std() > 0


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_gymnasium_says_yes():
    class Legal(gymnasium.ActionWrapper):
        """Any action as a legal one, as the checker samples blindly."""

        def action(self, action):
            legal = self.unwrapped.position.actions
            return legal[action % len(legal)]

    check_env(Legal(GameEnv("tictactoe")), skip_render_check=True)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", ["tictactoe", "einstein"])
def test_one_agent_plays_whole_games(name, seat):
    made = GameEnv(name, against="mcts:sims=20", seat=seat)
    luck = np.random.default_rng(seat)
    results = []
    for number in range(5):
        _, info = made.reset(seed=number)
        over = False
        while not over:
            legal = np.flatnonzero(info["action_mask"])
            assert legal.size
            _, reward, over, cut, info = made.step(int(luck.choice(legal)))
            assert not cut
        results.append(reward)
    assert set(results) <= {-1.0, 0.0, 1.0}
    assert sum(results) < 5, "random play does not always win"


def test_the_same_seed_gives_the_same_game():
    def keys():
        made = GameEnv("einstein", against="random", seat=None)
        _, info = made.reset(seed=9)
        found, over = [info["key"]], False
        while not over:
            _, _, over, _, info = made.step(int(np.flatnonzero(info["action_mask"])[0]))
            found.append(info["key"])
        return found

    assert keys() == keys()


def test_a_position_to_start_from():
    made = GameEnv("tictactoe")
    key = boyi.game("tictactoe").start().play("b2").play("a1").key
    assert made.reset(options={"key": key})[1]["key"] == key


def test_bad_values():
    with pytest.raises(GameError, match="seat=7"):
        GameEnv("tictactoe", seat=7)
    made = GameEnv("tictactoe")
    made.reset()
    made.step(4)
    with pytest.raises(IllegalMove):
        made.step(4)
