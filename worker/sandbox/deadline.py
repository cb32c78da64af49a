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
from types import FrameType, UnionType

from grader.guest.execution import MOST_LINES, Problem
from grader.guest.problem import LATE_CALL, LATE_IMPORT
from worker.sandbox.channels import send
from worker.sandbox.frames import encode_problem
from worker.sandbox.framing import Frame

LATE = "late"  # the frame that comes in place of an answer
MODULE = "<module>"
_Loop = ast.While | ast.For


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
