"""What one submission may use, and has used. Knows no torch, so that a manifest can hold it."""

from dataclasses import dataclass, replace

HELP_CPU_S = 3.0
HELP_WALL_S = 15.0


@dataclass(frozen=True)
class Limits:
    """What one session may use. Enforced from outside the submission's process."""

    wall_s: float = 10.0  # whole session, all calls
    cpu_s: float = 10.0
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
