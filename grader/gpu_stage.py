"""What a submission that has passed does on a GPU: is it right there too, and what does it take, as a ratio to a plain
right answer? It never changes a verdict. The device is a parameter: tests put the CPU in its place.
"""

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

import torch
from torch import Tensor

from grader.comparison.compare import compare
from grader.comparison.problems import describe
from grader.comparison.tolerance import ROUNDING, Finding
from grader.exercise import Exercise
from grader.gpu_report import GpuReport, GpuTests, Spread
from grader.guest.closeness import roughly_equal
from grader.guest.execution import Call, CallStatus, Device, Drawn, End, Ending, Executor, Outcome, Session, Stage, Step
from grader.guest.limits import Limits
from grader.guest.submission import Submission
from grader.paper.case import Case
from grader.report import Visibility

TURNS = 6
ROWS_SHOWN = 8
# A submission may hold as much beside a plain right answer, and more than that: the size is chosen so.
ROOM = 2
# A plain answer that takes so many times as long beside the submission as alone was disturbed by it.
DISTURBED = 3.0
LIMITS = Limits(wall_s=180.0, cpu_s=180.0, memory_bytes=8 << 30, processes=64)

_ENDINGS = {
    Ending.IMPORT_FAILED: "could not be imported",
    Ending.OUT_OF_TIME: f"did not finish within {LIMITS.wall_s:.0f} s",
    Ending.OUT_OF_MEMORY: "ran out of the machine's memory",
    Ending.EXITED: "ended the process itself",
    Ending.KILLED: "crashed the Python process",
    Ending.OUTPUT_TOO_LARGE: "printed or returned far more than expected",
}
_OTHERWISE = "interfered with the channel that returns the results"


class StageError(Exception):
    """The plain right answer failed, so nothing can be said: the service's fault."""


def run_gpu_stage(
    exercise: Exercise, submission: Submission, seed: int, execute: Executor, device: Device, limits: Limits = LIMITS
) -> GpuReport:
    """Raises SandboxUnavailable and StageError: never the student's fault."""
    beside = exercise.challenge.laid_out(submission)
    stage = _Stage(exercise, seed, device, limits)
    with execute.open(beside, limits) as session:
        session.load()
        tests = tuple(stage.tests(session))
        if session.ending is not Ending.COMPLETED or any(test.passed < test.total for test in tests):
            return stage.wrong(tests, session.end())
        session.end()
    with execute.open(beside, limits) as theirs, execute.open(exercise.baseline(), limits) as ours:
        theirs.load()
        ours.load()
        return stage.timed(tests, theirs, ours)


@dataclass(frozen=True)
class _Turn:
    """One call as it was measured. `device_s` and `peak_bytes` are told by the process that made it."""

    elapsed_s: float
    device_s: float
    peak_bytes: float
    shown: Tensor


class _Stopped(Exception):
    """A call that did not return; what it says is a sentence's end."""


