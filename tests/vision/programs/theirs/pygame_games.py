"""Games of Python packages in windows of Pygame."""

import itertools
import os
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from given import Board, absent, bare, corner, placed, screen_picture, stub


def pictured(board: Board) -> None:
    """A picture of the whole screen, once the window is drawn."""
    import pygame

    for _ in range(12):
        pygame.display.update()
        pygame.event.pump()
        time.sleep(0.1)
    screen_picture(board)


def put(board: Board) -> None:
    """Say where the window that is opened next goes."""
    os.environ["SDL_VIDEO_WINDOW_POS"] = "{},{}".format(*corner(board))


def pygomoku(board: Board) -> None:
    import pygame
    from pygomoku.board.abstract import BoardABC
    from pygomoku.gui import GomokuUI
    from pygomoku.score import Player

    class Shown(BoardABC):
        def calculate_next_move(self) -> Any:
            return None

    game = Shown(grid_size=len(board["cells"]))
    window = GomokuUI(game, cell_size=board["side"])
    for row, column, text in placed(board):
        game.board[row, column] = Player(text)
        window.draw_piece(row, column)
    pygame.image.save(window.screen, board["file"])


def tic_tac_toe_pygame(board: Board) -> None:
    import pygame
    from tic_tac_toe_pygame.game import TicTacToe

    game = TicTacToe()
    game.game_state.board = [text or " " for row in board["cells"] for text in row]
    game.render()
    pygame.image.save(game.screen, board["file"])


def iothello(board: Board) -> None:
    import pygame
    from iothello.backend_gui import Othello
    from iothello.gui import Gui

    Othello.load_models = staticmethod(list)  # the nets that would choose its moves
    game = Gui()
    game.SQUARE_SIZE = board["side"]
    game.screen = pygame.display.set_mode((6 * board["side"], 6 * board["side"]))
    game.board[:] = 0
    for row, column, text in placed(board):
        game.board[row, column] = -1 if text == "X" else 1
    game.draw_squares()
    game.draw_piece()
    pygame.image.save(game.screen, board["file"])


def othello_ai_python(board: Board) -> None:
    import pygame

    bare("othello_ai_python", "othello_ai_python")
    from othello_ai_python.board import Board as Bits
    from othello_ai_python.canvas import Canvas

    window = Canvas(square_size=board["side"])
    bits = Bits()
    bits.bit_board_black = bits.bit_board_white = 0
    for row, column, text in placed(board):
        if text == "X":
            bits.bit_board_black |= 1 << (row * 8 + column)
        else:
            bits.bit_board_white |= 1 << (row * 8 + column)
    window.update(bits, 1)
    pygame.image.save(window.screen, board["file"])


def nicetictactoe(board: Board) -> None:
    import pygame
    from nicetictactoe.gui import Game
    from nicetictactoe.logic import Grid

    game = Game(Grid())
    with game:
        for row, column, text in placed(board):
            game.grid.tiles[column][row].status = text
            game.x, game.y = column, row
        game.screen.fill((255, 255, 255))
        game.draw()
        game.draw_box()
        game.buttons.update(game.screen)
        game.buttons.draw(game.screen)
        game.instruction()
        pygame.image.save(game.screen, board["file"])


def perfect_information_game(board: Board) -> None:
    import numpy
    import pygame
    from perfect_information_game import games
    from perfect_information_game.ui import pygame_ui

    kind = getattr(games, board["side"])
    os.chdir(Path(pygame_ui.__file__).parent)  # it looks for its pictures from here
    first, second = "OX" if board["side"] == "Gomoku" else "XO"  # White begins its Gomoku

    def state(cells: list[list[str]]) -> Any:
        sides = [[[text == wanted for text in row] for row in cells] for wanted in (first, second)]
        return numpy.stack([*map(numpy.array, sides), numpy.ones(kind.BOARD_SHAPE)], axis=-1).astype(numpy.uint8)

    if board["cells"]:
        window = pygame_ui.PygameUI(kind, state(board["before"]))
        window.draw(state(board["cells"]))  # which marks what the last move changed
    else:
        window = pygame_ui.PygameUI(kind)
    pygame.image.save(window.canvas, board["file"])


