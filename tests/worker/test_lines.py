"""A line of code that answers a question, run in the real sandbox: marked by what it gives, whatever it tries."""

import re
from dataclasses import replace

import pytest

from grader.challenge import DEFAULT_ROOT
from grader.guest.execution import Executor
from grader.mark_line import LIMITS, mark_line
from grader.questions import LineVariant, MarkStatus, QuestionBank

BANK = QuestionBank.load(DEFAULT_ROOT / "mha-rope" / "questions.toml")


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
def test_whatever_gives_the_right_numbers_is_right(runner: Executor, variant: LineVariant, line: str) -> None:
    mark = mark_line(variant, line, runner)
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
def test_what_is_wrong_is_told(runner: Executor, variant: LineVariant, line: str, told: str) -> None:
    mark = mark_line(variant, line, runner)
    assert (mark.status, mark.score) == (MarkStatus.INCORRECT, 0)
    assert re.search(told, mark.feedback, re.DOTALL), mark.feedback
    assert "turned_even * cos + turned_odd * sin" not in mark.feedback


def test_a_line_that_does_not_end_is_ended(
    runner: Executor, variant: LineVariant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.mark_line.LIMITS", replace(LIMITS, wall_s=0.5, cpu_s=0.5))
    mark = mark_line(variant, "[None for _ in iter(int, 1)]", runner)
    assert mark.status is MarkStatus.INCORRECT
    assert "did not finish in time" in mark.feedback


def test_a_line_finds_nothing_of_ours(runner: Executor, variant: LineVariant) -> None:
    for line in ("open('/etc/passwd').read()", "__import__('grader.mark_line')", "__import__('grader.questions')"):
        mark = mark_line(variant, line, runner)
        assert re.search("FileNotFoundError|ModuleNotFoundError|PermissionError", mark.feedback), mark.feedback
