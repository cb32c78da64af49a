"""How long a test waits for what must come: the limit only ends a hang, so it is generous to a busy machine."""

import time
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")
PATIENCE_S: Final = 600.0


def wait_until(holds: Callable[[], bool], instead: Callable[[], str] = lambda: "it never came true") -> None:
    """Fails, and says what was instead, when it does not come true."""
    wait_for(lambda: holds() or None, instead)


def wait_for(find: Callable[[], T | None], instead: Callable[[], str] = lambda: "it was never there") -> T:
    """Returns what is found, once it is not None."""
    started = time.monotonic()
    while (found := find()) is None:
        waited = time.monotonic() - started
        assert waited < PATIENCE_S, instead()
        time.sleep(min(0.05, 0.002 + waited / 4))  # what takes long need not be asked for often
    return found


def is_within(limit_s: float, act: Callable[[], object], tries: int = 5) -> bool:
    """Whether it is so quick once in some tries: on a busy machine, others may have had the processors."""
    for _ in range(tries):
        started = time.monotonic()
        act()
        if time.monotonic() - started < limit_s:
            return True
    return False
