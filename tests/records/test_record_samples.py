"""The formats as other programs write them: the samples of the reference, and the habits of known writers."""

import re
from pathlib import Path

import pytest

from boyi.games import game as find_game
from boyi.records import (
    BadRecord,
    Ply,
    Record,
    Result,
    Skipped,
    ccgc,
    format_of,
    ggf,
    positions_of,
    read_records,
    sgf,
    thesis_lines,
    transcripts,
    write_records,
    wtn,
)
from boyi.records.lines import parse_json, parse_moves
from boyi.records.piskvork import parse_psq, parse_rec

LAYOUT = ["R:B4-1;C5-2;A4-3;A5-4;A3-5;B5-6", "B:E3-1;D1-2;D2-3;E2-4;E1-5;C1-6"]
BOTH_FORMS = """
1:4;(R4,A4)   | (R)(4)(15 24 19 20 25 23)(7 3 6 1 11 2)(1)(6)
2:6;(B6,B2)   | (B)(6)(15 24 19 20 25 23)(7 3 0 6 11 2)(23)(17)
3:5;(R5,A2)   | (R)(5)(15 24 19 20 25 17)(7 3 0 6 11 2)(11)(16)
4:6;(B6,A3)   | (B)(6)(15 24 19 20 25 17)(7 3 0 6 16 2)(17)(11)
5:6;(R6,C5)   | (R)(6)(15 24 19 20 25 11)(7 3 0 6 16 2)(2)(3)
6:6;(B6,A4)   | (B)(6)(15 24 19 20 25 11)(7 0 0 6 16 3)(11)(6)
7:4;(R5,B1)   | (R)(4)(15 24 19 20 25 6)(7 0 0 0 16 3)(16)(22)
8:2;(B2,D2)   | (B)(2)(15 24 19 20 25 6)(7 0 0 0 22 3)(24)(19)
9:3;(R1,B3)   | (R)(3)(15 19 0 20 25 6)(7 0 0 0 22 3)(7)(12)
10:5;(B5,D2)  | (B)(5)(15 19 0 20 25 6)(12 0 0 0 22 3)(25)(19)
11:4;(R5,C1)  | (R)(4)(15 0 0 20 19 6)(12 0 0 0 22 3)(22)(23)
12:6;(B6,A5)  | (B)(6)(15 0 0 20 19 6)(12 0 0 0 23 3)(6)(1)
"""
WTN_MOVES, THESIS_LINES = zip(
    *([part.strip() for part in line.split("|")] for line in BOTH_FORMS.split("\n") if line), strict=True
)
WTN_HEAD = "#[WTN][甲队 R][乙队 B][后手胜][2019.08.04 14:00 北京][2019 CCGC];"


def turned_over(line: str) -> str:
    """The same line with rows counted from the other end."""
    return re.sub(r"([A-E])([1-5])(?=[-)])", lambda square: square[1] + str(6 - int(square[2])), line)


def test_wtn_game() -> None:
    record = wtn.parse([WTN_HEAD, *LAYOUT, *WTN_MOVES])
    assert record.players == ("甲队", "乙队")
    assert record.headers == {"date": "2019.08.04 14:00", "place": "北京", "event": "2019 CCGC"}
    assert record.start == "7 3 6 1 11 2 / 15 24 19 20 25 23 red -"
    assert record.moves[:4] == ("4", "a5-a4", "6", "c1-b2")
    assert record.result == Result(1, "corner", -1)
    assert len(record.plies) == 24
    assert record.position().cells[0][0] == "B6"


def test_wtn_rows_from_either_end_and_without_header() -> None:
    from_bottom = wtn.parse([*LAYOUT, *WTN_MOVES])
    lines = [turned_over(line) for line in (*LAYOUT, *WTN_MOVES)]
    assert lines[2] == "1:4;(R4,A2)"
    from_top = wtn.parse(lines)
    assert from_top == from_bottom


