"""Server-sent events of one submission: the Redis stream while there is one, the row when there is not.

The queue position is never in the stream: it changes when others come and go, and is sent whenever it has changed.
"""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from fastapi.concurrency import run_in_threadpool
from fastapi.sse import ServerSentEvent
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from app.models import State, StoredReport, Submission
from app.report_rows import verdict_of
from grader.gpu_report import GpuState
from grader.messages import events_stream
from grader.report import Report, Verdict

BEGINNING: Final = "0-0"
BATCH: Final = 200
BLOCK_S: Final = 1.0  # then the row is looked at, so that a lost stream cannot leave anybody waiting
POLL_S: Final = 1.0  # between two looks at the row while Redis is away
CONNECTIONS_MAX: Final = 2000  # one per open stream; who comes later is served from the row
# The events of the Redis stream, and what their data must have to be told.
_EVENTS: Final[dict[str, dict[str, Callable[[Any], object]]]] = {
    "state": {"state": State},
    "test": {},
    "verdict": {"verdict": Verdict, "summary": str},
    "gpu": {"state": GpuState},
}
_STREAM_ID: Final = re.compile(r"[0-9]{1,19}-[0-9]{1,19}")


@dataclass(frozen=True)
class SubmissionProgress:
    """The progress of a submission as its row tells it. `verdict`, `queue` and `gpu` are the data of the events of
    those names.
    """

    state: State
    verdict: dict[str, Any] | None = None
    queue: dict[str, Any] | None = None
    gpu: dict[str, Any] | None = None

    @property
    def is_gpu_open(self) -> bool:
        """Whether a GPU stage has not ended yet."""
        return self.gpu is not None and GpuState(self.gpu["state"]).is_open


@dataclass(frozen=True)
class StreamEntry:
    """One entry of the Redis stream. Without data it is no event of ours, and is passed over."""

    id: str
    event: str
    data: dict[str, Any] | None


def progress_of(
    submission: Submission, state: State, report: StoredReport | None, queue: dict[str, Any] | None
) -> SubmissionProgress:
    """Returns the progress that the row tells, in the state that it is told in. `gpu_stage` must be loaded."""
    verdict = verdict_of(Report.model_validate_json(report.body)) if report else None
    gpu = {"state": submission.gpu_stage.state} if submission.gpu_stage else None
    return SubmissionProgress(state, verdict, queue, gpu)


class Follower:
    """Reads progress streams without holding a thread. Belongs to one event loop."""

    def __init__(self, url: str) -> None:
        self._redis: Redis = Redis.from_url(
            url,
            decode_responses=True,
            encoding_errors="replace",
            socket_connect_timeout=0.5,
            socket_timeout=BLOCK_S + 1,
            retry=Retry(NoBackoff(), 0),
            max_connections=CONNECTIONS_MAX,
        )

    async def after(self, submission_id: str, last_id: str, *, wait: bool) -> list[StreamEntry] | None:
        """Returns the entries after `last_id`; with `wait`, waits up to BLOCK_S for the first. None
        when Redis is away.
        """
        stream = events_stream(submission_id)
        block_ms = int(BLOCK_S * 1000) if wait else None
        try:
            found: Any = await self._redis.xread({stream: last_id}, count=BATCH, block=block_ms)
        except (RedisError, OSError):
            return None
        entries = found[0][1] if found else []
        return [StreamEntry(entry_id, fields.get("event", ""), _data_of(fields)) for entry_id, fields in entries]

    async def close(self) -> None:
        """Closes the connections."""
        await self._redis.aclose()


class _Told:
    """What a listener has been told: it is told what is new, and nothing twice."""

    def __init__(self, last_id: str) -> None:
        self.last_id = last_id
        self._data: dict[str, dict[str, Any]] = {}  # of each event, what was told last
        self._spoke_at = time.monotonic()

    @property
    def state(self) -> State | None:
        """The submission's state, as far as it was told."""
        return State(self._data["state"]["state"]) if "state" in self._data else None

    @property
    def is_final(self) -> bool:
        """Whether a final state was told."""
        return self.state is not None and self.state.is_final

    def entry(self, entry: StreamEntry) -> ServerSentEvent | None:
        """Passes on an entry of the stream, if it is an event."""
        self.last_id = entry.id
        if entry.data is None:
            return None
        self._note(entry.event, entry.data)
        return ServerSentEvent(event=entry.event, raw_data=json.dumps(entry.data), id=entry.id)

    def news(self, row: SubmissionProgress, heartbeat_s: float, *, is_alone: bool) -> Iterator[ServerSentEvent]:
        """Yields what the row alone knows, and its state where the row `is_alone`, without a stream; else a heartbeat
        when nothing was said for that long.
        """
        if is_alone and row.state is not self.state:
            yield self._event("state", {"state": row.state})
        if row.queue is not None and row.queue["position"] != self._data.get("queue", {}).get("position"):
            yield self._event("queue", row.queue)
        if time.monotonic() - self._spoke_at >= heartbeat_s:
            self._spoke_at = time.monotonic()
            yield ServerSentEvent(comment="still here")

    def end(self, row: SubmissionProgress) -> Iterator[ServerSentEvent]:
        """Yields what has not been told yet. After the final state that can be nothing but the GPU stage."""
        last: dict[str, dict[str, Any] | None] = {"gpu": row.gpu}
        if self.state is not row.state:
            last = {"verdict": row.verdict, "gpu": row.gpu, "state": {"state": row.state}}
        for name, data in last.items():
            if data is not None and data != self._data.get(name):
                yield self._event(name, data)

    def _event(self, name: str, data: dict[str, Any]) -> ServerSentEvent:
        self._note(name, data)
        return ServerSentEvent(event=name, data=data)

    def _note(self, name: str, data: dict[str, Any]) -> None:
        self._data[name] = data
        self._spoke_at = time.monotonic()


async def follow(
    follower: Follower | None,
    submission_id: str,
    read_row: Callable[[], SubmissionProgress],
    last_event_id: str | None,
    heartbeat_s: float,
    *,
    until_gpu: bool = False,
) -> AsyncIterator[ServerSentEvent]:
    """Yields every event after `last_event_id` (from the beginning when that is not a valid id), until a final state:
    that of the submission or, with `until_gpu`, of its GPU stage too. Without a follower the row alone is told.
    """
    told = _Told(last_event_id if last_event_id and _STREAM_ID.fullmatch(last_event_id) else BEGINNING)
    row = await run_in_threadpool(read_row)
    while True:
        is_over = row.state.is_final and not (until_gpu and row.is_gpu_open)
        entries = await follower.after(submission_id, told.last_id, wait=not is_over) if follower else None
        for entry in entries or ():
            if (passed_on := told.entry(entry)) is not None:
                yield passed_on
            if told.is_final and not until_gpu:
                return
        if not entries:
            for event in told.end(row) if is_over else told.news(row, heartbeat_s, is_alone=entries is None):
                yield event
            if is_over:  # the stream, read after the row, is gone, or all of it was told
                return
        if entries is None:
            await asyncio.sleep(POLL_S)
        if not entries or until_gpu:
            row = await run_in_threadpool(read_row)


def _data_of(fields: dict[str, str]) -> dict[str, Any] | None:
    """None for what one could not tell: whoever may write to one stream may write anything into it."""
    try:
        needed, data = _EVENTS[fields["event"]], json.loads(fields["data"])
        for name, form in needed.items():
            form(data[name])
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return data if isinstance(data, dict) else None
