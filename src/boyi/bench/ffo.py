"""The FFO endgame test suite, #1 to #59: how long the exact solver takes, and whether it is right.

A row is the number, the board a1 .. h8 with X for Black, the side to move, its score with best play, empty squares to
the winner, and the moves that reach it. The positions go through the Othello world as `fforum-*.obf`.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass

from boyi.bench.result import Result
from boyi.exact.othello import Budget, EndgameSolver, empties
from boyi.games.errors import GameError
from boyi.games.position import Position
from boyi.games.registry import game

QUICK = "1-37,40-42"
"""The numbers that are solved unless others are asked for: those that take a few seconds."""


@dataclass(frozen=True)
class Problem:
    """A position of the suite; `score` is for the side to move."""

    number: int
    position: Position
    score: int
    moves: tuple[str, ...]


def problems(numbers: str = "1-59") -> list[Problem]:
    """The positions with some numbers, as `40-44` or `1,5,20-30`."""
    wanted = read_numbers(numbers)
    found = []
    for row in POSITIONS.split("\n"):
        number, board, side, score, moves = row.split()
        if int(number) in wanted:
            position = game("othello").position(f"{board} {side}")
            found.append(Problem(int(number), position, int(score), tuple(moves.split("/"))))
    return found


def read_numbers(text: str) -> set[int]:
    found: set[int] = set()
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        last = last if dash else first
        if not (first.isdecimal() and last.isdecimal() and 1 <= int(first) <= int(last) <= 59):
            raise GameError(f"{part!r} are no numbers of the FFO suite; write them as 40-44 or 1,5,20-30, from 1 to 59")
        found |= set(range(int(first), int(last) + 1))
    return found


def bench_ffo(*, positions: str = "", seed: int = 0) -> Iterator[Result]:
    """For each position the processor time, the nodes and the nodes a second, and at last the totals.

    Each begins with an empty table. Nothing is random here, so that `seed` changes nothing.
    """
    wanted = problems(positions or QUICK)
    solver = EndgameSolver()
    solver.solve(wanted[0].position, budget=Budget(nodes=1000))
    total_s, total_nodes, right = 0.0, 0, 0
    for problem in wanted:
        solver.clear()
        started = time.process_time()
        solution = solver.solve(problem.position, budget=Budget())
        spent = time.process_time() - started
        score = solution.low if problem.position.turn == 0 else -solution.low
        right += score == problem.score and solution.move in problem.moves
        total_s += spent
        total_nodes += solution.nodes
        name = f"#{problem.number} ({empties(problem.position)} empties)"
        yield from speed(name, spent, solution.nodes)
    yield from speed("total", total_s, total_nodes)
    yield Result("right", right, f"of {len(wanted)} positions")


def speed(name: str, spent: float, nodes: int) -> Iterator[Result]:
    yield Result(name, 1000 * spent, "milliseconds")
    yield Result(name, nodes, "nodes")
    yield Result(name, nodes / max(spent, 1e-9), "nodes/s")


POSITIONS = """\
01 --XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X +18 g8
02 -XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X +10 a4
03 ----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX X +2 d1
04 -XXXXXX-X-XXXOO-XOXXXOOXXXOXOOOX-OXOOXXX--OOOXXX--OOXX----XOXXO- X +0 h8/a5
05 -OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX-- X +32 g8
06 --OXXX--OOOXXX--OOOXOXO-OOXOOOX-OOXXXXXXXOOXXOX--OOOOX---XXXXXX- X +14 a1/h3
07 --OXXO--XOXXXX--XOOOXXXXXOOXXXXXXOOOOXXX-XXXXXXX--XXOOO----XXOO- X +8 a6
08 ---X-X--X-XXXX--XXXXOXXXXXXOOOOOXXOXXXO-XOXXXXO-XOOXXX--XOOXXO-- O +8 e1
09 --XOXX--O-OOXXXX-OOOXXXX-XOXXXOXXXOXOOOXOXXOXOXX--OXOO----OOOO-- O -8 g7/a4
10 -XXXX-----OXXX--XOXOXOXXOXOXXOXXOXXOXOOOXXXOXOOX--OXXO---OOOOO-- O +10 b2
11 ---O-XOX----XXOX---XXOOXO-XXOXOXXXXOOXOX-XOOXXXXXOOOXX-XOOOOOOO- O +30 b3
12 --O--O--X-OOOOX-XXOOOXOOXXOXOXOOXXOXXOOOXXXXOOOO--OXXX---XXXXX-- O -8 b7
13 --XXXXX--OOOXX---OOOXXXX-OXOXOXXOXXXOXXX--XOXOXX--OXOOO--OOOOO-- X +14 b7
14 --XXXXX---OOOX---XOOXXXX-OOOOOOOOOOXXXOOOOOXXOOX--XXOO----XXXXX- X +18 a3
15 ----O------OOX---OOOXX-XOOOXOOOOOXXOXXOOOXXXOOOOOXXXOOXO--OOOOOX X +4 g3/b8
16 -XXXXXX-X-XXXOO-XOXXXOOXXOOXXXOX-OOOXXXX--OOXXXX---OOO----XOX-O- X +24 f8
17 -OOOOO----OXXO-XXXOOOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOO----XXXX--- X +8 f8
18 -XXX------OOOX--XOOOOOXXOXOXOOXXOXXOOOOOXXXOXOOX--OXXO---OOOOO-- X -2 g2
19 --OXXO--XOXXXX--XOOOOXXXXOOOXXXXX-OOOXXX--OOOOXX--XXOOO----XXOO- X +8 b6
20 XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X +6 h5
21 OOOOOOOOXOOXXX--XXOOXOO-XOXOOO--XOOOOX--XOOXOO--XOOOOO--XXXX---- O +0 g5
22 --OOOO--X-OOOOO-XXOOXOXXXOXOXXXXXXXOXXXX-XXOXOXX--OXXX-X----X--- O +2 g8
23 --O-------OOX---OOOXXXO-OOOOXOXXXXXOOXOXXXXXXOOXX-XXXXOX--XXXX-- X +4 a2
24 --O--O-----OOOX--X-XOXOO--XXXOOOXXXXOOOOXXXOXXOOXXXXXX--XOXX-O-- O +0 c3
25 ----X------XXXO--OOOXXXXXOOOOXXO-XXOOXXOOOXOXXXXOOOXX---X-XXXX-- O +0 g1/a5
26 -OOOOO----OXXO---OOOOXXO-OOOXOXX-OOXOOXX-XOXXOXX--O-XXXX--O----O X +0 d8
27 --XO-O----OOOO--OOXOXXO-OOOOXXOOOOOXXOX-OXOXXXXX--XXXX----X-O-X- X -2 b7
28 --O-------OOO--X-XOOOOXXXXXXOXOX-XXOXOOXXXOXOOXX-OOOOO-X---OOO-- X +0 f1/b2/e1
29 -OXXXX----OXXO--XXOOXOOOXXXOOXOOXXOOXOOOXXXXOO-XX-XXO----------- X +10 g2
30 -XXX----X-XOO---XXOXOO--XOXOXO--XOOXOXXXXOOXXOX---OOOOO--XXXXX-- X +0 g3
31 -OOOOO----OOOO--OXXOOO---XXXOO--XXXXXXO-XXXOOO-OX-OOOO---OOOOO-- X -2 g6
32 --XX----O-XXOX--OOXOO---OXOXOOO-OOXXOOOXOOXXXOOX--XXXXOX--X--X-X X -4 g3
33 -XXXXXXX--XOOO----OXOOXX-OOXXOXX-OOOOOXX-X-XOOXX---O-X-X--OOOO-- X -8 e7/a3
34 -------------O-O-OOOOOOOOOOOOXOOOXXOOOXO-XXXOXOO--XXXOXO--OXXXXO X -2 c2
35 --XXX-----XXXX-OOOXXOOOOOOOOOOXO-OOXXXXO-OOOXXXO---XOXX---X----- O +0 c7
36 ---X-O----XXXO-XXXXXXXXXXOOXXOOXXOXOOOXXXXOOOO-XX--OOOO--------- O +0 b7
37 --OOOO--O-OOOO--OXXXOOO-OXXOXO--OOXXOXX-OOXXXX--O-XXX-----XX-O-- X -20 g2
38 --OOOO----OOOO---XOXXOOXOOXOOOOX-OOOOOXXXOOXXXXX--X-X----------- X +4 b2
39 O-OOOO--XOXXOX--XOOOXXX-XOOOXX--XOOXOX--XOXXX---X-XX------------ O +64 a8/b1/g1/g5/g6/c8/h3/e8/h4
40 O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X +38 a2
41 -OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X +0 h4
42 --OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X +6 g2
43 --XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O -12 g3/c7
44 --O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O -14 d2/b8
45 ---XXXX-X-XXXO--XXOXOO--XXXOXO--XXOXXO---OXXXOO-O-OOOO------OO-- X +6 b2
46 ---XXX----OOOX----OOOXX--OOOOXXX--OOOOXX--OXOXXX--XXOO---XXXX-O- X -8 b3
47 -OOOOO----OOOO---OOOOX--XXXXXX---OXOOX--OOOXOX----OOXX----XXXX-- O +4 g2
48 -----X--X-XXX---XXXXOO--XOXOOXX-XOOXXX--XOOXX-----OOOX---XXXXXX- O +28 f6
49 --OX-O----XXOO--OOOOOXX-OOOOOX--OOOXOXX-OOOOXX-----OOX----X-O--- X +16 e1
50 ----X-----XXX----OOOXOOO-OOOXOOO-OXOXOXO-OOXXOOO--OOXO----O--O-- X +10 d8
51 ----O-X------X-----XXXO-OXXXXXOO-XXOOXOOXXOXXXOO--OOOO-O----OO-- O +6 e2/a3
52 ---X-------OX--X--XOOXXXXXXOXXXXXXXOOXXXXXXOOOXX--XO---X-------- O +0 a3
53 ----OO-----OOO---XXXXOOO--XXOOXO-XXXXXOO--OOOXOO--X-OX-O-----X-- X -2 d8
54 --OOO---XXOO----XXXXOOOOXXXXOX--XXXOXX--XXOOO------OOO-----O---- X -2 c7
55 --------X-X------XXXXOOOOOXOXX--OOOXXXX-OOXXXX--O-OOOX-----OO--- O +0 g6/b7/e2/g4
56 --XXXXX---XXXX---OOOXX---OOXOX---OXXXXX-OOOOOXO----OXX---------- O +2 h5
57 -------------------XXOOO--XXXOOO--XXOXOO-OOOXXXO--OXOO-O-OOOOO-- X -10 a6
58 --XOOO----OOO----OOOXOO--OOOOXO--OXOXXX-OOXXXX----X-XX---------- X +4 g1
59 -----------------------O--OOOOO---OOOOOXOOOOXXXX--XXOOXX--XX-O-X X +64 h4/g8/e8"""
