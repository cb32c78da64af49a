"""The engine, the two kinds of transaction, and the migrations, on SQLite and on PostgreSQL. Knows no table."""

import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from psycopg.types.string import StrDumperUnknown
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session

MIGRATIONS: Final = Path(__file__).parent / "migrations"
LOCK_TIMEOUT_S: Final = 10  # for another writer
CONNECT_TIMEOUT_S: Final = 5
UPGRADE_TIMEOUT_S: Final = 3600
LOCK_POLL_S: Final = 0.002
UPGRADE_LOCK: Final = 0x61737361  # any number that nobody else takes in this database
# The database is away, full, or locked for too long. Nothing was written; trying again later may help.
DATABASE_FAULTS: Final = (OperationalError, InterfaceError, PoolTimeout)


class Database:
    """Transactions on one database. Thread-safe; not to be used across a fork."""

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self._reader = _reader(self.engine)
        self._writer = _writer(self.engine)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Opens a read-only transaction with a consistent view."""
        with Session(self._reader, expire_on_commit=False, autoflush=False) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Opens a transaction: committed when the block ends, rolled back when it raises.

        On SQLite it takes the write lock at once, because a reader that turns writer late fails instead of waiting.
        PostgreSQL lets writers run side by side: code that reads a row and then changes what follows from it locks it
        (`with_for_update`), or states in the update's condition what it must still find.
        """
        with Session(self._writer, expire_on_commit=False) as session, session.begin():
            yield session

    def scrub(self) -> bool:
        """Rewrites SQLite's file and empties its log, since both hold deleted data until then. Returns False while a
        reader needs the log. PostgreSQL does its own housekeeping.
        """
        if self.engine.dialect.name != "sqlite":
            return True
        with closing(self.engine.raw_connection()) as connection:
            connection.cursor().execute("VACUUM")
            is_busy, *_ = connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not is_busy

    def is_reachable(self) -> bool:
        """Whether the database answers and has a schema."""
        try:
            with self.engine.connect() as connection:
                connection.execute(text("SELECT 1 FROM alembic_version"))
        except SQLAlchemyError:
            return False
        return True

    def close(self) -> None:
        """Closes all connections."""
        self._writer.dispose()
        self.engine.dispose()


def upgrade(url: str, revision: str = "head") -> None:
    """Brings the database at `url` to the newest schema, or to an earlier one. Creates it when it does not exist.

    Several processes may call this at once: the first does it, the others wait and find it done.
    """
    engine = _engine(url)
    if engine.dialect.name == "sqlite":
        # SQLite alters a table by copying and dropping it, and a dropped table takes along what refers to it.
        event.listen(engine, "connect", _ignore_foreign_keys)
        event.listen(engine, "connect", _wait_for_the_upgrade)
    try:
        with engine.execution_options(assay_write=True).begin() as connection:
            if engine.dialect.name == "postgresql":
                connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({UPGRADE_LOCK})")
            config = migrations()
            config.attributes["connection"] = connection
            command.upgrade(config, revision)
            if engine.dialect.name == "sqlite" and connection.exec_driver_sql("PRAGMA foreign_key_check").first():
                raise RuntimeError("the migration left rows that refer to nothing")
    finally:
        engine.dispose()


def has_newest_schema(url: str) -> bool:
    """Whether the database at `url` is there, with the newest schema. Makes no file."""
    file = make_url(url).database if make_url(url).get_backend_name() == "sqlite" else None
    if file is not None and not Path(file).is_file():
        return False
    engine = _engine(url)
    try:
        with engine.connect() as connection:
            found = MigrationContext.configure(connection).get_current_revision()
    finally:
        engine.dispose()
    return found == ScriptDirectory.from_config(migrations()).get_current_head()


