"""Outcomes that only a hostile process sends, put to the judge itself: whatever comes, there is a report.

No sandbox: frames are forged between an honest program and the judge, so that hundreds of them cost little.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from grader.comparison.efficiency import DIFFERS, FAMILY
from grader.comparison.meanings import MEANINGS, Meaning
from grader.grade import grade
from grader.guest.execution import Call, CallStatus, Detail, End, Ending, Outcome, Problem, Session
from grader.guest.inspection import Inspection, SourceRules
from grader.guest.limits import Limits
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.report import TestStatus, Verdict
from tests.probes import corpus
from worker.sandbox.frames import decode_outcome, encode_outcome
from worker.sandbox.framing import split

TYPES = (torch.bool, torch.int8, torch.bfloat16, torch.float64)
BEYOND = (float("nan"), -float("inf"), 1e308)
FORGERIES: dict[str, Callable[[Tensor], Tensor]] = {
    **{f"as {dtype}": lambda tensor, dtype=dtype: tensor.to(dtype) for dtype in TYPES},
    **{f"all {value}": lambda tensor, value=value: tensor.double().fill_(value) for value in BEYOND},
    "whole numbers of 62 bits": lambda tensor: torch.full(tensor.shape, 1 << 62),
    "without elements": lambda tensor: tensor[..., :0],
    "a number": lambda _: torch.zeros(()),
    "sixteen axes": lambda _: torch.zeros((1,) * 16),
    "sixteen axes without elements": lambda _: torch.zeros((0,) * 16),
    "an axis more": lambda tensor: tensor.unsqueeze(0),
}


@dataclass(frozen=True)
class Forger(InProcess):
    """An honest executor, whose outcomes of some calls are replaced before they are packed."""

    forge: Callable[[Outcome], Outcome]
    concerns: Callable[[Submission, Call], bool]

    @contextmanager
    def open(self, submission: Submission, limits: Limits) -> Iterator[Session]:
        with super().open(submission, limits) as honest:
            yield Forging(honest, submission, self)


@dataclass(frozen=True)
class Forging(Session):
    """One session of it."""

    honest: Session
    submission: Submission
    forger: Forger
    ending = Ending.COMPLETED

    def inspect(self, rules: SourceRules) -> Inspection:
        return self.honest.inspect(rules)

    def load(self) -> None:
        self.honest.load()

    def calls(self, calls: Sequence[Call]) -> Iterator[Outcome]:
        return map(self._outcome, calls)

    def _outcome(self, call: Call) -> Outcome:
        outcome = self.honest.call(call)
        sent = self.forger.forge(outcome) if self.forger.concerns(self.submission, call) else outcome
        return decode_outcome(call, split(encode_outcome(sent).encode()), elapsed_s=1e-3)

    def end(self) -> End:
        return self.honest.end()


def everywhere(_: Submission, call: Call) -> bool:
    return bool(call.id)


def when_it_is_watched(_: Submission, call: Call) -> bool:
    return call.tracing.detail is Detail.FULL


def when_its_parts_are_altered(_: Submission, call: Call) -> bool:
    """The call whose parts are altered, and the one before it that they are not."""
    return call.tracing.detail is Detail.NONE and "/" not in call.id


def verdict_on(
    submission: Submission, forge: Callable[[Outcome], Outcome], concerns: Callable[[Submission, Call], bool]
) -> Verdict:
    report = grade(corpus.challenge(), submission, corpus.SEED, Forger(forge, concerns), is_timed=False)
    assert report.to_json()
    return report.verdict


@pytest.mark.parametrize("name", FORGERIES)
def test_any_tensor_gets_a_report(name: str) -> None:
    def forge(outcome: Outcome) -> Outcome:
        return replace(
            outcome,
            outputs=tuple(map(FORGERIES[name], outcome.outputs)),
            gradients={key: None if one is None else FORGERIES[name](one) for key, one in outcome.gradients.items()},
            arguments={key: FORGERIES[name](one) for key, one in outcome.arguments.items()},
        )

    assert verdict_on(corpus.wrong(), forge, everywhere) is Verdict.FAILED
    for concerned in (when_it_is_watched, when_its_parts_are_altered):
        assert verdict_on(corpus.right(), forge, concerned) in (Verdict.FAILED, Verdict.PASSED)


def test_wrong_answers_are_not_quick() -> None:
    forger = Forger(
        forge=lambda outcome: replace(outcome, outputs=tuple(map(torch.zeros_like, outcome.outputs))),
        concerns=lambda submission, call: call.id.startswith(FAMILY) and submission.files == corpus.right().files,
    )
    report = grade(corpus.challenge(), corpus.right(), corpus.SEED, forger)
    measured = [test for test in report.tests if test.group == FAMILY]
    assert [(test.status, test.message) for test in measured] == [(TestStatus.FAILED, DIFFERS)]
    assert report.verdict is Verdict.FAILED
    assert DIFFERS in report.summary


def test_who_raises_in_some_watched_calls_alone_does_not_pass() -> None:
    """Those that stay show no loop, and nothing shows what the others do."""
    forger = Forger(
        forge=lambda outcome: Outcome(outcome.id, CallStatus.RAISED, problem=Problem("ValueError", "no")),
        concerns=lambda submission, call: (
            call.tracing.detail is Detail.FULL and call.arguments.get("num_heads") in range(10, 15)
        ),
    )
    report = grade(corpus.challenge(), corpus.right(), corpus.SEED, forger, is_timed=False)
    assert report.verdict is Verdict.FAILED
    assert "a rule cannot be judged: no loop over heads" in report.summary


def problems() -> Iterator[Problem]:
    """Of every kind that has a meaning of its own, and some that are none."""
    for name in ("", "LookupError", "NoneType", "AssertionError", "NotImplementedError"):
        for text in ("", "\n\n", "9" * 2000, "'", "%s{0}\\1", "<b>"):
            yield Problem(name, text, line=9_999_999, file="", bases=(name, "", "x"))


def test_any_exception_gets_a_report() -> None:
    told = problems()

    def forge(outcome: Outcome) -> Outcome:
        problem = next(told, Problem("", ""))
        if outcome.status is CallStatus.RETURNED and problem.type == "":
            return replace(outcome, gradient_problem=problem)
        status = CallStatus.MISTYPED if problem.type == "NoneType" else CallStatus.RAISED
        return Outcome(outcome.id, status, problem=problem)

    assert verdict_on(corpus.wrong(), forge, everywhere) is Verdict.FAILED


@pytest.mark.parametrize("meaning", MEANINGS, ids=lambda meaning: meaning.pattern.pattern[:40])
def test_any_message_that_looks_like_a_known_one_has_its_meaning(meaning: Meaning) -> None:
    @settings(max_examples=40, deadline=None, derandomize=True, database=None)
    @given(st.from_regex(meaning.pattern))
    def tells(message: str) -> None:
        assert isinstance(meaning.of(message[:2000]), str | None)

    tells()
