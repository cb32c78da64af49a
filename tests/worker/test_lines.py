"""A line of code that answers a question, run in the real sandbox: marked by what it gives, whatever it tries."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from grader import gap
from grader.challenge import DEFAULT_ROOT
from grader.gap import mark_line
from grader.guest.execution import Executor
from grader.questions import LineVariant, MarkStatus, QuestionBank
from worker.private_runner import private_runner

BANK = QuestionBank.load(DEFAULT_ROOT / "mha-rope" / "questions.toml")


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Executor]:
    with private_runner() as runner:
        yield runner


@pytest.fixture
def variant() -> LineVariant:
    found = BANK.variant("turn-back", "anna")
    assert isinstance(found, LineVariant)
    return found


@pytest.mark.parametrize(
    "line",
    [
        "turned_even * cos + turned_odd * sin",
        "even = turned_odd*sin + cos*turned_even",
        "  torch.addcmul(turned_even * cos, turned_odd, sin)  # the same",
        "(turned_even + 1j * turned_odd).mul(torch.exp(-1j * angles)).real",
    ],
)
def test_whatever_gives_the_right_numbers_is_right(sandbox: Executor, variant: LineVariant, line: str) -> None:
    mark = mark_line(variant, line, sandbox)
    assert (mark.status, mark.score) == (MarkStatus.CORRECT, 3)
    assert mark.feedback == variant.explanation


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("turned_even * cos - turned_odd * sin", "rotates further by the angle"),
        ("-turned_odd * sin + cos * turned_even", "rotates further by the angle"),
        ("turned_even", "gives different numbers.*To rotate back by an angle"),
        ("turned_even.sum()", r"It raised RuntimeError.*size"),
        ("turned_even[..., :1]", r"It raised RuntimeError"),
        ("turned_even * cosine", r"NameError in line 5: name 'cosine' is not defined"),
        ("turned_even * (cos", "Python cannot read or run it: SyntaxError in line 5"),
        ("None; return None", "does not return what it should"),
        ("None; return turned_even", r"has shape \(2, 5, 3\); it should be \(2, 5, 3, 2\)"),
        ("__import__('sys').exit(0)", "SystemExit"),
        ("__import__('os')._exit(0)", "ended before it returned anything"),
        ("torch.empty(10 ** 12)", "memory"),
    ],
)
def test_what_is_wrong_is_told(sandbox: Executor, variant: LineVariant, line: str, told: str) -> None:
    mark = mark_line(variant, line, sandbox)
    assert (mark.status, mark.score) == (MarkStatus.INCORRECT, 0)
    assert re.search(told, mark.feedback, re.DOTALL), mark.feedback
    assert "turned_even * cos + turned_odd * sin" not in mark.feedback


def test_a_line_that_does_not_end_is_ended(
    sandbox: Executor, variant: LineVariant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gap, "LIMITS", replace(gap.LIMITS, wall_s=0.5, cpu_s=0.5))
    mark = mark_line(variant, "[None for _ in iter(int, 1)]", sandbox)
    assert mark.status is MarkStatus.INCORRECT
    assert "did not finish in time" in mark.feedback


def test_a_line_finds_nothing_of_ours(sandbox: Executor, variant: LineVariant) -> None:
    for line in ("open('/etc/passwd').read()", "__import__('grader.gap')", "__import__('grader.questions')"):
        mark = mark_line(variant, line, sandbox)
        assert re.search("FileNotFoundError|ModuleNotFoundError|PermissionError", mark.feedback), mark.feedback
