"""`Database`: opens SQLite or PostgreSQL by URL, and runs work on it in a few threads, never on the event loop.

SQLite is opened with a write-ahead log and `synchronous=NORMAL`: what was committed survives the death of the server
at any moment, and the file survives a power cut. A transaction that writes takes SQLite's only write lock at its
beginning, so that it waits for its turn and never fails half-way; within the process threads wait for a lock of their
own, because SQLite waits by sleeping, up to a tenth of a second at a time.
"""

import asyncio
import contextvars
import functools
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from boyi.games.errors import GameError
from boyi.service import tables
from boyi.service.errors import DatabaseError

THREADS = 4
BUSY_S = 10.0
DRIVERS = {"postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}

T = TypeVar("T")


class Database:
    """An open database. `read` and `write` run a function of a connection in a thread, in one transaction."""

    def __init__(self, url: str) -> None:
        self.url = _checked_url(url)
        in_memory = self.url.get_backend_name() == "sqlite" and self.url.database in (None, "", ":memory:")
        self._threads = ThreadPoolExecutor(1 if in_memory else THREADS, "boyi-database")
        self._in_memory = in_memory
        self._turn: AbstractContextManager[Any] = (
            threading.Lock() if self.url.get_backend_name() == "sqlite" else nullcontext()
        )
        self._engine: Engine | None = None

    async def open(self) -> None:
        """Connect and make the tables; `DatabaseError` says what is wrong."""
        await self.work(self._open)

    async def close(self) -> None:
        """Wait for running work and let the connections go."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, functools.partial(self._threads.shutdown, wait=True))
        if self._engine is not None:
            self._engine.dispose()

    async def work(self, function: Callable[..., T], *arguments: Any) -> T:
        """Run a function in one of the threads: for rules and pictures, which take too long for the event loop."""
        context = contextvars.copy_context()
        call = functools.partial(context.run, _without_exit, function, *arguments)
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    async def read(self, function: Callable[[Connection], T]) -> T:
        return await self.work(self.transact, function, False)

    async def write(self, function: Callable[[Connection], T]) -> T:
        return await self.work(self.transact, function, True)

    def transact(self, function: Callable[[Connection], T], writes: bool = True) -> T:
        """Run a function in one transaction, in this thread."""
        try:
            try:
                return self._once(function, writes)
            except IntegrityError:  # two transactions inserted the same row; the second time it is there
                return self._once(function, writes)
        except DBAPIError as error:
            raise DatabaseError(f"the database {shown(self.url)} failed: {error.orig}") from error

    def _once(self, function: Callable[[Connection], T], writes: bool) -> T:
        assert self._engine is not None, "the database is not open"
        with (
            self._turn if writes else nullcontext(),
            self._engine.connect().execution_options(boyi_writes=writes) as connection,
            connection.begin(),
        ):
            return function(connection)

    def _open(self) -> None:
        sqlite = self.url.get_backend_name() == "sqlite"
        if sqlite and not self._in_memory:
            _check_file(self.url)
        try:
            self._engine = _sqlite(self.url, self._in_memory) if sqlite else _server(self.url)
            with self._engine.connect().execution_options(boyi_writes=True) as connection, connection.begin():
                if not sqlite:  # two servers that start at once make the tables once
                    connection.exec_driver_sql("SELECT pg_advisory_xact_lock(20180909)")
                _prepare(connection, self.url)
        except DatabaseError:
            raise
        except SQLAlchemyError as error:
            raise DatabaseError(f"cannot use the database {shown(self.url)}: {_reason(error)}") from error


def _without_exit(function: Callable[..., T], *arguments: Any) -> T:
    """Rules of a user's own may call `exit()`, which must not end the server."""
    try:
        return function(*arguments)
    except SystemExit as error:
        raise GameError("the rules of this game end the program; they cannot be used") from error


def shown(url: URL) -> str:
    """A URL without its password."""
    return url.render_as_string(hide_password=True)


def _checked_url(text: str) -> URL:
    try:
        url = make_url(text)
    except ArgumentError as error:
        raise DatabaseError(
            f"{text!r} is no database URL; write sqlite:///path/to/file.db or postgresql://user@host/name"
        ) from error
    url = url.set(drivername=DRIVERS.get(url.drivername, url.drivername))
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise DatabaseError(f"{shown(url)} is not possible; allowed are sqlite:/// and postgresql://")
    try:
        url.get_dialect().import_dbapi()
    except ImportError as error:
        raise DatabaseError(f"PostgreSQL needs the package psycopg: pip install 'psycopg[binary]' ({error})") from error
    except NoSuchModuleError as error:
        raise DatabaseError(f"{shown(url)} names an unknown driver; write sqlite:/// or postgresql://") from error
    return url


def _check_file(url: URL) -> None:
    """Name the usual mishaps, for which SQLite has one and the same message."""
    file = Path(str(url.database))
    if not file.parent.is_dir():
        raise DatabaseError(f"cannot open {str(file)!r}: there is no folder {str(file.parent)!r}; make it first")
    if file.is_dir():
        raise DatabaseError(f"cannot open {str(file)!r}: it is a folder; name a file")


def _reason(error: SQLAlchemyError) -> str:
    """What the database said, with the remedy where it is known."""
    reason = str(getattr(error, "orig", None) or error).strip()
    remedies = {
        "unable to open database file": "the folder cannot be written to; choose another",
        "readonly database": "the file or its folder cannot be written to; choose another",
        "not a database": "the file is damaged or something else; move it away",
        "malformed": "the file is damaged; move it away",
    }
    return "; ".join([reason, *(remedy for sign, remedy in remedies.items() if sign in reason)])


def _sqlite(url: URL, in_memory: bool) -> Engine:
    options: dict[str, Any] = {"connect_args": {"timeout": BUSY_S, "check_same_thread": False}}
    if in_memory:
        options["poolclass"] = StaticPool
    engine = sa.create_engine(url, **options)

    @sa.event.listens_for(engine, "connect")
    def connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin where `begun` says so
        for setting in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {setting}")

    @sa.event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        writes = connection.get_execution_options().get("boyi_writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _server(url: URL) -> Engine:
    return sa.create_engine(
        url, pool_size=THREADS, max_overflow=0, pool_pre_ping=True, connect_args={"connect_timeout": int(BUSY_S)}
    )


def _prepare(connection: Connection, url: URL) -> None:
    """Make the tables, or see whether those that are there can be used."""
    if sa.inspect(connection).has_table(tables.facts.name):
        query = sa.select(tables.facts.c.value).where(tables.facts.c.name == "schema")
        found = connection.execute(query).scalar()
        if found != str(tables.SCHEMA):
            newer = found is not None and found.isdecimal() and int(found) > tables.SCHEMA
            remedy = "use a newer Boyi, or another database" if newer else "use another database"
            raise DatabaseError(
                f"the database {shown(url)} has schema {found}, this Boyi knows schema {tables.SCHEMA}; {remedy}"
            )
        tables.metadata.create_all(connection)
        return
    tables.metadata.create_all(connection)
    connection.execute(tables.facts.insert().values(name="schema", value=str(tables.SCHEMA)))
