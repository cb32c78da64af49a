"""The inner ends of a confined child's channels, and the edge at which whatever it does ends. Knows no torch."""

import os
import traceback
from collections.abc import Callable
from typing import NoReturn

from worker.sandbox import syscalls
from worker.sandbox.framing import FAILED_STATUS, OUT_OF_MEMORY_STATUS, Frame, write_all

JOB_FD = 3
RESULT_FD = 4
_FIRST_FREE_FD = 5


def keep_only(job_fd: int, result_fd: int, log_fd: int) -> None:
    """Makes 0 empty, 1 and 2 the log, 3 and 4 the two channels, and closes every other descriptor."""
    null = os.open("/dev/null", os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(log_fd, 1)
    os.dup2(log_fd, 2)
    os.dup2(job_fd, JOB_FD)
    os.dup2(result_fd, RESULT_FD)
    syscalls.close_range(_FIRST_FREE_FD)


def send(frame: Frame) -> None:
    """Writes a frame to whoever holds the child."""
    write_all(RESULT_FD, frame.encode())


def end_with(work: Callable[[], None]) -> NoReturn:
    """Does the work and ends the process, whatever comes of it: nothing may unwind into what made the child."""
    try:
        work()
    except MemoryError:
        os._exit(OUT_OF_MEMORY_STATUS)
    except BaseException:  # noqa: BLE001  the other edge of the guest
        os.write(2, traceback.format_exc().encode("utf-8", "replace")[-4000:])
    finally:
        os._exit(FAILED_STATUS)
