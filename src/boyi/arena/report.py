"""What a tournament came to: the table of players, the crosstable, and both as JSON and Markdown."""

import json
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boyi.arena.field import trained_minutes
from boyi.arena.match import GameRow, MatchResult
from boyi.arena.plan import Plan
from boyi.arena.plot import ratings_svg
from boyi.arena.ratings import Group, Ratings, rate
from boyi.draw import png
from boyi.games.registry import game as find_game


@dataclass(frozen=True)
class Entry:
    """One player's line in the table."""

    player: str
    number: int
    """In the plan."""
    games: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    seconds_per_move: float | None
    elo: float
    low: float
    high: float

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2


@dataclass(frozen=True)
class Standings:
    """The table of a tournament, best first; `ratings` and `pairs` go by the numbers of the plan."""

    plan: Plan
    entries: tuple[Entry, ...]
    ratings: Ratings
    pairs: dict[tuple[int, int], list[tuple[float, ...]]]
    """Points of the first of two players, pair of games by pair of games."""

    @classmethod
    def of(cls, plan: Plan, rows: Sequence[GameRow], *, anchor: int | None = None) -> "Standings":
        """The standings after some games; the anchor, a player by number, has Elo 0, without one the mean of all."""
        pairs: dict[tuple[int, int], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
        for row in rows:
            pairs[row.players][row.number // 2].append(row.points)
        listed = {met: [tuple(points) for points in found.values()] for met, found in pairs.items()}
        groups = [Group(*met, points) for met, found in listed.items() for points in found]
        ratings = rate(len(plan.players), groups, anchor=anchor)
        entries = [_entry(plan, rows, ratings, number) for number in range(len(plan.players))]
        return cls(plan, tuple(sorted(entries, key=lambda entry: -entry.elo)), ratings, listed)

    def meeting(self, first: int, second: int) -> tuple[float, int]:
        """Points of the first of two players against the second, and how many games they played."""
        ours = [point for points in self.pairs.get((first, second), []) for point in points]
        theirs = [1 - point for points in self.pairs.get((second, first), []) for point in points]
        return sum(ours + theirs), len(ours + theirs)

    @property
    def superiority(self) -> list[float]:
        """For each entry, how likely it is stronger than the next one; 1/2 for the last."""
        numbers = [entry.number for entry in self.entries]
        following = [*numbers[1:], numbers[-1]]
        return [self.ratings.superiority(a, b) for a, b in zip(numbers, following, strict=True)]

    def to_json(self) -> dict[str, Any]:
        """Everything, for other programs."""
        order = [entry.number for entry in self.entries]
        return {
            "game": self.plan.game,
            "kind": self.plan.kind,
            "seed": self.plan.seed,
            "games": sum(len(points) for found in self.pairs.values() for points in found),
            "wanted": self.plan.num_games,
            "players": [
                {
                    "player": entry.player,
                    "elo": entry.elo,
                    "low": entry.low,
                    "high": entry.high,
                    "superiority": above,
                    "games": entry.games,
                    "points": entry.points,
                    "wins": entry.wins,
                    "draws": entry.draws,
                    "losses": entry.losses,
                    "forfeits": entry.forfeits,
                    "seconds_per_move": entry.seconds_per_move,
                    "against": [list(self.meeting(entry.number, other)) for other in order],
                    "superior_to": [self.ratings.superiority(entry.number, other) for other in order],
                }
                for entry, above in zip(self.entries, self.superiority, strict=True)
            ],
        }

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Columns and rows for people; `#` marks columns of numbers."""
        columns = [
            "",
            "player",
            "Elo#",
            "95 %#",
            "better than next#",
            "points#",
            "games#",
            "+#",
            "=#",
            "-#",
            "s a move#",
        ]
        game = find_game(self.plan.game)
        minutes = [trained_minutes(entry.player, game) for entry in self.entries]
        rows = [
            [
                str(place),
                entry.player,
                f"{entry.elo:+.0f}",
                f"{entry.low:+.0f} .. {entry.high:+.0f}",
                "" if place == len(self.entries) else f"{above:.1%}",
                f"{entry.points:g}",
                str(entry.games),
                str(entry.wins),
                str(entry.draws),
                str(entry.losses),
                "" if entry.seconds_per_move is None else f"{entry.seconds_per_move:.3f}",
            ]
            for place, (entry, above) in enumerate(zip(self.entries, self.superiority, strict=True), 1)
        ]
        if any(minutes):
            columns.append("trained, min#")
            for row, spent in zip(rows, minutes, strict=True):
                row.append("" if spent is None else f"{spent:.1f}")
        return columns, rows

    def crosstable(self) -> tuple[list[str], list[list[str]]]:
        """Points of each player against each other, in the order of the table; empty where two did not meet."""
        rows = []
        for place, entry in enumerate(self.entries, 1):
            met = [self.meeting(entry.number, other.number) for other in self.entries]
            rows.append(
                [str(place), entry.player, *(f"{points:g} / {games}" if games else "" for points, games in met)]
            )
        return ["", "player", *(f"{place}#" for place in range(1, len(rows) + 1))], rows

    def markdown(self) -> str:
        """The tables as a page."""
        limit = {name: value for name, value in vars(self.plan.control.limit).items() if value is not None}
        clock = self.plan.control
        if clock.game_s is not None:
            limit |= {"seconds a game": clock.game_s, "increment": clock.increment_s}
        told = ", ".join(f"{name} {value:g}" for name, value in limit.items()) or "as each player has them"
        return "\n\n".join(
            [
                f"# {self.plan.game}: {self.plan.kind}, {self.plan.games} games a pairing, seed {self.plan.seed}",
                f"Limits: {told}.",
                _markdown_table(*self.table()),
                "Points of the row's player, and games:",
                _markdown_table(*self.crosstable()),
                "![Elo](ratings.svg)\n",
            ]
        )

    def svg(self) -> str:
        """The ratings as a picture."""
        return ratings_svg(
            [(entry.player, entry.elo, entry.low, entry.high) for entry in self.entries], title=f"Elo, {self.plan.game}"
        )

    def write(self, folder: Path) -> None:
        """Write `results.json`, `results.md`, `ratings.svg` and `ratings.png`."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "results.json").write_text(json.dumps(self.to_json(), ensure_ascii=False, indent=1), encoding="utf-8")
        (folder / "results.md").write_text(self.markdown(), encoding="utf-8")
        picture = self.svg()
        (folder / "ratings.svg").write_text(picture, encoding="utf-8")
        (folder / "ratings.png").write_bytes(png(picture, scale=2))


def _entry(plan: Plan, rows: Sequence[GameRow], ratings: Ratings, number: int) -> Entry:
    points: list[float] = []
    seconds, moves, forfeits = 0.0, 0, 0
    for row in rows:
        if number in row.players:
            side = row.players.index(number)
            points.append(row.points if side == 0 else 1 - row.points)
            seconds += row.seconds[side]
            moves += row.num_moves[side]
            forfeits += row.forfeit and points[-1] == 0
    return Entry(
        plan.players[number],
        number,
        len(points),
        points.count(1),
        points.count(0.5),
        points.count(0),
        forfeits,
        seconds / moves if moves else None,
        ratings.elo[number],
        *ratings.interval(number),
    )


def match_json(result: MatchResult) -> dict[str, Any]:
    """A match for other programs; Elo is null where it is infinite."""
    worth = result.estimate
    elo, elo_low, elo_high = (value if math.isfinite(value) else None for value in worth.elo)
    return {
        "games": result.games,
        "wins": result.wins,
        "draws": result.draws,
        "losses": result.losses,
        "score": worth.score,
        "low": worth.low,
        "high": worth.high,
        "elo": elo,
        "elo_low": elo_low,
        "elo_high": elo_high,
        "superiority": result.superiority,
        "pentanomial": list(result.pentanomial),
        "seat_wins": list(result.seat_wins),
        "first_seconds_per_move": result.seconds_per_move[0],
        "second_seconds_per_move": result.seconds_per_move[1],
        "first_moves": result.num_moves[0],
        "second_moves": result.num_moves[1],
        "first_forfeits": result.forfeits[0],
        "second_forfeits": result.forfeits[1],
        "mean_length": result.mean_length,
    }


def _markdown_table(columns: list[str], rows: list[list[str]]) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    rule = ["---:" if column.endswith("#") else "---" for column in columns]
    return "\n".join([line([column.removesuffix("#") for column in columns]), line(rule), *map(line, rows)])
