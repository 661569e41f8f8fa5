"""Studies that are matches: a claim of a source document, the match that tests it, and what came of it.

Start at `STUDIES` for what there is, and at `run_study`. The games of a study are kept in its folder as they end, so
that a stopped study goes on; its report is Markdown.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boyi.arena import Control, Estimate, MatchResult, Tournament, estimate, make_plan
from boyi.games.errors import GameError
from boyi.players import Limit
from boyi.studies.facts import made_by, table
from boyi.train.files import write_file

EVEN = 0.05
"""How far from one half a score may be for players that are called equal."""


@dataclass(frozen=True)
class Comparison:
    """One match of a study, and what the document says of it."""

    first: str
    second: str
    claim: str
    """What the document says of the first player: `stronger`, `equal`, `weaker`, or "" where it says nothing."""
    published: str = ""
    """The document's own words or numbers, in short."""
    games: int = 2000
    seconds: float | None = None

    def verdict(self, found: Estimate) -> str:
        """Whether the interval bears out the claim."""
        if not self.claim:
            return ""
        if self.claim == "equal":
            if found.low >= 0.5 - EVEN and found.high <= 0.5 + EVEN:
                return "agrees"
            return "contradicts" if found.low > 0.5 or found.high < 0.5 else "undecided"
        low, high = (found.low, found.high) if self.claim == "stronger" else (1 - found.high, 1 - found.low)
        if low > 0.5:
            return "agrees"
        even = low >= 0.5 - EVEN and high <= 0.5 + EVEN
        return "contradicts" if high < 0.5 else "no difference" if even else "undecided"


@dataclass(frozen=True)
class MatchStudy:
    """A question of a source document, put as matches."""

    name: str
    title: str
    game: str
    text: str
    """What the document did, and what is done here."""
    comparisons: tuple[Comparison, ...]
    verdict: str = ""
    """What came of it at full size, and why, where it contradicts the document."""
    by_turn: bool = False
    """Whether the document tells games apart by who moved first."""


@dataclass(frozen=True)
class Finding:
    """What one match gave."""

    comparison: Comparison
    result: MatchResult

    def facts(self) -> dict[str, Any]:
        found = self.result.estimate
        return {
            "first": self.comparison.first,
            "second": self.comparison.second,
            "games": self.result.games,
            "score": found.score,
            "low": found.low,
            "high": found.high,
            "claim": self.comparison.claim,
            "published": self.comparison.published,
            "verdict": self.comparison.verdict(found),
            "moving_first": self._as_seat(0).score,
            "moving_second": self._as_seat(1).score,
        }

    def by_turn(self) -> list[str]:
        """The first player's score where it moved first, and where it moved second, as text."""
        found = [self._as_seat(seat) for seat in (0, 1)]
        return [f"{each.score:.1%} ({each.low:.1%} .. {each.high:.1%})" for each in found]

    def _as_seat(self, seat: int) -> Estimate:
        return estimate([[row.points] for row in self.result.rows if row.seat == seat])


