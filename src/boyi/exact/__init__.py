"""Exact play: positions whose value is computed and not estimated, one module a game. Start at the game's module."""
