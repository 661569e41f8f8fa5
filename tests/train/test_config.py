"""Options of training: read, written, changed, and refused by name."""

from pathlib import Path

import pytest

from boyi.games.errors import GameError
from boyi.train.config import BadConfig, TrainConfig, changed, find_config, read_config, usual_config, write_toml

CONFIGS = sorted((Path(__file__).parents[2] / "configs").glob("*.toml"))


def test_there_is_a_file_for_every_game():
    assert {read_config(file).game for file in CONFIGS} == {
        "tictactoe",
        "einstein",
        "othello",
        "othello:size=6",
        "gomoku:size=9",
        "gomoku:size=15",
        "connect6",
    }


@pytest.mark.parametrize("file", CONFIGS, ids=lambda file: file.stem)
def test_files_round_trip(file, tmp_path):
    config = read_config(file)
    (tmp_path / "config.toml").write_text(write_toml(config), encoding="utf-8")
    assert read_config(tmp_path / "config.toml") == config


def test_a_config_is_found_by_name_and_by_game():
    assert find_config("gomoku9").game == "gomoku:size=9"
    assert find_config("gomoku:size=9") == find_config("gomoku9")
    assert find_config("gomoku").game == "gomoku:size=15"  # the usual size
    assert find_config("gomoku:size=7").net == usual_config("gomoku:size=7").net


def test_changes_apply_to_sections():
    config = changed(usual_config("tictactoe"), ["selfplay.simulations=7", "seed=3", "selfplay.search=puct"])
    assert (config.selfplay.simulations, config.seed, config.selfplay.search) == (7, 3, "puct")


BAD = [
    ("bogus = 1", "bogus"),
    ("[selfplay]\nsimulation = 5", "selfplay.simulation"),
    ("[learn]\nrate = 'fast'", "learn.rate='fast'"),
    ("[selfplay]\nsimulations = 0", "selfplay.simulations=0"),
    ("[selfplay]\nsearch = 'magic'", "gumbel, puct"),
    ("[selfplay]\nprecision = 'int4'", "selfplay.precision='int4' is not possible; allowed: float32, int8"),
    ("[replay]\nexponent = 1.5", "from 0 to 1"),
    ("[learn]\nrate = -1.0", "learn.rate=-1.0"),
    ("[selfplay]\ngames = 2\nshards = 3", "shards=3"),
    ("[net]\nkind = 'magic'", "magic"),
    ("[net]\nwings = 2", "wings"),
    ("selfplay = 3", "is a section"),
    ("[measure]\nanchors = 'random'", "no list of texts"),
    ("seed = ", "no TOML"),
    ("[selfplay]\nreuse = 1", "true or false"),
]


@pytest.mark.parametrize(("text", "named"), BAD)
def test_bad_options_are_named(text, named, tmp_path):
    file = tmp_path / "bad.toml"
    file.write_text(f"game = 'tictactoe'\n{text}\n")
    with pytest.raises(GameError, match=r"bad\.toml") as error:
        read_config(file)
    assert named in str(error.value)


def test_other_mistakes():
    with pytest.raises(BadConfig, match="no configuration"):
        read_config(Path("nowhere.toml"))
    with pytest.raises(GameError, match="unknown game 'chess'"):
        TrainConfig(game="chess")
    with pytest.raises(BadConfig, match=r"unknown option 'self\.x'"):
        changed(usual_config("tictactoe"), ["self.x=1"])
    with pytest.raises(BadConfig, match="is no change"):
        changed(usual_config("tictactoe"), ["simulations"])
    with pytest.raises(BadConfig, match="name a game"):
        find_config(None)
    with pytest.raises(BadConfig, match="not for othello"):
        find_config("othello", CONFIGS[-1])
