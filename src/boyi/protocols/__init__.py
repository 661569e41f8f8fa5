"""Engine protocols, both sides: serving our players to other programs, and other programs as players.

One module a protocol, with its `Server` and its `Client`, so that its words stand in one place: `gtp`, `nboard`,
`gomocup`, `ewn`, `connect6`, `botzone`, and `analysis`, our own. What they share: `serving`, `thinking` and `clock` on
one side, `calling` and `process` on the other. To import this package adds the players `cmd:...` to the registry.
"""

from boyi.players.registry import register
from boyi.protocols.calling import PROTOCOLS, CommandPlayer, command_player
from boyi.protocols.errors import EngineFailure, Reason

__all__ = ["PROTOCOLS", "CommandPlayer", "EngineFailure", "Reason", "command_player"]

register("cmd", command_player)
