"""What an explanation rests on. Only what was compared is evidence: that both raise something, or give nothing but NaN
whatever they are asked, may have any reason.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from grader.comparison.alike import is_same_reason
from grader.comparison.problems import is_slip
from grader.comparison.scored_case import ScoredCase
from grader.diagnosis.prediction import Explanation, asked, has_numbers, predicted
from grader.exercise import Exercise
from grader.paper.mismatch import Mismatch

ENOUGH = 3  # calls that raise where a mistake would, and nowhere else: where it is not told for the same reason


class Ground(StrEnum):
    """Why a case speaks for a mistake."""

    VALUES = "values"  # that came back, and were compared
    REFUSAL = "refusal"  # what must be refused was not, or otherwise
    EXCEPTION = "exception"  # of one type, for one reason, about the same sizes
    NOTHING = "nothing"


@dataclass(frozen=True)
class Evidence:
    """What speaks for an explanation, by the ids of the cases that it explains."""

    grounds: Mapping[str, Ground]

    @property
    def telling(self) -> frozenset[str]:
        """The cases that speak for the mistake."""
        return frozenset(case for case, ground in self.grounds.items() if ground is not Ground.NOTHING)

    def count(self, *grounds: Ground) -> int:
        """How many cases speak for the mistake on one of these grounds."""
        return sum(ground in grounds for ground in self.grounds.values())

    def sentence(self, failing: int, together: str = "") -> str:
        """Says in how many of the failing tests the mistake shows, and what was compared there."""
        code, explained = f"Code with this mistake{together}", len(self.grounds)
        values, refused = self.count(Ground.VALUES), self.count(Ground.REFUSAL)
        if values:
            rest = explained - values
            more = f"; on {rest} more both fail without giving any values" if rest else ""
            return f"{code} gives the same results as yours on {_of(values, failing)}, to within rounding{more}."
        if refused:
            return f"{code} behaves like yours on {_of(explained, failing)}."
        same = "the same exception as yours" if len(self.telling) == explained else "an exception where yours did"
        return f"{code} raises {same}, on {_of(explained, failing)}; no values could be compared."


def _of(count: int, failing: int) -> str:
    if failing == 1:
        return "the failing test"
    return f"all {failing} failing tests" if count == failing else f"{count} of the {failing} failing tests"


class Grounds:
    """Tells, for one submission's outcomes, what an explanation of a case is worth."""

    def __init__(self, exercise: Exercise, scored: Sequence[ScoredCase]) -> None:
        self._exercise = exercise
        returned = [item for item in scored if item.has_returned]
        plain = [item for item in returned if len(asked(item.case)) == 1]
        self._empty = {item.function for item in plain} - {item.function for item in plain if has_numbers(item.outcome)}

    def of(self, explanation: Explanation, failing: Sequence[ScoredCase]) -> Evidence:
        """Says for each failing case that is explained what the explanation is worth there."""
        explained = (item for item in failing if explanation.explains(item))
        return Evidence({item.case.id: self._ground(explanation, item) for item in explained})

    def is_raised_alike(self, explanation: Explanation, failing: Sequence[ScoredCase]) -> bool:
        """Whether all that fails raises, and would with the mistake; for a few calls that may be chance.

        The type does not tell: torch and einops raise other ones for the same idea.
        """
        return len(failing) >= ENOUGH and all(
            explanation.explains(item)
            and item.outcome.problem is not None
            and not is_slip(item.outcome.problem)
            and predicted(self._exercise, explanation.mistakes, item.case).problem is not None
            for item in failing
        )

    def _ground(self, explanation: Explanation, item: ScoredCase) -> Ground:
        if item.case.raises and item.finding.mismatch is not Mismatch.RAISED:
            return Ground.REFUSAL
        if item.outcome.problem is not None:
            foreseen = predicted(self._exercise, explanation.mistakes, item.case).problem
            is_same = foreseen is not None and is_same_reason(foreseen, item.outcome.problem)
            return Ground.EXCEPTION if is_same else Ground.NOTHING
        return Ground.NOTHING if item.function in self._empty else Ground.VALUES
