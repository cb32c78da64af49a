"""The way to Redis: grade requests go out by task name, progress goes onto a stream. Knows no database.

Redis is only a hint. Every call ends within about a second when Redis is away, and says so with BrokerDown.
"""

import json
from typing import Any, Final

from celery import Celery
from kombu.exceptions import OperationalError
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from grader.messages import GRADE_CPU_QUEUE, GRADE_TASK, RECORD_QUEUE, GradeRequest, events_stream, lease_key

TIMEOUT_S: Final = 0.5
STREAM_TTL_S: Final = 24 * 3600
STREAM_LENGTH: Final = 2000  # many times a paper's tests; a judge gone mad cannot fill the memory
QUEUED_AT_HEADER: Final = "assay_queued_at"


class BrokerDown(Exception):
    """Redis did not answer. The database has what matters; whoever asked goes on without."""


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

    def queue(self, request: GradeRequest, queue: str = GRADE_CPU_QUEUE) -> None:
        """Raises BrokerDown. The probe comes first: it fails fast, where Celery's own retries take their time."""
        self._call("ping")
        try:
            self._celery.send_task(
                GRADE_TASK,
                kwargs={"request": request.model_dump(mode="json")},
                queue=queue,
                headers={QUEUED_AT_HEADER: request.queued_at},
                retry=True,
                retry_policy={"max_retries": 1, "interval_start": 0, "interval_step": 0, "interval_max": 0},
            )
        except (OperationalError, RedisError, OSError) as error:
            raise BrokerDown(str(error)) from error

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

    def leased(self, submission_ids: list[str]) -> set[str]:
        """Those of the submissions that a judge is working on. Raises BrokerDown."""
        if not submission_ids:
            return set()
        values = self._call("mget", [lease_key(submission_id) for submission_id in submission_ids])
        return {submission_id for submission_id, value in zip(submission_ids, values, strict=True) if value is not None}

    def oldest_waiting(self, queue: str = GRADE_CPU_QUEUE) -> float | None:
        """When the message at the head of the queue was queued, in seconds since the epoch; None when there is none.

        A message without that header counts as very old: nothing behind it is taken for lost. Raises BrokerDown.
        """
        head = self._call("lindex", queue, -1)  # Celery pushes on the left and takes from the right
        if head is None:
            return None
        return float(json.loads(head).get("headers", {}).get(QUEUED_AT_HEADER) or 0.0)

    def reports_waiting(self) -> int:
        """How many messages wait for the recorder. Raises BrokerDown."""
        return int(self._call("llen", RECORD_QUEUE))

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
