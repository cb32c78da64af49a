"""grade(): from a challenge, a submission and a seed to a report. Pure: whatever runs code is handed in."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import torch

from grader.challenge import Challenge
from grader.compare import Finding, Flaw, compare
from grader.conclude import conclude
from grader.diagnose import Judged, diagnose
from grader.efficiency import measure_efficiency
from grader.execution import Ending, Execution, Executor, Outcome
from grader.exercise import Exercise
from grader.inspection import Inspection, Refusal
from grader.paper import Case, Paper
from grader.report import (
    ChallengeRef,
    Diagnosis,
    Efficiency,
    Environment,
    Report,
    RuleFinding,
    SubmissionRef,
    TestResult,
    TestStatus,
    Timings,
    Verdict,
)
from grader.rules import judge_rules, operations_by_heads
from grader.submission import Submission

OnTest = Callable[[TestResult, int, int], None]
EFFICIENCY = "efficiency"


def ignore_test(_result: TestResult, _done: int, _total: int) -> None:
    """For callers who only want the report."""


@dataclass(frozen=True)
class _Session:
    """What running the paper brought."""

    execution: Execution
    judged: tuple[Judged, ...]  # finished calls only
    tests: tuple[TestResult, ...]
    rules: tuple[RuleFinding, ...]
    watched: dict[str, Outcome]


def grade(
    challenge: Challenge,
    submission: Submission,
    seed: int,
    execute: Executor,
    on_test: OnTest = ignore_test,
) -> Report:
    """Grade one submission. The same arguments give the same tests and the same verdict.

    `on_test` is told of each test as it ends, with how many are done and how many there are.
    Raises SandboxUnavailable when the executor cannot run: never the student's fault.
    """
    started = time.perf_counter()
    exercise = Exercise(challenge)
    report = _Writer(challenge, submission, seed, execute.description, started)
    inspection = execute.inspect(submission, challenge.manifest.source_rules)
    if inspection.refusal is not None:
        return report.rejected(inspection.refusal)
    session = _sit(exercise, submission, exercise.paper(seed), execute, inspection, on_test)
    diagnoses = diagnose(exercise, inspection, session.judged) if session.judged else ()
    tests, efficiency = session.tests, None
    if all(test.status is TestStatus.PASSED for test in tests):
        timed = measure_efficiency(exercise, submission, seed, execute, operations_by_heads(session.watched))
        tests, efficiency = (*tests, timed.test), timed.efficiency
        on_test(timed.test, len(tests), len(tests))
    return report.graded(session, tests, diagnoses, efficiency)


def _sit(
    exercise: Exercise,
    submission: Submission,
    paper: Paper,
    execute: Executor,
    inspection: Inspection,
    on_test: OnTest,
) -> _Session:
    """Put the paper to the submission, call by call, and judge each outcome as it comes."""
    manifest = exercise.challenge.manifest
    watched_calls = exercise.structure_calls(paper.seed)
    marker = _Marker(exercise, paper, on_test)
    calls = [*(case.call for case in paper.cases), *watched_calls]
    execution = execute.run(submission, calls, manifest.session_limits, marker.mark)
    tests = marker.finish(execution.ending)
    watched = {outcome.id: outcome for outcome in execution.outcomes[len(paper.cases) :]}
    return _Session(
        execution=execution,
        judged=tuple(marker.judged),
        tests=tests,
        rules=judge_rules(manifest, inspection, watched, tests),
        watched=watched,
    )


class _Marker:
    """Judges outcomes as they come in the paper's order."""

    def __init__(self, exercise: Exercise, paper: Paper, on_test: OnTest) -> None:
        self._paper = paper
        self._on_test = on_test
        self._expected = exercise.expected(paper.cases)
        self._families = exercise.challenge.manifest.families
        counts = {name: sum(case.family == name for case in paper.cases) for name in self._families}
        self._worth = {name: family.points / max(counts[name], 1) for name, family in self._families.items()}
        self.judged: list[Judged] = []
        self._tests: list[TestResult] = []

    def mark(self, outcome: Outcome) -> None:
        index = len(self._tests)
        if index >= len(self._paper.cases):
            return  # a watched call: not judged
        case, expected = self._paper.cases[index], self._expected[index]
        finding = compare(case, expected, outcome)
        self.judged.append(Judged(case, expected, outcome, finding))
        self._add(self._result(case, finding))

    def finish(self, ending: Ending) -> tuple[TestResult, ...]:
        """Add the tests that the session did not reach."""
        while len(self._tests) < len(self._paper.cases):
            case = self._paper.cases[len(self._tests)]
            is_first = len(self._tests) == len(self.judged)
            self._add(self._unreached(case, ending, is_first))
        return tuple(self._tests)

    def _add(self, result: TestResult) -> None:
        self._tests.append(result)
        self._on_test(result, len(self._tests), len(self._paper.cases))

    def _result(self, case: Case, finding: Finding) -> TestResult:
        status = TestStatus.PASSED if finding.flaw is None else TestStatus.FAILED
        if finding.flaw is Flaw.RAISED:
            status = TestStatus.ERROR
        message = f"{finding.message} {case.hint}".strip() if finding.flaw else ""
        result = self._blank(case, status, message)
        earned = result.max_score if finding.flaw is None else 0.0
        return result.model_copy(update={"score": earned, "metrics": dict(finding.metrics)})

    def _unreached(self, case: Case, ending: Ending, is_first: bool) -> TestResult:
        if ending is Ending.OUT_OF_TIME and is_first:
            return self._blank(case, TestStatus.TIMEOUT, "The time ran out in this call.")
        if is_first and ending is not Ending.IMPORT_FAILED:
            return self._blank(case, TestStatus.ERROR, "The process ended in this call.")
        return self._blank(case, TestStatus.SKIPPED, "Not run: your program had ended before.")

    def _blank(self, case: Case, status: TestStatus, message: str) -> TestResult:
        return TestResult(
            id=case.id,
            group=case.family,
            title=case.title,
            status=status,
            score=0.0,
            max_score=self._worth[case.family],
            visibility=self._families[case.family].visibility,
            message=message,
        )