def pettingzoo(board: Board) -> None:
    import pygame
    from pettingzoo.classic.go.go import raw_env as go_window
    from pettingzoo.classic.tictactoe.tictactoe import raw_env as tic_tac_toe_window

    cells, options = board["cells"], {"render_mode": "rgb_array", "screen_height": board["side"]}
    if board["game"] == "tictactoe":
        window = tic_tac_toe_window(**options)
        window.reset()
        codes = {"": 0, "X": 1, "O": 2}
        window.board.squares = [codes[cells[row][column]] for column in range(3) for row in range(3)]
    else:
        window = go_window(board_size=len(cells), **options)
        window.reset()
        for row, texts in enumerate(cells):
            for column, text in enumerate(texts):
                window._go.board[column][row] = {"": 0, "X": 1, "O": -1}[text]
    pygame.image.save(pygame.surfarray.make_surface(window.render().swapaxes(0, 1)), board["file"])


def mxgames(board: Board) -> None:
    put(board)
    from mxgames import gobang

    gobang.ROWS, gobang.SIDE = len(board["cells"]), board["side"]
    side = gobang.ROWS * gobang.SIDE
    game = gobang.Gobang("Gobang", (side, side))
    for row, column in board["moves"]:
        game.click(column * gobang.SIDE + gobang.SIDE // 2, row * gobang.SIDE + gobang.SIDE // 2)
    pictured(board)


def pygame_spiel(board: Board) -> None:
    """The player has one side, the moves of the other are given as a bot's."""
    put(board)
    absent("gdown", "pygame_spiel.bots.dqn")
    import pygame

    pygame.init()
    from pygame_spiel.games.tic_tac_toe import TicTacToe

    game = TicTacToe("tic_tac_toe", 0)
    answers = iter([3 * row + column for row, column in board["moves"][1::2]])
    bot = SimpleNamespace(inform_action=lambda *_: None, step=lambda _: next(answers))
    game._bots = [None, bot]
    for turn, (row, column) in enumerate(board["moves"]):
        game.play((200 * column + 100, 200 * row + 100), (turn % 2 == 0, False, False))
    pictured(board)


def gamesbyexample(board: Board) -> None:
    """Flippy in a turn of a player who may move, with hints on every other board."""
    put(board)
    os.chdir(Path(board["source"]) / "src" / "gamesbyexample" / "pygame_games")
    sys.path.insert(0, ".")
    import flippy
    import pygame

    def reset(squares: list[list[str]]) -> None:
        for row, column, text in placed(board):
            squares[column][row] = flippy.BLACK_TILE if text == "X" else flippy.WHITE_TILE

    def sides() -> tuple[str, str]:
        squares = flippy.getNewBoard()
        reset(squares)
        both = (flippy.BLACK_TILE, flippy.WHITE_TILE)
        if board["legal"]:
            pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(615, 45), button=1))
        return both if flippy.getValidMoves(squares, both[0]) else both[::-1]

    def tick(_: int) -> None:
        time.sleep(0.1)
        if next(frames) == 15:
            screen_picture(board)
            os._exit(0)  # its game goes on without an end

    frames = itertools.count()
    flippy.resetBoard, flippy.enterPlayerTile = reset, sides
    flippy.random.choice = lambda _: "player"
    pygame.time.Clock = lambda: SimpleNamespace(tick=tick)
    flippy.main()


def mu_alpha_zero(board: Board) -> None:
    """Its player has circles; a large window goes to the top of the screen."""
    (x, y), size = corner(board), len(board["cells"])
    os.environ["SDL_VIDEO_WINDOW_POS"] = f"{x},{min(y, 930 - 100 * size)}"
    absent("torch")
    bare("mu_alpha_zero", "mu_alpha_zero")
    stub("mu_alpha_zero.General.az_game", AlphaZeroGame=object)
    from mu_alpha_zero.Game.tictactoe_game import TicTacToeGameManager

    game = TicTacToeGameManager(size, headless=False, num_to_win=min(size, 5))
    for row, column, text in placed(board):
        game.play(1 if text == "O" else -1, (row, column))
    game.render()
    pictured(board)


GAMES = (
    pygomoku,
    tic_tac_toe_pygame,
    iothello,
    othello_ai_python,
    nicetictactoe,
    perfect_information_game,
    pettingzoo,
    mxgames,
    pygame_spiel,
    gamesbyexample,
    mu_alpha_zero,
)
