"""Limits on memory, processor time, threads and files, and a clock that ticks, set in the child before any of the
submission is read.
"""

import math
import resource
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from grader.guest.limits import Limits

TICK_S = 5.0
_STACK_BYTES = 8 << 20
_OPEN_FILES = 64
# Address space that threads' stacks and malloc's arenas reserve without using it.
_RESERVED_BYTES = 1 << 30
NARROW_RESERVED_BYTES = 256 << 20  # where addresses are all that is counted, as in gVisor
# CUDA reserves more addresses than any machine has memory, and opens some dozens of files.
NOT_ON_GPU = frozenset((resource.RLIMIT_AS, resource.RLIMIT_NOFILE))


@dataclass(frozen=True)
class Footprint:
    """What the zygote holds before any submission; limits come on top of it."""

    address_space_bytes: int
    data_bytes: int


def measure_footprint() -> Footprint:
    """Reads what this process holds now, from /proc."""
    fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":" in line)
    return Footprint(
        address_space_bytes=int(fields["VmSize"].split()[0]) * 1024,
        data_bytes=int(fields["VmData"].split()[0]) * 1024,
    )


def apply(
    limits: Limits, footprint: Footprint, without: frozenset[int] = frozenset(), reserved_bytes: int = _RESERVED_BYTES
) -> None:
    """Sets the limits: RLIMIT_DATA that of memory, RLIMIT_AS for what DATA does not count, page tables above all.

    `without` names limits that cannot be set here.
    """
    # At the soft limit, and each second after it, there is a SIGXCPU (`deadline`); at the hard one the kernel kills.
    cpu_s = max(1, math.ceil(limits.cpu_s))
    signal_s = min(cpu_s, math.ceil(time.process_time()) + 1)
    for limit, value in (
        (resource.RLIMIT_AS, footprint.address_space_bytes + limits.memory_bytes + reserved_bytes),
        (resource.RLIMIT_DATA, footprint.data_bytes + limits.memory_bytes),
        (resource.RLIMIT_CPU, (signal_s, cpu_s)),
        (resource.RLIMIT_NPROC, limits.processes),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
        (resource.RLIMIT_FSIZE, limits.tmp_bytes),
        (resource.RLIMIT_STACK, _STACK_BYTES),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_SIGPENDING, 64),
        (resource.RLIMIT_NICE, 0),
        (resource.RLIMIT_RTPRIO, 0),
    ):
        soft, hard = value if isinstance(value, tuple) else (value, value)
        if limit not in without and not _is_as_low(limit, hard):
            resource.setrlimit(limit, (soft, hard))


def begin_to_tick() -> None:
    """Has SIGALRM sent again and again, for `deadline`: a confined process may set no timer. Until somebody listens it
    does nothing; were it ignored, Linux would never send the next one.
    """
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, TICK_S, TICK_S)


def _is_as_low(limit: int, value: int) -> bool:
    """A limit can be lowered only, and gVisor lets some of those that it keeps at nothing not even be set."""
    _, hard = resource.getrlimit(limit)
    return hard != resource.RLIM_INFINITY and hard <= value
