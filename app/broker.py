"""The way to Redis: grade requests go out by task name, progress goes onto a stream. Knows no database.

Redis is only a hint. Every call ends within about a second when Redis is away, and says so with BrokerDown.
"""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from kombu.exceptions import OperationalError
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from grader.messages import (
    DRAINED,
    GPU_JUDGES,
    JOB_TASK,
    JUDGES,
    QUEUED_AT_HEADER,
    RECORD_QUEUE,
    SIGN_OF_LIFE_S,
    STREAM_TTL_S,
    VERIFIERS,
    Request,
    events_stream,
    lease_key,
    open_key,
    terminal_key,
)
from transport.internals import headers_of, list_of
from transport.programs import sender

TIMEOUT_S: Final = 0.5
STREAM_LENGTH: Final = 2000  # many times a paper's tests; a judge gone mad cannot fill the memory
# Celery takes from the first of these that is not empty.
STUDENTS: Final = 0
REGRADES: Final = 6
MEASUREMENTS: Final = 9
WITHDRAWN: Final = "withdrawn"
_ONE_RETRY: Final = {"max_retries": 1, "interval_start": 0, "interval_step": 0, "interval_max": 0}
HEARTBEAT_REMEMBERED_S: Final = 600  # a judge that fell silent is shown for so long


class BrokerDown(Exception):
    """Raised when Redis did not answer. The database has what matters, so the caller can go on without."""


class PerhapsSent(BrokerDown):
    """Raised when Redis stopped answering while a message was sent, which may have arrived."""


@dataclass(frozen=True)
class Count:
    """How many there were in the window, this one included, and in how many seconds the window ends."""

    so_far: int
    left_s: int


