"""grade(): from a challenge, a submission and a seed to a report. Pure: what runs code, the clock and the thread are
handed in.
"""

import re
import time
from collections.abc import Callable, Sequence
from concurrent import futures
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

import torch

from grader.challenge import Challenge
from grader.comparison.baselines import Baselines, calls_of, time_workload
from grader.comparison.compare import compare
from grader.comparison.efficiency import Timed, measure_efficiency, roughly, skipped
from grader.comparison.in_common import first_told, in_common
from grader.comparison.remarks import remarks
from grader.comparison.scaling import Times
from grader.comparison.scored_case import ScoredCase
from grader.comparison.scorer import OnTest, Scorer
from grader.conclude import Result, conclude
from grader.diagnosis.adapters import with_the_way_that_keeps_gradients
from grader.diagnosis.breakdown import breakdown_of, is_plain, slip_beside
from grader.diagnosis.diagnose import diagnose, remembers
from grader.diagnosis.first_wrong_line import with_first_wrong_lines
from grader.diagnosis.guide import guide, with_its_example
from grader.exercise import Exercise, exercise_of
from grader.forgeable import run_forgeable
from grader.guest.execution import End, Ending, Execution, Executor, Session
from grader.guest.inspection import Inspection, Place, Refusal
from grader.guest.submission import Submission
from grader.notebook import in_cells
from grader.paper.draw import Paper
from grader.paper.mismatch import Mismatch
from grader.report import (
    ChallengeRef,
    Diagnosis,
    Environment,
    Forgeable,
    Report,
    RuleFinding,
    RuleStatus,
    SubmissionRef,
    TestResult,
    Timings,
    Verdict,
)
from grader.rules.judging import Watched, judge_rules, operations_by_heads
from grader.rules.scrutiny import Scrutiny
from grader.rules.twins import Twins, with_counts

# What the line of a rejection or a crash is told as: rules that hold for every challenge.
GRADABLE, RUNS = "gradable-as-sent", "runs-to-its-end"
# A case that fails among others and is right alone shows a memory between calls; a few are tried.
ALONE_TRIES = 3
ONE_THREAD = partial(futures.ThreadPoolExecutor, 1)
# How Python code keeps something from one call to the next, by a glance at its lines: what explains a failure is then
# put to a call of its own, too.
KEEPS = re.compile(rb"\bglobal\b|cache|hasattr|= ?\{\}|= ?\[\]|\bdict\(\)")


def ignore_test(_result: TestResult, _done: int, _total: int) -> None:
    """Does nothing with a test: the caller only wants the report."""


def grade(
    challenge: Challenge,
    submission: Submission,
    seed: int,
    execute: Executor,
    on_test: OnTest = ignore_test,
    *,
    is_timed: bool = True,
    is_guided: bool = True,
    baselines: Baselines | None = None,
    clock: Callable[[], float] = time.perf_counter,
    aside: Callable[[], futures.Executor] = ONE_THREAD,
) -> Report:
    """Grade one submission. The same arguments give the same tests and the same verdict.

    `on_test` is told of each test as it ends, with how many are done and how many there are. Efficiency, of which a
    verdict asks only that the results are right, is left out where it `is_timed` not; guidance and remarks, of which it
    asks nothing, where it `is_guided` not. With `baselines`, efficiency is measured roughly where that will do. `clock`
    gives the seconds of the report's timings; the paper is drawn `aside`, while the sandbox reads and imports.
    Raises SandboxUnavailable when the executor cannot run: never the student's fault.
    """
    write = _Writer(challenge, submission, seed, execute.description, clock, clock())
    exercise, whole = exercise_of(challenge), challenge.laid_out(submission)
    result = _Sitting(exercise, whole, seed, execute, on_test, is_timed, is_guided, baselines, aside).result()
    if isinstance(result, Refusal):
        report = write.rejected(result)
    else:
        is_done = result.execution.ending is Ending.COMPLETED
        report = write.graded(result, run_forgeable(challenge, submission, execute) if is_done else None)
    return in_cells(report, submission.source) if submission.is_notebook else report


