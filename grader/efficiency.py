"""Time as a ratio to a plain right answer in an equal sandbox, one beside the other, taken from outside."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from grader.execution import Call, CallStatus, Ending, Execution, Executor, OnOutcome, Outcome, ignore_outcome
from grader.exercise import Exercise
from grader.inspection import Inspection, SourceRules
from grader.limits import Limits
from grader.report import Efficiency, TestResult, TestStatus
from grader.submission import Submission

FAMILY = "efficiency"
ROUNDS = 5
# Tables built in a Python loop are slow and right: only what would not scale costs these points.
SLOWEST_RATIO = 10.0
# Far more than rounding, far less than another result.
CLOSE = 1e-3
DIFFERS = "Your function passed every test, and gave another result while it was timed."


@dataclass(frozen=True)
class Timed:
    test: TestResult
    efficiency: Efficiency


def measure_efficiency(
    exercise: Exercise, submission: Submission, seed: int, execute: Executor, operations: dict[str, int]
) -> Timed:
    """Run the workload in two fresh sandboxes. For submissions that are right: a wrong answer's speed tells nothing."""
    calls = [replace(exercise.workload(seed + number), id=f"{FAMILY}/{number}") for number in range(ROUNDS)]
    limits = exercise.challenge.manifest.session_limits
    theirs = execute.run(submission, calls, limits)
    ours = execute.run(exercise.baseline(), calls, limits)
    seconds, plain_seconds = _quickest(theirs), _quickest(ours)
    ratio = seconds / plain_seconds if seconds and plain_seconds else None
    held, plain_held = theirs.peak_memory_bytes, ours.peak_memory_bytes
    memory = held / plain_held if held and plain_held else None
    is_right = all(map(_is_same, ours.outcomes, theirs.outcomes))
    return Timed(
        test=_test(exercise, ratio) if is_right else _result(exercise, TestStatus.FAILED, DIFFERS),
        efficiency=Efficiency(device="cpu", time_ratio=ratio, memory_ratio=memory, ops=operations),
    )


def _quickest(execution: Execution) -> float | None:
    """Of several calls of one size, each with inputs of its own: what was computed once cannot be given again."""
    times = [outcome.elapsed_s for outcome in execution.outcomes if outcome.status is CallStatus.RETURNED]
    return min(times) if len(times) == ROUNDS else None


def _is_same(ours: Outcome, theirs: Outcome) -> bool:
    """Roughly: that it is right was tested. A call that did not return has no time either."""
    for right, found in zip(ours.outputs, theirs.outputs, strict=False):
        scale = CLOSE * right.double().abs().amax().item()
        if right.shape != found.shape or not ((right.double() - found.double()).abs() <= scale).all():
            return False
    return True


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
