"""Ends the process when one call, or the import, uses too much of the processor or only waits, and tells the line that
it was at.

The kernel sends SIGXCPU at the soft limit and each second after it (`rlimits`), and SIGALRM with each tick. This is
advice for the student: a submission may take the handlers away, or forge what they say. It then ends at the hard limit,
as it would without.
"""

import ast
import os
import resource
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from types import FrameType, UnionType
from typing import NoReturn

from grader.guest.execution import MOST_LINES, Problem
from grader.guest.limits import WAIT_S
from grader.guest.problem import LATE_CALL, LATE_IMPORT, WAITING
from worker.sandbox.channels import send
from worker.sandbox.frames import encode_problem
from worker.sandbox.framing import Frame
from worker.sandbox.rlimits import TICK_S

LATE = "late"  # the frame that comes in place of an answer
MODULE = "<module>"
_TICKS = round(WAIT_S / TICK_S)  # one after the other: one without a move may be a machine that stood still
_NOTHING_S = 0.01  # of the processor in a tick: sleeping again and again takes less
_Loop = ast.While | ast.For


class Deadline:
    """Limits the time of one submission, whose own files are `main` and the others of `own`, with their
    sources.
    """

    def __init__(self, main: str, own: Mapping[str, bytes], call_cpu_s: float) -> None:
        self._main = main
        self._own = own
        self._call_cpu_s = call_cpu_s
        self._started: float | None = None  # on the clock of the processor, while something is limited
        self._before: tuple[float | None, resource.struct_rusage] | None = None
        self._idle_ticks = 0
        signal.signal(signal.SIGXCPU, self._look)
        signal.siginterrupt(signal.SIGXCPU, False)
        signal.signal(signal.SIGALRM, self._tick)  # which interrupts: else Python would go on to wait for a lock

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
            _end_with(self._where(frame))

    def _tick(self, _: int, frame: FrameType | None) -> None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        before, self._before = self._before, (self._started, used)
        is_same = self._started is not None and before is not None and before[0] == self._started
        self._idle_ticks = self._idle_ticks + 1 if is_same and before and _does_nothing(before[1], used) else 0
        if self._idle_ticks == _TICKS:
            _end_with(self._waiting(frame))

    def _waiting(self, frame: FrameType | None) -> Problem:
        inner = next(self._own_frames(frame), None)
        file, line = (inner.f_code.co_filename, inner.f_lineno) if inner else (self._main, None)
        return Problem(WAITING, f"waited for {WAIT_S:g} s", line=line, file=None if file == self._main else file)

    def _where(self, frame: FrameType | None) -> Problem:
        """The innermost `while` of the student's own that is under way: which of its lines it is at is chance. Without
        one, the innermost line of the student's own; or what the file does as it is imported, with the loop around it.
        """
        frames = [*self._own_frames(frame)]
        lines = [(each.f_code.co_filename, each.f_lineno) for each in frames]
        is_imported = bool(frames) and frames[-1].f_code.co_name == MODULE
        loops = ((file, head) for file, line in lines if (head := self._loop(file, line, ast.While)) is not None)
        file, line = next(loops, (lines[-1] if is_imported else lines[0]) if lines else (self._main, None))
        if is_imported and (file, line) == lines[-1]:
            line = self._loop(*lines[-1], _Loop) or line
        kind = LATE_IMPORT if is_imported else LATE_CALL
        what = f"did not finish within {self._call_cpu_s:g} s of processor time"
        return Problem(kind, what, line=line, file=None if file == self._main else file)

    def _own_frames(self, frame: FrameType | None) -> Iterator[FrameType]:
        while frame is not None:
            if frame.f_code.co_filename in self._own and 0 < frame.f_lineno < MOST_LINES:
                yield frame
            frame = frame.f_back

    def _loop(self, file: str, line: int, kind: type[ast.While] | UnionType) -> int | None:
        """The line on which the innermost loop of this kind begins that has this line."""
        loops = _loops(self._own[file])
        return max((loop.lineno for loop in loops if isinstance(loop, kind) and _has(loop, line)), default=None)


def _end_with(problem: Problem) -> NoReturn:
    send(Frame(LATE, {"problem": encode_problem(problem)}))
    os._exit(0)


def _does_nothing(before: resource.struct_rusage, after: resource.struct_rusage) -> bool:
    """Whether it hardly ran and went to sleep by itself. What another process keeps from running does not sleep."""
    used_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    has_slept = after.ru_nvcsw > before.ru_nvcsw or not after.ru_nvcsw  # gVisor does not count
    return used_s < _NOTHING_S and has_slept


def _has(loop: _Loop, line: int) -> bool:
    return loop.lineno <= line <= (loop.end_lineno or loop.lineno)


@cache
def _loops(source: bytes) -> tuple[_Loop, ...]:
    """All of them; once, since there may be a frame for each of a deep recursion."""
    try:
        nodes = ast.walk(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    return tuple(node for node in nodes if isinstance(node, ast.While | ast.For))
