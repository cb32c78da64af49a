"""Counts what a submission runs over a library that the exercise lays beside it, where no mode of torch tells.

Calls into the library are operations. One of the submission's own, which it can write in NumPy, shows by a function of
the submission that an object of the library keeps, for the way back: then lines count as well. Holds nothing secret.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from grader.guest.loading import Program


class OwnLines:
    """Of one call; `counts_lines` says whether lines are looked at, which is dear."""

    def __init__(self, program: Program, *, counts_lines: bool) -> None:
        self.was_replaced = False
        self.support_calls = 0
        self._lines = 0
        self._has_operations = False
        self._own, self._support = program.own if counts_lines else frozenset(), program.support

    @property
    def lines(self) -> int:
        """Those that ran, where the submission has operations of its own."""
        return self._lines if self._has_operations else 0

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Inside the block, in this thread."""
        previous, ours = sys.gettrace(), self._enter if self._own else self._call
        sys.settrace(ours)
        try:
            yield
        finally:
            self.was_replaced = sys.gettrace() is not ours
            sys.settrace(previous)

    def _call(self, frame: FrameType, _event: str, _argument: object) -> None:
        """The same without lines, for every call of a paper."""
        if frame.f_code.co_filename in self._support:
            self.support_calls += 1

    def _enter(self, frame: FrameType, _event: str, _argument: object) -> Any:
        """For sys.settrace, as a function is entered."""
        if frame.f_code.co_filename in self._own:
            return self._line
        self.support_calls += frame.f_code.co_filename in self._support
        return None

    def _line(self, frame: FrameType, event: str, argument: object) -> Any:
        self._lines += event == "line"
        if event == "return" and not self._has_operations:
            self._has_operations = any(map(self._keeps_own_function, (argument, *frame.f_locals.values())))
        return self._line

    def _keeps_own_function(self, value: object) -> bool:
        module = sys.modules.get(type(value).__module__)
        return getattr(module, "__file__", None) in self._support and any(map(self._is_own, _held_in(vars(value))))

    def _is_own(self, value: object) -> bool:
        called = getattr(type(value), "__call__", None)  # noqa: B004  its code is asked for
        ways = (value, getattr(value, "func", None), called)
        codes = (getattr(way, "__code__", None) for way in ways)
        return any(code is not None and code.co_filename in self._own for code in codes)


def _held_in(attributes: dict[str, object]) -> Iterator[object]:
    """What is kept, by itself or in pairs of a list."""
    for value in attributes.values():
        for each in value if isinstance(value, list | tuple) else (value,):
            yield from each if isinstance(each, list | tuple) else (each,)