class Broker:
    """Queues, leases and progress streams. Thread-safe."""

    def __init__(self, url: str) -> None:
        self._redis = Redis.from_url(
            url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S, retry=Retry(NoBackoff(), 0)
        )
        options = {"socket_timeout": TIMEOUT_S, "socket_connect_timeout": TIMEOUT_S, **_ONE_RETRY}
        self._celery = sender("assay.front", url, options)

    def warm_up(self) -> None:
        """Loads what sending the first message would otherwise have to load. Does not connect."""
        self._celery.finalize()
        with self._celery.producer_or_acquire():
            pass

    def send(self, request: Request, queue: str, priority: int, moment: float) -> None:
        """Sends a job to the judges. Raises PerhapsSent, or BrokerDown when it was certainly not sent."""
        self._call("ping")  # it fails fast, where Celery's own retries take their time
        try:
            self._celery.send_task(
                JOB_TASK,
                kwargs={"request": request.model_dump(mode="json")},
                queue=queue,
                priority=priority,
                headers={QUEUED_AT_HEADER: moment},
                retry=True,
                retry_policy=_ONE_RETRY,
            )
        except (OperationalError, RedisError, OSError) as error:
            raise PerhapsSent(str(error)) from error

    def allow_withdrawal(self, job: str) -> None:
        """Allows the job to be withdrawn until a judge begins it. Raises BrokerDown."""
        key = open_key(job)
        with _down_if_it_fails(), self._redis.pipeline() as pipe:
            pipe.sadd(key, WITHDRAWN)
            pipe.expire(key, STREAM_TTL_S)
            pipe.execute()

    def withdraw(self, job: str) -> bool:
        """Marks the job as withdrawn unless a judge has begun it, in one step, so that only one of the two can win.
        Returns whether it did; False also where Redis has lost the key and nobody can tell. Raises BrokerDown.
        """
        return bool(self._call("smove", open_key(job), terminal_key(job), WITHDRAWN))

    def reopen(self, job: str) -> None:
        """Undoes a withdrawal that never reached the database. Raises BrokerDown."""
        self._call("delete", terminal_key(job))

    def mark_terminal(self, job: str, state: str) -> None:
        """Tells judges that the job reached a terminal state, so that they drop its messages. Raises BrokerDown."""
        self._call("set", terminal_key(job), state, STREAM_TTL_S)

    def tell(self, submission_id: str, event: str, data: dict[str, Any]) -> None:
        """Adds an entry to the submission's progress stream, which then lives for another day. Raises BrokerDown."""
        stream = events_stream(submission_id)
        with _down_if_it_fails(), self._redis.pipeline(transaction=False) as pipe:
            pipe.xadd(stream, {"event": event, "data": json.dumps(data)}, maxlen=STREAM_LENGTH, approximate=True)
            pipe.expire(stream, STREAM_TTL_S)
            pipe.execute()

    def end(self, submission_id: str, state: str) -> None:
        """Marks the submission's job as terminal, and tells its final state. Raises BrokerDown."""
        self.mark_terminal(submission_id, state)
        self.tell(submission_id, "state", {"state": state})

    def forget(self, submission_id: str) -> None:
        """Deletes the submission's progress stream, and tells judges not to begin it. Raises BrokerDown."""
        self.mark_terminal(submission_id, "erased")
        self._call("expire", events_stream(submission_id), 0)

    def leased(self, jobs: list[str]) -> set[str]:
        """Returns which of the jobs have a judge working on them. Raises BrokerDown."""
        if not jobs:
            return set()
        values = self._call("mget", [lease_key(job) for job in jobs])
        return {job for job, value in zip(jobs, values, strict=True) if value is not None}

    def oldest_waiting(self, queue: str, priority: int = STUDENTS) -> float | None:
        """Returns when the message at the head of that list was queued, in seconds since the epoch; None for an empty
        list.

        Within one priority a queue is first in, first out: no older message can be behind its head. A message without
        that header counts as very old, so no message behind it is taken for lost. Raises BrokerDown.
        """
        head = self._call("lindex", list_of(queue, priority), -1)
        if head is None:
            return None
        told = headers_of(head).get(QUEUED_AT_HEADER)
        return float(told) if isinstance(told, (int, float)) else 0.0

    def judges(self) -> int:
        """Returns how many judges are alive and warm. Raises BrokerDown."""
        return self._alive(JUDGES)

    def gpu_judges(self) -> int:
        """Returns how many judges that take GPU stages are alive and warm. Raises BrokerDown."""
        return self._alive(GPU_JUDGES)

    def verifiers(self) -> int:
        """Returns how many verifiers of exercise repositories are alive. Raises BrokerDown."""
        return self._alive(VERIFIERS)

    def heartbeats(self) -> dict[str, float]:
        """Returns when each judge heard from lately gave its last heartbeat, in seconds since the epoch.

        Raises BrokerDown.
        """
        since = time.time() - HEARTBEAT_REMEMBERED_S
        return {
            judge.decode(): float(at)
            for judges in (JUDGES, GPU_JUDGES)
            for judge, at in self._call("zrangebyscore", judges, since, "+inf", None, None, True)
        }

    def drained(self) -> set[str]:
        """Returns the names of the workers that are drained. Raises BrokerDown."""
        return {name.decode() for name in self._call("smembers", DRAINED)}

    def drain(self, worker: str, *, is_drained: bool) -> None:
        """Drains a worker, or lets it take jobs again. Raises BrokerDown."""
        self._call("sadd" if is_drained else "srem", DRAINED, worker)

    def count(self, what: str, window_s: int) -> Count:
        """Counts one more in the window that the first one opened. Raises BrokerDown."""
        key = f"assay:rate:{what}"  # of everything that is counted: the front end's account names this prefix
        with _down_if_it_fails(), self._redis.pipeline() as pipe:
            pipe.set(key, 0, ex=window_s, nx=True)
            pipe.incr(key)
            pipe.ttl(key)
            _, so_far, left_s = pipe.execute()
        return Count(so_far, max(1, left_s))

    def record_messages(self) -> int:
        """Returns how many messages of judges wait for the recorder. Raises BrokerDown."""
        return int(self._call("llen", RECORD_QUEUE))

    def is_reachable(self) -> bool:
        """Whether Redis answers."""
        try:
            self._call("ping")
        except BrokerDown:
            return False
        return True

    def close(self) -> None:
        """Closes the connections."""
        self._celery.close()
        self._redis.close()

    def _alive(self, heartbeats: str) -> int:
        return int(self._call("zcount", heartbeats, time.time() - SIGN_OF_LIFE_S, "+inf"))

    def _call(self, command: str, *arguments: Any) -> Any:
        with _down_if_it_fails():
            return getattr(self._redis, command)(*arguments)


@contextmanager
def _down_if_it_fails() -> Iterator[None]:
    try:
        yield
    except (RedisError, OSError) as error:
        raise BrokerDown(str(error)) from error
