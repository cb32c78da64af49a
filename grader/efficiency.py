"""Time as a ratio to a plain right answer in an equal sandbox, one beside the other, taken from outside."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from grader.execution import Call, CallStatus, Ending, Execution, Executor, OnOutcome, ignore_outcome
from grader.exercise import Exercise
from grader.inspection import Inspection, SourceRules
from grader.limits import Limits
from grader.report import Efficiency, TestResult, TestStatus
from grader.submission import Submission

FAMILY = "efficiency"
ROUNDS = 5
# Tables built in a Python loop are slow and right: only what would not scale costs these points.
SLOWEST_RATIO = 10.0


@dataclass(frozen=True)
class Timed:
    test: TestResult
    efficiency: Efficiency


@dataclass(frozen=True)
class _Cost:
    """The quickest of several equal calls, and the memory of the whole session."""

    seconds: float | None
    memory_bytes: int | None


def measure_efficiency(
    exercise: Exercise, submission: Submission, seed: int, execute: Executor, operations: dict[str, int]
) -> Timed:
    """Run the workload in two fresh sandboxes. For submissions that are right: a wrong answer's speed tells nothing."""
    theirs = _cost(exercise, submission, seed, execute)
    ours = _cost(exercise, exercise.baseline(), seed, execute)
    ratio = theirs.seconds / ours.seconds if theirs.seconds and ours.seconds else None
    memory = theirs.memory_bytes / ours.memory_bytes if theirs.memory_bytes and ours.memory_bytes else None
    return Timed(
        test=_test(exercise, ratio),
        efficiency=Efficiency(device="cpu", time_ratio=ratio, memory_ratio=memory, ops=operations),
    )


def _cost(exercise: Exercise, submission: Submission, seed: int, execute: Executor) -> _Cost:
    call = exercise.workload(seed)
    calls = [replace(call, id=f"{FAMILY}/{index}") for index in range(ROUNDS)]
    execution = execute.run(submission, calls, exercise.challenge.manifest.session_limits)
    times = [outcome.elapsed_s for outcome in execution.outcomes if outcome.status is CallStatus.RETURNED]
    return _Cost(min(times) if len(times) == ROUNDS else None, execution.peak_memory_bytes)


def skipped(exercise: Exercise) -> TestResult:
    """The test of a submission that is not right yet."""
    return _result(exercise, TestStatus.SKIPPED, "Measured once everything else is right.")


def _test(exercise: Exercise, ratio: float | None) -> TestResult:
    if ratio is None:
        return _result(exercise, TestStatus.FAILED, "The workload did not finish.")
    status = TestStatus.PASSED if ratio <= SLOWEST_RATIO else TestStatus.FAILED
    result = _result(exercise, status, f"{ratio:.1f} times the time of a plain right answer.")
    return result.model_copy(update={"metrics": {"time_ratio": ratio}})


def _result(exercise: Exercise, status: TestStatus, message: str) -> TestResult:
    family = exercise.challenge.manifest.families[FAMILY]
    return TestResult(
        id=f"{FAMILY}/time",
        group=FAMILY,
        title=f"at most {SLOWEST_RATIO:.0f} times as slow as a plain right answer",
        status=status,
        score=family.points if status is TestStatus.PASSED else 0.0,
        max_score=family.points,
        visibility=family.visibility,
        message=message,
    )


@dataclass(frozen=True)
class Untimed:
    """Implements `Executor`: another one, without what is run only to be timed. No verdict depends on it."""

    inner: Executor

    @property
    def description(self) -> str:
        return self.inner.description

    def inspect(self, submission: Submission, rules: SourceRules) -> Inspection:
        return self.inner.inspect(submission, rules)

    def run(
        self,
        submission: Submission,
        calls: Sequence[Call],
        limits: Limits,
        on_outcome: OnOutcome = ignore_outcome,
    ) -> Execution:
        if all(call.id.startswith(f"{FAMILY}/") for call in calls):
            return Execution(Ending.COMPLETED, ())
        return self.inner.run(submission, calls, limits, on_outcome)
