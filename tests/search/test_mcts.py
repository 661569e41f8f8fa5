"""Tree search on solved positions, under limits, and with many roots."""

import functools

import numpy as np
import pytest

import boyi
from boyi.games.position import Position
from boyi.search.clock import clock
from boyi.search.evaluators import CachedEvaluator, FakeEvaluator, PlayoutEvaluator, UniformEvaluator
from boyi.search.mcts import BatchSearch, PlayoutSearch, read_root
from boyi.search.selection import Gumbel, Puct, halving
from boyi.search.simulate import DONE, FULL, PROVEN


@functools.cache
def perfect(key: str) -> int:
    """Player 0's result of tic-tac-toe with best play, by plain recursion."""
    position = boyi.game("tictactoe").position(key)
    if position.outcome:
        return {None: 0, 0: 1, 1: -1}[position.outcome.winner]
    values = [perfect(position.play(move).key) for move in position.moves]
    return max(values) if position.turn == 0 else min(values)


def distinct_tictactoe() -> list[Position]:
    """One unfinished position of each class under the board's symmetries."""
    game = boyi.game("tictactoe")
    seen: set[bytes] = set()
    found, queue = [], [game.start()]
    while queue:
        position = queue.pop()
        images = [game.transform(position.state, symmetry)[:4].tobytes() for symmetry in game.symmetries]
        if min(images) in seen or position.outcome:
            continue
        seen.add(min(images))
        found.append(position)
        queue += [position.play(move) for move in position.moves]
    return found


def test_tictactoe_is_played_perfectly_from_everywhere():
    positions = distinct_tictactoe()
    assert len(positions) == 627  # 765 positions up to symmetry, 138 of them finished
    player = boyi.player("mcts:sims=3000,reuse=no", boyi.game("tictactoe"), seed=1)
    for position in positions:
        choice = player.choose(position)
        assert perfect(position.play(choice.move).key) == perfect(position.key), position
        if choice.exact:
            assert choice.value == perfect(position.key)


def test_whole_tictactoe_is_proven_a_draw():
    game = boyi.game("tictactoe")
    search = PlayoutSearch(game, seed=3)
    search.set_root(game.start().state)
    made, why = search.run(200_000)
    root = read_root(search.tree)
    assert why == PROVEN
    assert made < 200_000
    assert (root.exact, root.value, root.wdl) == (True, 0.0, (0.0, 1.0, 0.0))


MATES = [
    # open four: either end wins
    ("gomoku:size=9", "9/9/9/9/2XXXX3/9/9/2OOO4/9 X", {"b5", "g5"}, 1),
    # the opponent threatens five: only the block does not lose
    ("gomoku:size=9", "9/9/9/9/OXXXX4/9/9/2OOO4/9 O", {"f5"}, 0),
    # one stone makes two fours at once
    ("gomoku:size=9", "9/9/4X4/4X4/1XXX5/4X4/9/1OO1O4/3O5 X", {"e5"}, 1),
    # Connect6: four in a row and two stones to put
    ("connect6:size=9", "9/9/9/9/1XXXX4/9/9/1OO1O4/9 X 2", {"a5", "f5", "g5"}, 1),
    # Connect6: the second stone of the turn completes six
    ("connect6:size=9", "9/9/9/9/1XXXXX3/9/9/1OO1O4/9 X 1", {"a5", "g5"}, 1),
    # Connect6: both stones are needed to stop five in a row that is open at both ends
    ("connect6:size=9", "9/9/9/9/1XXXXX3/9/9/1OO6/9 O 2", {"a5", "g5"}, 0),
]


@pytest.mark.parametrize(("game", "key", "good", "proven"), MATES)
def test_wins_and_blocks_in_line_games(game, key, good, proven):
    position = boyi.game(game).position(key)
    choice = boyi.player("mcts:sims=20000", position.game, seed=1).choose(position)
    assert choice.move in good
    if proven:
        assert choice.exact
        assert choice.value == (1 if position.turn == 0 else -1)


