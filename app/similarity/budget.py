"""Ends what takes too much of the processor: the files were written by anybody."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

AGAIN_CPU_S: Final = 0.1


class Budget:
    """Seconds of the processor for one kind of work on all files together."""

    def __init__(self, cpu_s: float) -> None:
        self._end_s = time.process_time() + cpu_s

    @contextmanager
    def at_most(self, cpu_s: float) -> Iterator[None]:
        """Raises TimeoutError in the block once it, or all of them together, have used up their time."""
        left_s = self._end_s - time.process_time()
        if left_s <= 0:
            raise TimeoutError
        with at_most(min(cpu_s, left_s)):
            yield


@contextmanager
def at_most(cpu_s: float) -> Iterator[None]:
    """Raises TimeoutError in the block once it has used up that much of the processor.

    And again soon after: what is raised in a finalizer or in a callback of the garbage collector is lost.
    """
    signal.signal(signal.SIGPROF, _end)
    signal.setitimer(signal.ITIMER_PROF, cpu_s, AGAIN_CPU_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _end(_: int, __: object) -> None:
    raise TimeoutError
