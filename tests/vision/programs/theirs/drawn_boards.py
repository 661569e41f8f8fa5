"""Boards that Python packages draw as SVG files or as pages."""

import json
import random
import re
from pathlib import Path
from typing import Any

from given import Board, bare, placed, stub

SIGNS = {"": 0, "X": 1, "O": -1}
NATURAL_SIDES = {3: 180, 8: 240, 9: 225, 19: 475}
"""Rows of a board of Pgx -> pixels a side at scale 1."""
PGX_NAMES = {"othello": "othello", "gomoku:size=9": "go_9x9", "gomoku:size=19": "go_19x19", "tictactoe": "tic_tac_toe"}


def pgx(board: Board) -> None:
    import jax.numpy as jnp
    import pgx as package

    state = package.make(PGX_NAMES[board["game"]]).init(jnp.zeros(2, jnp.uint32))
    signs = [SIGNS[text] for row in board["cells"] for text in row]
    if board["game"] == "tictactoe":
        signs = [{0: -1, 1: 0, -1: 1}[sign] for sign in signs]
    more = {"turn": jnp.int32(0)} if board["game"] == "othello" else {}
    shown = state.replace(_x=state._x._replace(board=jnp.array(signs, jnp.int32), **more))
    package.save_svg(
        shown, board["file"], color_theme=board["theme"], scale=board["side"] / NATURAL_SIDES[len(board["cells"])]
    )


def nonebot_boardgame(board: Board) -> None:
    stub("nonebot_plugin_htmlrender", html_to_pic=None)
    stub("nonebot_plugin_orm", get_session=None)
    stub("sqlalchemy", select=None)
    bare("nonebot_plugin_boardgame", "boards")
    stub("boards.model", GameRecord=None)
    from boards.game import Game, Placement, Pos

    size = len(board["cells"])
    game = Game(size, Placement.GRID if size == 8 else Placement.CROSS)
    for row, column, text in placed(board):
        game.set(Pos(row, column), 1 if text == "X" else -1)
    if board["last"]:
        game.positions.append(Pos(*board["last"]))
    Path(board["file"]).write_text(game.draw_svg().outer(), encoding="utf-8")


def creversi(board: Board) -> None:
    """With or without the last move marked."""
    from creversi import Board as Reversi

    line = "".join(text or "-" for row in board["cells"] for text in row)
    last = 8 * board["last"][0] + board["last"][1] if board["last"] else None
    drawing = Reversi(line, True).to_svg(lastmove=last, scale=board["side"])
    Path(board["file"]).write_text(str(drawing), encoding="utf-8")


def kaggle(board: Board) -> None:
    """The page of a game of Kaggle's environments, with `actions` or so many random moves."""
    from kaggle_environments import make
    from kaggle_environments.envs.open_spiel_env import open_spiel_env

    name = board["game"]
    options: dict[str, Any] = {"includeLegalActions": True}
    if name == "go":
        options["openSpielGameParameters"] = {"board_size": len(board["cells"])}
    env = make(f"open_spiel_{name}", configuration=options)
    env.reset()
    env.step([{"submission": -1}] * 2)
    lots = random.Random(0)
    for action in board.get("actions") or [None] * board["random"]:
        turns = []
        for state in env.state:
            legal = state.observation.get("legalActions") if state.status == "ACTIVE" else None
            turns.append({"submission": -1 if not legal else lots.choice(legal) if action is None else action})
        env.step(turns)
    seen = json.loads(env.state[0].observation.observationString) if board["cells"] else {}
    if name == "go":
        grid = [["".join(spot.values()) for spot in row] for row in seen["board_grid"]]
        codes = {".": "", "B": "X", "W": "O"}
        assert [[codes[text] for text in row] for row in grid] == board["cells"], grid
        page = Path(open_spiel_env.__file__).parent / "games/go/visualizer/fallback/dist/index.html"
        env.html_renderer = lambda: page.read_text(encoding="utf-8")  # the other page lacks its pictures
    elif board["cells"]:
        assert [[text.upper() for text in row] for row in seen["board"]] == board["cells"], seen
    Path(board["file"]).write_text(env.render(mode="html"), encoding="utf-8")


def othellopy(board: Board) -> None:
    """A table for a notebook."""
    from othellopy.board import Cell, board_to_html

    names = {"": Cell.EMPTY, "X": Cell.BLACK, "O": Cell.WHITE}
    table = board_to_html([[names[text] for text in row] for row in board["cells"]], use_emoji=True)
    Path(board["file"]).write_text(table, encoding="utf-8")


def qi_goban(board: Board) -> None:
    """What its templates make of an empty board."""
    from chameleon import PageTemplate

    parts = []
    for name in ("controls.pt", "goban.pt"):
        text = (Path(board["source"]) / "qi" / "Goban" / "browser" / name).read_text(encoding="utf-8")
        text = re.sub(r"range\(([^)]*)\)", r"[*range(\1)]", text)  # as the Python of its time took it
        parts.append(PageTemplate(text.replace("view/boardSize", "size"))(size=len(board["cells"])))
    Path(board["file"]).write_text("".join(parts), encoding="utf-8")


BOARDS = (
    pgx,
    nonebot_boardgame,
    creversi,
    kaggle,
    othellopy,
    qi_goban,
)
