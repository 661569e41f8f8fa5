"""Boards that Python packages draw as SVG files."""

from pathlib import Path

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


BOARDS = (
    pgx,
    nonebot_boardgame,
)
