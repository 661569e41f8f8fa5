"""Document 000's tables 5-1-1, 5-1-2, 5-2-1 and 5-2-2: which planes and which net predict the winner's move?

Fifteen nets learn the same lines as in the document; beside its own measure, the accuracy on batches of the training
data, stand the accuracy on lines that no net has seen and the winning chance that a net's first choice gives away.
Then the remedies that the document names, each on top of those before it. Start at `run_features`.
"""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

from boyi.studies.chart import curves_svg
from boyi.studies.ewn_nets import (
    BASE,
    BATCH,
    COUNTED,
    DOCUMENT_LINES,
    DOCUMENT_STEPS,
    QUICK,
    REMEDIES,
    TABLES,
    Data,
    Finding,
    Net,
    Size,
    guesses,
    make_data,
    runs,
    train_net,
)
from boyi.studies.facts import kept_time, made_by, spent, table
from boyi.train.files import write_file

SHOWN = ("ori#1#I", "ori#1.2.3#II-40", "sim#1.2.3#II-40", BASE.name, *(net.name for net in REMEDIES[:4]))
"""The runs with a curve in the picture."""
QUICK_RUNS = ("ori#1#I", "sim#1#II-40", "ori#1.2.3#II-10", BASE.name)


def run_features(
    folder: Path,
    *,
    size: Size | None = None,
    seed: int = 0,
    tell: Callable[[str], None] = lambda text: None,
) -> list[Finding]:
    """Play the games, train every net, or go on with it, and write `report.md`, its picture and the models; where all
    is quick, of the tables' runs the `QUICK_RUNS` only."""
    size = size or Size()
    folder.mkdir(parents=True, exist_ok=True)
    with kept_time(folder):
        data = make_data(folder, size, seed=seed, tell=tell)
    found = []
    for net in runs():
        if size == QUICK and net.published and net.name not in QUICK_RUNS:
            continue
        with kept_time(folder):
            found.append(train_net(net, data, folder, seed=seed))
        one = found[-1]
        tell(f"{one.name}: {one.held_out:.1%} of the held-out moves, {100 * one.regret:.2f} % given away")
        write_report(folder, found, data, seed=seed)
    return found


def binomial_share(accuracy: float, at_least: float = 0.3, count: int = BATCH) -> float:
    """The share of batches of `count` rows that reach an accuracy by chance, where every row is right with the same
    probability."""
    return sum(
        math.comb(count, right) * accuracy**right * (1 - accuracy) ** (count - right)
        for right in range(math.ceil(at_least * count - 1e-9), count + 1)
    )


