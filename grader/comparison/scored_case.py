"""A case together with all that is known once its outcome has come: what scoring makes, and diagnosis starts from."""

from dataclasses import dataclass

from grader.comparison.tolerance import Finding
from grader.guest.execution import Outcome
from grader.paper.case import Case


@dataclass(frozen=True)
class ScoredCase:
    """One case with what was expected, what came, and what comparing them found."""

    case: Case
    expected: Outcome
    outcome: Outcome
    finding: Finding