def migrations() -> Config:
    """Returns Alembic's configuration for our migrations."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config


def _engine(url: str | URL, pool_size: int = 10, max_overflow: int = 40) -> Engine:
    """With as many connections as the server has threads, so that a thread never waits for one."""
    engine = create_engine(
        url,
        pool_size=pool_size,
        max_overflow=max_overflow,
        pool_timeout=LOCK_TIMEOUT_S,
        pool_pre_ping=make_url(url).get_backend_name() != "sqlite",
        hide_parameters=True,  # from logs: they are students' work and digests of tokens
    )
    if engine.dialect.name == "sqlite":
        if engine.url.database:
            event.listen(engine, "do_connect", _begin_private_file)
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    else:
        event.listen(engine, "do_connect", _be_patient)
        event.listen(engine, "connect", _prepare_postgresql)
    return engine


def make_private(file: str | Path) -> None:
    """Creates a file for SQLite that only its owner can read; the files beside it get its mode. An existing file is not
    opened: closing it again would release the locks that this process holds on it.
    """
    with suppress(OSError):  # it is there, or SQLite says what is wrong
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


def _begin_private_file(_dialect: object, _record: object, arguments: list[Any], _options: object) -> None:
    make_private(arguments[0])


def _reader(engine: Engine) -> Engine:
    """SQLite shows a transaction one state of the database; PostgreSQL has to be asked for that."""
    if engine.dialect.name == "sqlite":
        return engine
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def _writer(engine: Engine) -> Engine:
    """SQLite has one writer at a time, and whoever finds it busy sleeps, longer each time: the unlucky for seconds. So
    the threads of a process queue for one connection, and processes lock a file before they ask SQLite."""
    if engine.dialect.name == "sqlite":
        engine = _engine(engine.url, pool_size=1, max_overflow=0)
        if engine.url.database:
            lock = _WriteLock(Path(f"{engine.url.database}-turn"))
            event.listen(engine, "begin", lock.take, insert=True)
            event.listen(engine, "checkin", lock.give)
            event.listen(engine, "engine_disposed", lock.close)
    return engine.execution_options(assay_write=True)


class _WriteLock:
    """A lock on a file beside SQLite's. The system takes it back from a process that dies."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None

    def take(self, _connection: Connection) -> None:
        """Waits for the lock as long as SQLite would. Without it, or where there is no such file, SQLite is asked
        anyway and reports what is wrong.
        """
        deadline = time.monotonic() + LOCK_TIMEOUT_S
        while time.monotonic() < deadline:
            try:
                if self._file is None:
                    make_private(self._path)
                    self._file = self._path.open("wb")
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(LOCK_POLL_S)
            except OSError:
                return
            else:
                return

    def give(self, _connection: object, _record: object) -> None:
        """Releases the lock."""
        if self._file is not None:
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self, _engine: Engine) -> None:
        """Closes the lock file."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver opens no transactions of its own; _begin_sqlite does
    for pragma in (
        f"busy_timeout={LOCK_TIMEOUT_S * 1000}",
        "foreign_keys=ON",
        "synchronous=FULL",  # an accepted submission survives a power cut
    ):
        connection.execute(f"PRAGMA {pragma}")
    _keep_a_write_ahead_log(connection)


def _keep_a_write_ahead_log(connection: Any) -> None:
    """A new file is changed over once, for good; two that do so at the same moment are not made to wait by SQLite."""
    deadline = time.monotonic() + LOCK_TIMEOUT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return


def _ignore_foreign_keys(connection: Any, _record: object) -> None:
    connection.execute("PRAGMA foreign_keys=OFF")


def _wait_for_the_upgrade(connection: Any, _record: object) -> None:
    """Of another process, however long that takes: PostgreSQL's lock is waited for just so."""
    connection.execute(f"PRAGMA busy_timeout={UPGRADE_TIMEOUT_S * 1000}")


def _begin_sqlite(connection: Connection) -> None:
    immediate = connection.get_execution_options().get("assay_write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


def _be_patient(_dialect: object, _record: object, _arguments: object, options: dict[str, Any]) -> None:
    options.setdefault("connect_timeout", CONNECT_TIMEOUT_S)


def _prepare_postgresql(connection: Any, _record: object) -> None:
    connection.adapters.register_dumper(str, _TextWithoutNul)
    connection.autocommit = True
    connection.execute(f"SET lock_timeout = '{LOCK_TIMEOUT_S}s'")
    connection.autocommit = False


class _TextWithoutNul(StrDumperUnknown):
    """PostgreSQL has no NUL in texts, but what callers ask for and what students' code raises may hold one."""

    def dump(self, obj: str) -> Any:
        """Replaces NUL, which PostgreSQL cannot store."""
        return super().dump(obj.replace("\0", "\N{REPLACEMENT CHARACTER}"))
