"""The tables. A game is a row of `games` and a row of `moves` for each move or roll, appended and never changed.

Times are microseconds since 1970, UTC. Texts that come from visitors are checked before they get here.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
)

SCHEMA = 1
"""Grows with every change of the tables."""

metadata = MetaData()

facts = Table(
    "boyi_facts",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", String(200), nullable=False),
)
"""What the database knows of itself: `schema`."""

visitors = Table(
    "boyi_visitors",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("preferences", Text, nullable=False),
)

games = Table(
    "boyi_games",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("visitor", String(64), nullable=False),
    Column("version", Integer, nullable=False),
    Column("name", String(100), nullable=False),
    Column("game", String(40), nullable=False),
    Column("rules", String(100), nullable=False),
    Column("seat_0", String(40), nullable=False),
    Column("seat_1", String(40), nullable=False),
    Column("wanted_start", Text, nullable=False),
    Column("start", Text, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("dice", String(10), nullable=False),
    Column("seed", String(32), nullable=False),
    Column("clock_minutes", Float),
    Column("clock_increment_s", Float),
    Column("remaining_0_s", Float),
    Column("remaining_1_s", Float),
    Column("paused", Boolean, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("winner", Integer),
    Column("score", Integer),
    Column("reason", String(40)),
    Column("share", String(32), unique=True),
    Column("created", BigInteger, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Index("boyi_games_of_visitor", "visitor", "updated", "id"),
    Index("boyi_games_running", "over", "updated"),
)

moves = Table(
    "boyi_moves",
    metadata,
    Column("game", String(16), ForeignKey("boyi_games.id", ondelete="CASCADE"), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("move", String(20), nullable=False),
    Column("player", Integer, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("passed", Boolean, nullable=False),
    PrimaryKeyConstraint("game", "ply"),
)

analyses = Table(
    "boyi_analyses",
    metadata,
    Column("rules", String(100), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("key", Text, nullable=False),
    Column("worth", Float, nullable=False),
    Column("view", Text, nullable=False),
    Column("updated", BigInteger, nullable=False),
    PrimaryKeyConstraint("rules", "rules_version", "key"),
    Index("boyi_analyses_updated", "updated"),
)
"""The best analysis of each position; `worth` compares two of them."""

reviews = Table(
    "boyi_reviews",
    metadata,
    Column("game", String(16), ForeignKey("boyi_games.id", ondelete="CASCADE"), primary_key=True),
    Column("moves", String(64), nullable=False),
    Column("view", Text, nullable=False),
)
"""The last review of each game, for the moves with that digest."""

lessons = Table(
    "boyi_lessons",
    metadata,
    Column("visitor", String(64), nullable=False),
    Column("rules", String(100), nullable=False),
    Column("key", Text, nullable=False),
    Column("box", Integer, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
    Column("due", BigInteger, nullable=False),
    PrimaryKeyConstraint("visitor", "rules", "key"),
)
"""How a visitor answered the lessons drawn from reviews."""

sources = Table(
    "boyi_sources",
    metadata,
    Column("game", String(16), ForeignKey("boyi_games.id", ondelete="CASCADE"), primary_key=True),
    Column("record", Text, nullable=False),
)
"""What the file of an imported game said of it: a line of JSON of `boyi.records`."""
