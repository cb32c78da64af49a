"""A child that a zygote has forked, from outside: its channels are pipes, and the zygote tells how it ended."""

import json
import os
import select
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from grader.guest.limits import Limits, Usage
from worker.sandbox.backend import Ended, PipeEnd, SandboxError
from worker.sandbox.cgroups import CgroupError, Cgroups, pid_of

# These only end a hang, and are generous to a busy machine: whatever dies is noticed at once.
READY_S = 30.0
REAP_S = 5.0
_EXIT_GRACE_S = 0.5


@dataclass
class ForkedChild:
    """Owns its descriptors and its control groups."""

    limits: Limits
    pidfd: int
    job_fd: int
    results: PipeEnd
    log: PipeEnd
    status: socket.socket
    ended: Ended | None = None
    cgroups: Cgroups | None = None
    groups: tuple[Path, ...] = ()
    ready_s: float = READY_S
    end_s: float = REAP_S
    on_close: Callable[[], None] | None = None

    @property
    def is_alive(self) -> bool:
        """Whether it still runs: a warm child may have died."""
        return not self._has_ended_after(0)

    def starved_s(self) -> float:
        try:
            _, waited_ns, _ = Path(f"/proc/{pid_of(self.pidfd)}/schedstat").read_text().split()
        except (CgroupError, OSError):  # it has ended, or this kernel does not count
            return 0.0
        return int(waited_ns) / 1e9

    def usage(self) -> Usage | None:
        try:
            pid = pid_of(self.pidfd)
            fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
            return Usage(time.clock_gettime(_cpu_clock_of(pid)), int(fields["VmHWM"].split()[0]) * 1024)
        except (CgroupError, OSError, KeyError):  # it has ended
            return None

    def is_over(self) -> bool:
        return self._has_ended_after(_EXIT_GRACE_S)

    def _has_ended_after(self, patience_s: float) -> bool:
        waiting = select.poll()
        waiting.register(self.pidfd, select.POLLIN)
        return bool(waiting.poll(patience_s * 1000))

    def kill(self) -> None:
        """Kills the first process of its pid namespace: the kernel then ends every other one in it."""
        try:
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
        except ProcessLookupError:
            return

    def wait(self) -> Ended:
        """Waits until the zygote has reaped it. Raises SandboxError when it does not."""
        if self.ended is not None:
            return self.ended
        self.status.settimeout(REAP_S)
        try:
            message = self.status.recv(4096)
        except OSError as error:
            raise SandboxError("a child was not reaped") from error
        if not message:
            raise SandboxError("the zygote ended during a session")
        ended = Ended(**json.loads(message), is_first=True)
        if self.cgroups is not None and self.cgroups.was_filled(self.groups):
            ended = replace(ended, out_of_memory=os.waitstatus_to_exitcode(ended.code) == -signal.SIGKILL)
        self.ended = ended
        return ended

    def close(self) -> None:
        self.kill()
        os.close(self.job_fd)
        self.results.close()
        self.log.close()
        os.close(self.pidfd)
        self.status.close()
        if self.cgroups is not None:
            self.cgroups.release(self.groups)
        if self.on_close is not None:
            self.on_close()


def _cpu_clock_of(pid: int) -> int:
    """The kernel's clock of the processor time of another process: clock_getcpuclockid(3), which Python lacks."""
    return ~pid << 3 | 2