def test_wtn_other_header_and_blue_first() -> None:
    layout = ["R:A5-1;B5-2;C5-3;A4-4;B4-5;A3-6;", "B:E3-1;D2-2;E2-3;C1-4;D1-5;E1-6;"]
    head = "#[WTN][红方:甲][蓝方:乙][蓝方先手][红方胜][2022.08.01 长沙][2022 CCGC]"
    record = wtn.parse([head, *layout, "1:6;(B6,D2)", "2:3;(R3,C4)"])
    assert record.players == ("甲", "乙")
    assert record.result == Result(0)
    assert record.first().key.endswith("blue -")
    assert record.headers == {"date": "2022.08.01", "place": "长沙", "event": "2022 CCGC"}
    swapped = wtn.parse(["#[WTN][乙 B][甲 R][后手胜]", *layout, "1:6;(B6,D2)", "2:3;(R3,C4)"])
    assert (swapped.players, swapped.result, swapped.plies) == (record.players, record.result, record.plies)


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "gb2312", "utf-8-sig"])
def test_wtn_encodings(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "WTN-a vs b.txt"
    file.write_text("\r\n".join([WTN_HEAD, *LAYOUT, *WTN_MOVES]), encoding=encoding, newline="")
    (record,) = read_records(file)
    assert isinstance(record, Record)
    assert record.players == ("甲队", "乙队")
    assert record.headers["place"] == "北京"


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([LAYOUT[0], "B:E3-1"], "two lines R: and B:"),
        (["R:E5-1;C5-2;A4-3;A5-4;A3-5;B5-6", LAYOUT[1]], "do not stand in its corner"),
        ([*LAYOUT, "1:4;(R4,E1)"], "move 1"),
        ([*LAYOUT, WTN_MOVES[0], "2:4;(R4,A3)"], "move 2: it is the turn of Blue"),
        ([*LAYOUT, "1:4;(R5,A2)"], "illegal move"),
        ([*LAYOUT, *WTN_MOVES, "13:4;(R5,C1)"], "the game is over"),
        ([*LAYOUT, "1:7;(R4,A4)"], "is no move such as"),
        (["#[WTN][甲 B][乙 R][先手胜]", *LAYOUT, *WTN_MOVES], "moves first"),
    ],
)
def test_wtn_says_what_is_wrong(lines: list[str], reason: str) -> None:
    with pytest.raises(BadRecord, match=reason):
        wtn.parse(lines)


