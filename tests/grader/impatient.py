"""A sandbox that ends a call after one second of processor time: what never ends need not be waited for."""

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Final

from grader.guest.execution import Executor, Session
from grader.guest.limits import Limits
from grader.guest.submission import Submission

CALL_CPU_S: Final = 1.0  # the slowest call of a right answer takes half of it


@dataclass(frozen=True)
class Impatient(Executor):
    """Another executor, with less time for each call and as much for all of them together."""

    patient: Executor

    @property
    def description(self) -> str:
        return self.patient.description

    def open(self, submission: Submission, limits: Limits) -> AbstractContextManager[Session]:
        return self.patient.open(submission, replace(limits, call_cpu_s=CALL_CPU_S))
