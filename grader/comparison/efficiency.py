"""Time as a ratio to a plain right answer, taken from outside: in an equal sandbox, one beside the other, or roughly,
from what each took in a session of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import mean, median

from grader.comparison.scaling import SHORTER, SHORTEST, Meter, Times, scaling_of, time_scaling
from grader.comparison.shown import is_roughly_alike
from grader.efficiency_report import Efficiency, Scaling
from grader.exercise import Exercise
from grader.guest.closeness import roughly_equal
from grader.guest.execution import Call, CallStatus, Executor, Outcome
from grader.guest.submission import Submission
from grader.report import TestResult, TestStatus

FAMILY = "efficiency"
TURNS = 4
# Tables built in a Python loop are slow and right: only what would not scale costs these points.
SLOWEST_RATIO = 10.0
# Rough figures count up to here: far from what costs points, and above nearly all that equal code comes to.
NEAR_RATIO, NEAR_EXPONENT = 3.0, 0.3
DIFFERS = "Your function passed every test, but it gave a wrong result on the larger input that is used for timing."


@dataclass(frozen=True)
class Timed:
    """`is_right` unless a result was another than the plain right answer's: then the submission is wrong after all."""

    test: TestResult
    efficiency: Efficiency
    is_right: bool


def roughly(
    exercise: Exercise, theirs: Times, plain: Times, memory_ratio: float | None, operations: dict[str, int]
) -> Timed | None:
    """Judges a right submission by the processor time of its paper's session. Returns None where that is not near the
    plain answer's, or grows faster, or where time passes without any being used: then it is to be measured in turns.
    `memory_ratio` is the submission's peak memory, as a multiple of the plain answer's.
    """
    seq = exercise.workload_seq
    scaling = None if seq is None else time_scaling(theirs, plain, seq)
    if not _is_near(theirs, plain, seq) or (seq is not None and not _is_no_steeper(scaling)):
        return None
    ratio = min(theirs.cpu_s[seq]) / min(plain.cpu_s[seq])  # a disturbance only ever adds
    message = f"Roughly {ratio:.1f} times as long as a plain correct answer (equal code gets 0.7 to 1.6)."
    return Timed(
        is_right=True,
        test=_result(exercise, TestStatus.PASSED, message).model_copy(update={"metrics": {"time_ratio": ratio}}),
        efficiency=Efficiency(
            device="cpu",
            time_ratio=ratio,
            memory_ratio=memory_ratio,
            is_rough=True,
            ops=operations,
            scaling=scaling,
        ),
    )


def _is_no_steeper(scaling: Scaling | None) -> bool:
    if scaling is None or scaling.time_exponent is None or scaling.plain_time_exponent is None:
        return False
    return scaling.time_exponent <= scaling.plain_time_exponent + NEAR_EXPONENT


def _is_near(theirs: Times, plain: Times, seq: int | None) -> bool:
    """In the mean, not the least: what one call leaves to be done by a thread is counted in another. And nobody is near
    who waits.
    """
    is_busy = any(mean(taken) >= NEAR_RATIO * min(plain.cpu_s[length]) for length, taken in theirs.cpu_s.items())
    return not is_busy and min(theirs.elapsed_s[seq]) <= NEAR_RATIO * min(plain.elapsed_s[seq])