def run_study(
    study: MatchStudy,
    folder: Path,
    *,
    quick: bool = False,
    seed: int = 0,
    workers: int = 1,
    options: str = "",
    on_finding: Callable[[Finding], None] = lambda finding: None,
) -> list[Finding]:
    """Play the matches of a study, or go on with them, and write `report.md` into its folder; `options` are those of
    the command that the report shall name."""
    findings = []
    for number, comparison in enumerate(study.comparisons, 1):
        games = max(2, comparison.games // 200 * 2) if quick else comparison.games
        control = Control(Limit(seconds=comparison.seconds))
        plan = make_plan(study.game, (comparison.first, comparison.second), games=games, seed=seed, control=control)
        tournament = Tournament(plan, folder=folder / f"match-{number}", workers=workers)
        tournament.run()
        findings.append(Finding(comparison, tournament.match))
        on_finding(findings[-1])
    write_file(folder / "report.md", report(study, findings, quick=quick, seed=seed, options=options))
    return findings


def report(study: MatchStudy, findings: list[Finding], *, quick: bool, seed: int, options: str = "") -> str:
    """The results beside the published ones, as Markdown."""
    command = f"boyi study {study.name}{options}{' --quick' if quick else ''} --seed {seed}"
    seconds = sum(sum(row.seconds) for finding in findings for row in finding.result.rows)
    heads = ["first", "second", "games", "score", "95 %", "the document says", ""]
    if study.by_turn:
        heads[5:5] = ["moving first", "moving second"]
    rows = []
    for finding in findings:
        facts = finding.facts()
        low, high = (f"{facts[end]:.1%}" for end in ("low", "high"))
        names = [f"`{facts['first']}`", f"`{facts['second']}`"]
        if finding.comparison.seconds:
            names[0] += f", {1000 * finding.comparison.seconds:g} ms a move"
        score = [f"{facts['games']:,}", f"{facts['score']:.1%}", f"{low} .. {high}"]
        if study.by_turn:
            score += finding.by_turn()
        rows.append([*names, *score, facts["published"], facts["verdict"]])
    lines = [
        f"# {study.title}",
        "",
        study.text,
        "",
        made_by(command, seconds),
        "",
        "Scores are the first player's, with 95 % intervals over pairs of games with the same opening or dice and",
        "exchanged colours.",
        "",
        *table(heads, rows),
    ]
    if study.verdict and not quick:
        lines += ["", study.verdict]
    return "\n".join(lines) + "\n"


def find_study(name: str) -> MatchStudy:
    """A study by name; `GameError` lists the known ones."""
    if name not in STUDIES:
        raise GameError(f"unknown study {name[:40]!r}; known are {', '.join(STUDIES)}")
    return STUDIES[name]


def _simulation(player: str, says: dict[str, tuple[str, str]]) -> tuple[Comparison, ...]:
    """Each simulation method against method 2, inside a player with a place for it."""
    return tuple(Comparison(player.format(method), player.format("2"), *says[method]) for method in says)


_ALL = (
    MatchStudy(
        "ewn-simulation",
        "The simulation methods of EinStein",
        "einstein",
        "Document 000 describes Yang's (2017) four random simulation methods and a rule-based one, tested inside\n"
        "minimax and inside MCTS. Here each meets method 2 (roll the die, then any move that it allows) in the same\n"
        "place; method 2 meets itself to show what the first move is worth.",
        (
            *_simulation(
                "mcts:sims=500,playout={}",
                {
                    "2": ("equal", ""),
                    "1": ("equal", "about equal"),
                    "3": ("equal", "about equal"),
                    "4": ("stronger", "a little ahead"),
                    "scored": ("", "the rule-based one"),
                },
            ),
            *_simulation(
                "expectimax:depth=1,eval=playouts/policy={}/count=16",
                {
                    "2": ("equal", ""),
                    "1": ("equal", "about equal"),
                    "3": ("equal", "about equal, ahead moving first"),
                    "4": ("equal", "about equal, ahead moving second"),
                    "scored": ("", "the rule-based one"),
                },
            ),
        ),
        "Method 1, which has no die in it, is a little weaker in both places, where the document calls the four about\n"
        "equal; 2,000 games show four points. Methods 2, 3 and 4 cannot be told apart, whoever moves first: what the\n"
        "document sees of that is within the noise of fewer games. The rule-based one is clearly the best at as many\n"
        "simulations.",
        by_turn=True,
    ),
    MatchStudy(
        "ewn-patterns",
        "Learnt box patterns in EinStein's tree",
        "einstein",
        "Document 000, section 2.7: Chu's (2017) win rates of 2x3 and 3x2 boxes, learnt by self-play, start the nodes\n"
        "of the tree. Reported: much better than MCTS at few simulations, equal at many.",
        (
            Comparison("patterns:sims=100", "mcts:sims=100", "stronger", "much better at few simulations"),
            Comparison("patterns:sims=1000", "mcts:sims=1000", "stronger", "better"),
            Comparison("patterns:sims=20000", "mcts:sims=20000", "equal", "equal at many", games=600),
        ),
        "What is learnt beforehand stands in for simulations, and counts for less the more of them there are.",
    ),
    MatchStudy(
        "ewn-edges",
        "Keeping stones 1 and 6 in EinStein",
        "einstein",
        "Document 002 adds a value for stones 1 and 6 to its evaluation and reports 56 wins in 62 games against\n"
        "people with its evaluation (90.3 %), 30 in 62 without (48.4 %). Here the evaluation plays without search,\n"
        "with and without that part, in 62 games as in the paper, and in enough games to mean something.",
        (
            Comparison("greedy:eval=huang", "random", "stronger", "90.3 % against people", games=62),
            Comparison("greedy:eval=huang", "random", "stronger", "90.3 % against people"),
            Comparison("greedy:eval=huang", "greedy:eval=huang/edge=0", "stronger", "keep 1 and 6", games=62),
            Comparison("greedy:eval=huang", "greedy:eval=huang/edge=0", "stronger", "keep 1 and 6", games=10_000),
            Comparison(
                "expectimax:depth=2,eval=huang", "expectimax:depth=2,eval=huang/edge=0", "stronger", "keep 1 and 6"
            ),
        ),
        "The document compares its program with and without its whole evaluation, against people, in 62 games each.\n"
        "The difference that it reports is the evaluation's; the value of stones 1 and 6 alone makes none that 10,000\n"
        "games show, and 62 games could not have shown it.",
    ),
    MatchStudy(
        "gomoku-weakest",
        "Losing on purpose at Gomoku",
        "gomoku:size=9",
        "Document 004's weakest AI plays the move that its net likes least, and is said to lose however hard the\n"
        "human tries to lose. Here that idea, the move that an ordinary search likes least, meets a search for\n"
        "losing. The score counts wins, so the better loser has the lower one.",
        (
            Comparison("weakest:how=least,sims=1000", "random", "weaker", "it loses", games=400),
            Comparison("weakest:how=search,sims=1000", "random", "weaker", "", games=400),
            Comparison("weakest:how=search,sims=1000", "weakest:how=least,sims=1000", "", "", games=400),
        ),
        "The move that a search for winning likes least is not one that loses. It wastes a stone, as random play\n"
        "does, and so wins a third of its games against it by accident; that contradicts the claim that such a player\n"
        "loses however hard the other side tries to. A search for the own loss finds it in every game.",
    ),
)
STUDIES = {study.name: study for study in _ALL}
