"""How many event streams are open, and for how long. Each process counts its own.

Whoever gets no stream asks for the submission itself until there is a verdict, as the page and `engine` do unasked.
To end an older stream instead would help nobody: it would come back at once, and end another of the same person's.
"""

import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Final

from fastapi.concurrency import run_in_threadpool
from fastapi.sse import ServerSentEvent

from app.problems import TooManyRequests

RETRY_S: Final = 5


class Streams:
    """Limits how many event streams are open, for each person and in all. Belongs to one event loop."""

    def __init__(self, per_person: int, in_all: int) -> None:
        self._per_person = per_person
        self._in_all = in_all
        self._open: Counter[str] = Counter()

    @contextmanager
    def slot(self, person: str) -> Iterator[None]:
        """Holds one of the slots while the block runs. Raises TooManyRequests."""
        if self._open[person] >= self._per_person:
            raise TooManyRequests(
                f"You are already watching {self._per_person} submissions, which is the limit. Close a page you no "
                "longer need, or request the submission itself: it shows the result once it is graded.",
                retry_after_s=RETRY_S,
            )
        if self._open.total() >= self._in_all:
            raise TooManyRequests(
                "Too many people are watching their submissions at the moment. Request the submission itself: it "
                "shows the result once it is graded.",
                retry_after_s=RETRY_S,
            )
        self._open[person] += 1
        try:
            yield
        finally:
            self._open[person] -= 1
            if not self._open[person]:
                del self._open[person]


async def guarded(
    events: AsyncIterator[ServerSentEvent], may_go_on: Callable[[], bool], check_every_s: float, life_s: float
) -> AsyncIterator[ServerSentEvent]:
    """Yields the events until the stream's longest life is over or the listener may no longer watch. A client that
    still may then reconnects and continues.
    """
    began = looked = time.monotonic()
    async for event in events:
        moment = time.monotonic()
        if moment - began >= life_s:
            return
        if moment - looked >= check_every_s:
            looked = moment
            if not await run_in_threadpool(may_go_on):
                return
        yield event