def implied_accuracy(share: float) -> float:
    """The accuracy for which `binomial_share` is that share, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if binomial_share(middle) < share else (low, middle)
    return low


def write_report(folder: Path, found: list[Finding], data: Data, *, seed: int) -> None:
    """`report.md` and its picture, of as many runs as there are."""
    by_name, size = {one.name: one for one in found}, data.size
    curves = {
        one.name: [(step / 1000, 100 * accuracy) for step, accuracy in one.curve] for one in found if one.name in SHOWN
    }
    svg = curves_svg(curves, title="Held-out accuracy", x_title="thousand steps", y_title="per cent")
    write_file(folder / "ewn-features.svg", svg)
    options = " --quick" if size == QUICK else "" if size.steps == DOCUMENT_STEPS else f" --steps {size.steps}"
    lines = [
        "# Planes and nets that predict the winner's move",
        "",
        f"Document 000 trains nets on {DOCUMENT_LINES:,} moves of winners, {DOCUMENT_STEPS:,} steps of {BATCH} rows,",
        "and reports for each run how the accuracy on batches of the training data was distributed after the first",
        "twentieth of the steps (its tables 5-1-1, 5-1-2, 5-2-1 and 5-2-2: sixteen rows, fifteen different runs).",
        f"Here are the same runs on {size.lines:,} moves from Monte-Carlo games of our own with {size.sims} playouts a",
        f"move, written and read in the document's format, with {size.steps:,} steps. Beside each stands what the",
        f"document does not have: the accuracy on {size.held_out:,} moves that no net has seen, how often a net's",
        "choice is a best move, and how much winning chance it gives away, both judged by the tablebase and the quick",
        "net. All numbers are per cent.",
        "",
        made_by(f"boyi study ewn-features{options} --seed {seed}", spent(folder)),
        "",
    ]
    for number, rows in TABLES.items():
        if any(net.name in by_name for net in rows):
            lines += [f"## Table {number}", "", *_table(rows, by_name), ""]
    lines += [*_about_batches(), *_guess_table(data)]
    if any(net.name in by_name for net in REMEDIES):
        lines += _remedies(by_name, size)
    lines += ["![Held-out accuracy](ewn-features.svg)", ""]
    write_file(folder / "report.md", "\n".join(lines))


def _table(rows: list[Net], found: dict[str, Finding]) -> list[str]:
    """A table of the document with our numbers below its own."""
    limits = ["<20", "20-25", "25-30", "30-35", "35-40", ">=40", ">=30"]
    body = []
    for net in rows:
        above = sum(net.published[3:])
        body.append([net.name, "document", *(f"{x:.2f}" for x in net.published), f"{above:.2f}", "", "", ""])
        if one := found.get(net.name):
            shares = [100 * share for share in one.shares]
            facts = [f"{100 * one.held_out:.1f}", f"{100 * one.best:.1f}", f"{100 * one.regret:.2f}"]
            body.append(["", "here", *(f"{x:.2f}" for x in shares), f"{sum(shares[3:]):.2f}", *facts])
    return table(["run", "", *limits, "held out", "best move", "given away"], body)


def _about_batches() -> list[str]:
    """What the document's numbers mean."""
    published = [sum(net.published[3:]) / 100 for net in runs() if net.published]
    low, high = (100 * implied_accuracy(found(published)) for found in (min, max))
    mean = sum(published) / len(published)
    expected = 100 * math.sqrt(mean * (1 - mean) / COUNTED)
    spread = 100 * float(np.std(published, ddof=1))
    return [
        "## What the distributions mean",
        "",
        f"A batch has {BATCH} rows, so its accuracy has a standard error of 6.7 points of its own. The document's",
        f"shares are those of a constant accuracy between {low:.1f} and {high:.1f} %: the fluctuation it wonders about",
        f"is the size of the batch. Nearly all its percentages are multiples of 1/{COUNTED}, so a row counts {COUNTED}",
        f"batches, and chance alone spreads the column >= 30 % by {expected:.1f} points; the document's fifteen runs",
        f"spread by {spread:.1f}. The differences that it explains by planes and filters are what chance does.",
        "",
    ]


def _guess_table(data: Data) -> list[str]:
    """What the accuracies are to be compared with."""
    body = [[name, f"{100 * a:.1f}", f"{100 * b:.1f}", f"{100 * c:.2f}"] for name, (a, b, c) in guesses(data).items()]
    return [
        "## What knowing nothing gives",
        "",
        *table(["choice", "accuracy", "best move", "given away"], body),
        "",
        "The accuracy of the document's nets, about a third, is less than that of any legal move: they had learnt next",
        "to nothing, and a tree that keeps one move of each stone by such a net must lose to one that keeps them all.",
        "Where runs of the same nets reach more here, this contradicts the document. Its games were people's and ours",
        "are a program's, but that does not explain an accuracy below that of a guess; more likely something was wrong",
        "with its labels or its outputs. One thing is easier here: outputs for a second stone that is not there do not",
        "compete. The fully connected layer, whose size the document does not give, has 64 units.",
        "",
    ]


def _remedies(found: dict[str, Finding], size: Size) -> list[str]:
    """The remedies, one on top of the other."""
    says = {
        BASE.name: "as in the document",
        "symmetry": "+ transposed boards (section 6.1, first)",
        "mirroring": "+ turned boards with colours exchanged (second)",
        "more data": f"+ {size.more} times the moves (second)",
        "exact labels": "+ the best move instead of the winner's",
        "modern net": "+ a residual net, 4 blocks of 48, all 16 symmetries",
    }
    rows = [
        [says[name], f"{100 * one.held_out:.1f}", f"{100 * one.best:.1f}", f"{100 * one.regret:.2f}"]
        for name in says
        if (one := found.get(name))
    ]
    return [
        "## The remedies, one on top of the other",
        "",
        *table([f"learning, from {BASE.name}", "held out", "best move", "given away"], rows),
        "",
        "Held out is agreement with the Monte-Carlo program, which is not the aim: with exact labels a net agrees less",
        "with the program where the program errs. Given away is winning chance, for each move.",
        "",
    ]
