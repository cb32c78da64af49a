"""A real PostgreSQL in a temporary folder, which tests may stop and start again.

It refuses to run as root: then it runs as the user `postgres`, or as `nobody`.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import psycopg

from tests.app.redis_process import free_port
from tests.patience import wait_until

PASSWORD: Final = "marked-password-of-postgresql"
ADMINISTRATOR: Final = "assay"
OPTIONS: Final = {
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "shared_buffers": "32MB",
    "max_connections": "200",
    "timezone": "Asia/Kolkata",  # not ours, so that whoever forgets a zone is found out
    "log_min_messages": "fatal",
}


def find_programs() -> Path | None:
    """Where `initdb` and `postgres` are: Debian keeps them out of PATH, and may have several versions."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
    on_path = shutil.which("initdb")
    candidates = [*reversed(versions), *([Path(on_path).resolve().parent] if on_path else [])]
    return next((folder for folder in candidates if (folder / "initdb").exists()), None)


class PostgresqlProcess:
    """One cluster. Over its socket everybody on this machine is trusted; over TCP it asks for the password."""

    def __init__(self, programs: Path) -> None:
        self._programs = programs
        self._as_user = _ordinary_user()
        # Not pytest's folder: the ordinary user may not enter it, and a socket's path must be short.
        self.folder = Path(tempfile.mkdtemp(prefix="assay-postgresql-"))
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        if self._as_user:
            os.chown(self.folder, self._as_user["user"], self._as_user["group"])
        self._initialize()

    @property
    def version(self) -> str:
        said = subprocess.run([self._programs / "postgres", "--version"], capture_output=True, text=True, check=True)
        return said.stdout.split()[2]  # postgres (PostgreSQL) 15.18 ...

    def url(self, database: str, *, over_tcp: bool = False) -> str:
        """For SQLAlchemy."""
        if over_tcp:
            return f"postgresql+psycopg://{ADMINISTRATOR}:{PASSWORD}@127.0.0.1:{self.port}/{database}"
        return f"postgresql+psycopg://{ADMINISTRATOR}@/{database}?host={self.folder}&port={self.port}"

    def connect(self, database: str = "postgres") -> psycopg.Connection:
        return psycopg.connect(
            host=str(self.folder), port=self.port, user=ADMINISTRATOR, dbname=database, autocommit=True
        )

    @property
    def is_running(self) -> bool:
        return self._process is not None

    def start(self) -> None:
        options = OPTIONS | {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": str(self.folder),
        }
        settings = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        command = [self._programs / "postgres", "-D", self.folder / "data", *settings]
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=self.folder, **self._as_user)
        wait_until(self._answers)

    def _answers(self) -> bool:
        try:
            self.connect().close()
        except psycopg.OperationalError:
            return False
        return True

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT ends what is under way and shuts down; SIGQUIT is a crash."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()
            self._process = None

    def remove(self) -> None:
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _initialize(self) -> None:
        password = self.folder / "password"
        password.write_text(PASSWORD)
        password.chmod(0o644)
        subprocess.run(
            [
                self._programs / "initdb",
                f"--pgdata={self.folder / 'data'}",
                f"--username={ADMINISTRATOR}",
                f"--pwfile={password}",
                "--auth-local=trust",
                "--auth-host=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync",
                "--no-instructions",
            ],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self.folder,
            **self._as_user,
        )


@contextmanager
def temporary_postgresql(programs: Path) -> Iterator[PostgresqlProcess]:
    process = PostgresqlProcess(programs)
    try:
        process.start()
        yield process
    finally:
        process.remove()


def _ordinary_user() -> dict[str, Any]:
    """What subprocess must be told so that root becomes somebody else; nothing for everybody else."""
    if os.getuid() != 0:
        return {}
    names = [entry.pw_name for entry in pwd.getpwall()]
    entry = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
