"""The nets that come with Boyi: whole, of a known kind, and used by the strongest player."""

import pytest

import boyi
from boyi.models.cards import BadModel
from boyi.players.strongest import analyst, strongest
from boyi.quick.library import DATA, has_shipped, kind_of, shipped, shipped_cards
from boyi.quick.store import load


@pytest.mark.parametrize("name", sorted(shipped_cards()))
def test_a_shipped_net_is_whole(name: str) -> None:
    card = shipped_cards()[name]
    game = boyi.game(card.game, **card.options)
    found, arrays = load(DATA / name, game)
    assert found.net["kind"] == kind_of(game).name
    assert {key: list(array.shape) for key, array in arrays.items()} == found.net["shapes"]
    assert shipped(game) == DATA / name
    assert found.training["minutes"] > 0


def test_the_strongest_uses_it() -> None:
    game = boyi.game("othello")
    assert has_shipped(game)
    assert strongest(game) == "quick"
    assert analyst(game) == "quick:lines=0"


def test_other_parameters_have_none() -> None:
    game = boyi.game("othello", size=4)
    assert strongest(game) == "alphabeta"
    with pytest.raises(BadModel, match="boyi train othello --method quick"):
        shipped(game)


def test_tictactoe_is_played_perfectly() -> None:
    """From either side, against every line of play of the opponent, without any search but the net's own."""
    game = boyi.game("tictactoe")
    player = boyi.player("quick:nodes=50,exact=no", game)
    for side in (0, 1):
        open_ends = [game.start()]
        while open_ends:
            position = open_ends.pop()
            if position.outcome is not None:
                assert position.outcome.winner in (side, None), position.key
            elif position.turn == side:
                open_ends.append(position.play(player.choose(position).move))
            else:
                open_ends.extend(position.play(move) for move in position.moves)
