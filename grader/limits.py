"""What one submission may use, and has used. Knows no torch, so that a manifest can hold it."""

from dataclasses import dataclass


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


@dataclass(frozen=True)
class Usage:
    """What a session has used so far, as the kernel counts it: a patched clock changes nothing."""

    cpu_s: float  # of all its threads
    peak_bytes: int  # resident, with what its process held before it began
