"""The three pipes that lead into and out of a child which is a process of this machine."""

import fcntl
import os
from dataclasses import dataclass

from worker.sandbox.backend import PipeEnd

_PIPE_BYTES = 1 << 20


@dataclass(frozen=True)
class Pipes:
    """`theirs` are the ends that a child gets: its job, its results, its log. None is inherited by mistake."""

    theirs: tuple[int, int, int]
    ours: tuple[int, int, int]

    @classmethod
    def open(cls) -> "Pipes":
        """Makes all three."""
        (job, to_job), (from_results, results), (from_log, log) = _pipe(), _pipe(), _pipe()
        return cls((job, results, log), (to_job, from_results, from_log))

    @property
    def job_fd(self) -> int:
        """Our end of the first, which does not block."""
        os.set_blocking(self.ours[0], False)
        return self.ours[0]

    @property
    def channels(self) -> tuple[PipeEnd, PipeEnd]:
        """Our ends of the others: the results and the log."""
        return PipeEnd(self.ours[1]), PipeEnd(self.ours[2])


def _pipe() -> tuple[int, int]:
    reading, writing = os.pipe2(os.O_CLOEXEC)
    try:
        fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    except OSError:  # the user has many large pipes already: a small one is only slower
        return reading, writing
    return reading, writing