@dataclass(frozen=True)
class _Sitting:
    """One submission at its paper: a session in the sandbox, and more where there is more to find out."""

    exercise: Exercise
    submission: Submission
    seed: int
    execute: Executor
    on_test: OnTest
    is_timed: bool
    is_guided: bool
    baselines: Baselines | None
    aside: Callable[[], futures.Executor]

    def result(self) -> Result | Refusal:
        manifest = self.exercise.challenge.manifest
        with self.aside() as aside, self.execute.open(self.submission, manifest.session_limits) as session:
            drawing = aside.submit(self.exercise.paper, self.seed)  # while the sandbox reads and imports
            inspection = session.inspect(self.exercise.challenge.source_rules)
            if inspection.refusal is not None:
                return inspection.refusal
            session.load()
            return self._put(session, inspection, drawing.result())

    def _put(self, session: Session, inspection: Inspection, paper: Paper) -> Result:
        """The paper, call by call; then a look at the rules, and for what explains the failures."""
        manifest = self.exercise.challenge.manifest
        to_watch = self.exercise.structure_calls(self.seed)
        outcomes = session.calls(with_counts(manifest.source, calls_of(self.exercise, self.seed)))
        scorer = Scorer(self.exercise, paper, self.on_test)  # which has the reference answer, while the sandbox does
        put = []
        for outcome in islice(outcomes, len(paper.cases)):
            scorer.score(outcome)
            put.append(outcome)
        watched = [Watched(asked, outcome) for asked, outcome in zip(to_watch, outcomes, strict=True)]
        ending = session.ending  # whatever comes after is no part of the verdict
        scorer.finish(ending)
        rules = judge_rules(manifest, inspection, watched, put, scorer.tests)
        if scorer.is_paper_right:
            twins = Twins(self.exercise, paper.cases, put, self._reopened)
            rules = Scrutiny(self.exercise, session, inspection, watched, twins).revised(rules)
        diagnoses = () if scorer.is_paper_right else self._explain(inspection, scorer, session)
        breakdown = breakdown_of(manifest, inspection, scorer.scored) or (
            slip_beside(manifest, inspection, scorer.scored, diagnoses)
        )
        guidance = None
        is_told = breakdown is not None and is_plain(breakdown, scorer.scored)
        if ending is Ending.COMPLETED and self.is_guided and not scorer.is_paper_right and not is_told:
            guidance = guide(self.exercise, self.submission, self.execute, inspection, scorer.scored, diagnoses)
        scorer.add_rules(rules)
        noticed = remarks(self.exercise, self.seed, session) if scorer.is_right and self.is_guided else ()
        end, timed = self._end(session, watched, is_timed=scorer.is_right and self.is_timed)
        scorer.add(skipped(self.exercise) if timed is None else timed.test)
        if ending is Ending.COMPLETED:
            end = replace(end, ending=ending, problem=None, detail="")
        execution = Execution(**vars(end), outcomes=(*put, *(one.outcome for one in watched)))
        return Result(
            execution=execution,
            tests=tuple(scorer.tests),
            rules=rules,
            breakdown=breakdown,
            diagnoses=diagnoses,
            guidance=guidance,
            in_common=in_common(manifest, scorer.scored),
            first=first_told(manifest, scorer.scored),
            efficiency=None if timed is None else timed.efficiency,
            remarks=noticed,
            is_right_when_timed=timed is None or timed.is_right,
        )

    def _end(self, session: Session, watched: Sequence[Watched], *, is_timed: bool) -> tuple[End, Timed | None]:
        """Ends the session, and measures what a right answer takes: roughly before that, else in turns after it."""
        times = time_workload(self.exercise, session, self.seed) if is_timed and self.baselines else None
        end = session.end()  # first: what still runs in it would slow down the plain answer
        return end, self._time(watched, times, end.peak_memory_bytes) if is_timed else None

    def _reopened(self) -> AbstractContextManager[Session]:
        return self.execute.open(self.submission, self.exercise.challenge.manifest.session_limits)

    def _time(self, watched: Sequence[Watched], times: Times | None, held_bytes: int | None) -> Timed:
        """By what it took in the paper's session, `times`, if that will do."""
        exercise, operations = self.exercise, operations_by_heads(watched)
        plain = self.baselines.plain(exercise, self.execute) if self.baselines and times else None
        rough = None
        if times and plain:
            memory_ratio = held_bytes / plain.peak_bytes if held_bytes and plain.peak_bytes else None
            rough = roughly(exercise, times, plain.times, memory_ratio, operations)
        return rough or measure_efficiency(exercise, self.submission, self.seed, self.execute, operations)

    def _explain(self, inspection: Inspection, scorer: Scorer, session: Session) -> tuple[Diagnosis, ...]:
        """Diagnose, and where the exercise was misread, grade what is left against that reading."""
        if not any(item.has_returned for item in scorer.scored):
            return ()
        explained = diagnose(self.exercise, inspection, scorer.scored)
        unexplained = [item for item in explained.unexplained if item.finding.mismatch is not Mismatch.CHANGED_EARLIER]
        tried = unexplained[:ALONE_TRIES]
        if KEEPS.search(self.submission.source):  # else one session more would only take time
            tried.extend(explained.examples(scorer.scored))
        kept = next((item for item in tried if self._is_right_alone(item)), None)
        memory: tuple[Diagnosis, ...] = ()
        if kept is not None:
            believed = explained.without(filter(self._is_right_alone, explained.examples(scorer.scored)))
            refuted = (one.cases for one in explained.explanations if one not in believed.explanations)
            memory = remembers(self.exercise, inspection, kept, frozenset[str]().union(*refuted))
            explained = believed
        for explanation in explained.explanations:
            for mistake in () if explanation.is_partial else explanation.mistakes:
                charged = self.exercise.challenge.manifest.misreadings.get(mistake.name)
                if charged is not None:
                    scorer.grade_against(self.exercise.program_with(mistake), charged)
        found = with_first_wrong_lines(
            self.exercise,
            self.submission,
            inspection,
            session,
            scorer.scored,
            explained.explanations,
            explained.diagnoses,
        )
        return with_the_way_that_keeps_gradients((*found, *memory), inspection)

    def _is_right_alone(self, item: ScoredCase) -> bool:
        """Twice: what is random may be right once by chance."""
        return self._is_right_in_a_session_of_its_own(item) and self._is_right_in_a_session_of_its_own(item)

    def _is_right_in_a_session_of_its_own(self, item: ScoredCase) -> bool:
        limits = self.exercise.challenge.manifest.session_limits
        execution = self.execute.run(self.submission, [item.case.alone or item.case.call], limits.for_help())
        return execution.ending is Ending.COMPLETED and (
            compare(item.case, item.expected, execution.outcomes[0]).mismatch is None
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
    clock: Callable[[], float]
    started: float

    def rejected(self, refusal: Refusal) -> Report:
        report = self._report(Verdict.REJECTED, refusal.message, Timings(total_s=self._elapsed()))
        return report.model_copy(update={"structure": _pointer(GRADABLE, refusal.place, refusal.message)})

    def graded(self, result: Result, forgeable: Forgeable | None) -> Report:
        conclusion = conclude(self.challenge.manifest, self.submission.filename, result, forgeable)
        timings = Timings(sandbox_s=result.execution.wall_s, total_s=self._elapsed())
        return self._report(conclusion.verdict, conclusion.summary, timings).model_copy(
            update={
                "score": round(sum(test.score for test in result.tests), 2),
                "tests": result.tests,
                "breakdown": conclusion.breakdown,
                "diagnoses": result.diagnoses,
                "guidance": result.guidance and with_its_example(result.guidance),
                "structure": (*_pointer(RUNS, conclusion.place, conclusion.summary), *result.rules),
                "efficiency": result.efficiency,
                "forgeable": forgeable,
                "remarks": result.remarks,
            }
        )

    def _report(self, verdict: Verdict, summary: str, timings: Timings) -> Report:
        manifest = self.challenge.manifest
        return Report(
            challenge=ChallengeRef(slug=self.challenge.slug, version=self.challenge.version),
            submission=SubmissionRef(filename=self.submission.filename, sha256=self.submission.sha256),
            verdict=verdict,
            score=0.0,
            max_score=manifest.max_score,
            summary=summary,
            seed=self.seed,
            environment=Environment(torch=torch.__version__, device="cpu", sandbox=self.sandbox),
            timings=timings,
        )

    def _elapsed(self) -> float:
        return self.clock() - self.started