def test_connect6_puts_both_stones_of_a_defence():
    position = boyi.game("connect6", size=9).position("9/9/9/9/1XXXXX3/9/9/1OO6/9 O 2")
    player = boyi.player("mcts:sims=20000", position.game, seed=2)
    for _ in range(2):
        position = position.play(player.choose(position).move)
    assert position.cells[4][0] == position.cells[4][6] == "O"


def test_forced_pass_in_othello():
    """White has no move, Black has: the pass is found, and the search sees through it to the end."""
    position = boyi.game("othello", size=4).position("XXXXXOOXXXXXO--- O").play("c4").play("d4")
    assert position.moves == ("pass",)
    choice = boyi.player("mcts:sims=200", position.game).choose(position)
    assert (choice.move, choice.exact, choice.value) == ("pass", True, 1.0)
    assert choice.lines[0].moves == ("pass", "b4")


ENDGAMES = [
    ("13 0 0 0 0 0 / 14 0 0 0 0 0", 1.0),
    ("7 0 0 0 0 13 / 19 0 0 0 0 14", 137 / 162),
    ("13 0 8 0 0 0 / 19 0 18 0 0 0", 355307 / 419904),
]


@pytest.mark.parametrize(("setup", "wins"), ENDGAMES)
def test_einstein_endgames(setup, wins):
    game = boyi.game("einstein")
    search = PlayoutSearch(game, seed=1)
    search.set_root(game.start(setup=setup).state)
    search.run(150_000)
    assert (1 + read_root(search.tree).value) / 2 == pytest.approx(wins, abs=0.01)


def test_batch_search_agrees_on_a_proven_game():
    game = boyi.game("tictactoe")
    position = game.position("XX1/OO1/3 b2")
    search = BatchSearch(game, UniformEvaluator(game), leaves=4)
    search.set_root(0, position.state)
    search.run(200)
    root = read_root(search.tree)
    assert root.exact
    assert root.value == 1
    assert game.write_move(position.state, root.best) == "c3"


@pytest.mark.parametrize("method", [Puct(), Gumbel(halving(8, 64))])
@pytest.mark.parametrize("name", ["einstein", "connect6:size=6", "othello:size=4", "tictactoe"])
def test_many_roots_are_searched_as_if_alone(name, method):
    game = boyi.game(name)
    starts = []
    for seed in range(5):
        position = game.start(seed=seed)
        starts.append(position.play(position.moves[seed % len(position.moves)]))
    together = BatchSearch(game, FakeEvaluator(game), method=method, trees=5, nodes=256)
    for g, position in enumerate(starts):
        together.set_root(g, position.state)
    together.run(64)
    for g, position in enumerate(starts):
        alone = BatchSearch(game, FakeEvaluator(game), method=method, nodes=256)
        alone.set_root(0, position.state)
        alone.run(64)
        one, many = read_root(alone.tree), read_root(together.tree, g)
        assert one.tries.tolist() == many.tries.tolist()
        assert one.value == many.value


def test_visits_add_up_and_nothing_stays_pending():
    game = boyi.game("einstein")
    search = BatchSearch(game, FakeEvaluator(game), leaves=8, nodes=2048)
    search.set_root(0, game.start(seed=4).play("2").state)
    made = int(search.run(500)[0])
    root = read_root(search.tree)
    assert root.visits == made >= 500
    assert root.tries.sum() == made - 1
    assert not search.tree.pending.any()


def test_same_seed_same_search():
    game = boyi.game("othello")
    choices = [boyi.player("mcts:sims=3000", game, seed=7).choose(game.start()) for _ in range(2)]
    assert [line.visits for line in choices[0].lines] == [line.visits for line in choices[1].lines]
    assert choices[0].value == choices[1].value
    other = boyi.player("mcts:sims=3000", game, seed=8).choose(game.start())
    assert other.value != choices[0].value


