"""Random games and random records, made by playing."""

import random
from dataclasses import replace

from hypothesis import strategies as st

from boyi.games import Game, Position
from boyi.games import game as find_game
from boyi.records import Ply, Record, Result

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]) | st.just(" "), max_size=12).map(str.strip)
PLAIN_NAMES = st.text("abcXYZ 棋手é-.", max_size=12).map(lambda text: " ".join(text.split()))
LATIN_NAMES = st.text("abcXYZé-.", max_size=18)
COMMENTS = st.text(st.characters(codec="utf-8", exclude_categories=["C"]) | st.just("\n"), max_size=30)


def random_play(game: Game, seed: int, plies: int | None = None, first: Position | None = None) -> Position:
    """The position after random moves, at most so many."""
    luck = random.Random(seed)
    position = first or game.start()
    while position.turn is not None and plies != 0:
        position = position.play_action(luck.choice(position.actions))
        plies = None if plies is None else plies - 1
    return position


def record_of(position: Position, *, result: Result | None = None, **fields: object) -> Record:
    """The record of a position that was reached by playing."""
    first = position
    while first.previous is not None:
        first = first.previous
    start = "" if first == position.game.start() else first.key
    end = position.outcome
    known = Result(end.winner, end.reason, end.score) if end else result
    made = Record.of(position.game, position.history, start=start, result=known)
    return replace(made, **fields)


@st.composite
def games_played(draw: st.DrawFn, rules: str, *, whole: bool = False, seeded_start: bool = False) -> Position:
    """A random game, to its end or to any ply."""
    game = find_game(rules)
    seed = draw(st.integers(0, 10**6))
    first = game.start(seed=seed) if seeded_start else game.start()
    longest = 40 if game.num_squares > 64 else None
    plies = None if whole else draw(st.none() | st.integers(0, 30))
    plies = longest if plies is None and not whole else plies
    return random_play(game, seed, plies, first)


def numbers(digits: int = 3, low: float = -64, high: float = 64) -> st.SearchStrategy[float]:
    scale = 10**digits
    return st.integers(int(low * scale), int(high * scale)).map(lambda n: n / scale)


def annotated(
    position: Position, plies: tuple[Ply, ...], luck: random.Random, texts: list[str], depth: int = 2
) -> tuple[Ply, ...]:
    """Plies with comments, times, values and variations here and there."""
    made = []
    for ply in plies:
        fields: dict[str, object] = {}
        if luck.random() < 0.2:
            fields["comment"] = luck.choice(texts)
        if luck.random() < 0.3:
            fields["seconds"] = luck.randrange(10**6) / 1000
            fields["value"] = luck.choice([None, luck.randrange(-1000, 1001) / 1000])
            fields["score"] = luck.choice([None, luck.randrange(-640, 641) / 10])
        if depth and luck.random() < 0.1:
            lines = []
            for _ in range(luck.randint(1, 2)):
                end = random_play(position.game, luck.randrange(1000), luck.randint(1, 4), position)
                line = tuple(map(Ply, end.history[len(position.history) :]))
                first, *rest = annotated(position, line, luck, texts, depth - 1)
                lines.append((replace(first, variations=()), *rest))
            fields["variations"] = tuple(lines)
        if luck.random() < 0.1:
            fields["extra"] = (("LB", ("a1:x\\]y", "b2:")),)
        made.append(replace(ply, **fields))
        position = position.play(ply.move)
    return tuple(made)


@st.composite
def records_with_all(draw: st.DrawFn, rules: str, *, seeded_start: bool = False) -> Record:
    """A record with everything that a record can have."""
    last = draw(games_played(rules, seeded_start=seeded_start))
    plain = record_of(last)
    luck = random.Random(draw(st.integers(0, 10**6)))
    texts = draw(st.lists(COMMENTS, min_size=1, max_size=5))
    claimed = draw(
        st.none()
        | st.builds(Result, st.sampled_from([0, 1, None]), st.sampled_from(["", "agreed", "by hand"]))
        | st.builds(Result, st.sampled_from([0, 1]), st.sampled_from(["resigned", "time", "forfeit"]))
    )
    return replace(
        plain,
        players=(draw(NAMES), draw(NAMES)),
        plies=annotated(plain.first(), plain.plies, luck, texts),
        result=plain.result or claimed,
        headers=draw(
            st.dictionaries(st.sampled_from(["event", "date", "seed", "a:b\\"]), NAMES.filter(bool), max_size=3)
        ),
        comment=draw(COMMENTS),
    )
