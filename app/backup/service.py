"""`assay backup` and `assay restore`: which kind of database it is, whether it may be done, and what is done."""

import os
import tempfile
from pathlib import Path

from alembic.script import ScriptDirectory
from sqlalchemy import URL, inspect, make_url, text

from app.backup import postgresql, sqlite
from app.backup.errors import BackupError
from app.database import Database, migrations, upgrade


def back_up(database_url: str, target: Path) -> None:
    """Copies the database as it is at one moment into a file that only its owner can read. The service may go on.

    Raises BackupError; then there is no file.
    """
    if target.exists():
        raise BackupError(f"{target} already exists. Choose another name: backups are never overwritten.")
    url = make_url(database_url)
    if _is_sqlite(url) and not Path(url.database or "").is_file():
        raise BackupError(f"There is no database {url.database}.")
    part = _private_file_beside(target)
    try:
        if _is_sqlite(url):
            sqlite.dump(url.database or "", part)
        else:
            postgresql.dump(url, part)
        _settle(part, target)
    finally:
        part.unlink(missing_ok=True)


def restore(database_url: str, backup: Path, *, replace: bool = False) -> None:
    """Restores the database from a backup, then brings its schema up to date.

    Raises BackupError, and changes nothing, when the file is no backup or damaged, was made from the other kind of
    database or by a newer Assay, or when the database is not empty and `replace` was not asked for.
    """
    url = make_url(database_url)
    _check_kind(url, backup)
    _check_revision(sqlite.revision_in(backup) if _is_sqlite(url) else postgresql.revision_in(backup), backup)
    if not replace and _holds_something(database_url):
        raise BackupError(
            "The database is not empty, and everything in it would be replaced. If that is what you want, back it up "
            "first, then add --replace."
        )
    if _is_sqlite(url):
        sqlite.load(url.database or "", backup)
    else:
        postgresql.load(url, backup)
    upgrade(database_url)


def _is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def _private_file_beside(target: Path) -> Path:
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".backup-")  # mkstemp: mode 0600
    except OSError as error:
        raise BackupError(f"{target} cannot be written: {error.strerror}.") from error
    os.close(handle)
    return Path(name)


def _settle(part: Path, target: Path) -> None:
    """A backup that stands there is whole, also after a power cut."""
    with part.open("rb") as file:
        os.fsync(file.fileno())
    part.rename(target)
    folder = os.open(target.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def _check_kind(url: URL, backup: Path) -> None:
    try:
        with backup.open("rb") as file:
            head = file.read(len(sqlite.MAGIC))
    except OSError as error:
        raise BackupError(f"{backup} cannot be read: {error.strerror}.") from error
    kinds = {"sqlite": sqlite.MAGIC, "postgresql": postgresql.MAGIC}
    made_from = next((name for name, magic in kinds.items() if head.startswith(magic)), None)
    if made_from is None:
        raise BackupError(f"{backup} was not made by `assay backup`.")
    if made_from != url.get_backend_name():
        raise BackupError(
            f"{backup} comes from a {made_from} database; it cannot be restored into {url.get_backend_name()}."
        )


def _check_revision(revision: str | None, backup: Path) -> None:
    if revision is None:
        raise BackupError(f"{backup} has no schema version: it is not a backup of Assay.")
    known = {script.revision for script in ScriptDirectory.from_config(migrations()).walk_revisions()}
    if revision not in known:
        raise BackupError(
            f"{backup} has schema {revision}, which belongs to a newer version of Assay. Install that version first."
        )


def _holds_something(database_url: str) -> bool:
    database = Database(database_url)
    try:
        tables = [name for name in inspect(database.engine).get_table_names() if name != "alembic_version"]
        with database.read() as session:
            return any(session.execute(text(f'SELECT 1 FROM "{name}" LIMIT 1')).first() for name in tables)  # noqa: S608
    finally:
        database.close()
