"""What the plain right answer takes, kept for a while: most submissions are timed in the session of their paper alone.

That costs a tenth of two fresh sandboxes in turns (`grader.comparison.efficiency`), and is rougher: what else the
machine does meets the two at different moments. It can only confirm that a submission is near the plain answer.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from grader.comparison.efficiency import FAMILY, is_same
from grader.comparison.scaling import SHORTER, Meter, Times
from grader.exercise import Exercise
from grader.guest.execution import LIGHTLY, Call, CallStatus, Executor, Session
from grader.inprocess import InProcess

TURNS, PLAIN_TURNS = 1, 3  # beside a first call, which finds no memory of its size yet
PLAIN_SEED = 0  # what it takes does not depend on the numbers
RENEWED_AFTER_S, RENEWED_AFTER_USES = 120.0, 200


@dataclass(frozen=True)
class Plain:
    """What the plain answer took: calls like those of `time_workload`, after a paper; and what it held at most."""

    times: Times
    peak_bytes: int | None


@dataclass
class _Kept:
    plain: Plain | None
    until: float
    uses_left: int = RENEWED_AFTER_USES


class Baselines:
    """Keeps what each challenge's plain right answer took, on this machine and in this kind of sandbox. One for each
    judge, with a clock that gives seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._kept: dict[tuple[str, str, str], _Kept] = {}

    def plain(self, exercise: Exercise, execute: Executor) -> Plain | None:
        """Returns the plain answer's times and peak memory, measured anew, in a session of its own, where those that
        are kept are too old. None where it could not be timed. Raises SandboxUnavailable.
        """
        challenge = exercise.challenge
        key = (challenge.slug, challenge.version, execute.description)
        kept = self._kept.get(key)
        if kept is None or kept.until <= self._clock() or not kept.uses_left:
            self._kept[key] = kept = _Kept(_measured(exercise, execute), until=self._clock() + RENEWED_AFTER_S)
        kept.uses_left -= 1
        return kept.plain


def calls_of(exercise: Exercise, seed: int) -> list[Call]:
    """Returns the calls of a paper, and then those that only the rules look at, in the order in which a submission gets
    them.
    """
    on_paper = [replace(case.call, tracing=LIGHTLY) for case in exercise.paper(seed).cases]
    return [*on_paper, *(asked.call for asked in exercise.structure_calls(seed))]


def _measured(exercise: Exercise, execute: Executor) -> Plain | None:
    with execute.open(exercise.baseline(), exercise.challenge.manifest.session_limits) as session:
        session.load()
        for _ in session.calls(calls_of(exercise, PLAIN_SEED)):
            pass
        times = time_workload(exercise, session, PLAIN_SEED, PLAIN_TURNS)
        end = session.end()
    return None if times is None else Plain(times, end.peak_memory_bytes)


def time_workload(exercise: Exercise, session: Session, seed: int, turns: int = TURNS) -> Times | None:
    """Have a session do the workload call by call, each with inputs of its own: what was computed once cannot be given
    again. None where nobody counts, or a result is not the plain right answer's. That is no verdict: the paper and the
    looks at it, which alter results, may have left something behind.
    """
    meter = Meter(session)
    if not meter.is_counting:
        return None
    made = list(_calls(exercise, seed, turns))
    found = [meter.call(call, length) for length, call in made]
    if not all(outcome.status is CallStatus.RETURNED for outcome in found):
        return None
    limits = exercise.challenge.manifest.session_limits
    right = InProcess().run(exercise.baseline(), [call for _, call in made], limits).outcomes
    meter.settle(exercise.workload_seq)  # the kernel has counted by now what a thread did that still runs
    is_right = all(
        one.status is CallStatus.RETURNED and is_same(one, other) for one, other in zip(right, found, strict=True)
    )
    return meter.times if meter.is_counting and is_right else None


def _calls(exercise: Exercise, seed: int, turns: int) -> Iterator[tuple[int | None, Call]]:
    """With their lengths: those of a turn are a shorter one and the whole, where the workload has a length."""
    seq = exercise.workload_seq
    turn = [seq] if seq is None else [seq // SHORTER, seq]
    for index, length in enumerate([seq, *turn * turns]):
        yield length, replace(exercise.workload(seed + index, length), id=f"{FAMILY}/{index}")
