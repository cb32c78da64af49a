"""Tells how a submission is getting on, over Redis: events for the student, a lease for the sweeper, a heartbeat.

Progress is a courtesy: when Redis does not answer, grading goes on, and the report still says everything.
"""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import structlog
from redis import Redis, RedisError

from grader.alive import NOWHERE, Heartbeat
from grader.messages import JUDGES, STREAM_TTL_S, events_stream, lease_key, open_key, terminal_key
from grader.report import TestResult

LEASE_S = 5  # a killed judge's submission waits this long, and a little more
BEAT_S = 1.0
# A stream is cut to this many entries, whatever a challenge's paper is like.
STREAM_LENGTH = 1000
STARTS_KEPT_S = 3600

log = structlog.get_logger()


class Progress:
    """One for each judge process. A thread keeps the lease of the submission in work, and the judge's own
    heartbeat.
    """

    def __init__(self, redis: "Redis", judge: str, judges: str = JUDGES, heartbeat: Heartbeat = NOWHERE) -> None:
        self._redis = redis
        self._judge = judge
        self._judges = judges
        self._heartbeat = heartbeat
        self._current: str | None = None  # the job whose lease is held
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Says that this judge is there, and starts to say so again and again."""
        with suppress(RedisError):  # judges that were killed never said that they went
            self._redis.zremrangebyscore(self._judges, 0, time.time() - STARTS_KEPT_S)
        self._refresh()
        self._thread.start()

    def stop(self) -> None:
        """Stops the thread, and says that this judge is gone."""
        self._stop.set()
        self._thread.join(timeout=BEAT_S)
        with suppress(RedisError):
            self._redis.zrem(self._judges, self._judge)

    @contextmanager
    def working_on(self, job: str) -> Iterator[None]:
        """Hold the job's lease for as long as the block runs."""
        self._current = job
        self._refresh()
        try:
            yield
        finally:
            self._current = None
            with suppress(RedisError):
                self._redis.delete(lease_key(job))

    def begin(self, job: str) -> bool:
        """Claims the job: from here on nobody can withdraw it. Returns False when nobody waits for it any more.

        Raises RedisError: whoever could still withdraw it must hear nothing.
        """
        with self._redis.pipeline() as pipe:
            pipe.delete(open_key(job))
            pipe.exists(terminal_key(job))
            _, is_settled = pipe.execute()
        return not is_settled

    def is_wanted(self, job: str) -> bool:
        """Whether somebody still waits for it. True when Redis does not answer."""
        try:
            return not self._redis.exists(terminal_key(job))
        except RedisError:
            return True

    def count_start(self, job: str) -> int:
        """Counts this start, and returns how often a judge has started on the job within an hour without coming to an
        end.

        1 when Redis does not answer.
        """
        key = _starts_key(job)
        try:
            count = int(self._redis.incr(key))
            if count == 1:
                self._redis.expire(key, STARTS_KEPT_S)
        except RedisError:
            return 1
        return count

    def forget_starts(self, job: str) -> None:
        """Forgets the starts of a job that came to an end, with a report or with an error: only what kills a judge is
        counted.
        """
        with suppress(RedisError):
            self._redis.delete(_starts_key(job))

    def running(self, submission_id: str) -> None:
        """Begins a stream where the front end could not."""
        self._tell(submission_id, "state", {"state": "running"}, is_first=True)

    def test_ended(self, submission_id: str, result: TestResult, done: int, total: int) -> None:
        """Tells of a test without message and metrics: those are in the report, for whoever may read them."""
        shown = result.model_dump(mode="json", include={"id", "group", "title", "status", "score", "max_score"})
        self._tell(submission_id, "test", shown | {"done": done, "total": total})

    def _tell(self, submission_id: str, event: str, data: dict[str, Any], *, is_first: bool = False) -> None:
        """Makes no new stream unless it `is_first`: one that is gone by then is that of somebody who was erased."""
        stream = events_stream(submission_id)
        try:
            with self._redis.pipeline(transaction=False) as pipe:
                pipe.xadd(
                    stream,
                    {"event": event, "data": json.dumps(data)},
                    maxlen=STREAM_LENGTH,
                    approximate=True,
                    nomkstream=not is_first,
                )
                pipe.expire(stream, STREAM_TTL_S)
                pipe.execute()
        except RedisError as error:
            log.warning("progress.lost", submission_id=submission_id, tell=event, error=str(error))

    def _beat(self) -> None:
        while not self._stop.wait(BEAT_S):
            self._refresh()

    def _refresh(self) -> None:
        with suppress(RedisError):
            self._redis.zadd(self._judges, {self._judge: time.time()})
            self._heartbeat.beat()
            if (current := self._current) is not None:
                self._redis.set(lease_key(current), self._judge, ex=LEASE_S)


def _starts_key(job: str) -> str:
    return f"assay:starts:{job}"
