"""SQLite: copied by SQLite itself, so that a copy is one state of the database whoever writes meanwhile."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from app.backup.errors import BackupError
from app.database import LOCK_TIMEOUT_S, make_private

MAGIC: Final = b"SQLite format 3\0"


def dump(database: str, target: Path) -> None:
    """Writes a compact copy of the database file to `target`, an empty file."""
    with closing(_open(database)) as connection:
        connection.execute("VACUUM INTO ?", [str(target)])


def revision_in(backup: Path) -> str | None:
    """Returns the schema revision of the copy. Raises BackupError when the file is damaged."""
    try:
        with closing(_open_copy(backup)) as connection:
            (verdict,) = connection.execute("PRAGMA integrity_check").fetchone()
            if verdict != "ok":
                raise BackupError(f"{backup} is damaged: {verdict}. Use another backup.")
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.DatabaseError as error:
        raise BackupError(f"{backup} cannot be read: {error}. Use another backup.") from error
    return str(row[0]) if row else None


def load(database: str, backup: Path) -> None:
    """Makes the database equal to the copy, in one transaction that readers and writers wait for."""
    make_private(database)
    with closing(_open_copy(backup)) as source, closing(_open(database)) as target:
        source.backup(target)


def _open(database: str) -> sqlite3.Connection:
    return sqlite3.connect(database, timeout=LOCK_TIMEOUT_S)


def _open_copy(backup: Path) -> sqlite3.Connection:
    """Nothing is written beside it."""
    return sqlite3.connect(f"{backup.absolute().as_uri()}?immutable=1", uri=True)
