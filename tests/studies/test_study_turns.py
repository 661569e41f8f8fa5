"""The study of Connect6's turns: its three trees, and its quick version."""

import json
from pathlib import Path

import pytest

import boyi
from boyi.cli.main import main
from boyi.games.errors import GameError
from boyi.players import Limit
from boyi.studies.turns import WAYS, Node, TurnsPlayer, make_turns


def test_a_turn_that_wins_is_found() -> None:
    """Black has four in a row with both ends open and two stones to put."""
    game = boyi.game("connect6", size=6)
    position = game.start()
    for move in ("a1", "f6", "f4", "a2", "a3", "f1", "d6", "a4", "c3", "e6", "b5"):
        position = position.play(move)
    while position.state[game.num_squares + 1] != 2 or position.turn != 0:
        position = position.play(next(move for move in position.moves if not move.startswith("a")))
    for how in ("player", "pairs"):
        player = TurnsPlayer(game, how=how, sims=400, seed=2)
        after = position
        for _ in range(2):
            if after.outcome is None:
                after = after.play(player.choose(after).move)
        if how == "player":
            assert after.outcome is not None
            assert after.outcome.winner == 0


@pytest.mark.parametrize("how", WAYS)
def test_signs(how: str) -> None:
    """After the first stone of a turn the same player decides: its gains there follow it, but for `ply`."""
    game = boyi.game("connect6", size=6)
    position = game.start().play("c3")
    player = TurnsPlayer(game, how=how, sims=150, seed=1)
    root = player._node(position.state.copy())
    for _ in range(150):
        player._simulate(root)
    assert root.visits.sum() == 150
    signs = {child.sign for child in root.children if isinstance(child, Node)}
    assert signs == ({1} if how == "pairs" else {-1}), "after a whole turn the other side, after one stone the same"
    assert abs(root.gains).max() <= root.visits.max()


def test_choices_are_legal_and_limited() -> None:
    game = boyi.game("connect6", size=6)
    position = game.start()
    player = make_turns("how=pairs,sims=20", game, 0)
    for _ in range(9):
        choice = player.choose(position, Limit(simulations=10))
        assert choice.move in position.moves
        assert choice.simulations in (0, 10), "the second stone of a pair is planned already"
        position = position.play(choice.move)


def test_wrong_options_are_named() -> None:
    game = boyi.game("connect6", size=6)
    with pytest.raises(GameError, match="no option 'sims=x'"):
        make_turns("sims=x", game, 0)
    with pytest.raises(GameError, match="how='odd'"):
        make_turns("how=odd", game, 0)
    with pytest.raises(GameError, match="plays connect6 only"):
        make_turns("", boyi.game("tictactoe"), 0)


def test_quick_turns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "connect6-turns", "--quick", "--dir", str(tmp_path), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["first"] for row in rows][:2] == ["turns:how=player,sims=20"] * 2
    games = (tmp_path / "match-1" / "games.jsonl").read_text()
    assert main(["study", "connect6-turns", "--quick", "--dir", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == rows
    assert (tmp_path / "match-1" / "games.jsonl").read_text() == games, "nothing is played twice"
