"""Time as a ratio to a plain right answer in an equal sandbox, one beside the other, taken from outside."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from grader.execution import Call, CallStatus, Executor, Session
from grader.exercise import Exercise
from grader.report import Efficiency, TestResult, TestStatus
from grader.submission import Submission

FAMILY = "efficiency"
ROUNDS = 4
# Tables built in a Python loop are slow and right: only what would not scale costs these points.
SLOWEST_RATIO = 10.0


@dataclass(frozen=True)
class Timed:
    test: TestResult
    efficiency: Efficiency


def measure_efficiency(
    exercise: Exercise, submission: Submission, seed: int, execute: Executor, operations: dict[str, int]
) -> Timed:
    """Run the workload in two fresh sandboxes, in turns, so that what else the machine does meets both alike. For
    submissions that are right: a wrong answer's speed tells nothing.
    """
    call, limits = exercise.workload(seed), exercise.challenge.manifest.session_limits
    with execute.open(submission, limits) as theirs, execute.open(exercise.baseline(), limits) as ours:
        theirs.load()
        ours.load()
        ratios = [ratio for index in range(ROUNDS) if (ratio := _ratio(call, index, theirs, ours)) is not None]
        memory = [session.end().peak_memory_bytes for session in (theirs, ours)]
    time_ratio = median(ratios) if len(ratios) == ROUNDS else None
    return Timed(
        test=_test(exercise, time_ratio, ratios),
        efficiency=Efficiency(
            device="cpu",
            time_ratio=time_ratio,
            memory_ratio=memory[0] / memory[1] if memory[0] and memory[1] else None,
            ops=operations,
        ),
    )


def _ratio(call: Call, index: int, theirs: Session, ours: Session) -> float | None:
    """One turn of each; who begins alternates."""
    order = (theirs, ours) if index % 2 else (ours, theirs)
    seconds = {}
    for session in order:
        outcome = session.call(replace(call, id=f"{FAMILY}/{index}"))
        if outcome.status is not CallStatus.RETURNED:
            return None
        seconds[session] = outcome.elapsed_s
    return seconds[theirs] / seconds[ours]


def skipped(exercise: Exercise) -> TestResult:
    """The test of a submission that is not right yet."""
    return _result(exercise, TestStatus.SKIPPED, "Measured once everything else is right.")


def _test(exercise: Exercise, ratio: float | None, ratios: Sequence[float]) -> TestResult:
    if ratio is None:
        return _result(exercise, TestStatus.FAILED, "The workload did not finish.")
    status = TestStatus.PASSED if ratio <= SLOWEST_RATIO else TestStatus.FAILED
    result = _result(exercise, status, f"{ratio:.1f} times the time of a plain right answer.")
    spread = {"time_ratio": ratio, "time_ratio_least": min(ratios), "time_ratio_most": max(ratios)}
    return result.model_copy(update={"metrics": spread})


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
