"""Where the exercise is silent, and right answers differ: worth knowing, and it costs nothing.

Looked at once everything else is right and judged, so that nothing here can touch the verdict.
"""

from collections.abc import Iterator

from grader.comparison.compare import compare
from grader.exercise import Exercise
from grader.guest.execution import CallStatus, Session
from grader.paper.mismatch import Mismatch
from grader.report import Remark

# Refusing what the exercise never promised is an answer; a wrong value is not.
REFUSED = frozenset({Mismatch.RAISED})


def remarks(exercise: Exercise, seed: int, session: Session) -> tuple[Remark, ...]:
    """One for each of the exercise's unusual cases that did not come out as the reference has it."""
    return tuple(_remarks(exercise, seed, session))


def _remarks(exercise: Exercise, seed: int, session: Session) -> Iterator[Remark]:
    unusual = exercise.unusual_cases(seed)
    outcomes = session.calls([case.call for case, _ in unusual])
    expectations = exercise.expected([case for case, _ in unusual])
    for (case, may_refuse), expected, outcome in zip(unusual, expectations, outcomes, strict=True):
        if outcome.status is CallStatus.NOT_RUN:
            return
        finding = compare(case, expected, outcome)
        if finding.mismatch is not None and not (may_refuse and finding.mismatch in REFUSED):
            hint = case.hint_for(finding.mismatch)
            yield Remark(id=case.id, message=f"{case.title}: {finding.message} {hint} You lose no points for this.")
