"""Processor time of other processes, as Linux tells it."""

import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def processor_s(pid: int) -> float:
    """Of a process and all that it started, those that have ended included."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS + sum(map(processor_s, map(int, children)))
