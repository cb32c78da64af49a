"""Where the exercise is silent, and right answers differ: worth knowing, and it costs nothing.

Looked at once everything else is right, in a session of its own, so that nothing here can touch the verdict.
"""

from collections.abc import Iterator

from grader.compare import Flaw, compare
from grader.execution import Executor
from grader.exercise import Exercise
from grader.report import Remark
from grader.submission import Submission

# Refusing what the exercise never promised is an answer; a wrong value is not.
REFUSED = frozenset({Flaw.RAISED})


def remarks(exercise: Exercise, submission: Submission, seed: int, execute: Executor) -> tuple[Remark, ...]:
    """One for each of the exercise's unusual cases that did not come out as the reference has it."""
    return tuple(_remarks(exercise, submission, seed, execute))


def _remarks(exercise: Exercise, submission: Submission, seed: int, execute: Executor) -> Iterator[Remark]:
    unusual = exercise.unusual_cases(seed)
    if not unusual:
        return
    cases = [case for case, _ in unusual]
    execution = execute.run(submission, [case.call for case in cases], exercise.challenge.manifest.session_limits)
    judged = zip(unusual, exercise.expected(cases), execution.outcomes[: len(cases)], strict=False)
    for (case, may_refuse), expected, outcome in judged:
        finding = compare(case, expected, outcome)
        if finding.flaw is not None and not (may_refuse and finding.flaw in REFUSED):
            yield Remark(id=case.id, message=f"{case.title}: {finding.message} {case.hint} This costs nothing.")
