"""How many requests of one person are worked on at one time. Each process counts its own.

Each of them takes a thread, of which a process has forty: one person's could take all, and nobody would be answered.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from app.problems import TooManyRequests

AT_ONCE: Final = 4
UNDER_WAY_MAX: Final = 100  # with those that wait
RETRY_S: Final = 2


@dataclass
class _Person:
    """One person's requests."""

    slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    under_way: int = 0


class RequestSlots:
    """Lets each person's requests wait for each other. Belongs to one event loop."""

    def __init__(self) -> None:
        self._people: dict[str, _Person] = {}

    @asynccontextmanager
    async def slot(self, person: str) -> AsyncIterator[None]:
        """Waits for one of the person's slots, and holds it while the block runs. Raises TooManyRequests."""
        found = self._people.setdefault(person, _Person())
        if found.under_way >= UNDER_WAY_MAX:
            raise TooManyRequests(
                f"{UNDER_WAY_MAX} requests of yours are under way already, which is the limit. Wait for an answer "
                "before you send more.",
                retry_after_s=RETRY_S,
            )
        found.under_way += 1
        try:
            async with found.slots:
                yield
        finally:
            found.under_way -= 1
            if not found.under_way:
                del self._people[person]
