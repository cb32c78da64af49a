"""Ends the process when one call, or the import, uses too much of the processor, and tells the line that it was at.

The kernel sends SIGXCPU at the soft limit and each second after it (`rlimits`). This is advice for the student: a
submission may take the handler away, or forge what it says. It then ends at the hard limit, as it would without; so
does one whose main thread only waits for another.
"""

import os
import signal
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from types import FrameType

from grader.guest.execution import MOST_LINES, Problem
from grader.guest.limits import CALL_CPU_S
from worker.sandbox.channels import send
from worker.sandbox.frames import encode_problem
from worker.sandbox.framing import Frame

LATE = "late"  # the frame that comes in place of an answer


class Deadline:
    """For one submission, whose own files are `main` and the others of `own`."""

    def __init__(self, main: str, own: Collection[str]) -> None:
        self._main = main
        self._own = own
        self._started: float | None = None  # on the clock of the processor, while something is limited
        signal.signal(signal.SIGXCPU, self._look)
        signal.siginterrupt(signal.SIGXCPU, False)

    @contextmanager
    def one(self) -> Iterator[None]:
        """What is done in the block may use CALL_CPU_S, and up to a second more."""
        self._started = time.process_time()
        try:
            yield
        finally:
            self._started = None

    def _look(self, _: int, frame: FrameType | None) -> None:
        """Not while an answer is being sent: what is said here would land in the middle of it."""
        if self._started is not None and time.process_time() - self._started >= CALL_CPU_S:
            send(Frame(LATE, {"problem": encode_problem(self._where(frame))}))
            os._exit(0)

    def _where(self, frame: FrameType | None) -> Problem:
        """The innermost line of the student's own."""
        while frame is not None and frame.f_code.co_filename not in self._own:
            frame = frame.f_back
        what = f"did not finish within {CALL_CPU_S:g} s of processor time"
        if frame is None or not 0 < frame.f_lineno < MOST_LINES:
            return Problem("Late", what)
        file = frame.f_code.co_filename
        return Problem("Late", what, line=frame.f_lineno, file=None if file == self._main else file)
