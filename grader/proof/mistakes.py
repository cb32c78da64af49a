"""What a paper finds in each misconception: enough to compare two versions of an exercise, a fraction of a proof."""

from dataclasses import dataclass

from grader.challenge import Challenge
from grader.exercise import exercise_of
from grader.grade import grade
from grader.inprocess import InProcess
from grader.manifest import STRUCTURE
from grader.report import Report, RuleStatus, TestStatus

SEED = 0


@dataclass(frozen=True)
class Seen:
    """The families and rules that kill a misconception, and the ids by which it is diagnosed."""

    killed_by: tuple[str, ...]
    named: tuple[str, ...]


def seen_in(challenge: Challenge) -> dict[str, Seen]:
    """Grades each misconception of the challenge and returns what was seen, by its name. Raises what an author's code
    raises.
    """
    exercise = exercise_of(challenge)
    found = {}
    for mistake in exercise.misconceptions:
        submission = exercise.submission_with(mistake)
        report = grade(challenge, submission, SEED, InProcess(), is_timed=False, is_guided=False)
        named = tuple(diagnosis.id for diagnosis in report.diagnoses)
        found[mistake.name] = Seen((*failed_families(report), *broken_rules(report)), named)
    return found


def failed_families(report: Report) -> tuple[str, ...]:
    """Returns the families in which a case failed."""
    failed = {test.group for test in report.tests if test.status in (TestStatus.FAILED, TestStatus.ERROR)}
    return tuple(sorted(failed - {STRUCTURE}))


def broken_rules(report: Report) -> tuple[str, ...]:
    """Returns the rules that were broken."""
    return tuple(finding.rule for finding in report.structure if finding.status is RuleStatus.FAILED)