@dataclass(frozen=True)
class _Stage:
    """One submission at its stage."""

    exercise: Exercise
    seed: int
    device: Device
    limits: Limits

    # --- right? -------------------------------------------------------------------------------------------------------

    def tests(self, session: Session) -> Iterator[GpuTests]:
        """The paper's cases, on the device: those in float32, and the same in bfloat16."""
        declared = self.exercise.gpu_stage
        cases = [case for case in self.exercise.paper(self.seed).cases if _is_float32(case)]
        half = [case for case in cases if not case.raises and declared.is_asked_in_bfloat16(case)]
        yield self._put(session, "float32", cases)
        yield self._put(session, "bfloat16", [_in_bfloat16(case, declared.BFLOAT16_GROWTH) for case in half])

    def _put(self, session: Session, dtype: str, cases: Sequence[Case]) -> GpuTests:
        outcomes = list(session.calls([replace(case.call, device=self.device.kind) for case in cases]))
        findings = [
            compare(case, expected, outcome)
            for case, expected, outcome in zip(cases, self.exercise.expected(cases), outcomes, strict=True)
            if outcome.status is not CallStatus.NOT_RUN
        ]
        failed = [(case, found) for case, found in zip(cases, findings, strict=False) if found.mismatch is not None]
        return GpuTests(
            dtype=dtype,
            passed=len(findings) - len(failed),
            total=len(cases),
            worst=max((found.share for found in findings), default=None),
            message=self._told(*failed[0]) if failed else "",
        )

    def _told(self, case: Case, finding: Finding) -> str:
        family = self.exercise.challenge.manifest.families[case.family]
        if family.visibility is not Visibility.PUBLIC:
            return f"{family.title}, a hidden test."
        return f"{family.title}, {case.title}: {finding.message}"

    def wrong(self, tests: tuple[GpuTests, ...], end: End) -> GpuReport:
        """Reports that it failed a test, or ended before its last."""
        if end.ending is not Ending.COMPLETED:
            what = _ENDINGS.get(end.ending, _OTHERWISE)
            why = f" ({describe(end.problem)})" if end.problem else ""
            return self._report(tests, f"Right on the CPU; on {self.device.name} your code {what}{why}.")
        kind = next(test for test in tests if test.passed < test.total)
        count = f"{kind.total - kind.passed} of {kind.total}"
        message = f"Right on the CPU; on {self.device.name}, {count} tests in {kind.dtype} failed. {kind.message}"
        return self._report(tests, message)

    # --- at what price? -----------------------------------------------------------------------------------------------

    def timed(self, tests: tuple[GpuTests, ...], theirs: Session, ours: Session) -> GpuReport:
        """A/B/A/B, each with values of its own; the plain answer once alone before."""
        batch = self._batch()
        call = replace(self.exercise.gpu_stage.headline(batch), device=self.device.kind)
        size = self.exercise.gpu_stage.size_of(batch)
        try:
            alone = self._plain(call, ours, TURNS)
            pairs = [self._pair(call, theirs, ours, number) for number in range(TURNS)]
        except _Stopped as stopped:
            return self._report(tests, f"Right on {self.device.name}, but with {size} your code {stopped}.", size=size)
        if not all(roughly_equal(found.shown, plain.shown) for plain, found in pairs):
            message = f"Right on {self.device.name} in every test, but with {size} it gave a different result."
            return self._report(tests, message, size=size)
        figures = self._figures(pairs, theirs.end(), ours.end())
        if median(plain.elapsed_s for plain, _ in pairs) > DISTURBED * alone.elapsed_s:
            message = "The device was busy with other work during timing, so the times are unreliable and are left out."
            figures = {"memory_ratio": figures["memory_ratio"], "memory_bytes": figures["memory_bytes"]}
        else:
            message = f"Right in float32 and bfloat16 on {self.device.name}, and measured."
        return self._report(tests, message, is_right=True, size=size, **figures)

    def _batch(self) -> int:
        """The largest that fits; the smallest where none does."""
        declared = self.exercise.gpu_stage
        fits = (batch for batch in declared.BATCHES if ROOM * declared.bytes_of(batch) <= self.device.free_bytes)
        return int(next(fits, declared.BATCHES[-1]))

    def _pair(self, call: Call, theirs: Session, ours: Session, number: int) -> "tuple[_Turn, _Turn]":
        """Who begins alternates. The plain answer's turn, then the submission's."""
        if number % 2:
            found = _turn(call, theirs, self._seed_of(number))
            return self._plain(call, ours, number), found
        plain = self._plain(call, ours, number)
        return plain, _turn(call, theirs, self._seed_of(number))

    def _seed_of(self, turn: int) -> int:
        """Another for each turn. The student's process is told it, and must not find the paper's by it."""
        digest = hashlib.sha256(f"{self.seed}/gpu/{turn}".encode()).digest()
        return int.from_bytes(digest[:8], "big") >> 1

    def _plain(self, call: Call, ours: Session, number: int) -> _Turn:
        try:
            return _turn(call, ours, self._seed_of(number))
        except _Stopped as stopped:
            raise StageError(f"the plain correct answer {stopped}") from stopped

    def _figures(self, pairs: "Sequence[tuple[_Turn, _Turn]]", theirs: End, ours: End) -> dict[str, object]:
        plain_bytes, found_bytes = (max(pair[side].peak_bytes for pair in pairs) for side in (0, 1))
        if not plain_bytes:  # no device counted it: what the whole sessions held, as the runner saw it
            plain_bytes, found_bytes = ours.peak_memory_bytes or 0, theirs.peak_memory_bytes or 0
        by_device = [found.device_s / plain.device_s for plain, found in pairs if plain.device_s and found.device_s]
        return {
            "seconds": median(found.elapsed_s for _, found in pairs),
            "time": _spread([found.elapsed_s / plain.elapsed_s for plain, found in pairs]),
            "device_time": _spread(by_device) if len(by_device) == len(pairs) else None,
            "memory_ratio": found_bytes / plain_bytes if plain_bytes and found_bytes else None,
            "memory_bytes": found_bytes or None,
        }

    def _report(self, tests: tuple[GpuTests, ...], message: str, **figures: object) -> GpuReport:
        fields = {"device": self.device.name, "is_right": False, "message": message.strip(), "tests": tests}
        return GpuReport.model_validate({**fields, **figures})


