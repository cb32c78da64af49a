"""A child that is a process of this machine, from outside: its channels are pipes, and it is held by a pidfd."""

import os
import select
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from grader.guest.limits import Limits, Usage
from worker.sandbox.backend import PipeEnd
from worker.sandbox.cgroups import CgroupError, pid_of

_EXIT_GRACE_S = 0.5
_PAUSE_S = 2.0  # to fill all its memory, in one system call, takes some of that
_BREATH_S = 0.0002
_STILL = "TXZ"  # stopped, or at an end


@dataclass
class ProcessChild:
    """Owns its descriptors. How it is reaped, its kinds know."""

    limits: Limits
    pidfd: int
    job_fd: int
    results: PipeEnd
    log: PipeEnd

    @property
    def is_alive(self) -> bool:
        """Whether it still runs: a warm child may have died."""
        return not self.has_ended_after(0)

    def starved_s(self) -> float:
        try:
            _, waited_ns, _ = Path(f"/proc/{pid_of(self.pidfd)}/schedstat").read_text().split()
        except (CgroupError, OSError):  # it has ended, or this kernel does not count
            return 0.0
        return int(waited_ns) / 1e9

    def usage(self) -> Usage | None:
        try:
            pid = pid_of(self.pidfd)
            return Usage(time.clock_gettime(_cpu_clock_of(pid)), _peak_bytes_of(pid))
        except (CgroupError, OSError, StopIteration):  # it has ended
            return None

    def is_over(self) -> bool:
        return self.has_ended_after(_EXIT_GRACE_S)

    def has_ended_after(self, patience_s: float) -> bool:
        """Whether it ends within so many seconds."""
        waiting = select.poll()
        waiting.register(self.pidfd, select.POLLIN)
        return bool(waiting.poll(patience_s * 1000))

    def pause(self) -> None:
        """Stops the process so that nothing inside can catch or end that. Waits until all threads stand still: the
        kernel tells one of them, which tells the others only when its system call is over.
        """
        self._signal(signal.SIGSTOP)
        deadline = time.monotonic() + _PAUSE_S
        while not self._stands_still() and time.monotonic() < deadline:
            time.sleep(_BREATH_S)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """Kills it, and with the first process of a pid namespace every other one in it."""
        self._signal(signal.SIGKILL)

    def _stands_still(self) -> bool:
        try:
            stats = list(_of_threads(pid_of(self.pidfd), "stat"))
        except (CgroupError, OSError):  # it has ended
            return True
        return all(stat.rpartition(")")[2].split()[0] in _STILL for stat in stats)

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):  # it has ended
            signal.pidfd_send_signal(self.pidfd, number)

    def close_channels(self) -> None:
        """Lets go of the descriptors."""
        os.close(self.job_fd)
        self.results.close()
        self.log.close()
        os.close(self.pidfd)


def _cpu_clock_of(pid: int) -> int:
    """The kernel's clock of the processor time of another process: clock_getcpuclockid(3), which Python lacks."""
    return ~pid << 3 | 2


def _peak_bytes_of(pid: int) -> int:
    """As any of its threads tells: the first may have ended itself, and then tells nothing of what the others do.
    Raises StopIteration when all have ended.
    """
    lines = (line for status in _of_threads(pid, "status") for line in status.splitlines())
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))


def _of_threads(pid: int, name: str) -> Iterator[str]:
    """What this file says of each thread."""
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):  # it has ended meanwhile
            yield (thread / name).read_text()
