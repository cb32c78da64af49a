"""Why a session ended, in one word and in a sentence, from what the kernel reports."""

import os
import signal
from dataclasses import dataclass

from grader.guest.limits import Ending, Limits
from worker.sandbox.backend import Ended, SandboxError
from worker.sandbox.framing import FAILED_STATUS, OUT_OF_MEMORY_STATUS

# The kernel counts the limit in ticks of the clock, which on a busy machine is more than what was used.
_LARGE_PART = 0.5


@dataclass(frozen=True)
class Cause:
    """An ending and the sentence that explains it."""

    ending: Ending
    detail: str = ""


def classify(ended: Ended, limits: Limits, resting_bytes: int | None) -> Cause:
    """Tells what ended a process that we did not kill. `resting_bytes` is what a child holds before any submission.

    Raises SandboxError when it can only have been somebody outside.
    """
    code = os.waitstatus_to_exitcode(ended.code)
    if code == OUT_OF_MEMORY_STATUS:
        return Cause(Ending.OUT_OF_MEMORY, "there was no memory left to go on")
    if code == FAILED_STATUS:
        return Cause(Ending.PROTOCOL, "it left no way to answer")
    if ended.out_of_memory:
        return Cause(Ending.OUT_OF_MEMORY, "the kernel ended it, because it held too much memory")
    if code >= 0:
        return Cause(Ending.EXITED, f"exit status {code}")
    if -code in (signal.SIGKILL, signal.SIGXCPU) and ended.cpu_s >= _LARGE_PART * limits.cpu_s:
        return Cause(Ending.OUT_OF_TIME, f"it used up its {limits.cpu_s:g} s of processor time")
    held_bytes = 0 if ended.peak_bytes is None or resting_bytes is None else ended.peak_bytes - resting_bytes
    if -code == signal.SIGKILL and held_bytes >= limits.memory_bytes // 2:
        return Cause(Ending.OUT_OF_MEMORY, "the kernel ended it, because it held too much memory")
    if -code == signal.SIGKILL and ended.is_untouchable:
        raise SandboxError("a child was killed from outside: by hand, or because this machine ran out of memory")
    return Cause(Ending.KILLED, f"the process was ended by {signal.Signals(-code).name}")
