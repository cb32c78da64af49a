"""What the checks work with, and how they say what they found."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from grader.exercise import Exercise
from grader.gpu_report import GpuReport
from grader.gpu_stage import LIMITS, run_gpu_stage
from grader.guest.execution import Device, Executor
from grader.guest.limits import Limits
from grader.guest.submission import Submission

SEED: Final = 7
CLEAN_S: Final = 10.0
# A warm child holds this much of the GPU at most: more, and something was left there.
CONTEXT_BYTES: Final = 2 << 30
WRAPPER: Final = """

import functools, inspect, os, time
_right = multihead_self_attention_with_rope

@functools.wraps(_right)
def multihead_self_attention_with_rope(*args, **kwargs):
    kwargs = inspect.signature(_right).bind(*args, **kwargs).arguments
    device = kwargs["in_features"].device
    {what}
    return _right(**kwargs)
"""


class Failed(Exception):
    """What a check found instead."""


class NotRun(Exception):
    """Why a check cannot be run here."""


@dataclass
class Bench:
    """What the checks work with: a GPU with its sandbox, or what a test puts in their place."""

    exercise: Exercise
    execute: Executor
    device: Callable[[], Device]
    used_bytes: Callable[[], int]
    resting_bytes: int
    limits: Limits = LIMITS
    even: float = 1.25  # how far off its own time the plain answer may be: further, and the measure is no good
    patience_s: float = 10.0

    def stage(self, submission: Submission, **limits: float) -> GpuReport:
        """Runs the GPU stage of a submission; `limits` replace those of the bench."""
        allowed = replace(self.limits, **limits)
        return run_gpu_stage(self.exercise, submission, SEED, self.execute, self.device(), allowed)

    def spoiled(self, what: str) -> Submission:
        """The plain right answer, and this in each of its calls."""
        right = self.exercise.baseline()
        return replace(right, files={right.main: right.source + WRAPPER.format(what=what).encode()})

    def await_clean(self) -> str:
        """Raises Failed when more of the GPU stays taken than a warm child may hold."""
        deadline = time.monotonic() + CLEAN_S
        while (held := self.used_bytes() - self.resting_bytes) > CONTEXT_BYTES:
            if time.monotonic() > deadline:
                raise Failed(f"{held >> 20} MiB of the GPU are still taken {CLEAN_S:.0f} s later")
            time.sleep(0.1)
        return f"then {held >> 20} MiB of the GPU are taken"


def require(holds: bool, otherwise: str) -> None:
    """Raises Failed with this sentence unless the condition holds."""
    if not holds:
        raise Failed(otherwise)
