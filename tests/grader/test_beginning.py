"""A mistake that has no name is told with the line on which it begins, whatever way right code went before."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from grader.challenge import Challenge
from grader.diagnosis.beginning import beginning
from grader.diagnosis.results_by_line import Places, by_line
from grader.exercise import exercise_of
from grader.grade import grade
from grader.guest.execution import BY_LINE, Call, Outcome
from grader.guest.limits import Limits
from grader.guest.line_results import COUNT, FIRST_FRAME, FIRST_SOURCE, INPUT, SOURCES
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.report import EXAMPLE, Report

RIGHT = (Path(__file__).parents[2] / "examples" / "correct.py").read_text()
PATH, MAIN = "cs336_basics/layers.py", "multihead_self_attention_with_rope"
FREQUENCY = "    frequency = theta ** (-i.double() / d_k)"
SCORES = "    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])"
SCALED_FIRST = "    scores = (Q / Q.shape[-1] ** 0.25) @ (K / Q.shape[-1] ** 0.25).transpose(-2, -1)"
SOFTMAX = "    return torch.softmax(scores, dim=-1) @ V"
HEADS = "    heads = scaled_dot_product_attention(Q, K, V)"
OUT = "    return heads.transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.T"


def report_on(challenge: Challenge, *changes: tuple[str, str]) -> tuple[Report, str]:
    """The report, and the line that it points to."""
    source = RIGHT
    for old, new in changes:
        assert source.count(old) == 1
        source = source.replace(old, new)
    report = grade(challenge, Submission(PATH, {PATH: source.encode()}), 3, InProcess(), is_timed=False)
    place = report.place
    return report, "" if place is None else source.splitlines()[place[0] - 1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (FREQUENCY, f"{FREQUENCY} + 0.01"),  # in a table, of which no call is asked
        (SCORES, f"{SCORES} ** 3"),
        (SCORES, f"{SCALED_FIRST} * 1.1"),
        (SOFTMAX, SOFTMAX.replace("softmax(scores, dim=-1)", "softmax(scores, dim=-1).sqrt()")),
        (HEADS, f"{HEADS} * 1.1"),  # the part is right, and its caller is not
        (OUT, f"{OUT} * 1.1"),
    ],
)
def test_the_line_is_the_one_on_which_the_mistake_begins(mha_rope: Challenge, old: str, new: str) -> None:
    report, line = report_on(mha_rope, (old, new))
    assert line == new
    assert not report.diagnoses
    assert "what goes into it also comes up in a right solution, but what comes out of it does not." in report.summary
    assert report.where_to_look in ("", EXAMPLE)  # nothing is said twice


def test_a_way_of_one_s_own_to_the_same_results_is_not_pointed_to(mha_rope: Challenge) -> None:
    wrong = f"{OUT} * 1.1"
    _, line = report_on(mha_rope, (SCORES, SCALED_FIRST), (OUT, wrong))
    assert line == wrong


def test_numbers_that_are_only_arranged_otherwise_are_told_as_that(mha_rope: Challenge) -> None:
    arranged = OUT.replace(" @ o_proj_weight.T", ".flip(-1)").replace("return", "merged =")
    other = "    return merged @ o_proj_weight.T"
    report, line = report_on(mha_rope, (OUT, f"{arranged}\n{other}"))
    assert line == other
    first = RIGHT.splitlines().index(OUT) + 1
    said = f"from line {first} on your numbers are arranged differently from those of a right solution"
    assert f"{said}, and from line {first + 1} on they are other numbers." in report.summary


def test_a_named_mistake_and_random_results_are_not_traced(mha_rope: Challenge) -> None:
    named, _ = report_on(mha_rope, (SCORES, "    scores = Q @ K.transpose(-2, -1)"))
    assert named.diagnoses
    random, _ = report_on(
        mha_rope, (OUT, f"{OUT} * random()"), ("import math\n", "import math\nfrom random import random\n")
    )
    for report in (named, random):
        assert report.guidance is not None
        assert report.guidance.line is None


@pytest.fixture(scope="module")
def traced(mha_rope: Challenge) -> tuple[Submission, Call, Outcome]:
    """A call of a wrong answer, and what it gave line by line."""
    submission = Submission(PATH, {PATH: RIGHT.replace(OUT, f"{OUT} * 1.1").encode()})
    paper = exercise_of(mha_rope).paper(3)
    call = by_line(next(case.call for case in paper.cases if case.call.function == MAIN and case.family == "batch"))
    [outcome] = InProcess().run(submission, [call], Limits()).outcomes
    return submission, call, outcome


@pytest.mark.parametrize("sources", [float("nan"), float("inf"), 10.0**300, -5.0, 0.5, 3.0, INPUT])
@pytest.mark.parametrize("line", [float("nan"), 10.0**6, 0.0, 7.0])
@pytest.mark.parametrize("number", [float("nan"), float("-inf"), 0.0, None])
def test_forged_tables_lead_to_no_line_that_is_not_there(
    mha_rope: Challenge, traced: tuple[Submission, Call, Outcome], sources: float, line: float, number: float | None
) -> None:
    submission, call, honest = traced
    assert honest.trace is not None
    assert honest.trace.line_results is not None
    rows = honest.trace.line_results.clone()
    rows[:, FIRST_SOURCE:], rows[:, FIRST_FRAME + 1] = sources, line
    if number is not None:
        rows[:, :FIRST_FRAME] = number
    forged = replace(honest, trace=replace(honest.trace, line_results=rows))
    found = beginning(exercise_of(mha_rope), Places(submission, frozenset()), call, forged)
    assert found is None or (found.place.line == line and found.place.file is None)


def rows_of(source: str) -> tuple[list[list[int]], Tensor]:
    """What each result of `f(x)` was made of, and all of the table."""
    call = Call("one", "f", {"x": torch.arange(12.0).reshape(3, 4)}, tracing=BY_LINE)
    submission = Submission(PATH, {PATH: f"import torch\ndef f(x):\n{source}".encode()})
    [outcome] = InProcess().run(submission, [call], Limits()).outcomes
    assert outcome.trace is not None
    assert outcome.trace.line_results is not None
    rows = outcome.trace.line_results
    return [[int(each) for each in row if each != -1] for row in rows[:, FIRST_SOURCE:].tolist()], rows


@pytest.mark.parametrize(
    ("source", "made_of"),
    [
        ("    return (x * 2).exp() + x", [[INPUT], [0], [1, INPUT]]),
        ("    return torch.ones(3) * 2", [[], [0]]),
        ("    a, b = (x * 2).chunk(2, -1)\n    return a + b", [[INPUT], [0], [0], [2, 1]]),
        ("    y = torch.zeros(3, 4)\n    y[0] = x[1]\n    return y * 1", [[], [INPUT], [0], [2, 1], [3]]),
        ("    y = x * 2\n    y.add_(1)\n    return y * 3", [[INPUT], [0], [1]]),
        ("    return torch.vmap(lambda row: row * 2)(x) + 1", [[INPUT], [0]]),
    ],
)
def test_what_a_result_was_made_of_is_known_through_views_and_writing(source: str, made_of: list[list[int]]) -> None:
    assert rows_of(source)[0] == made_of


def test_of_many_sources_the_last_are_kept() -> None:
    made_of, rows = rows_of("    return torch.stack([x * number for number in range(9)])")
    assert made_of[-1] == [8, 7, 6, 5][:SOURCES]
    assert rows[-1, COUNT] == 9 * 12
