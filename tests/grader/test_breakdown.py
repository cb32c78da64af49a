"""What keeps most tests from any result is told first: where, what, and what it means."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.challenge import Challenge
from grader.grade import grade
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.report import Report, Verdict, Visibility

RIGHT = (Path(__file__).parents[2] / "examples" / "correct.py").read_text()
PATH = "cs336_basics/layers.py"


def graded(challenge: Challenge, old: str, new: str) -> Report:
    assert RIGHT.count(old) == 1, old
    source = RIGHT.replace(old, new)
    return grade(challenge, Submission(PATH, {PATH: source.encode()}), 3, InProcess(), is_timed=False)


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(RIGHT.splitlines(), start=1) if text in line)


def test_a_misspelt_name_is_the_result_with_its_line_and_what_was_meant(mha_rope: Challenge):
    report = graded(mha_rope, "torch.softmax(", "torch.sofmax(")
    line = line_of("torch.softmax(")
    assert report.verdict is Verdict.FAILED
    assert report.summary.startswith(f"Line {line} raises AttributeError: module 'torch' has no attribute 'sofmax'.")
    assert "Did you mean: 'softmax'?" in report.summary
    assert "failing tests stop there" in report.summary
    assert report.place == (line, None)
    wrong = {test.id for test in report.tests if test.status in ("failed", "error")}
    assert report.explained == wrong


def test_a_part_without_return_is_the_result_and_not_what_it_leads_to(mha_rope: Challenge):
    report = graded(mha_rope, "return turned.flatten(-2)", "turned.flatten(-2)")
    assert report.summary.startswith("`rope` returned None, not a tensor")
    assert report.place == (line_of("turned.flatten(-2)"), None)
    assert report.breakdown is not None
    assert len(report.breakdown.tests) > sum(test.group == "rope" for test in report.tests)


def test_an_idea_that_explains_values_too_comes_before_the_exception(mha_rope: Challenge):
    source = RIGHT.replace("transpose(-3, -2)", "transpose(1, 2)")
    report = grade(mha_rope, Submission(PATH, {PATH: source.encode()}), 3, InProcess(), is_timed=False)
    assert [diagnosis.id for diagnosis in report.diagnoses] == ["fixed-rank-transpose"]
    raised = sum(test.status == "error" for test in report.tests)
    assert 0 < raised < len(report.diagnoses[0].tests)
    assert report.breakdown is None
    assert report.diagnoses[0].title in report.summary


def test_what_an_exception_says_of_hidden_tests_alone_is_not_told(mha_rope: Challenge):
    """It could say what the inputs were."""
    families = {
        name: family.model_copy(update={"visibility": Visibility.HIDDEN})
        for name, family in mha_rope.manifest.families.items()
    }
    hidden = replace(mha_rope, manifest=mha_rope.manifest.model_copy(update={"families": families}))
    new = "d_head = d_model // num_heads\n    raise ValueError(f'secret {in_features}')\n"
    report = graded(hidden, "d_head = d_model // num_heads\n", new)
    line = line_of("d_head = d_model // num_heads") + 1
    assert report.summary == f"Line {line} raises ValueError. All {len(report.explained)} failing tests stop there."
    assert "secret" not in report.for_student().to_json()


@pytest.mark.parametrize(("old", "new"), [("* cos - odd * sin", "* cos + odd * sin"), ("@ o_proj_weight.T", "* 1.1")])
def test_wrong_numbers_are_no_breakdown(mha_rope: Challenge, old: str, new: str):
    assert graded(mha_rope, old, new).breakdown is None


def test_a_report_without_a_breakdown_reads_as_before(mha_rope: Challenge):
    report = graded(mha_rope, "@ o_proj_weight.T", "* 1.1")
    stored = {name: value for name, value in report.model_dump(by_alias=True).items() if name != "breakdown"}
    assert Report.model_validate(stored) == report


def test_of_what_a_right_part_raises_the_line_that_calls_it_is_told_too(mha_rope: Challenge):
    call = "Q = rope(d_head, theta, max_seq_len, Q, token_positions)"
    report = graded(mha_rope, call, call.replace("d_head", "d_model"))
    assert report.place is not None
    assert report.summary.startswith(f"Line {report.place[0]} raises RuntimeError: ")
    assert f"`rope` is right on its own: look at what line {line_of(call)} gives it." in report.summary


def test_what_a_wrong_part_raises_is_told_of_its_own_line(mha_rope: Challenge):
    report = graded(mha_rope, "turned.flatten(-2)", "turned.flatten(-2) + torch.zeros(7, 7, 7, 7)")
    assert report.place == (line_of("turned.flatten(-2)"), None)
    assert "right on its own" not in report.summary