@dataclass(frozen=True)
class _Writer:
    """Writes the report of one submission."""

    challenge: Challenge
    submission: Submission
    seed: int
    sandbox: str
    started: float

    def rejected(self, refusal: Refusal) -> Report:
        return self._report(Verdict.REJECTED, 0.0, refusal.message, Timings(total_s=self._elapsed()))

    def graded(
        self,
        session: _Session,
        tests: tuple[TestResult, ...],
        diagnoses: tuple[Diagnosis, ...],
        efficiency: Efficiency | None,
    ) -> Report:
        conclusion = conclude(self.challenge.manifest, session.execution, tests, session.rules, diagnoses)
        base = self._report(
            conclusion.verdict,
            round(sum(test.score for test in tests), 2),
            conclusion.summary,
            Timings(sandbox_s=session.execution.wall_s, total_s=self._elapsed()),
        )
        return base.model_copy(
            update={
                "tests": tests,
                "diagnoses": diagnoses,
                "structure": session.rules,
                "efficiency": efficiency,
            }
        )

    def _report(self, verdict: Verdict, score: float, summary: str, timings: Timings) -> Report:
        return Report(
            challenge=ChallengeRef(slug=self.challenge.slug, version=self.challenge.version),
            submission=SubmissionRef(
                filename=self.challenge.manifest.upload,
                sha256=self.submission.sha256,
            ),
            verdict=verdict,
            score=score,
            max_score=self.challenge.manifest.max_score,
            summary=summary,
            seed=self.seed,
            environment=Environment(torch=torch.__version__, device="cpu", sandbox=self.sandbox),
            timings=timings,
        )

    def _elapsed(self) -> float:
        return time.perf_counter() - self.started
