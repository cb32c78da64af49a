"""Measures a passed submission for a leaderboard, in rounds: a session of the submission, and one of a plain right
answer with the same inputs, one after the other, so that neither can slow the other down.

Every round has fresh sandboxes and inputs of its own, every result is held to the reference, and in each session one
call, nobody knows which, is traced. What is measured is processor time, counted outside the sandbox.
"""

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

import torch
from torch import Tensor

from grader.comparison.problems import describe
from grader.comparison.scaling import Meter
from grader.comparison.shown import is_roughly_alike
from grader.comparison.tolerance import ROUNDING
from grader.exercise import Exercise, in_float64
from grader.guest.execution import FULLY, UNTRACED, Call, CallStatus, Ending, Executor, Outcome
from grader.guest.limits import Limits
from grader.guest.submission import Submission
from grader.inprocess import outcomes_of
from grader.manifest import Forbidden
from grader.measurement import Interval, Measurement
from grader.rules.judging import ran_library

ROUNDS = 15
# Of 15 independent ratios, the true median lies between the 4th and the 12th with 96.5 %: the binomial distribution.
OUTER = 3
CALLS = 5  # in a session: the first finds no memory of its size yet and is not timed, nor is the one that is traced
# A right answer takes a hundredth of it, beside the import: what nears it would keep a judge from those who wait.
CPU_S, WALL_S = 3.0, 20.0
# In all rounds together it may take so much longer than the plain answer, and so many times as long: else it sleeps.
SPARE_S, SLOWEST = 20.0, 10.0
# An error may be so many times the plain answer's: another order of sums makes a few times, half precision thousands.
OF_VALUES = 100.0  # roundings, of what a call shows that gives values
WORSE = 100.0

WRONG = "Your code gave a wrong result on the larger input that is used for timing."
TOO_SLOW = "Your code took far longer than the reference, which is too slow to be ranked."
LIBRARY = "On the larger input that is used for timing, your code did otherwise than in the tests. {}"
UNSEEN = "On the larger input that is used for timing, part of the work was done where it cannot be traced."
_ENDINGS = {
    Ending.IMPORT_FAILED: "Your code could not be imported when it was measured.",
    Ending.OUT_OF_TIME: f"Your code took longer than {CPU_S:.0f} s in one round, which is too slow to be ranked.",
    Ending.OUT_OF_MEMORY: "Your code ran out of memory when it was measured.",
}
_OTHERWISE = "Your code crashed or ended its process when it was measured."


class MeasurementError(Exception):
    """The plain right answer failed, so nothing can be said: the service's fault."""


class _Unranked(Exception):
    """The submission cannot be ranked; the message is a sentence to its student."""


@dataclass(frozen=True)
class _Sitting:
    """What one session took, and what came of its calls. `peak_bytes` is None where nobody counts it."""

    seconds: float
    peak_bytes: int | None
    wall_s: float
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True)
class _Round:
    """Ratios to the plain answer, and how long a judge was kept beyond what that allows."""

    time: float
    memory: float | None
    excess_s: float


def measure(exercise: Exercise, submission: Submission, seed: int, execute: Executor) -> Measurement:
    """Raises SandboxUnavailable and MeasurementError: never the student's fault. `seed` must be unknown to the student
    until then.
    """
    measuring = _Measuring(exercise, exercise.challenge.laid_out(submission), seed, execute)
    try:
        rounds = measuring.rounds()
    except _Unranked as why:
        return Measurement(problem=str(why))
    memory = [each.memory for each in rounds if each.memory is not None]
    return Measurement(
        time=interval([each.time for each in rounds]), memory=interval(memory) if len(memory) == ROUNDS else None
    )


def interval(ratios: Sequence[float]) -> Interval:
    """The median, and between which of the ratios in order the true one lies."""
    ordered = sorted(ratios)
    return Interval(median=median(ordered), low=ordered[OUTER], high=ordered[-1 - OUTER])


