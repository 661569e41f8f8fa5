"""A board of a random page drawn on a canvas: lines, arcs and strokes. Start at `canvas`."""

from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boyi.vision.page_html import Board

TOOLS = """const k = document.getElementById('k'), c = k.getContext('2d');
function line(a, b, d, e) { c.beginPath(); c.moveTo(a, b); c.lineTo(d, e); c.stroke(); }
function disc(x, y, r, f) { c.beginPath(); c.arc(x, y, r, 0, 7); c.fillStyle = f; c.fill(); }
function ring(x, y, r) { c.beginPath(); c.arc(x, y, r, 0, 7); c.stroke(); }
function ball(x, y, r, f, h) {
    const q = c.createRadialGradient(x - r / 3, y - r / 3, r / 10, x, y, r);
    q.addColorStop(0, f); q.addColorStop(1, h); disc(x, y, r, q);
}
function pen(colour, width) { c.strokeStyle = colour; c.lineWidth = width; }
"""


def canvas(random: Random, board: "Board") -> str:
    """The element and the script that draws on it; the element's `data-spots` says where the sites are."""
    size, pitch = len(board.cells), board.pitch
    points = board.lattice == "points"
    margin = random.choice((0.5, 0.6, 0.8, 1.0, 1.3)) * pitch if points else random.choice((0, 2, 10))
    lines = size if points else size + 1
    side = (lines - 1) * pitch + 2 * margin
    first = margin if points else margin + pitch / 2
    bare = not points and random.random() < 0.25
    script = [f"c.fillStyle='{board.ground}';c.fillRect(0,0,{side},{side});"]
    script.append(f"pen('{board.line}',{random.choice((1, 1, 1, 1.5, 2, 2, 3, 4))});")
    snap, end = random.choice((0, 0.5)), margin + (lines - 1) * pitch
    for number in range(1, lines - 1) if bare else range(lines):
        at = margin + number * pitch + snap
        script.append(f"line({at},{margin},{at},{end});line({margin},{at},{end},{at});")
    if points and random.random() < 0.5:
        stars = [3, size // 2, size - 4] if size > 9 else [2, size // 2, size - 3]
        places = [(first + x * pitch, first + y * pitch) for x in stars for y in stars]
        script += [f"disc({x},{y},{max(2, pitch // 10)},'{board.line}');" for x, y in places]
    script += _pieces(random, board, first)
    spots = [[first + column * pitch, first + row * pitch] for row in range(size) for column in range(size)]
    shape = f'width="{side:.0f}" height="{side:.0f}"'
    return f'<canvas id="k" data-spots="{spots}" {shape}></canvas><script>{{{TOOLS}{"".join(script)}}}</script>'


def _pieces(random: Random, board: "Board", first: float) -> list[str]:
    """What draws the pieces of a board whose first site is so far from its edges."""
    pitch, script = board.pitch, []
    radius = random.choice((0.3, 0.35, 0.4, 0.42, 0.45, 0.47, 0.5, random.uniform(0.2, 0.3))) * pitch
    edge = random.choice(("", "", "#000", "#888", "#333"))
    shaded = random.random() < 0.3
    reach = random.choice((0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)) * pitch
    wide = min(random.choice((1, 2, 3, 4, 6, 8, 10, 15)), 0.5 * reach)
    filled = random.random() < 0.08
    marked = random.random() < 0.3
    pieces = [
        (first + column * pitch, first + row * pitch, "XO".index(text))
        for row, texts in enumerate(board.cells)
        for column, text in enumerate(texts)
        if text
    ]
    for x, y, player in pieces:
        ink, colour = board.inks[player], board.stones[player]
        if board.letters:
            script.append(f"pen('{ink}',{wide});")
            if player == 0:
                script.append(f"line({x - reach},{y - reach},{x + reach},{y + reach});")
                script.append(f"line({x + reach},{y - reach},{x - reach},{y + reach});")
            else:
                script.append(f"disc({x},{y},{reach},'{ink}');" if filled else f"ring({x},{y},{reach});")
            continue
        ends = ("#666", "#000") if player == 0 else ("#fff", "#c8c8c8")
        script.append(
            f"ball({x},{y},{radius},'{ends[0]}','{ends[1]}');" if shaded else f"disc({x},{y},{radius},'{colour}');"
        )
        rim = edge or ("#777" if not shaded and board.is_hidden(colour) else "")
        if rim:
            script.append(f"pen('{rim}',1);ring({x},{y},{radius});")
    if marked and pieces and not board.letters:
        x, y, _ = random.choice(pieces)
        script.append(f"disc({x},{y},{0.25 * radius},'red');")
    return script
