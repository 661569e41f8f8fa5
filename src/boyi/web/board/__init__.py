"""The board in the browser: `Board` is the element, `picture` draws what it shows, `board.js` is its other half."""

from boyi.web.board.element import Board
from boyi.web.board.picture import Look, Remarks, look, piece_picture, position_picture, text_of

__all__ = ["Board", "Look", "Remarks", "look", "piece_picture", "position_picture", "text_of"]
