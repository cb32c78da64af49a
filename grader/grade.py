"""grade(): from a challenge, a submission and a seed to a report. Pure: whatever runs code is handed in."""

import time
from dataclasses import dataclass, replace

import torch

from grader.challenge import Challenge
from grader.compare import compare
from grader.conclude import conclude
from grader.diagnose import diagnose, remembers
from grader.efficiency import measure_efficiency, skipped
from grader.execution import CallStatus, Ending, Execution, Executor
from grader.exercise import Exercise, exercise_of
from grader.guide import guide
from grader.inspection import Inspection, Place, Refusal
from grader.mark import Marker, OnTest
from grader.remarks import remarks
from grader.report import (
    ChallengeRef,
    Diagnosis,
    Efficiency,
    Environment,
    Guidance,
    Remark,
    Report,
    RuleFinding,
    RuleStatus,
    SubmissionRef,
    TestResult,
    TestStatus,
    Timings,
    Verdict,
)
from grader.rules import judge_rules, operations_by_heads
from grader.scrutiny import Scrutiny
from grader.search import Judged
from grader.submission import Submission

# What the line of a rejection or a crash is told as: rules that hold for every challenge.
GRADABLE, RUNS = "gradable-as-sent", "runs-to-its-end"
# A case that fails among others and is right alone shows a memory between calls; a few are tried.
ALONE_TRIES = 3


def ignore_test(_result: TestResult, _done: int, _total: int) -> None:
    """For callers who only want the report."""


@dataclass(frozen=True)
class _Session:
    """What putting the paper to the submission brought."""

    execution: Execution
    tests: tuple[TestResult, ...]
    rules: tuple[RuleFinding, ...]
    diagnoses: tuple[Diagnosis, ...]
    guidance: Guidance | None
    efficiency: Efficiency | None
    remarks: tuple[Remark, ...]


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
    write = _Writer(challenge, submission, seed, execute.description, time.perf_counter())
    exercise = exercise_of(challenge)
    submission = submission.beside(challenge.support)
    inspection = execute.inspect(submission, challenge.manifest.source_rules)
    if inspection.refusal is not None:
        return write.rejected(inspection.refusal)
    session = _sit(exercise, submission, seed, execute, inspection, on_test)
    return write.graded(session)


def _sit(
    exercise: Exercise,
    submission: Submission,
    seed: int,
    execute: Executor,
    inspection: Inspection,
    on_test: OnTest,
) -> _Session:
    """Put the paper to the submission, call by call; then look at the rules, and for what explains the failures."""
    manifest = exercise.challenge.manifest
    paper = exercise.paper(seed)
    marker = Marker(exercise, paper, on_test)
    to_watch = exercise.structure_calls(seed)
    calls = [*(replace(case.call, glance=True) for case in paper.cases), *to_watch]
    execution = execute.run(submission, calls, manifest.session_limits, marker.mark)
    marker.finish(execution.ending)
    put = execution.outcomes[: len(paper.cases)]
    watched = {outcome.id: outcome for outcome in execution.outcomes[len(paper.cases) :]}
    rules = judge_rules(manifest, inspection, watched, put, tuple(marker.tests))
    if all(test.status is TestStatus.PASSED for test in marker.tests):
        rules = Scrutiny(exercise, submission, execute, inspection, to_watch, watched).revised(rules)
    diagnoses = _explain(exercise, submission, execute, inspection, marker)
    guidance = None
    if execution.ending is Ending.COMPLETED:
        guidance = guide(exercise, submission, execute, inspection, marker.judged, diagnoses)
    marker.add_rules(rules)
    efficiency, noticed = None, tuple[Remark, ...]()
    if all(test.status is TestStatus.PASSED for test in marker.tests):
        noticed = remarks(exercise, submission, seed, execute)
        timed = measure_efficiency(exercise, submission, seed, execute, operations_by_heads(watched))
        marker.add(timed.test)
        efficiency = timed.efficiency
    else:
        marker.add(skipped(exercise))
    return _Session(execution, tuple(marker.tests), rules, diagnoses, guidance, efficiency, noticed)


def _explain(
    exercise: Exercise, submission: Submission, execute: Executor, inspection: Inspection, marker: Marker
) -> tuple[Diagnosis, ...]:
    """Diagnose, and where the exercise was misread, grade what is left against that reading."""
    returned = [item for item in marker.judged if item.outcome.status is CallStatus.RETURNED]
    if not returned:
        return ()
    explained = diagnose(exercise, inspection, marker.judged)
    for explanation in explained.explanations:
        for mistake in explanation.mistakes:
            charged = exercise.challenge.manifest.misreadings.get(mistake.name)
            if charged is not None:
                marker.grade_against(exercise.program_with(mistake), charged)
    for item in explained.unexplained[:ALONE_TRIES]:
        if _is_right_alone(exercise, submission, execute, item):
            return (*explained.diagnoses, *remembers(exercise, inspection, item))
    return explained.diagnoses


def _is_right_alone(exercise: Exercise, submission: Submission, execute: Executor, item: Judged) -> bool:
    limits = exercise.challenge.manifest.session_limits
    execution = execute.run(submission, [item.case.call], limits)
    return execution.ending is Ending.COMPLETED and (
        compare(item.case, item.expected, execution.outcomes[0]).flaw is None
    )


def _pointer(rule: str, place: Place | None, message: str) -> tuple[RuleFinding, ...]:
    """The line that a rejection or a crash is about, where the report has room for a line."""
    if place is None:
        return ()
    return (RuleFinding(rule=rule, status=RuleStatus.FAILED, line=place.line, file=place.file, message=message),)


@dataclass(frozen=True)
class _Writer:
    """Writes the report of one submission."""

    challenge: Challenge
    submission: Submission
    seed: int
    sandbox: str
    started: float

    def rejected(self, refusal: Refusal) -> Report:
        report = self._report(Verdict.REJECTED, refusal.message, Timings(total_s=self._elapsed()))
        return report.model_copy(update={"structure": _pointer(GRADABLE, refusal.place, refusal.message)})

    def graded(self, session: _Session) -> Report:
        tests = session.tests
        conclusion = conclude(self.challenge.manifest, session.execution, tests, session.rules, session.diagnoses)
        timings = Timings(sandbox_s=session.execution.wall_s, total_s=self._elapsed())
        return self._report(conclusion.verdict, conclusion.summary, timings).model_copy(
            update={
                "score": round(sum(test.score for test in tests), 2),
                "tests": tests,
                "diagnoses": session.diagnoses,
                "guidance": session.guidance,
                "structure": (*_pointer(RUNS, conclusion.place, conclusion.summary), *session.rules),
                "efficiency": session.efficiency,
                "remarks": session.remarks,
            }
        )

    def _report(self, verdict: Verdict, summary: str, timings: Timings) -> Report:
        manifest = self.challenge.manifest
        return Report(
            challenge=ChallengeRef(slug=self.challenge.slug, version=self.challenge.version),
            submission=SubmissionRef(filename=manifest.upload, sha256=self.submission.sha256),
            verdict=verdict,
            score=0.0,
            max_score=manifest.max_score,
            summary=summary,
            seed=self.seed,
            environment=Environment(torch=torch.__version__, device="cpu", sandbox=self.sandbox),
            timings=timings,
        )

    def _elapsed(self) -> float:
        return time.perf_counter() - self.started
