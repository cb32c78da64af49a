"""Numbers that differ when the same call is made again: that is told first, with the line that does it."""

import pytest

from grader.challenge import Challenge
from grader.diagnosis.unsteady import UNKNOWN, UNSTEADY
from grader.exercise import exercise_of
from grader.grade import grade
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.report import Report

MAIN = "cs336_basics/layers.py"


def report_on(challenge: Challenge, *lines: str) -> Report:
    """Where another `gather` follows the reference's, which is right."""
    source = exercise_of(challenge).reference_source + "\n\n{}\n".format("\n".join(lines)).encode()
    return grade(challenge, Submission(MAIN, {MAIN: source}), 3, InProcess(), is_timed=False)


def told(challenge: Challenge, *lines: str) -> str:
    """The report's guidance."""
    guidance = report_on(challenge, *lines).guidance
    return guidance.message if guidance else ""


def line_of(challenge: Challenge, number: int) -> int:
    """Of what was added, its lines counted from one."""
    return exercise_of(challenge).reference_source.count(b"\n") + 2 + number


@pytest.mark.parametrize(
    ("body", "cause"),
    [
        ("return torch.nn.functional.dropout(weights, 0.5) @ V", "`F.dropout` drops numbers"),
        ("return torch.nn.Dropout(0.5)(weights) @ V", "a new `nn.Dropout`"),
        ("return (weights + torch.rand_like(weights)) @ V", "`rand_like` draws new ones"),
        ("return weights @ V * torch.zeros_like(V).bernoulli_(0.5)", "`bernoulli_` draws new ones"),
        ("return torch.nn.Linear(V.shape[-1], V.shape[-1], dtype=V.dtype)(weights @ V)", "a new `Linear` has random"),
        (
            "return torch.nn.functional.dropout(weights, 0.5, training=torch.is_grad_enabled()) @ V",
            "`F.dropout` drops numbers",
        ),
    ],
)
def test_the_line_that_makes_numbers_differ_is_told(mha_rope: Challenge, body: str, cause: str) -> None:
    report, line = report_on(mha_rope, "def gather(weights, V):", f"    {body}"), line_of(mha_rope, 2)
    assert report.guidance is not None
    assert report.guidance.message.startswith(f"{UNSTEADY}. Look at line {line} first: ")
    assert cause in report.guidance.message
    assert report.place == (line, None)


def test_memory_that_nobody_wrote_is_told(mha_rope: Challenge) -> None:
    # Filled with what came last, as memory that was in use is: what `empty` finds differs from one machine to another.
    lines = ("import itertools", "COUNT = itertools.count()", "def gather(weights, V):")
    body = "return weights @ V + torch.empty(1, dtype=V.dtype).fill_(next(COUNT) + 1)"
    message = told(mha_rope, *lines, f"    {body}")
    assert f"Look at line {line_of(mha_rope, 4)} first: what `empty` makes holds whatever lay in memory" in message


def test_chance_that_torch_did_not_draw_is_told_without_a_line(mha_rope: Challenge) -> None:
    message = told(mha_rope, "import random", "def gather(weights, V):", "    return weights @ V * random.random()")
    assert message.startswith(UNKNOWN)


@pytest.mark.parametrize(
    "body",
    [
        "return 1.1 * (weights @ V)",
        "return 1.1 * (torch.nn.functional.dropout(weights, 0.5, training=False) @ V)",
    ],
)
def test_a_wrong_answer_that_is_the_same_each_time_is_not_called_random(mha_rope: Challenge, body: str) -> None:
    assert UNSTEADY not in told(mha_rope, "def gather(weights, V):", f"    {body}")


def test_a_result_that_is_written_into_later_is_not_called_random(mha_rope: Challenge) -> None:
    lines = (
        "KEPT = {}",
        "def gather(weights, V):",
        "    kept = KEPT.setdefault((weights.shape[:-1], V.shape[-1], V.dtype), 1.1 * (weights @ V).detach())",
        "    return kept.copy_(1.1 * (weights @ V).detach())",
    )
    assert UNSTEADY not in told(mha_rope, *lines)
