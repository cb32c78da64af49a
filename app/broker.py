"""The way to Redis: grade requests go out by task name, progress goes onto a stream. Knows no database.

Redis is only a hint. Every call ends within about a second when Redis is away, and says so with BrokerDown.
"""

import json
import time
from dataclasses import dataclass
from typing import Any, Final

from celery import Celery
from kombu.exceptions import OperationalError
from pydantic import BaseModel
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from grader.messages import (
    CHECK_QUEUE,
    CHECK_TASK,
    DRAINED,
    GPU_JUDGES,
    GPU_TASK,
    GRADE_CPU_QUEUE,
    GRADE_GPU_QUEUE,
    GRADE_TASK,
    JUDGES,
    QUEUED_AT_HEADER,
    RECORD_QUEUE,
    SIGN_OF_LIFE_S,
    STREAM_TTL_S,
    CheckRequest,
    GpuRequest,
    GradeRequest,
    events_stream,
    lease_key,
    open_key,
    settled_key,
)

TIMEOUT_S: Final = 0.5
STREAM_LENGTH: Final = 2000  # many times a paper's tests; a judge gone mad cannot fill the memory
# Celery keeps a list for each step of priority, and takes from the first that is not empty.
STUDENTS: Final = 0
REGRADES: Final = 9
WITHDRAWN: Final = "withdrawn"
SIGN_REMEMBERED_S: Final = 600  # a judge that fell silent is shown for so long
_LIST_SEPARATOR: Final = "\x06\x16"


class BrokerDown(Exception):
    """Redis did not answer. The database has what matters; whoever asked goes on without."""


class PerhapsSent(BrokerDown):
    """It stopped answering while a message was sent, which may have arrived."""


@dataclass(frozen=True)
class Count:
    """How many there were, this one included, and when the count begins anew."""

    so_far: int
    left_s: int


