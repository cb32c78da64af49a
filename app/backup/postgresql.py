"""PostgreSQL: its own programs, told where the database is. The password goes by the environment: everybody on a
machine can read command lines.
"""

import os
import re
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from psycopg.conninfo import make_conninfo
from sqlalchemy import URL, inspect

from app.backup.errors import BackupError
from app.database import LOCK_TIMEOUT_S, Database

MAGIC: Final = b"PGDMP"
NOT_OURS: Final = ("--no-owner", "--no-privileges")  # who may do what is decided where it is restored
_REVISION: Final = re.compile(r"^COPY \S+\.alembic_version .*?\n(\S+)\n", re.MULTILINE)


def dump(url: URL, target: Path) -> None:
    """Writes an archive of one state of the database to `target`."""
    _run(url, "pg_dump", "--no-password", "--format=custom", *NOT_OURS, f"--file={target}", _where(url))


def revision_in(backup: Path) -> str | None:
    """Returns the schema revision of the archive. Raises BackupError when the file is damaged."""
    told = _run(None, "pg_restore", "--data-only", "--table=alembic_version", "--file=-", str(backup))
    found = _REVISION.search(told)
    return found[1] if found else None


def load(url: URL, backup: Path) -> None:
    """Replaces all tables by those of the archive, in one transaction; when it fails, the old ones are still there."""
    drop = "".join(f'DROP TABLE "{name}" CASCADE;\n' for name in _tables(url))
    psql = _start(
        url,
        "psql",
        "--no-password",
        "--no-psqlrc",
        "--quiet",
        "--set=ON_ERROR_STOP=1",
        "--output=/dev/null",
        _where(url),
    )
    assert psql.stdin is not None
    try:
        _write(psql, f"BEGIN;\nSET LOCAL lock_timeout = '{LOCK_TIMEOUT_S}s';\n{drop}")
        archive = _start(None, "pg_restore", *NOT_OURS, "--file=-", str(backup), stdout=psql.stdin)
        _finish(archive, "pg_restore")
        _write(psql, "COMMIT;\n")  # without it psql leaves everything as it was
    finally:
        _finish(psql, "psql")


def _tables(url: URL) -> list[str]:
    database = Database(url.render_as_string(hide_password=False))
    try:
        return inspect(database.engine).get_table_names()
    finally:
        database.close()


def _where(url: URL) -> str:
    """As libpq wants it, without the password."""
    _, options = url.get_dialect()().create_connect_args(url)
    return "--dbname=" + make_conninfo(
        **{name: value for name, value in options.items() if name not in ("password", "context")}
    )


def _start(url: URL | None, program: str, *arguments: str, stdout: Any = subprocess.PIPE) -> "subprocess.Popen[bytes]":
    password = {"PGPASSWORD": url.password} if url is not None and url.password else {}
    try:
        return subprocess.Popen(
            [program, *arguments],
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=subprocess.PIPE,
            env={**os.environ, **password},
        )
    except FileNotFoundError as error:
        sentence = f"{program} is missing: install PostgreSQL's client programs (apt-get install postgresql-client)."
        raise BackupError(sentence) from error


def _write(process: "subprocess.Popen[bytes]", text: str) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError):  # it has ended, and will say why
        process.stdin.write(text.encode())
        process.stdin.flush()


def _finish(process: "subprocess.Popen[bytes]", program: str) -> str:
    """What it wrote. Raises BackupError with its last words."""
    written, told = process.communicate()
    if process.returncode != 0:
        raise BackupError(f"{program} failed: {told.decode(errors='replace').strip()[-500:]}")
    return (written or b"").decode()


def _run(url: URL | None, program: str, *arguments: str) -> str:
    return _finish(_start(url, program, *arguments), program)