@dataclass(frozen=True)
class _Measuring:
    """One submission, round by round."""

    exercise: Exercise
    submission: Submission
    seed: int
    execute: Executor

    def rounds(self) -> list[_Round]:
        """Raises _Unranked, before a judge is kept for long."""
        made: list[_Round] = []
        for number in range(ROUNDS):
            made.append(self.round(number))
            if sum(each.excess_s for each in made) > SPARE_S:
                raise _Unranked(TOO_SLOW)
        return made

    def round(self, number: int) -> _Round:
        """Measures both once; which of them begins alternates. Raises _Unranked."""
        calls = self._calls(number)
        if number % 2:
            found, plain = self._sit(self.submission, calls), self._plain(calls)
        else:
            plain, found = self._plain(calls), self._sit(self.submission, calls)
        self._check(calls, plain.outcomes, found.outcomes)
        held, plain_held = found.peak_bytes, plain.peak_bytes
        return _Round(
            time=found.seconds / plain.seconds,
            memory=held / plain_held if held and plain_held else None,
            excess_s=found.wall_s - SLOWEST * plain.wall_s,
        )

    def _calls(self, number: int) -> list[Call]:
        digest = hashlib.sha256(f"{self.seed}/measure/{number}".encode()).digest()
        chance = random.Random(digest)  # noqa: S311  the seed is the secret
        calls = [replace(self.exercise.workload(chance.getrandbits(62)), id=f"measure/{n}") for n in range(CALLS)]
        traced = chance.randrange(1, CALLS)
        calls[traced] = replace(calls[traced], tracing=FULLY)
        return calls

    def _plain(self, calls: Sequence[Call]) -> _Sitting:
        try:
            return self._sit(self.exercise.baseline(), calls)
        except _Unranked as why:
            raise MeasurementError(f"the plain correct answer failed: {why}") from why

    def _sit(self, submission: Submission, calls: Sequence[Call]) -> _Sitting:
        limits = self._limits
        with self.execute.open(submission, limits) as session:
            session.load()
            meter = Meter(session)
            outcomes = tuple(meter.call(call, number) for number, call in enumerate(calls))
            if outcomes[-1].status is not CallStatus.NOT_RUN:
                meter.settle(len(calls) - 1)
            end = session.end()
        for outcome in outcomes:
            if outcome.status is CallStatus.NOT_RUN:
                raise _Unranked(_ENDINGS.get(end.ending, _OTHERWISE))
            if outcome.status is not CallStatus.RETURNED:
                raise _Unranked(_raised(outcome))
        taken = meter.times.cpu_s if meter.is_counting else meter.times.elapsed_s
        timed = [taken[number][0] for number, call in enumerate(calls) if number and call.tracing is not FULLY]
        least = min(timed)  # a disturbance only ever adds
        return _Sitting(least, end.peak_memory_bytes, end.wall_s, outcomes)

    @property
    def _limits(self) -> Limits:
        limits = self.exercise.challenge.manifest.session_limits
        return replace(limits, cpu_s=min(limits.cpu_s, CPU_S), wall_s=min(limits.wall_s, WALL_S))

    def _check(self, calls: Sequence[Call], plain: Sequence[Outcome], found: Sequence[Outcome]) -> None:
        untraced = [in_float64(replace(call, tracing=UNTRACED)) for call in calls]
        right = outcomes_of(self.exercise.program_with(), untraced)
        for one, ours, theirs in zip(right, plain, found, strict=True):
            if not _is_right(one, ours, theirs):
                raise _Unranked(WRONG)
        self._check_trace(next(theirs for call, theirs in zip(calls, found, strict=True) if call.tracing is FULLY))

    def _check_trace(self, traced: Outcome) -> None:
        manifest, seen = self.exercise.challenge.manifest, traced.trace
        rule = manifest.rule_that_forbids(Forbidden.LIBRARY)
        if rule is None:
            return
        if seen is None or seen.unseen:
            raise _Unranked(UNSEEN)
        if ran_library(manifest.source, seen):
            raise _Unranked(LIBRARY.format(manifest.rules[rule].message))


def _is_right(right: Outcome, plain: Outcome, found: Outcome) -> bool:
    pairs = zip(right.outputs, plain.outputs, found.outputs, strict=False)
    is_near = len(found.outputs) == len(right.outputs) and all(_is_near(*each) for each in pairs)
    return is_near and is_roughly_alike(right, found, growth=OF_VALUES)


def _is_near(right: Tensor, plain: Tensor, found: Tensor) -> bool:
    """Whether it is as exact as a plain answer in the same dtype can be expected to be."""
    if found.shape != right.shape or found.dtype != plain.dtype:
        return False
    least = ROUNDING * right.abs().amax().item()
    allowed = WORSE * max(least, _error(right, plain))
    return _error(right, found) <= allowed  # not of NaN


def _error(right: Tensor, found: Tensor) -> float:
    return torch.dist(right, found.double(), p=float("inf")).item()


def _raised(outcome: Outcome) -> str:
    what = "gave no tensor" if outcome.problem is None else f"raised {describe(outcome.problem)}"
    return f"Your code {what} on the larger input that is used for timing."