def test_tree_is_kept_when_the_game_moves_on():
    game = boyi.game("othello")
    player = boyi.player("mcts:sims=4000", game, seed=1)
    position = game.start()
    position = position.play(player.choose(position).move)
    position = position.play("f4" if "f4" in position.moves else position.moves[0])
    choice = player.choose(position, boyi.Limit(simulations=10))
    assert sum(line.visits for line in choice.lines) > 100
    fresh = boyi.player("mcts:sims=4000,reuse=no", game, seed=1)
    fresh.choose(position)
    assert sum(line.visits for line in fresh.choose(position, boyi.Limit(simulations=10)).lines) < 20


def test_keeping_a_subtree_keeps_its_numbers():
    game = boyi.game("tictactoe")
    search = PlayoutSearch(game, seed=5)
    start = game.start()
    search.set_root(start.state)
    search.run(500)
    root = read_root(search.tree)
    value = root.values[root.actions.tolist().index(root.best)]
    search.set_root(start.play_action(root.best).state, [root.best])
    kept = read_root(search.tree)
    assert kept.value == pytest.approx(value)
    assert kept.tries.sum() > 20


@pytest.mark.parametrize("name", boyi.games())
@pytest.mark.parametrize("player", ["mc", "mcts", "weakest"])
def test_no_simulations_still_answer(name, player):
    position = boyi.game(name).start(seed=1)
    position = position.play(position.moves[0])
    if position.chances:
        position = position.play("1")
    choice = boyi.player(player, position.game).choose(position, boyi.Limit(simulations=0))
    assert choice.move in position.moves
    assert choice.simulations == 0


def test_finished_positions_and_dice_are_refused():
    game = boyi.game("tictactoe")
    with pytest.raises(boyi.GameError, match="over"):
        boyi.player("mcts", game).choose(game.position("XXX/OO1/3"))
    dice = boyi.game("einstein")
    with pytest.raises(boyi.GameError, match="chance decides"):
        boyi.player("mcts", dice).choose(dice.start())
    with pytest.raises(boyi.GameError, match="plays"):
        boyi.player("mcts", game).choose(dice.start().play("1"))


def test_one_legal_move_is_played():
    game = boyi.game("tictactoe")
    position = game.position("XOX/XOO/OX1")
    assert boyi.player("mcts", game).choose(position).move == "c1"


def test_memory_limit_is_honoured_and_the_search_goes_on():
    game = boyi.game("gomoku", size=9)
    search = PlayoutSearch(game, memory_mb=2, seed=1)
    search.set_root(game.start().state)
    assert search.run(50_000) == (50_000, FULL)
    used = search.tree.used.tolist()
    before = read_root(search.tree).visits
    assert search.run(1000) == (1000, FULL)
    assert search.tree.used.tolist() == used
    assert read_root(search.tree).visits == before + 1000
    assert sum(part.nbytes for part in search.tree if hasattr(part, "nbytes")) <= 2e6


@pytest.mark.parametrize("name", boyi.games())
def test_a_full_tree_says_so_and_its_values_stay_sound(name):
    position = boyi.game(name).start(seed=1)
    if position.chances:
        position = position.play("1")
    player = boyi.player("mcts:sims=30000", position.game, seed=1)
    choice = player.choose(position, boyi.Limit(simulations=30_000, memory_mb=0))
    assert choice.simulations == 30_000 or choice.exact
    assert choice.stopped == ("proven" if choice.exact else "memory")
    assert sum(line.visits for line in choice.lines) >= choice.simulations - 2
    plenty = boyi.player("mcts:sims=30000", position.game, seed=2).choose(position)
    assert plenty.stopped in ("simulations", "proven")
    if not plenty.exact:  # a proof needs nodes
        assert choice.value == pytest.approx(plenty.value, abs=0.15)


def test_more_playouts_in_a_full_tree_settle_its_value():
    """An EinStein endgame in a tree of a thousand nodes, some of them without all of their children."""
    game = boyi.game("einstein")
    values = []
    for seed in range(2):
        search = PlayoutSearch(game, memory_mb=0, seed=seed)
        search.set_root(game.start(setup="7 0 0 0 0 13 / 19 0 0 0 0 14").state)
        search.run(10_000)
        values.append(read_root(search.tree).value)
        search.run(50_000)
        values.append(read_root(search.tree).value)
    assert values[1] == pytest.approx(values[0], abs=0.02)
    assert values[3] == pytest.approx(values[2], abs=0.02)
    assert 0.6 < values[1] < 0.95  # exactly 56/81, and uniform playouts overrate Red


