"""Game files in and out of the service: every format, comments and variations kept, bad files told."""

import base64
from typing import Any

import pytest
from guests import Guest

from boyi.games.errors import GameError
from boyi.service.errors import NotFound
from boyi.service.service import Service
from boyi.service.views_records import ImportRequest, RecordFile

SGF = (
    "(;FF[4]GM[4]SZ[15]PB[Ann]PW[Bob]EV[Cup]C[A short one];B[hh]C[The middle];W[hg]"
    "(;B[ig];W[gi])(;B[gg]C[Quieter];W[ii]))(;FF[4]GM[4]SZ[15]PB[Cid]PW[Dot]RE[W+R];B[hh];W[ii])"
)


def file(text: str, **facts: Any) -> dict[str, Any]:
    return {"content": base64.b64encode(text.encode()), **facts}


def test_a_file_is_listed_kept_and_written_again(run: Any, service: Service, visitor: str) -> None:
    async def course() -> None:
        found = await service.read_records(RecordFile(**file(SGF, file_name="cup.sgf")))
        assert (found.format, len(found.records), found.skipped, found.more) == ("sgf", 2, [], False)
        first, second = found.records
        assert (first.number, first.rules, first.players, first.event) == (1, "gomoku", ("Ann", "Bob"), "Cup")
        assert first.annotated
        assert (second.result, second.annotated) == ("0-1", False)

        kept = await service.import_records(visitor, ImportRequest(**file(SGF), numbers=[2, 1]))
        assert [game.name for game in kept.games] == ["Ann – Bob (Cup)", "Cid – Dot"]
        assert [game.status for game in kept.games] == ["running", "over"]
        record = await service.game_record(visitor, kept.games[0].id)
        assert record.comment == "A short one"
        assert record.plies[0].comment == "The middle"
        assert [[ply.move for ply in line] for line in record.plies[2].variations] == [["g9", "i7"]]
        assert record.plies[2].variations[0][0].comment == "Quieter"
        assert {"sgf", "jsonl", "moves", "psq"} <= {format.name for format in record.formats}
        assert "wthor" not in {format.name for format in record.formats}

        for format in record.formats:
            written = await service.export_record(visitor, kept.games[0].id, format.name)
            assert written.file_name.endswith(format.suffix)
            again = await service.read_records(
                RecordFile(content=base64.b64encode(written.content), file_name=written.file_name, rules="gomoku")
            )
            assert [game.plies for game in again.records] == [4], format.name
        sgf = (await service.export_record(visitor, kept.games[0].id, "sgf")).content.decode()
        assert "Quieter" in sgf

        with pytest.raises(GameError, match="othello"):
            await service.export_record(visitor, kept.games[0].id, "wthor")
        with pytest.raises(NotFound):
            await service.export_record(visitor, kept.games[0].id, "exe")
        with pytest.raises(NotFound):
            await service.game_record("somebody else", kept.games[0].id)

    run(course())


def test_a_game_played_here_is_written_too(run: Any, service: Service, guest: Guest, visitor: str) -> None:
    async def course() -> None:
        othello = await guest.create("othello", moves=["f5", "d6", "c3"])
        formats = {format.name for format in (await service.game_record(visitor, othello.id)).formats}
        assert {"sgf", "ggf", "transcript", "jsonl"} <= formats
        assert b"F5D6C3" in (await service.export_record(visitor, othello.id, "transcript")).content
        einstein = await guest.create("einstein", moves=["3"], dice="hand")
        assert "wtn" in {format.name for format in (await service.game_record(visitor, einstein.id)).formats}

    run(course())


@pytest.mark.parametrize(
    ("text", "rules", "told"),
    [
        ("", None, "nothing"),
        ("no game at all", None, "no known format"),
        ("f5d6", "chess", "unknown game"),
        ("f5d6", "/etc/passwd", "unknown game"),
    ],
)
def test_bad_files_are_told(run: Any, service: Service, text: str, rules: str | None, told: str) -> None:
    with pytest.raises(GameError, match=told):
        run(service.read_records(RecordFile(**file(text, rules=rules))))


def test_what_cannot_be_read_is_left_out(run: Any, service: Service, visitor: str) -> None:
    broken = SGF.replace("B[hh];W[ii])", "B[hh];W[hh])")
    found = run(service.read_records(RecordFile(**file(broken))))
    assert [entry.number for entry in found.records] == [1]
    assert len(found.skipped) == 1
    with pytest.raises(NotFound):
        run(service.import_records(visitor, ImportRequest(**file(broken), numbers=[2])))
    with pytest.raises(NotFound):
        run(service.import_records(visitor, ImportRequest(**file(SGF), numbers=[7])))


@pytest.mark.parametrize("name", ["../../x.sgf", "a/b", "x.\0", "x." + "y" * 90, ".sgf"])
def test_file_names_are_no_paths(run: Any, service: Service, name: str) -> None:
    assert len(run(service.read_records(RecordFile(**file(SGF, file_name=name)))).records) == 2
