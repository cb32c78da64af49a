"""The folder of `assay up`: the names of its files, its lock, who runs on it. Knows no database, no process."""

import fcntl
import json
import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from assay.errors import AlreadyRunning, CannotStart

DEFAULT: Final = Path("~/.local/share/assay")
OTHERS: Final = 0o077


@dataclass(frozen=True)
class Address:
    """The addresses of a running `assay up`: `address.json`, for scripts."""

    address: str
    pid: int
    tokens_file: str


@dataclass(frozen=True)
class Secrets:
    """Made on the first run, kept in `secrets.json`."""

    redis_password: str
    secret_key: str


@dataclass(frozen=True)
class DataDir:
    """`root` is absolute."""

    root: Path

    @classmethod
    def at(cls, path: Path) -> "DataDir":
        """The folder, made when it is missing; only its owner may look inside."""
        root = path.expanduser().absolute()
        try:
            root.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            message = f"The data directory {root} cannot be made: {error.strerror}."
            raise CannotStart(message, "Choose another with --data-dir.") from error
        if not os.access(root, os.W_OK | os.X_OK):
            raise CannotStart(f"The data directory {root} is not writable.", "Choose another with --data-dir.")
        return cls(root)

    @property
    def database_url(self) -> str:
        """The address of the database that the last `assay up` here used, which may be elsewhere."""
        if self._database_file.exists():
            return self._database_file.read_text(encoding="utf-8").strip()
        return f"sqlite:///{self.root / 'assay.db'}"

    def remember(self, database_url: str) -> None:
        """Makes that database the one of this folder, for every later command."""
        write_private(self._database_file, database_url)

    @property
    def _database_file(self) -> Path:
        return self.root / "database-url"

    @property
    def redis(self) -> Path:
        """The folder of Redis: its configuration and what it keeps."""
        return self.root / "redis"

    @property
    def logs(self) -> Path:
        """The folder with a log for each role."""
        return self.root / "logs"

    @property
    def tokens_file(self) -> Path:
        """The file with the first users' tokens, which only the owner can read."""
        return self.root / "tokens.json"

    @property
    def receipt_key(self) -> Path:
        """The private key that receipts are signed with."""
        return self.root / "receipt-key.pem"

    @property
    def exercises(self) -> Path:
        """The folder in which judges keep commits of exercise repositories."""
        return self.root / "exercises"

    @property
    def snapshots(self) -> Path:
        """The folder with a repository for each plain folder that is served."""
        return self.root / "snapshots"

    @property
    def address_file(self) -> Path:
        """The file that says where a running service answers."""
        return self.root / "address.json"

    def close_to_others(self) -> list[Path]:
        """Takes from others the right to read what is kept in the folder, and returns what they could read. The folder
        itself may be anybody's and stays as it is. Raises CannotStart.
        """
        ours = [self.redis, self.logs, self.exercises, self.snapshots, *self.root.glob("assay.db*")]
        opened = [path for path in ours if path.exists() and path.stat().st_mode & OTHERS]
        for path in opened:
            try:
                path.chmod(path.stat().st_mode & ~OTHERS)
            except PermissionError as error:
                raise CannotStart(f"Others can read {path}, and it is not yours to close.", "Make it yours.") from error
        return opened

    def free_socket(self) -> Path:
        """Returns where the runner is to listen, and removes the socket that a killed runner left there."""
        path = self.root / "runner.sock"
        path.unlink(missing_ok=True)
        return path

    @contextmanager
    def locked(self) -> Iterator[int]:
        """The open lock file. Raises AlreadyRunning with the address of whoever holds it."""
        handle = os.open(self.root / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(handle)
            raise self._already_running() from error
        try:
            yield handle
        finally:
            os.close(handle)

    def running(self) -> Address | None:
        """Returns the address that a service here announced last. Only the lock proves that it still runs."""
        try:
            return Address(**json.loads(self.address_file.read_text(encoding="utf-8")))
        except (FileNotFoundError, ValueError, TypeError):
            return None

    def announce(self, address: Address) -> None:
        """Writes down where the service answers."""
        write_private(self.address_file, json.dumps(asdict(address), indent=1))

    def withdraw(self) -> None:
        """Removes the address of a service that has stopped."""
        self.address_file.unlink(missing_ok=True)

    def secrets(self) -> Secrets:
        """Reads the secrets of this folder, made at the first start. Raises CannotStart when they are damaged."""
        path = self.root / "secrets.json"
        if not path.exists():
            made = Secrets(redis_password=secrets.token_urlsafe(32), secret_key=secrets.token_urlsafe(48))
            write_private(path, json.dumps(asdict(made), indent=1))
        try:
            return Secrets(**json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, TypeError) as error:
            raise CannotStart(f"{path} is damaged.", "Remove it: a new one is made, and web sessions end.") from error

    def _already_running(self) -> AlreadyRunning:
        found = self.running()
        where = f", at {found.address} (process {found.pid})" if found else " and is starting or stopping just now"
        return AlreadyRunning(
            f"Assay already runs on {self.root}{where}.", "Use that one, stop it, or choose another --data-dir."
        )


def write_private(path: Path, text: str) -> None:
    """Replaces the file at once; only its owner can read it, from its first byte on."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".")  # mkstemp: mode 0600
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text + "\n")
    Path(name).replace(path)
