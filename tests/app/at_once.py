"""Calls that several make at one moment."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from tests.patience import PATIENCE_S

T = TypeVar("T")


def at_once(times: int, call: Callable[[int], T]) -> list[T]:
    """What each call gives, by its number from 0. Every call begins when all of them are ready to."""
    barrier = threading.Barrier(times)

    def begin(number: int) -> T:
        barrier.wait(timeout=PATIENCE_S)
        return call(number)

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(begin, range(times)))
