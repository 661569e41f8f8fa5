"""Everything that chooses a move, by name: `boyi.player("random", game)`. Start at `player` and `registry`."""

from boyi.players.levels import Level, Levels, levels_of
from boyi.players.player import Choice, Limit, Line, Player
from boyi.players.registry import UnknownPlayer, player, players

__all__ = ["Choice", "Level", "Levels", "Limit", "Line", "Player", "UnknownPlayer", "levels_of", "player", "players"]
