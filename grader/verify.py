"""Proves an exercise's own tests: right answers pass with room to spare, each mistake is killed and named, no cheat
passes.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.challenge import Challenge
from grader.execution import Executor
from grader.exercise import Exercise, Misconception, exercise_of
from grader.grade import grade
from grader.inprocess import InProcess
from grader.questions import BankError, QuestionBank
from grader.report import Report, RuleStatus, TestStatus, Verdict
from grader.submission import Submission

MARGIN = 10.0
REFERENCE_SEEDS = range(20)
MISTAKE_SEEDS = range(2)
QUESTION_VARIANTS = 1000


@dataclass(frozen=True)
class Check:
    """One thing that must hold, whether it does, and what was seen."""

    name: str
    holds: bool
    detail: str


def verify(challenge: Challenge, sandbox: Executor) -> Iterator[Check]:
    """All checks, one by one as they are done. Trusted code runs in process; cheats and the timing go through
    `sandbox`.
    """
    exercise = exercise_of(challenge)
    yield _check_reference(exercise)
    yield _check_starter(exercise)
    yield from _check_accepted(exercise, sandbox)
    kills: set[str] = set()
    for mistake in exercise.misconceptions:
        reports = [_grade(exercise, exercise.submission_with(mistake), seed) for seed in MISTAKE_SEEDS]
        kills |= _failed_groups(reports[0])
        yield _check_mistake(mistake, reports)
    yield _check_families(exercise, kills)
    for cheat in exercise.variants("cheats"):
        report = grade(challenge, cheat.submission, seed=1, execute=sandbox)
        yield Check(f"cheat {cheat.name}", report.verdict is not Verdict.PASSED, f"{report.verdict}: {report.summary}")
    yield _check_questions(challenge)
    yield _check_secrets(exercise)


def _grade(exercise: Exercise, submission: Submission, seed: int) -> Report:
    return grade(exercise.challenge, submission, seed, InProcess())


def _check_reference(exercise: Exercise) -> Check:
    reports = [_grade(exercise, exercise.submission_with(), seed) for seed in REFERENCE_SEEDS]
    return _passes("reference", reports)


def _passes(name: str, reports: Sequence[Report]) -> Check:
    wrong = [report for report in reports if report.verdict is not Verdict.PASSED]
    if wrong:
        return Check(name, False, f"seed {wrong[0].seed}: {wrong[0].verdict}: {wrong[0].summary}")
    margin = min(_margin_below(report) for report in reports)
    detail = f"passes {len(reports)} papers; the largest error stays {margin:.0f} times below its tolerance"
    return Check(name, margin >= MARGIN, detail)


def _margin_below(report: Report) -> float:
    """How far the worst error of a right answer stays below its tolerance."""
    return min(
        (
            test.metrics["tolerance"] / test.metrics["max_abs_error"]
            for test in report.tests
            if test.metrics.get("max_abs_error")
        ),
        default=math.inf,
    )


def _check_starter(exercise: Exercise) -> Check:
    report = _grade(exercise, exercise.starter(), 1)
    return Check("starter", report.verdict is Verdict.FAILED, f"{report.verdict}: {report.summary}")


def _check_accepted(exercise: Exercise, sandbox: Executor) -> Iterator[Check]:
    limit = exercise.challenge.manifest.limits.wall_s / 2
    for variant in exercise.variants("accepted"):
        reports = [grade(exercise.challenge, variant.submission, seed, sandbox) for seed in MISTAKE_SEEDS]
        yield _passes(f"accepted {variant.name}", reports)
        slowest = max(report.timings.sandbox_s for report in reports)
        yield Check(f"time of {variant.name}", slowest < limit, f"{slowest:.2f} s, half the limit is {limit:.1f} s")


def _check_mistake(mistake: Misconception, reports: Sequence[Report]) -> Check:
    """Killed on every paper, with a margin, and named first in the diagnosis (or by the rule that it breaks)."""
    name = f"misconception {mistake.name}"
    for report in reports:
        broken = [finding.rule for finding in report.structure if finding.status is RuleStatus.FAILED]
        if report.verdict is not Verdict.FAILED:
            return Check(name, False, f"seed {report.seed}: {report.verdict}")
        named = [diagnosis.id for diagnosis in report.diagnoses]
        if mistake.id not in named[:1] and not (not named and broken):
            return Check(name, False, f"seed {report.seed}: diagnosed as {named or 'nothing'}")
    margin = min(_margin_above(report) for report in reports)
    groups = ", ".join(sorted(_failed_groups(reports[0])))
    shown = "no number" if math.isinf(margin) else f"{margin:.0f} times the tolerance"
    return Check(name, margin >= MARGIN, f"killed by {groups}; {shown}")


def _margin_above(report: Report) -> float:
    """How far the plainest failure is above its tolerance; infinite where it is not a matter of numbers."""
    failed = [test for test in report.tests if test.status in (TestStatus.FAILED, TestStatus.ERROR)]
    return max(
        (
            test.metrics["max_abs_error"] / test.metrics["tolerance"] if "tolerance" in test.metrics else math.inf
            for test in failed
        ),
        default=0.0,
    )


def _failed_groups(report: Report) -> set[str]:
    return {test.group for test in report.tests if test.status in (TestStatus.FAILED, TestStatus.ERROR)}


def _check_families(exercise: Exercise, kills: set[str]) -> Check:
    idle = sorted(exercise.families.keys() - kills)
    detail = f"no misconception is killed by {', '.join(idle)}" if idle else "every family kills a misconception"
    return Check("families", not idle, detail)


def _check_questions(challenge: Challenge) -> Check:
    try:
        QuestionBank.load(challenge.questions_path).check(QUESTION_VARIANTS)
    except BankError as error:
        return Check("questions", False, str(error))
    return Check("questions", True, f"{QUESTION_VARIANTS} variants of each have one right answer")


def _check_secrets(exercise: Exercise) -> Check:
    """No line of the reference longer than a word or two stands in what students are given."""
    challenge = exercise.challenge
    given = challenge.spec() + challenge.starter().decode() + challenge.questions_path.read_text(encoding="utf-8")
    bodies = [
        line.strip() for line in exercise.reference_source.decode().splitlines() if " = " in line or "return " in line
    ]
    shown = [line for line in bodies if len(line) > 30 and line in given]
    return Check(
        "secrets", not shown, f"students are shown: {shown[0]}" if shown else "students see none of the reference"
    )
