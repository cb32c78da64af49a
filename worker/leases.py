"""Leases for what this worker has received, also while its judges are still warming up: so that nobody takes it for
lost. They end with the worker, however it ends.
"""

from contextlib import suppress
from typing import Any

from redis import RedisError

from grader.messages import lease_key
from transport.internals import received
from worker.progress import BEAT_S, LEASE_S
from worker.quick_redis import RepeatedOnRedis


class HoldLeases(RepeatedOnRedis):
    """Beside the judges' own heartbeats."""

    every_s = BEAT_S

    def beat(self, worker: Any) -> None:  # noqa: ARG002
        """Renew the lease of every job that was received and not acknowledged."""
        jobs = [job for arguments in received() if (job := _job(arguments)) is not None]
        with suppress(RedisError), self._redis.pipeline(transaction=False) as pipe:
            for job in jobs:
                pipe.set(lease_key(job), "held", ex=LEASE_S)
            pipe.execute()


def _job(arguments: Any) -> str | None:
    try:
        return str(arguments["request"]["job"])
    except (KeyError, TypeError):
        return None  # the task will say what is wrong with it
