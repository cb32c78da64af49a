"""Celery's transport for Redis without a Lua script: no account of ours may run any, and nothing else of it needs one.

What gives messages back takes a lock, and lets go of it with a script. Here it does so with WATCH and MULTI.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from kombu.transport import redis as transport
from redis import WatchError


def use_no_scripts() -> None:
    """For this process and those that it forks. Call it before Celery starts."""
    transport.Mutex = mutex


@contextmanager
def mutex(client: Any, name: str, expire: int) -> Iterator[None]:
    """Raises MutexHeld where somebody has it."""
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