class Broker:
    """Queues, leases and progress streams. Thread-safe."""

    def __init__(self, url: str) -> None:
        self._redis = Redis.from_url(
            url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S, retry=Retry(NoBackoff(), 0)
        )
        self._celery = Celery("assay.front", broker=url, set_as_current=False)
        self._celery.conf.update(
            task_serializer="json",
            accept_content=["json"],
            task_ignore_result=True,
            broker_transport_options={
                "socket_timeout": TIMEOUT_S,
                "socket_connect_timeout": TIMEOUT_S,
                "max_retries": 1,
                "interval_start": 0,
                "interval_step": 0,
                "interval_max": 0,
            },
        )

    def warm_up(self) -> None:
        """Load what the first message would have to wait for. Does not connect."""
        self._celery.finalize()
        with self._celery.producer_or_acquire():
            pass

    def queue(self, request: GradeRequest, moment: float, priority: int = STUDENTS) -> None:
        """Raises BrokerDown."""
        self._send(GRADE_TASK, request, GRADE_CPU_QUEUE, moment, priority)

    def gpu(self, request: GpuRequest, moment: float) -> None:
        """Raises BrokerDown."""
        self._send(GPU_TASK, request, GRADE_GPU_QUEUE, moment)

    def check(self, request: CheckRequest, moment: float) -> None:
        """Raises BrokerDown."""
        self._send(CHECK_TASK, request, CHECK_QUEUE, moment)

    def _send(self, task: str, request: BaseModel, queue: str, moment: float, priority: int = STUDENTS) -> None:
        """The probe comes first: it fails fast, where Celery's own retries take their time."""
        self._call("ping")
        try:
            self._celery.send_task(
                task,
                kwargs={"request": request.model_dump(mode="json")},
                queue=queue,
                priority=priority,
                headers={QUEUED_AT_HEADER: moment},
                retry=True,
                retry_policy={"max_retries": 1, "interval_start": 0, "interval_step": 0, "interval_max": 0},
            )
        except (OperationalError, RedisError, OSError) as error:
            raise PerhapsSent(str(error)) from error

    def allow_withdrawal(self, submission_id: str) -> None:
        """From now on, and until a judge begins it, its student may take it back. Raises BrokerDown."""
        key = open_key(submission_id)
        try:
            with self._redis.pipeline() as pipe:
                pipe.sadd(key, WITHDRAWN)
                pipe.expire(key, STREAM_TTL_S)
                pipe.execute()
        except (RedisError, OSError) as error:
            raise BrokerDown(str(error)) from error

    def withdraw(self, submission_id: str) -> bool:
        """Settle it, unless a judge has begun it: in one step, so that only one of the two can win. False also where
        Redis has forgotten, since nobody can tell then. Raises BrokerDown.
        """
        return bool(self._call("smove", open_key(submission_id), settled_key(submission_id), WITHDRAWN))

    def reopen(self, submission_id: str) -> None:
        """Undo a withdrawal that never reached the database. Raises BrokerDown."""
        self._call("delete", settled_key(submission_id))

    def tell(self, submission_id: str, event: str, data: dict[str, Any]) -> None:
        """Add one entry to the submission's progress stream, which lives a day longer. Raises BrokerDown."""
        stream = events_stream(submission_id)
        try:
            with self._redis.pipeline(transaction=False) as pipe:
                pipe.xadd(stream, {"event": event, "data": json.dumps(data)}, maxlen=STREAM_LENGTH, approximate=True)
                pipe.expire(stream, STREAM_TTL_S)
                pipe.execute()
        except (RedisError, OSError) as error:
            raise BrokerDown(str(error)) from error

    def end(self, submission_id: str, state: str) -> None:
        """Tell its final state, and every judge that comes across a message about it that there is nothing to do.

        Raises BrokerDown.
        """
        self._call("set", settled_key(submission_id), state, STREAM_TTL_S)
        self.tell(submission_id, "state", {"state": state})

    def forget(self, submission_id: str) -> None:
        """Its progress is told to nobody any more, and no judge needs to begin with it. Raises BrokerDown."""
        self._call("set", settled_key(submission_id), "erased", STREAM_TTL_S)
        self._call("expire", events_stream(submission_id), 0)

    def leased(self, jobs: list[str]) -> set[str]:
        """Those of the jobs that a judge is working on. Raises BrokerDown."""
        if not jobs:
            return set()
        values = self._call("mget", [lease_key(job) for job in jobs])
        return {job for job, value in zip(jobs, values, strict=True) if value is not None}

    def oldest_waiting(self, queue: str, priority: int = STUDENTS) -> float | None:
        """When the message at the head of that list was queued, in seconds since the epoch; None when there is none.

        Within one priority a queue is first in, first out: nothing older can stand behind its head. A message without
        that header counts as very old: nothing behind it is taken for lost. Raises BrokerDown.
        """
        name = f"{queue}{_LIST_SEPARATOR}{priority}" if priority else queue
        head = self._call("lindex", name, -1)  # Celery pushes on the left and takes from the right
        if head is None:
            return None
        return float(json.loads(head).get("headers", {}).get(QUEUED_AT_HEADER) or 0.0)

    def judges(self) -> int:
        """How many judges are alive and warm. Raises BrokerDown."""
        return int(self._call("zcount", JUDGES, time.time() - SIGN_OF_LIFE_S, "+inf"))

    def gpu_judges(self) -> int:
        """The same of those that take GPU stages. Raises BrokerDown."""
        return int(self._call("zcount", GPU_JUDGES, time.time() - SIGN_OF_LIFE_S, "+inf"))

    def signs_of_life(self) -> dict[str, float]:
        """Of the judges that gave one lately: when the last was, in seconds since the epoch. Raises BrokerDown."""
        since = time.time() - SIGN_REMEMBERED_S
        return {
            judge.decode(): float(at)
            for judges in (JUDGES, GPU_JUDGES)
            for judge, at in self._call("zrangebyscore", judges, since, "+inf", None, None, True)
        }

    def drained(self) -> set[str]:
        """The workers that are to take nothing more. Raises BrokerDown."""
        return {name.decode() for name in self._call("smembers", DRAINED)}

    def drain(self, worker: str, *, is_drained: bool) -> None:
        """Raises BrokerDown."""
        self._call("sadd" if is_drained else "srem", DRAINED, worker)

    def count(self, what: str, window_s: int) -> Count:
        """Count one more in the window that the first one opened. Raises BrokerDown."""
        key = f"assay:rate:{what}"  # of everything that is counted: the front end's account names this prefix
        try:
            with self._redis.pipeline() as pipe:
                pipe.set(key, 0, ex=window_s, nx=True)
                pipe.incr(key)
                pipe.ttl(key)
                _, so_far, left_s = pipe.execute()
        except (RedisError, OSError) as error:
            raise BrokerDown(str(error)) from error
        return Count(so_far, max(1, left_s))

    def record_messages(self) -> int:
        """How many messages of judges wait for the recorder. Raises BrokerDown."""
        return int(self._call("llen", RECORD_QUEUE))

    def checks(self) -> int:
        """How many lines of code wait for a judge. Raises BrokerDown."""
        return int(self._call("llen", CHECK_QUEUE))

    def is_reachable(self) -> bool:
        try:
            self._call("ping")
        except BrokerDown:
            return False
        return True

    def close(self) -> None:
        self._celery.close()
        self._redis.close()

    def _call(self, command: str, *arguments: Any) -> Any:
        try:
            return getattr(self._redis, command)(*arguments)
        except (RedisError, OSError) as error:
            raise BrokerDown(str(error)) from error
