"""A real redis-server that tests may start, kill and start again on the same port."""

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from assay.redis_accounts import ACCOUNTS, acl_file, digest
from assay.redis_server import require
from tests.patience import wait_until

EVERYTHING = "user default on nopass ~* &* +@all"  # what a test itself may


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class RedisProcess:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._process: subprocess.Popen[bytes] | None = None

    def url_of(self, role: str) -> str:
        """With that account's rights, as in a deployment."""
        return self.url.replace("//", f"//{role}:{role}@")

    def start(self) -> None:
        accounts = acl_file({role: digest(role) for role in ACCOUNTS}).splitlines()[1:]
        users = self.folder / "users.acl"
        users.write_text("\n".join([EVERYTHING, *accounts]) + "\n", encoding="utf-8")
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self.folder)]
        options += ["--aclfile", str(users)]
        self._process = subprocess.Popen([require().path, *options], stdout=subprocess.DEVNULL)
        with self.client() as client:
            wait_until(lambda: _answers(client))

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def client(self) -> "redis.Redis":
        return redis.Redis.from_url(self.url, decode_responses=True, socket_timeout=None)


@contextmanager
def running_redis(folder: Path) -> Iterator[RedisProcess]:
    """One that is gone afterwards; it may be killed, and started again, before."""
    process = RedisProcess(folder)
    process.start()
    try:
        yield process
    finally:
        process.kill()


def _answers(client: "redis.Redis") -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False