def test_a_batch_says_which_trees_were_full():
    game = boyi.game("othello")
    search = BatchSearch(game, UniformEvaluator(game), trees=2, nodes=16)
    for g in range(2):
        search.set_root(g, game.start().state)
    made = search.run(100)
    assert (made < 100).all()
    assert search.why.tolist() == [FULL, FULL]
    search.set_root(0, game.start().state)
    search.run(3)
    assert search.why.tolist() == [DONE, FULL]


@pytest.mark.parametrize(
    ("limit", "stopped"),
    [({"simulations": 200}, "simulations"), ({"seconds": 0.01}, "seconds"), ({"simulations": 0}, "simulations")],
)
@pytest.mark.parametrize("player", ["mc", "mcts"])
def test_a_choice_says_what_ended_the_thinking(player, limit, stopped):
    game = boyi.game("othello")
    assert boyi.player(player, game).choose(game.start(), boyi.Limit(**limit)).stopped == stopped


def test_temperature_draws_moves_by_their_visits():
    game = boyi.game("othello")
    position = game.start().play("d3")
    cold = boyi.player("mcts:sims=300", game, seed=1).choose(position)
    drawn = [boyi.player("mcts:sims=300,temperature=1", game, seed=seed).choose(position) for seed in range(60)]
    assert {choice.move for choice in drawn} == set(position.moves)
    assert drawn[3].move == boyi.player("mcts:sims=300,temperature=1", game, seed=3).choose(position).move
    assert all(choice.lines[0].visits <= max(line.visits for line in choice.lines) for choice in drawn)
    nearly = boyi.player("mcts:sims=300,temperature=0.01", game, seed=1).choose(position)
    assert nearly.move == cold.move
    won = boyi.game("tictactoe").position("XX1/OO1/3 b2")
    hot = [boyi.player("mcts:sims=500,temperature=5", won.game, seed=seed).choose(won) for seed in range(10)]
    assert {choice.move for choice in hot} == {"c3"}


def test_othello_has_an_expected_margin():
    game = boyi.game("othello", size=4)
    position = game.position("XXXXXOOXXXXXO--- O").play("c4").play("d4")
    choice = boyi.player("mcts:sims=200", game).choose(position)
    end = position.play("pass").play("b4")
    assert choice.score == end.outcome.score
    turned = boyi.player("weakest:sims=200", game).choose(position)
    assert turned.score == end.outcome.score
    assert boyi.player("mcts:sims=50", boyi.game("tictactoe")).choose(boyi.game("tictactoe").start()).score is None


def test_clock_is_honoured():
    game = boyi.game("connect6")
    player = boyi.player("mcts", game)
    player.choose(game.start(), boyi.Limit(simulations=10))
    choice = player.choose(game.start(), boyi.Limit(seconds=0.2))
    assert 0.15 < choice.seconds < 3


def test_slices_end_with_the_time():
    """With a step of known speed: a clock of its own, so that a busy computer does not matter."""
    now = [100.0]

    def step(count: int) -> tuple[int, int]:
        now[0] += 1e-4 * count
        return count, DONE

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("boyi.search.clock.time.perf_counter", lambda: now[0])
        for seconds in (0.005, 0.05, 1.0):
            began = now[0]
            *_, last = clock(step, simulations=None, seconds=seconds, every_s=None)
            assert seconds - 0.0005 < now[0] - began <= seconds + 1e-9
            assert last.stopped == "seconds"
            assert last.made == pytest.approx((now[0] - began) / 1e-4)
        began = now[0]
        *_, last = clock(step, simulations=None, seconds=0.05, every_s=None, reserve_s=0.02)
        assert now[0] - began <= 0.03 + 1e-9