def measure_efficiency(
    exercise: Exercise, submission: Submission, seed: int, execute: Executor, operations: dict[str, int]
) -> Timed:
    """Run the workload in two fresh sandboxes, in turns, so that what else the machine does meets both alike. For
    submissions that are right: a wrong answer's speed tells nothing.
    """
    limits, seq = exercise.challenge.manifest.session_limits, exercise.workload_seq
    with execute.open(submission, limits) as their_session, execute.open(exercise.baseline(), limits) as our_session:
        their_session.load()
        our_session.load()
        theirs, ours = Meter(their_session), Meter(our_session)
        made = [
            _turn(replace(exercise.workload(seed + index, length), id=f"{FAMILY}/{index}"), turn, length, theirs, ours)
            for index, (turn, length) in enumerate(_plan(seq))
        ]
        held, plain_held = their_session.end().peak_memory_bytes, our_session.end().peak_memory_bytes
    turns = [turn for turn in made if turn.seq == seq]
    ratios = [turn.ratio for turn in turns if turn.ratio is not None]
    is_scaling_known = all(turn.is_right and turn.ratio is not None for turn in made)
    is_right = all(turn.is_right for turn in turns)
    return Timed(
        is_right=is_right,
        test=_test(exercise, ratios) if is_right else _failed(exercise, DIFFERS),
        efficiency=Efficiency(
            device="cpu",
            time_ratio=median(ratios) if len(ratios) == TURNS else None,
            memory_ratio=held / plain_held if held and plain_held else None,
            ops=operations,
            scaling=scaling_of(theirs, ours, seq) if seq is not None and is_scaling_known else None,
        ),
    )


def _plan(seq: int | None) -> list[tuple[int, int | None]]:
    """Turns and lengths, in order. With shorter ones where the workload has a length; only `seq` counts for points."""
    if seq is None:
        return [(turn, None) for turn in range(TURNS)]
    return [(0, seq // SHORTEST), *((turn, length) for turn in range(TURNS) for length in (seq // SHORTER, seq))]


@dataclass(frozen=True)
class _Turn:
    """One call of each, with inputs of its own: what was computed once cannot be given again."""

    seq: int | None
    ratio: float | None
    is_right: bool


def _turn(call: Call, turn: int, seq: int | None, theirs: Meter, ours: Meter) -> _Turn:
    """Who begins alternates."""
    if turn % 2:
        found, right = theirs.call(call, seq), ours.call(call, seq)
    else:
        right, found = ours.call(call, seq), theirs.call(call, seq)
    is_timed = found.status is right.status is CallStatus.RETURNED
    return _Turn(seq, found.elapsed_s / right.elapsed_s if is_timed else None, is_same(right, found))


def is_same(ours: Outcome, theirs: Outcome) -> bool:
    """Whether both gave roughly the same: that it is right was tested. A call that did not return has no time."""
    is_less = theirs.status is CallStatus.RETURNED and len(theirs.outputs) != len(ours.outputs)
    return not is_less and all(map(roughly_equal, theirs.outputs, ours.outputs)) and is_roughly_alike(ours, theirs)


def skipped(exercise: Exercise) -> TestResult:
    """The test of a submission that is not right yet."""
    return _result(exercise, TestStatus.SKIPPED, "This is measured once everything else is right.")


def _test(exercise: Exercise, ratios: Sequence[float]) -> TestResult:
    if len(ratios) < TURNS:
        return _failed(exercise, "The timed workload did not finish.")
    ratio = median(ratios)
    status = TestStatus.PASSED if ratio <= SLOWEST_RATIO else TestStatus.FAILED
    result = _result(exercise, status, f"{ratio:.1f} times as long as a plain correct answer.")
    spread = {"time_ratio": ratio, "time_ratio_least": min(ratios), "time_ratio_most": max(ratios)}
    return result.model_copy(update={"metrics": spread})


def _failed(exercise: Exercise, message: str) -> TestResult:
    return _result(exercise, TestStatus.FAILED, message)


def _result(exercise: Exercise, status: TestStatus, message: str) -> TestResult:
    family = exercise.challenge.manifest.families[FAMILY]
    return TestResult(
        id=f"{FAMILY}/time",
        group=FAMILY,
        title=f"at most {SLOWEST_RATIO:.0f} times as slow as a plain correct answer",
        status=status,
        score=family.points if status is TestStatus.PASSED else 0.0,
        max_score=family.points,
        visibility=family.visibility,
        message=message,
    )
