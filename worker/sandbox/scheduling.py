"""How Linux shares processors out between sessions."""

import os
from pathlib import Path


def weigh_session_as_process() -> None:
    """Call it first in a new session. Linux may share processors out by session before it looks at processes (its
    "autogroup", man 7 sched), and a new session weighs as much as any other, however low its processes stand."""
    try:
        Path("/proc/self/autogroup").write_text(str(os.nice(0)))
    except OSError:  # sessions do not count here, or not for this process: its own niceness does
        return
