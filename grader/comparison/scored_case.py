"""A case together with all that is known once its outcome has come: what scoring makes, and diagnosis starts from."""

from dataclasses import dataclass

from grader.comparison.tolerance import Finding
from grader.guest.execution import CallStatus, Outcome
from grader.paper.case import Case


@dataclass(frozen=True)
class ScoredCase:
    """One case with what was expected, what came, and what comparing them found."""

    case: Case
    expected: Outcome
    outcome: Outcome
    finding: Finding

    @property
    def function(self) -> str:
        """The entry point that the case calls."""
        return self.case.call.function

    @property
    def is_right(self) -> bool:
        """Whether comparing found nothing wrong."""
        return self.finding.mismatch is None

    @property
    def has_returned(self) -> bool:
        """Whether the call gave something, right or wrong."""
        return self.outcome.status is CallStatus.RETURNED