def test_slices_make_exactly_the_simulations_asked_for():
    made = []
    *_, last = clock(lambda count: (made.append(count) or count, DONE), simulations=1000, seconds=None, every_s=None)
    assert sum(made) == last.made == 1000
    assert last.stopped == "simulations"


def test_flat_monte_carlo_does_not_depend_on_slices():
    game = boyi.game("einstein")
    position = game.start(seed=2).play("3")
    first, again = (boyi.player("mc:sims=5000", game, seed=4).choose(position) for _ in range(2))
    assert first.lines == again.lines
    rounds = -(-5000 // len(position.moves))
    assert {line.visits for line in first.lines} == {rounds}


def test_watching_can_stop_at_any_time():
    game = boyi.game("othello")
    seen = 0
    for choice in boyi.player("mcts", game).watch(game.start(), boyi.Limit(seconds=60), every_s=0.02):
        assert choice.move in game.start().moves
        seen += 1
        if seen == 3:
            break
    assert seen == 3


def test_bad_options_and_limits_are_named():
    game = boyi.game("othello")
    for name, words in [
        ("mcts:simz=3", "simz"),
        ("mcts:sims=many", "many"),
        ("mcts:sims=-1", "-1"),
        ("mc:playout=3", "'3'"),
        ("weakest:how=badly", "badly"),
        ("oracle", "oracle"),
    ]:
        with pytest.raises(boyi.GameError, match=words):
            boyi.player(name, game)
    with pytest.raises(boyi.GameError, match="-5"):
        boyi.Limit(simulations=-5)


def test_halving_visits_every_candidate_equally_within_a_phase():
    table = halving(4, 16)
    assert table[4].tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert table[1].tolist() == list(range(16))


def test_improved_policy_prefers_what_is_better():
    game = boyi.game("tictactoe")
    position = game.position("XX1/OO1/3 b2")
    method = Gumbel(halving(7, 60))
    search = BatchSearch(game, UniformEvaluator(game), method=method)
    search.set_root(0, position.state)
    search.run(60)
    policy = search.improved(0)
    assert policy.sum() == pytest.approx(1)
    assert policy.argmax() == 2
    assert policy[[0, 1, 3, 4]].sum() == 0


def test_dirichlet_noise_changes_priors_and_keeps_their_sum():
    game = boyi.game("othello")
    search = BatchSearch(game, UniformEvaluator(game), seed=3)
    search.set_root(0, game.start().state)
    search.run(1)
    search.add_dirichlet(0, 0.3, 0.25)
    priors = read_root(search.tree).priors
    assert priors.sum() == pytest.approx(1)
    assert len(set(priors.tolist())) == 4
    assert (priors >= 0.75 * 0.25 - 1e-6).all()


def test_cache_answers_what_it_has_seen():
    game = boyi.game("tictactoe")
    cached = CachedEvaluator(FakeEvaluator(game), entries=3)
    states = np.stack([game.start().play(move).state for move in ("a1", "a2", "a3", "b1")])
    first = cached(states, None)
    again = cached(states[1:], None)
    assert (cached.misses, cached.hits) == (4, 3)
    assert (again[0] == first[0][1:]).all()
    assert (again[1] == first[1][1:]).all()
    cached(states[:1], None)
    assert cached.misses == 5


def test_playout_evaluator_speaks_for_the_mover():
    game = boyi.game("tictactoe")
    states = np.stack([game.position("XX1/OO1/3").state, game.position("XX1/OO1/2X").state])
    _, wdl = PlayoutEvaluator(game, playouts=4000, seed=1)(states, None)
    assert wdl.sum(axis=1) == pytest.approx([1, 1], abs=1e-3)
    assert wdl[0, 0] > wdl[0, 2] + 0.05  # X to move wins more often than O
    assert wdl[1, 0] > wdl[1, 2] + 0.05  # O to move wins more often than X


def test_run_reports_why_it_ended():
    game = boyi.game("othello")
    search = PlayoutSearch(game)
    search.set_root(game.start().state)
    assert search.run(100) == (100, DONE)
