"""Ends the process when one call, or the import, uses too much of the processor, and tells the line that it was at.

The kernel sends SIGXCPU at the soft limit and each second after it (`rlimits`). This is advice for the student: a
submission may take the handler away, or forge what it says. It then ends at the hard limit, as it would without; so
does one whose main thread only waits for another.
"""

import ast
import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from types import FrameType

from grader.guest.execution import MOST_LINES, Problem
from worker.sandbox.channels import send
from worker.sandbox.frames import encode_problem
from worker.sandbox.framing import Frame

LATE = "late"  # the frame that comes in place of an answer


class Deadline:
    """Limits the processor time of one submission, whose own files are `main` and the others of `own`, with their
    sources.
    """

    def __init__(self, main: str, own: Mapping[str, bytes], call_cpu_s: float) -> None:
        self._main = main
        self._own = own
        self._call_cpu_s = call_cpu_s
        self._started: float | None = None  # on the clock of the processor, while something is limited
        signal.signal(signal.SIGXCPU, self._look)
        signal.siginterrupt(signal.SIGXCPU, False)

    @contextmanager
    def one(self) -> Iterator[None]:
        """Lets the block use `call_cpu_s`, and up to a second more."""
        self._started = time.process_time()
        try:
            yield
        finally:
            self._started = None

    def _look(self, _: int, frame: FrameType | None) -> None:
        """Not while an answer is being sent: what is said here would land in the middle of it."""
        if self._started is not None and time.process_time() - self._started >= self._call_cpu_s:
            send(Frame(LATE, {"problem": encode_problem(self._where(frame))}))
            os._exit(0)

    def _where(self, frame: FrameType | None) -> Problem:
        """The innermost `while` of the student's own that is under way: which of its lines it is at is chance. Without
        one, the innermost line of the student's own.
        """
        lines = [*self._own_lines(frame)]
        loops = ((file, head) for file, line in lines if (head := _while_around(self._own[file], line)) is not None)
        file, line = next(loops, lines[0] if lines else (self._main, None))
        what = f"did not finish within {self._call_cpu_s:g} s of processor time"
        return Problem("Late", what, line=line, file=None if file == self._main else file)

    def _own_lines(self, frame: FrameType | None) -> Iterator[tuple[str, int]]:
        while frame is not None:
            if frame.f_code.co_filename in self._own and 0 < frame.f_lineno < MOST_LINES:
                yield frame.f_code.co_filename, frame.f_lineno
            frame = frame.f_back


def _while_around(source: bytes, line: int) -> int | None:
    """The line on which the innermost `while` begins that has this line."""
    return max((first for first, last in _whiles(source) if first <= line <= last), default=None)


@cache
def _whiles(source: bytes) -> tuple[tuple[int, int], ...]:
    """The first and the last line of each `while`; once, since there may be a frame for each of a deep recursion."""
    try:
        nodes = ast.walk(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    return tuple((node.lineno, node.end_lineno or node.lineno) for node in nodes if isinstance(node, ast.While))
