"""What one session may use, has used, and how it ended. Knows no torch: a manifest, the runner and `app` read it."""

from dataclasses import dataclass, replace
from enum import StrEnum

WAIT_S = 10.0  # in which one call or the import does nothing at all, before it is taken to wait for ever
CALL_CPU_S = 5.0  # of one call or the import: ten times what a right one takes at most, in the slowest library
HELP_CPU_S = 3.0
HELP_WALL_S = 15.0


@dataclass(frozen=True)
class Limits:
    """What one session may use. Enforced from outside the submission's process."""

    wall_s: float = 10.0  # whole session, all calls
    cpu_s: float = 10.0
    call_cpu_s: float = CALL_CPU_S  # one call, or the import; up to a second more is given
    memory_bytes: int = 1 << 30  # over what the empty sandbox holds
    processes: int = 16  # threads; other processes cannot be made at all
    tmp_bytes: int = 16 << 20
    output_bytes: int = 64 << 20  # result frames, all calls together
    log_bytes: int = 64 << 10  # stdout and stderr kept; more is counted and dropped

    def for_help(self) -> "Limits":
        """Of a session that only explains: help may not take longer than the verdict.

        A busy machine reaches the processor time no sooner than a quiet one: a report may not depend on who else is
        being graded.
        """
        return replace(self, cpu_s=min(self.cpu_s, HELP_CPU_S), wall_s=min(self.wall_s, HELP_WALL_S))


@dataclass(frozen=True)
class Usage:
    """What a session has used so far, as the kernel counts it: a patched clock changes nothing."""

    cpu_s: float  # of all its threads
    peak_bytes: int  # resident, with what its process held before it began


class Ending(StrEnum):
    """How a session ended: the one list of it, for the runner that ends it, the judge that reports it, and metrics."""

    COMPLETED = "completed"  # it answered all that it was asked
    IMPORT_FAILED = "import_failed"  # the module raised while it was imported; the judge alone can tell
    EXITED = "exited"  # the process ended on its own before it was done
    KILLED = "killed"  # a signal that we did not send: a crash, or the kernel
    OUT_OF_MEMORY = "out_of_memory"
    OUT_OF_TIME = "out_of_time"
    OUTPUT_TOO_LARGE = "output_too_large"
    PROTOCOL = "protocol"  # it sent something that is not an outcome
