"""Draws the boards of the games' pages: `python docs/pictures.py`."""

from pathlib import Path

import boyi

POSITIONS = {
    "tictactoe": ("tictactoe", "b2 a1 c3", {"legal": True}),
    "gomoku": ("gomoku", "h8 i9 i8 g8 h7 h9 g7 f7 j9", {}),
    "connect6": ("connect6", "j10 k11 i11 k10 l9 j9 m8 k9 l10", {}),
    "othello": ("othello", "f5 d6 c3 d3 c4", {"legal": True}),
    "einstein": ("einstein", "", {"legal": True}),
}


def pictures() -> dict[str, str]:
    """Name and SVG of each picture."""
    made = {}
    for name, (rules, moves, overlay) in POSITIONS.items():
        position = boyi.game(rules).start(seed=7)
        for move in moves.split():
            position = position.play(move)
        if name == "einstein":
            position = position.play("3")
        made[name] = position.svg(size=360, **overlay)
    return made


if __name__ == "__main__":
    for name, svg in pictures().items():
        (Path(__file__).parent / "images" / f"board-{name}.svg").write_text(svg, encoding="utf-8")
