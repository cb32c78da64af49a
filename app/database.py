"""The engine, the two kinds of transaction, and the migrations. Knows no table."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

MIGRATIONS: Final = Path(__file__).parent / "migrations"
BUSY_TIMEOUT_S: Final = 10


class Database:
    """Transactions on one database. Thread-safe; not to be used across a fork."""

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self._writer = self.engine.execution_options(assay_write=True)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A consistent view; nothing is written."""
        with Session(self.engine, expire_on_commit=False, autoflush=False) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """One transaction: committed when the block ends, rolled back when it raises.

        On SQLite it takes the write lock at once, because a reader that turns writer late fails instead of waiting.
        """
        with Session(self._writer, expire_on_commit=False) as session, session.begin():
            yield session

    def is_reachable(self) -> bool:
        try:
            with self.engine.connect() as connection:
                connection.execute(text("SELECT 1 FROM alembic_version"))
        except SQLAlchemyError:
            return False
        return True

    def close(self) -> None:
        self.engine.dispose()


def upgrade(url: str, revision: str = "head") -> None:
    """Bring the database at `url` to the newest schema, or to an earlier one. Creates it when it is not there."""
    engine = _engine(url)
    if engine.dialect.name == "sqlite":
        # SQLite alters a table by copying and dropping it, and a dropped table takes along what refers to it.
        event.listen(engine, "connect", _ignore_foreign_keys)
    try:
        with engine.begin() as connection:
            config = Config()
            config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
            config.attributes["connection"] = connection
            command.upgrade(config, revision)
            if engine.dialect.name == "sqlite" and connection.exec_driver_sql("PRAGMA foreign_key_check").first():
                message = "the migration left rows that refer to nothing"
                raise RuntimeError(message)
    finally:
        engine.dispose()


def _engine(url: str) -> Engine:
    # As many connections as the server has threads, so that a thread never waits for one.
    engine = create_engine(url, pool_size=10, max_overflow=40, pool_pre_ping=not url.startswith("sqlite"))
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver opens no transactions of its own; _begin_sqlite does
    for pragma in (
        f"busy_timeout={BUSY_TIMEOUT_S * 1000}",
        "journal_mode=WAL",
        "foreign_keys=ON",
        "synchronous=FULL",  # an accepted submission survives a power cut
    ):
        connection.execute(f"PRAGMA {pragma}")


def _ignore_foreign_keys(connection: Any, _record: object) -> None:
    connection.execute("PRAGMA foreign_keys=OFF")


def _begin_sqlite(connection: Connection) -> None:
    immediate = connection.get_execution_options().get("assay_write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")
