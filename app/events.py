"""Server-sent events of one submission: the Redis stream while there is one, the row when there is not.

The queue position is never in the stream: it changes when others come and go, and is sent whenever it has changed.
"""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, Final

from fastapi.concurrency import run_in_threadpool
from fastapi.sse import ServerSentEvent
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from app.models import State, Submission
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


def progress_of(submission: Submission, queue: dict[str, Any] | None) -> SubmissionProgress:
    """Returns the progress that the row tells. `submission.report` and `gpu_stage` must be loaded."""
    report = submission.report
    verdict = verdict_of(Report.model_validate_json(report.body)) if report else None
    gpu = {"state": submission.gpu_stage.state} if submission.gpu_stage else None
    return SubmissionProgress(submission.state, verdict, queue, gpu)


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


async def follow(
    follower: Follower,
    submission_id: str,
    read_row: Callable[[], SubmissionProgress],
    last_event_id: str | None,
    heartbeat_s: float,
    *,
    until_gpu: bool = False,
) -> AsyncIterator[ServerSentEvent]:
    """Yields every event after `last_event_id` (from the beginning when that is not a valid id), until a final state:
    that of the submission or, with `until_gpu`, of its GPU stage too.
    """
    last_id = last_event_id if last_event_id and _STREAM_ID.fullmatch(last_event_id) else BEGINNING
    told: State | None = None
    heard: dict[str, Any] = {}  # of each event, the data that was told last
    position: int | None = None
    spoke_at = time.monotonic()
    row = await run_in_threadpool(read_row)
    while True:
        is_over = row.state.is_final and not (until_gpu and row.is_gpu_open)
        entries = await follower.after(submission_id, last_id, wait=not is_over)
        for entry, data in ((each, each.data) for each in entries or () if each.data is not None):
            spoke_at = time.monotonic()
            yield ServerSentEvent(event=entry.event, raw_data=json.dumps(data), id=entry.id)
            heard[entry.event] = data
            told = State(heard["state"]["state"]) if "state" in heard else told
            if told is not None and told.is_final and not until_gpu:
                return
        if entries:
            last_id = entries[-1].id
            if until_gpu:
                row = await run_in_threadpool(read_row)
            continue
        if is_over:  # and the stream, read after the row, had nothing more: it is gone, or all of it was told
            for name, data in _end_of(row, told):
                if heard.get(name) != data:
                    yield ServerSentEvent(event=name, data=data)
            return
        if entries is None and row.state is not told:
            told, spoke_at = row.state, time.monotonic()
            yield ServerSentEvent(event="state", data={"state": told})
        if row.queue is not None and row.queue["position"] != position:
            position, spoke_at = row.queue["position"], time.monotonic()
            yield ServerSentEvent(event="queue", data=row.queue)
        if time.monotonic() - spoke_at >= heartbeat_s:
            spoke_at = time.monotonic()
            yield ServerSentEvent(comment="still here")
        if entries is None:
            await asyncio.sleep(POLL_S)
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


def _end_of(row: SubmissionProgress, told: State | None) -> list[tuple[str, dict[str, Any]]]:
    """The events that end a stream, from the row. After the final state nothing but the GPU stage can be missing."""
    end = [("verdict", row.verdict), ("gpu", row.gpu), ("state", {"state": row.state})]
    return [(name, data) for name, data in end if data is not None and (told is not row.state or name == "gpu")]
