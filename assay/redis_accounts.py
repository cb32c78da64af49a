"""Who may do what in Redis: an account for each role, with the commands and the keys that it needs and no others.

In a form that Redis 6.2 and every 7 understand: 7.0 refuses a file that names `client|setinfo`, which 7.2 brought, and
clients go on without it. It allows every command of an account on every key of it: so a judge that was taken over
could also take other judges' messages away, and a verifier those of other verifiers. Nothing is lost by that: the rows
are the truth, and what went missing is done again. No account may run a script, which is where servers broke most
often: transport/internals.py.
"""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

API, RECORDER, WORKER, VERIFIER = "api", "recorder", "worker", "verifier"
_CONNECTION: Final = ("ping", "hello", "auth", "select", "client|setname")
# What Celery's transport does to send, and what it does to take, acknowledge and restore.
_SENDS: Final = ("lpush", "llen", "sadd", "smembers", "multi", "exec", "discard")
_TAKES: Final = (
    *("brpop", "rpush", "zadd", "zrem", "zrange", "hset", "hget", "hdel"),
    *("watch", "unwatch", "set", "get", "del", "exists"),
)
# What doing a job takes, besides its message.
_DOES: Final = ("xadd", "incrby", "expire", "zremrangebyscore")
_OF_JOBS: Final = ("_kombu.*", "assay:lease:*", "assay:starts:*", "assay:events:*", "assay:settled:*", "assay:open:*")


@dataclass(frozen=True)
class Account:
    """The rights of one role."""

    commands: tuple[str, ...]
    keys: tuple[str, ...]

    def rules(self) -> str:
        """Writes the rights as a line of Redis's list of accounts has them."""
        keys = " ".join(f"~{pattern}" for pattern in self.keys)
        commands = " ".join(f"+{command}" for command in dict.fromkeys((*_CONNECTION, *self.commands)))
        return f"resetkeys {keys} resetchannels -@all {commands}"


ACCOUNTS: Final = {
    API: Account(
        (*_SENDS, "set", "incrby", "ttl", "expire", "xadd", "xread", "zcount", "zrangebyscore", "srem", "smove"),
        (
            *("grade.*", "record*", "_kombu.*", "assay:events:*", "assay:settled:*", "assay:open:*"),
            *("assay:judges", "assay:gpu-judges", "assay:verifiers", "assay:drained", "assay:rate:*"),
        ),
    ),
    RECORDER: Account(
        (*_SENDS, *_TAKES, "lindex", "mget", "xadd", "expire", "zcount"),
        (
            *("grade.*", "record*", "_kombu.*", "assay:record:*", "assay:lease:*"),
            *("assay:events:*", "assay:settled:*", "assay:open:*", "assay:judges", "assay:gpu-judges"),
        ),
    ),
    WORKER: Account(
        (*_SENDS, *_TAKES, *_DOES),
        (
            *("grade.cpu*", "grade.gpu*", "grade.check*", "record", "record[^.]*", "unacked", "unacked_gpu*"),
            *("unacked_index", "unacked_mutex", "assay:judges", "assay:gpu-judges", "assay:drained", *_OF_JOBS),
        ),
    ),
    # Who holds authors' code gets no student's: neither what is to be graded nor what came of it.
    VERIFIER: Account(
        (*_SENDS, *_TAKES, *_DOES),
        ("grade.exercises*", "record.exercises*", "unacked_exercises*", "assay:verifiers", *_OF_JOBS),
    ),
}


def acl_file(digests: Mapping[str, str]) -> str:
    """An ACL file for Redis. `digests` are the SHA-256 of the passwords, by role.

    Whoever has no account may ask whether the server is alive.
    """
    lines = ["user default on nopass resetkeys resetchannels -@all +ping"]
    lines += [f"user {role} on #{digests[role]} {account.rules()}" for role, account in ACCOUNTS.items()]
    return "\n".join(lines) + "\n"


def passwords(secret: str) -> dict[str, str]:
    """Derives a password for each role from the one secret that is kept."""
    return {role: hmac.new(secret.encode(), role.encode(), hashlib.sha256).hexdigest() for role in ACCOUNTS}


def digest(password: str) -> str:
    """Hashes a password as Redis wants it in its list of accounts."""
    return hashlib.sha256(password.encode()).hexdigest()
