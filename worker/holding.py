"""Leases for what this worker has in hand, also while its judges are still warming up: so that nobody takes it for
lost. They end with the worker, however it ends.
"""

from contextlib import suppress
from typing import Any

from celery import bootsteps
from celery.worker import state
from pydantic import ValidationError
from redis import Redis, RedisError

from grader.messages import GpuRequest, GradeRequest, lease_key
from worker.progress import BEAT_S, LEASE_S

TIMEOUT_S = 0.5  # the event loop waits for it


class HoldLeases(bootsteps.StartStopStep):  # type: ignore[misc]  # celery is not annotated
    """A step of Celery's worker: runs in its event loop, beside the judges' own heartbeats."""

    requires = ("celery.worker.components:Timer",)

    def __init__(self, worker: Any, **_options: Any) -> None:
        self._redis = Redis.from_url(
            worker.app.conf.broker_url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S
        )
        self._timer: Any = None

    def start(self, worker: Any) -> None:
        self._timer = worker.timer.call_repeatedly(BEAT_S, self.hold)

    def stop(self, _worker: Any) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._redis.close()

    def hold(self) -> None:
        """Renew the lease of every job that was received and not acknowledged."""
        jobs = [job for request in list(state.reserved_requests) if (job := _job(request)) is not None]
        with suppress(RedisError), self._redis.pipeline(transaction=False) as pipe:
            for job in jobs:
                pipe.set(lease_key(job), "held", ex=LEASE_S)
            pipe.execute()


def _job(request: Any) -> str | None:
    for kind in (GradeRequest, GpuRequest):
        try:
            return kind.model_validate(request.kwargs["request"]).job
        except (KeyError, TypeError, ValidationError):
            continue
    return None  # the task will say what is wrong with it
