"""Every format gives back what was written: random games, with all that the format can hold."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from making_records import LATIN_NAMES, PLAIN_NAMES, games_played, numbers, record_of, records_with_all

from boyi.games import game as find_game
from boyi.records import FORMATS, Ply, Record, Result, Skipped, read_records, write_records

slow = settings(
    max_examples=20,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
DATED = st.sampled_from([{}, {"event": "2019 CCGC"}, {"date": "2019.08.04 14:00", "place": "北京", "event": "CCGC"}])


def back(folder: Path, records: list[Record], format: str, **known: object) -> list[Record | Skipped]:
    """What is read again after writing."""
    suffix = FORMATS[format].suffixes[0]
    file = folder / f"games{suffix}"
    assert write_records(records, file, format, on_skip=lambda skipped: pytest.fail(str(skipped))) == len(records)
    return list(read_records(file, format, **known))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "rules",
    ["othello", "othello:size=6", "gomoku", "gomoku:size=9,variant=renju", "gomoku:size=20", "connect6", "tictactoe"],
)
@pytest.mark.parametrize("format", ["jsonl", "sgf"])
@given(data=st.data())
@slow
def test_everything_survives(tmp_path: Path, format: str, rules: str, data: st.DataObject) -> None:
    records = data.draw(st.lists(records_with_all(rules), min_size=1, max_size=2))
    assert back(tmp_path, records, format) == records


@pytest.mark.parametrize("format", ["jsonl", "sgf"])
@given(data=st.data())
@slow
def test_everything_survives_with_dice(tmp_path: Path, format: str, data: st.DataObject) -> None:
    records = data.draw(st.lists(records_with_all("einstein", seeded_start=True), min_size=1, max_size=2))
    assert back(tmp_path, records, format) == records


@pytest.mark.parametrize("rules", ["othello", "gomoku:size=9", "connect6:size=9"])
@pytest.mark.parametrize("format", ["jsonl", "sgf"])
@given(data=st.data())
@slow
def test_a_start_of_its_own_survives(tmp_path: Path, format: str, rules: str, data: st.DataObject) -> None:
    middle = data.draw(games_played(rules))
    game = find_game(rules)
    first = game.position(middle.key)
    end = first.play(first.moves[0]) if first.turn is not None else first
    record = record_of(end)
    assert record.start == ("" if middle.key == game.start().key else middle.key)
    assert back(tmp_path, [record], format) == [record]


@given(data=st.data())
@slow
def test_ggf(tmp_path: Path, data: st.DataObject) -> None:
    records = []
    for rules in data.draw(st.lists(st.sampled_from(["othello", "othello:size=6"]), min_size=1, max_size=3)):
        last = data.draw(games_played(rules))
        claimed = data.draw(
            st.sampled_from([None, Result(0, "resigned"), Result(1, "time"), Result(1), Result(0, score=4.0)])
        )
        made = record_of(last, result=claimed)
        plies = tuple(
            replace(
                ply,
                seconds=data.draw(st.none() | numbers(2, 0, 99)),
                score=data.draw(st.none() | numbers(2).filter(bool)),
            )
            for ply in made.plies
        )
        names = (data.draw(PLAIN_NAMES), data.draw(PLAIN_NAMES))
        headers = {
            "place": "GGS/os",
            "date": "2003.12.15_13:24:03.MST",
            "black_rating": "2197.01",
            "clock": "05:00//02:00",
        }
        records.append(replace(made, plies=plies, players=names, headers=headers))
    assert back(tmp_path, records, "ggf") == records


@given(data=st.data())
@slow
def test_transcript(tmp_path: Path, data: st.DataObject) -> None:
    games = data.draw(st.lists(games_played("othello").filter(lambda last: last.history), max_size=3))
    records = [record_of(last) for last in games]
    assert back(tmp_path, records, "transcript") == records


@given(data=st.data())
@slow
def test_obf(tmp_path: Path, data: st.DataObject) -> None:
    records = []
    for last in data.draw(st.lists(games_played("othello"), min_size=1, max_size=3)):
        first = last.game.position(" ".join(last.key.split()[:2]))
        made = record_of(first, comment="a comment", result=None)
        made = replace(made, result=None)
        if first.turn is not None and first.moves != ("pass",) and data.draw(st.booleans()):
            choices = [Ply(move, score=float(data.draw(st.integers(-64, 64)))) for move in first.moves]
            best = replace(choices[0], variations=tuple((other,) for other in choices[1:]))
            made = replace(made, plies=(best,))
        records.append(made)
    assert back(tmp_path, records, "obf") == records


@pytest.mark.parametrize(
    ("format", "rules"),
    [("psq", "gomoku"), ("psq", "gomoku:size=20"), ("psq", "gomoku:size=15,variant=renju"), ("rec", "gomoku:size=20")],
)
@given(data=st.data())
@slow
def test_piskvork(tmp_path: Path, format: str, rules: str, data: st.DataObject) -> None:
    records = []
    for last in data.draw(st.lists(games_played(rules).filter(lambda last: last.history), min_size=1, max_size=3)):
        made = record_of(last)
        plies = tuple(replace(ply, seconds=data.draw(numbers(3, 0, 99))) for ply in made.plies)
        headers = {}
        if "renju" in rules:
            headers = {"kind": "0,Renju15", "code": "-1"}
        elif format == "psq" and data.draw(st.booleans()):
            headers = {"kind": "1,Freestyle", "code": "-1", "players": "11:11"}
        names = data.draw(st.sampled_from([("pbrain-a", "pbrain-b64.exe"), ("选手 1", "é")]))
        if format == "psq":
            headers["code"] = "-1"
        records.append(replace(made, plies=plies, headers=headers, players=names))
    assert back(tmp_path, records, format) == records


@pytest.mark.parametrize(("format", "rules"), [("c5", "gomoku"), ("c6", "connect6")])
@given(data=st.data())
@slow
def test_championship(tmp_path: Path, format: str, rules: str, data: st.DataObject) -> None:
    records = []
    for last in data.draw(st.lists(games_played(rules), min_size=1, max_size=3)):
        claimed = data.draw(st.sampled_from([None, Result(0), Result(1), Result(None)]))
        made = record_of(last, result=claimed)
        names = (data.draw(PLAIN_NAMES), data.draw(PLAIN_NAMES))
        marks = tuple(replace(ply, extra=(("MARK", ("-2",)),)) for ply in made.plies[:1])
        records.append(replace(made, players=names, plies=marks + made.plies[1:], headers=data.draw(DATED)))
    assert back(tmp_path, records, format) == records


@given(data=st.data())
@slow
def test_wtn(tmp_path: Path, data: st.DataObject) -> None:
    records = []
    for seed in data.draw(st.lists(st.integers(0, 1000), min_size=1, max_size=3)):
        game = find_game("einstein")
        key = game.start(seed=seed).key
        first = game.position(key.replace("red", data.draw(st.sampled_from(["red", "blue"]))))
        position = first
        for _ in range(data.draw(st.integers(0, 60))):
            if position.turn is not None:
                rolled = position.play(position.moves[data.draw(st.integers(0, 5))])
                position = rolled.play(rolled.moves[-1])
        claimed = data.draw(st.sampled_from([None, Result(0), Result(1)]))
        names = (data.draw(PLAIN_NAMES), data.draw(PLAIN_NAMES))
        records.append(record_of(position, result=claimed, players=names, headers=data.draw(DATED)))
    assert back(tmp_path, records, "wtn") == records


@given(data=st.data())
@slow
def test_thesis_lines(tmp_path: Path, data: st.DataObject) -> None:
    """Whole games; they come apart again where one ends."""
    played = data.draw(st.lists(games_played("einstein", whole=True, seeded_start=True), max_size=3))
    records = [record_of(last) for last in played]
    assert back(tmp_path, records, "thesis") == records


@pytest.mark.parametrize("rules", ["othello", "gomoku", "connect6", "einstein", "tictactoe"])
@given(data=st.data())
@slow
def test_lines_of_moves(tmp_path: Path, rules: str, data: st.DataObject) -> None:
    records = []
    for last in data.draw(st.lists(games_played(rules).filter(lambda last: last.history), max_size=3)):
        claimed = data.draw(st.sampled_from([None, Result(0), Result(1), Result(None)]))
        records.append(record_of(last, result=claimed))
    assert back(tmp_path, records, "moves", game=find_game(rules)) == records


@given(data=st.data())
@slow
def test_wthor(tmp_path: Path, data: st.DataObject) -> None:
    records = []
    event, year = data.draw(LATIN_NAMES), data.draw(st.sampled_from(["1999", "2024"]))
    theory = data.draw(st.booleans())
    for last in data.draw(st.lists(games_played("othello"), min_size=1, max_size=4)):
        claimed = Result(0, "", 2 * data.draw(st.integers(1, 32)))
        headers = {"date": year} | ({"event": event} if event else {})
        if theory:
            headers |= {"theoretical_score": "+4", "theoretical_depth": "22"}
        names = (data.draw(LATIN_NAMES), data.draw(LATIN_NAMES))
        records.append(record_of(last, result=claimed, players=names, headers=headers))
    assert back(tmp_path, records, "wthor") == records
