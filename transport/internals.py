"""All that reaches behind the documented interface of Celery and kombu, but for what `transport.taken` does: for the
versions in VERSIONS, with the Redis transport. `tests/transport` puts each of these to the real thing; look at them
anew before another version is allowed.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from uuid import uuid4

from celery.worker import state
from celery.worker.request import Request
from kombu.transport import redis as transport
from kombu.transport.virtual import QoS
from redis import WatchError

VERSIONS: Final = {"celery": "5.7", "kombu": "5.7"}
_LIST_SEPARATOR: Final = "\x06\x16"


def list_of(queue: str, priority: int) -> str:
    """Names the Redis list in which messages of this priority wait: the newest on the left, the next on the right."""
    return f"{queue}{_LIST_SEPARATOR}{priority}" if priority else queue


def headers_of(message: bytes) -> dict[str, Any]:
    """Returns the headers of a message as it lies in its list; none for what is no message."""
    try:
        found = json.loads(message)["headers"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def own_books(name: str) -> dict[str, str]:
    """Returns the transport options under which a process keeps what it has taken and not acknowledged. Whoever shares
    them also restores for the others what is not acknowledged within its own visibility timeout.
    """
    return {f"unacked{part}_key": f"{name}{part}" for part in ("", "_index", "_mutex")}


def received() -> list[Any]:
    """Returns the named arguments of every task that this worker has received and not acknowledged."""
    return [request.kwargs for request in list(state.reserved_requests)]


class LettingGo(Request):  # type: ignore[misc]  # celery is not annotated
    """Lets go of a message that was dealt with, even when Redis is away and never hears so.

    Celery logs such an acknowledgement as failed and counts the message on: a worker that takes one at a time would
    take nothing more, for ever. Redis hands the message to somebody in time, who finds that its job has ended.
    """

    def acknowledge(self) -> None:
        """Acknowledges the message, and lets go of it."""
        super().acknowledge()
        self._let_go()

    def reject(self, requeue: bool = False) -> None:
        """Rejects the message, and lets go of it."""
        super().reject(requeue)
        self._let_go()

    def _let_go(self) -> None:
        QoS.ack(self.message.channel.qos, self.message.delivery_tag)  # type: ignore[no-untyped-call]


def use_no_scripts() -> None:
    """Makes the transport work without Lua scripts in this process and those that it forks: no account of ours may run
    any. What restores messages takes a lock, and lets go of it with a script; here it does so with WATCH and MULTI.
    Call it before Celery starts.
    """
    transport.Mutex = mutex


@contextmanager
def mutex(client: Any, name: str, expire: int) -> Iterator[None]:
    """Holds a lock in Redis. Raises MutexHeld where somebody has it."""
    mine = uuid4().hex.encode()
    if not client.set(name, mine, nx=True, ex=expire):
        raise transport.MutexHeld
    try:
        yield
    finally:
        _release(client, name, mine)


def _release(client: Any, name: str, mine: bytes) -> None:
    with client.pipeline() as pipe:
        try:
            pipe.watch(name)
            if pipe.get(name) == mine:  # else it has run out, and is somebody else's by now
                pipe.multi()
                pipe.delete(name)
                pipe.execute()
        except WatchError:
            return