def _turn(call: Call, session: Session, seed: int) -> _Turn:
    """Which rows are shown is told last, so that all of them must be there."""
    call = replace(call, id=f"gpu/{seed}")
    _step(call, session, Stage(Step.PREPARE, seed))
    performed = _step(call, session, Stage(Step.PERFORM, seed))
    count = math.prod(_features(call)[:-1])
    rows = torch.randperm(count, generator=torch.Generator().manual_seed(seed))[:ROWS_SHOWN]
    shown = _step(call, session, Stage(Step.SHOW, seed, tuple(rows.tolist())))
    told = performed.outputs[0].double().flatten().tolist()
    device_s, peak_bytes = told if len(told) == 2 and all(map(math.isfinite, told)) else (0.0, 0.0)
    # What is put off until it is asked for is counted too.
    return _Turn(performed.elapsed_s + shown.elapsed_s, device_s, peak_bytes, shown.outputs[0])


def _step(call: Call, session: Session, stage: Stage) -> Outcome:
    """Raises _Stopped."""
    outcome = session.call(replace(call, stage=stage))
    if outcome.status is CallStatus.RETURNED:
        return outcome
    if outcome.problem is None:
        raise _Stopped(_ENDINGS.get(session.ending, _OTHERWISE))
    if outcome.problem.out_of_memory:
        raise _Stopped(f"ran out of memory: it holds more than {ROOM} times what a plain right answer does")
    raise _Stopped(f"raised {describe(outcome.problem)}")


def _features(call: Call) -> tuple[int, ...]:
    """The shape of the last drawn argument, which is the result's."""
    return [value.shape for value in call.arguments.values() if isinstance(value, Drawn)][-1]


def _is_float32(case: Case) -> bool:
    tensors = [value for value in case.call.arguments.values() if isinstance(value, Tensor)]
    return all(tensor.dtype is torch.float32 for tensor in tensors if tensor.is_floating_point())


def _in_bfloat16(case: Case, growth: float) -> Case:
    """The reference gets the same rounded numbers. The tolerance is so many roundings."""
    arguments = {
        name: value.bfloat16() if isinstance(value, Tensor) and value.is_floating_point() else value
        for name, value in case.call.arguments.items()
    }
    gradient = None if case.call.gradient is None else case.call.gradient.bfloat16()
    call = replace(case.call, arguments=arguments, gradient=gradient)
    return replace(case, call=call, growth=growth * torch.finfo(torch.bfloat16).eps / ROUNDING)


def _spread(ratios: Sequence[float]) -> Spread:
    return Spread(median=median(ratios), least=min(ratios), most=max(ratios))