def test_thesis_lines_are_the_same_game(tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("\n".join(THESIS_LINES))
    (record,) = read_records(file)
    assert record == wtn.parse([*LAYOUT, *WTN_MOVES])
    assert thesis_lines.write(record, find_game("einstein")).split("\n")[:-1] == list(THESIS_LINES)
    written = wtn.write(record, find_game("einstein")).splitlines()
    assert written[3:] == list(WTN_MOVES)


def test_thesis_lines_of_the_winner_alone(tmp_path: Path) -> None:
    """As the thesis kept them, every line is a record of its own."""
    file = tmp_path / "lines.txt"
    file.write_text("\n".join(THESIS_LINES[1::2]))
    records = list(read_records(file))
    assert [record.moves for record in records][:2] == [("6", "c1-b2"), ("6", "b2-a3")]  # type: ignore[union-attr]
    assert len(records) == 6


def test_thesis_figure() -> None:
    before, rolled, after = thesis_lines.parse_line("(R)(5)(25 24 20 23 19 15)(1 2 3 6 7 11)(7)(13)")
    assert before == find_game("einstein").start()
    assert rolled.moves == ("b4-c4", "b4-b3", "b4-c3")
    assert after.move == "b4-c3"


GGF_GAME = (
    "1 (;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]"
    "BO[8 ---------------------------O*------*O--------------------------- *]"
    "B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)"
)
GGF_SPACED = (
    "1 (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]PW[Saio3000]RB[2197.01]RW[2199.72]TI[05:00//02:00]"
    "TY[8]RE[+0.000]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"
    "B[d3//0.01]W[c5/-3.5/0.01];)"
)


def test_ggf(tmp_path: Path) -> None:
    file = tmp_path / "games.ggf"
    file.write_text(f"{GGF_GAME}\n2 {GGF_SPACED[2:]} {GGF_SPACED[2:]}\n")
    first, second, third = read_records(file)
    assert isinstance(first, Record)
    assert first.moves == ("f5", "f6", "d3", "c5", "e6", "f7", "e7", "f4")
    assert (first.players, first.start, first.result) == (("./mEdax", "chris"), "", None)
    assert first.headers == {"place": "NBoard", "date": "2014-02-21 20:52:27 GMT", "clock": "15:00"}
    assert second == third
    assert isinstance(second, Record)
    assert second.plies == (Ply("d3", 0.01), Ply("c5", 0.01, score=3.5))
    assert second.result == Result(None, score=0)
    assert second.headers["black_rating"] == "2197.01"


def test_ggf_pass_and_own_start() -> None:
    board = "XXXXXXXX" * 7 + "XXXXXO--"
    record = ggf.parse(f"(;GM[Othello]TY[8]BO[8 {board.replace('X', '*')} *]B[g8]W[PA]B[pass];)")
    assert record.start == f"{board} X"
    assert record.moves == ("g8",)
    assert record.result == Result(0, "discs", 64)
    assert ggf.parse("(;GM[Othello]TY[8]RE[-64.000:t]B[f5];)").result == Result(1, "time")
    with pytest.raises(BadRecord, match="turn of White"):
        ggf.parse("(;GM[Othello]TY[8]B[f5]B[d6];)")
    with pytest.raises(BadRecord, match="not Othello"):
        ggf.parse("(;GM[Amazons]B[f5];)")


LITTLE_GOLEM = (
    "(;FF[4]EV[connect6.ch.26.1.1]PB[Phoenix]PW[Lomaben]SO[http://www.littlegolem.com]"
    ";B[j10];W[j9l11];B[k9l8];W[k10i11])"
)


def test_sgf_connect6_of_little_golem() -> None:
    record = sgf.parse(LITTLE_GOLEM)
    assert record.game == "connect6"
    assert record.moves == ("j10", "j9", "l11", "k9", "l8", "k10", "i11")
    assert record.players == ("Phoenix", "Lomaben")
    assert record.headers == {"event": "connect6.ch.26.1.1", "source": "http://www.littlegolem.com"}
    assert ";B[j10];W[j9l11];B[k9l8];W[k10i11])" in sgf.write(record, find_game("connect6"))


def test_sgf_names_that_little_golem_does_not_escape() -> None:
    record = sgf.parse(LITTLE_GOLEM.replace("Phoenix", "[x] y]"))
    assert record.players == ("[x] y]", "Lomaben")


def test_sgf_othello() -> None:
    record = sgf.parse("junk (;FF[4]GM[2]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]RE[B+12];B[d3];W[c5])"[5:])
    assert (record.game, record.start, record.moves) == ("othello", "", ("d3", "c5"))
    assert record.result == Result(0, "", 12.0)
    go_style = sgf.parse("(;GM[2];B[dc];W[ce])")
    assert go_style.moves == ("d3", "c5")


def test_sgf_gomoku() -> None:
    record = sgf.parse("(;GM[4]FF[4]SZ[15];B[hh];W[aa];B[ha]TR[hh])")
    assert record.moves == ("h8", "a15", "h15")
    assert record.plies[2].extra == (("TR", ("hh",)),)
    assert sgf.parse("(;GM[4]SZ[15]RU[Renju];B[h8])").game == "gomoku:variant=renju"
    rectangle = sgf.parse("(;GM[4]SZ[9]AB[aa:ba]AW[ii]PL[W];W[ee])")
    assert rectangle.first().cells[0][:3] == ("X", "X", "")
    assert rectangle.first().turn == 1


def test_sgf_text_and_tree() -> None:
    text = "(;GM[2]C[root];B[f5]C[a \\] b \\\\ c\\\nd\te](;W[d6](;B[c3])(;B[c4]C[x]))(;W[f6]C[v])(;W[f4];B[e3]))"
    record = sgf.parse(text)
    assert record.comment == "root"
    assert record.plies[0].comment == "a ] b \\ cd e"
    assert record.moves == ("f5", "d6", "c3")
    assert record.plies[1].variations == ((Ply("f6", comment="v"),), (Ply("f4"), Ply("e3")))
    assert record.plies[2].variations == ((Ply("c4", comment="x"),),)


def test_sgf_nodes_without_moves_and_old_identifiers() -> None:
    record = sgf.parse("(;GaMe[2]PlayerBlack[x];C[before];B[f5];C[after]LB[f5:1];W[d6])")
    assert record.players == ("x", "")
    assert record.comment == "before"
    assert record.plies[0] == Ply("f5", comment="after", extra=(("LB", ("f5:1",)),))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(;GM[11];B[aa])", r"GM\[11\] does not say which game"),
        ("(;GM[2];B[d3]", "is missing"),
        ("(;GM[2];B[d3]]", "is not SGF"),
        ("(;GM[2];B[a1])", "move 1: illegal move 'a1'"),
        ("(;GM[2];B[f5];AB[a1])", "in the middle of the game"),
        ("(;GM[4]SZ[15:14];B[aa])", "size '15:14'"),
        ("(;GM[4]SZ[99];B[aa])", "size=99"),
        ("(;BG[/etc/evil.py];B[aa])", "unknown game"),
        ("(;GM[2];B[f5](;W[d6])(;W[zz]))", "'zz' is no point"),
    ],
)
def test_sgf_says_what_is_wrong(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        sgf.parse(text)


def test_sgf_bad_games_do_not_lose_the_rest(tmp_path: Path) -> None:
    """Also where a tree does not end, or a value does not."""
    good = "(;FF[4]GM[2];B[f5];W[d6])"
    file = tmp_path / "games.sgf"
    file.write_text(
        "\n".join(
            ["hello :-(", good, "(;FF[4]GM[2];B[f5]", good, "(;GM[2];B[a1])", good, "(;FF[4]GM[2]C[x", good, good]
        )
    )
    found = list(read_records(file))
    assert [type(each).__name__ for each in found] == [
        "Record",
        "Skipped",
        "Record",
        "Skipped",
        "Record",
        "Skipped",
        "Record",
        "Record",
    ]
    assert [each.line for each in found if isinstance(each, Skipped)] == [3, 5, 7]


def test_sgf_charsets(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    for encoding, named in (
        ("gbk", "GBK"),
        ("latin-1", ""),
        ("utf-8", ""),
        ("big5", "Big5"),
        ("shift_jis", "Shift_JIS"),
    ):
        name = "é" if encoding == "latin-1" else "表示"  # its second byte is a backslash in Shift-JIS
        charset = f"CA[{named}]" if named else ""
        file.write_bytes(f"(;FF[4]{charset}GM[2]PB[{name}];B[f5])".encode(encoding))
        (record,) = read_records(file)
        assert isinstance(record, Record)
        assert record.players[0] == name, encoding


def test_transcripts() -> None:
    for text in ("F5D6C3D3C4", "f5d6c3d3c4", "f5 d6 c3d3 c4", "F5--D6C3D3paC4"):
        assert transcripts.parse_transcript(text).moves == ("f5", "d6", "c3", "d3", "c4")
    with pytest.raises(BadRecord, match="no row of moves"):
        transcripts.parse_transcript("f5x6")
    with pytest.raises(BadRecord, match="move 2: illegal"):
        transcripts.parse_transcript("f5f5")


OBF = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; % FFO 1"


def test_obf() -> None:
    record = transcripts.parse_obf(OBF)
    assert record.start == OBF[:66].rstrip(";")
    assert record.plies == (Ply("g8", score=18.0, variations=((Ply("h1", score=12.0),),)),)
    assert record.comment == "FFO 1"
    assert transcripts.write_obf(record, find_game("othello")) == OBF + "\n"
    white = transcripts.parse_obf("-" * 27 + "*O------O*" + "-" * 27 + " O; c4:-4;")
    assert white.plies[0].score == 4
    for rest in (" +18;", "; +18;"):
        assert transcripts.parse_obf(OBF[:66] + rest).headers == {"score": "18"}
    with pytest.raises(BadRecord, match="no board"):
        transcripts.parse_obf("--XX X;")


def test_psq() -> None:
    lines = ["Piskvorky 20x20, 11:11, 1", "10,11,0", "11,11,1500", "pbrain-a.exe", "pbrain-b.exe", "-1", "0,Standard20"]
    record = parse_psq(lines)
    assert record.game == "gomoku:size=20,variant=standard"
    assert record.players == ("pbrain-b.exe", "pbrain-a.exe")
    assert record.plies == (Ply("j10", 0.0), Ply("k10", 1.5))
    assert parse_psq(["Piskvorky 15x15, 0:0, 0", "8,8,0"]).moves == ("h8",)
    for bad, reason in (
        (["Piskvorky 15x16, 0:0, 0"], "square"),
        (["Piskvorky 99x99, 0:0, 0"], "99x99"),
        (["Piskvorky 15x15, 0:0, 0", "16,1,0"], "16,1 is not on a board"),
        (["Piskvorky 15x15, 0:0, 0", "1,1,0", "1,1,0"], "move 2: illegal"),
        (["hello"], "no first line"),
    ):
        with pytest.raises(BadRecord, match=reason):
            parse_psq(bad)


def test_rec() -> None:
    record = parse_rec(["a", "b", "0,0,10", "19,19,20", "-1"])
    assert (record.game, record.players) == ("gomoku:size=20", ("a", "b"))
    assert record.plies == (Ply("a20", 0.01), Ply("t1", 0.02))


C6 = (
    "{[C6][先手参赛队 B][后手参赛队 W][先手胜][2017.07.29 14:00 重庆][2017 CCGC]"
    ";B(J,10);W(I,11);W(I,12);B(K,11)MARK[1];"
)


@pytest.mark.parametrize("text", [C6 + "}", C6, C6.replace(";", "; ") + "}", C6.lower().replace("(j", "( J ")])
def test_c6(text: str) -> None:
    record = ccgc.parse(text)
    assert record.game == "connect6"
    assert record.moves == ("j10", "i11", "i12", "k11")
    assert record.result == Result(0)
    assert record.players == ("先手参赛队", "后手参赛队")
    assert record.headers["date"] == "2017.07.29 14:00"
    assert record.plies[3].extra == (("MARK", ("1",)),)


def test_c5(tmp_path: Path) -> None:
    file = tmp_path / "C5.txt"
    file.write_bytes(
        "{[C5][甲][乙][和棋][2019.. 成都][2019 CCGC];B(H,8);W(I,9)}\n{[C5][甲][乙][后手胜];B(H,8);B(A,1)}".encode(
            "gb2312"
        )
    )
    first, second = read_records(file)
    assert isinstance(first, Record)
    assert (first.game, first.moves, first.result) == ("gomoku", ("h8", "i9"), Result(None))
    assert isinstance(second, Skipped)
    assert (second.line, second.reason) == (2, "move 2: it is the turn of White, not of Black")


def test_c6_turn_that_wins_with_its_first_stone() -> None:
    """What comes after is part of the notation, not of the game."""
    black = "ABCDEF"
    stones = ["B(A,1)"]
    for turn in range(2):
        stones += [
            f"W({'AC'[turn]},19)",
            f"W({'BD'[turn]},17)",
            f"B({black[2 * turn + 1]},1)",
            f"B({black[2 * turn + 2]},1)",
        ]
    stones += ["W(S,19)", "W(S,17)", "B(F,1)", "B(S,1)"]
    record = ccgc.parse("{[C6][a B][b W][先手胜];" + ";".join(stones) + "}")
    assert record.moves[-1] == "f1"
    assert record.result == Result(0, "line", 1)


def test_lines_of_moves() -> None:
    record = parse_moves("e5 d4 1/2-1/2", find_game("gomoku:size=9"))
    assert (record.game, record.moves, record.result) == ("gomoku:size=9", ("e5", "d4"), Result(None))


def test_json_of_a_rules_file_is_never_loaded(tmp_path: Path) -> None:
    evil = tmp_path / "evil.py"
    evil.write_text(f"open({str(tmp_path / 'done')!r}, 'w')")
    with pytest.raises(BadRecord, match="unknown game"):
        parse_json(Record(str(evil)).to_json())
    assert not (tmp_path / "done").exists()


def test_json_of_a_given_rules_file(at_root: Path, tmp_path: Path) -> None:
    path = "examples/connect_four.py"
    game = find_game(path)
    record = Record.of(game, [game.start().moves[0]], players=("a", "b"))
    file = tmp_path / "games.jsonl"
    write_records([record], file, game=game)
    assert list(read_records(file, game=game)) == [record]
    sgf_file = tmp_path / "games.sgf"
    write_records([record], sgf_file, game=game)
    assert list(read_records(sgf_file, game=game)) == [record]
    assert isinstance(next(iter(read_records(file))), Skipped)


@pytest.mark.parametrize(
    ("name", "text", "format"),
    [
        ("x.txt", "F5D6C3D3C4\n", "transcript"),
        ("x.txt", THESIS_LINES[0], "thesis"),
        ("x.txt", "\n".join([WTN_HEAD, *LAYOUT]), "wtn"),
        ("x.txt", LAYOUT[0], "wtn"),
        ("x.txt", C6, "c6"),
        ("x.txt", C6.replace("C6", "C5"), "c5"),
        ("x", LITTLE_GOLEM, "sgf"),
        ("x.sgf", GGF_GAME, "ggf"),
        ("x.dat", OBF, "obf"),
        ("x.dat", "Piskvorky 15x15, 0:0, 0\n", "psq"),
        ("x.dat", '{"game": "othello"}', "jsonl"),
        ("x.wtb", "{", "wthor"),
        ("x.rec", "a\nb\n1,1,1\n-1\n", "rec"),
    ],
)
def test_format_is_recognised(tmp_path: Path, name: str, text: str, format: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    assert format_of(file).name == format


def test_unknown_format_lists_the_known_ones(tmp_path: Path) -> None:
    file = tmp_path / "x.txt"
    file.write_text("e5 d4")
    with pytest.raises(ValueError, match="no known format; name one of c5, c6, ggf"):
        format_of(file)
    assert format_of(file, find_game("gomoku")).name == "moves"


def test_positions_of(tmp_path: Path) -> None:
    file = tmp_path / "x.txt"
    file.write_text("F5D6C3D3C4\nf5f5\n")
    last, skipped = positions_of(file)
    assert last == find_game("othello").start().play("f5").play("d6").play("c3").play("d3").play("c4")
    assert isinstance(skipped, Skipped)
    second, _ = positions_of(file, at=1)
    assert second == find_game("othello").start().play("f5")
    obf = tmp_path / "x.obf"
    obf.write_text(OBF)
    (position,) = positions_of(obf)
    assert position == find_game("othello").position(OBF[:66].rstrip(";"))
    ended = tmp_path / "x.jsonl"
    write_records([Record.of("tictactoe", ["a1", "a2", "b1", "b2", "c1"])], ended)
    (before_the_end,) = positions_of(ended)
    assert before_the_end.move == "b2"  # type: ignore[union-attr]
