"""A result as a student reads it in a terminal: one cause is one thing, and stands first."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from engine.display import Page
from engine.result import ResultText
from engine.wire.submissions import Submission
from engine.wire.talk import Comment
from grader.report import Breakdown, Diagnosis, Forgeable, Report, RuleFinding, RuleStatus, TestStatus
from tests.engine.papers import UNREADABLE, report_for

SOURCE = b"import torch\n\n\ndef rope(x):\n    return torch.sofmax(x)\n# \x0c\n\n\ndef attention(q):\n    return q\n"
WRONG = b"wrong somehow"


def written(
    capsys: pytest.CaptureFixture[str], report: Report, comments: Sequence[Comment] = (), **more: object
) -> str:
    fields = {"id": "S1", "challenge": "mha-rope", "filename": "layers.py", "state": "graded", "attempt": 1}
    told = {**fields, **more, "created_at": datetime.now(UTC).isoformat(), "report": report.model_dump(mode="json")}
    told["report"]["schema"] = told["report"].pop("schema_")
    ResultText(Page(), SOURCE, "layers.py", {}, comments=comments).write(Submission.model_validate(told))
    return capsys.readouterr().out


def broken_down() -> Report:
    report = report_for(WRONG, "layers.py")
    wrong = tuple(test.id for test in report.tests if test.status.is_failure)
    message = "Line 5 raises AttributeError: module 'torch' has no attribute 'sofmax'."
    breakdown = Breakdown(message=message, meaning="Look for a slip in the name.", line=5, tests=wrong)
    return report.model_copy(update={"summary": message, "breakdown": breakdown, "diagnoses": (), "structure": ()})


def test_the_line_stands_between_its_neighbours_under_the_first_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    lines = written(capsys, broken_down()).splitlines()
    at = next(number for number, line in enumerate(lines) if "return torch.sofmax(x)" in line)
    assert at < 8, "it is among the first things that one sees"
    assert lines[at].split()[:2] in (["→", "5"], ["->", "5"])
    assert "def rope(x):" in lines[at - 1]
    assert "attention" not in "".join(lines[at : at + 2]), "a form feed is no end of a line"


def test_a_mistake_of_some_calls_is_called_no_more_than_that(capsys: pytest.CaptureFixture[str]) -> None:
    mistake = Diagnosis(id="rope-on-v", title="RoPE is applied to V", explanation="x", evidence="y", in_some_calls=True)
    report = report_for(WRONG, "layers.py").model_copy(update={"diagnoses": (mistake,)})
    assert "In some calls: RoPE is applied to V" in written(capsys, report)


def test_what_fails_for_that_reason_is_one_row(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(written(capsys, broken_down()).split())
    assert "7 tests fail for the reason above: heads; positions" in text
    assert "Next: fix that line first" in text


def test_of_two_causes_both_are_meant(capsys: pytest.CaptureFixture[str]) -> None:
    report = report_for(WRONG, "layers.py")
    wrong = tuple(test.id for test in report.tests if test.status.is_failure)
    first = Diagnosis(id="rope-on-v", title="RoPE is applied to V", explanation="x", evidence="y", tests=wrong)
    both = (first, first.model_copy(update={"id": "missing-scale", "title": "The scores are not scaled"}))
    text = " ".join(written(capsys, report.model_copy(update={"diagnoses": both})).split())
    assert "fail for the reasons above" in text
    assert "Next: fix the causes above first" in text


def test_how_it_is_written_is_not_right_already_where_a_rule_is_broken(capsys: pytest.CaptureFixture[str]) -> None:
    report = report_for(WRONG, "layers.py")
    passed = next(test for test in report.tests if test.status is TestStatus.PASSED)
    tests = (*report.tests, passed.model_copy(update={"group": "structure"}))
    for status, is_said in ((RuleStatus.PASSED, True), (RuleStatus.FAILED, False)):
        rules = (RuleFinding(rule="one", status=status, message="A rule."),)
        text = " ".join(written(capsys, report.model_copy(update={"tests": tests, "structure": rules})).split())
        assert ("Already right: contract; Rules" in text) is is_said


def test_what_was_not_run_is_not_right_already(capsys: pytest.CaptureFixture[str]) -> None:
    report = broken_down()
    skipped = report.tests[0].model_copy(update={"group": "efficiency", "status": TestStatus.SKIPPED})
    text = written(capsys, report.model_copy(update={"tests": (*report.tests, skipped)}))
    assert "Already right: contract\n" in text


def test_tests_that_could_be_forged_are_apart_and_told_for_what_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    report = report_for(WRONG, "layers.py")
    test = report.tests[0].model_copy(
        update={
            "title": "sums to one",
            "status": TestStatus.FAILED,
            "message": "off by 2",
            "score": 0.0,
            "max_score": 3.0,
        }
    )
    right = test.model_copy(update={"title": "is a tensor", "status": TestStatus.PASSED, "message": "", "score": 1.0})
    forgeable = Forgeable(score=1.0, max_score=4.0, tests=(test, right))
    text = " ".join(written(capsys, report.model_copy(update={"forgeable": forgeable})).split())
    assert "Beside your code (1 of 4 points, counted apart)" in text
    assert "Your code could change how these tests end, so they prove nothing." in text
    assert "sums to one: failed: off by 2 is a tensor: passed" in text


def test_what_being_late_costs_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    text = written(capsys, broken_down(), assignment="cs/one", is_late=True, late_percent=20.0, points=30.0)
    assert "It was late, which costs 20 %: 30 points count towards cs/one." in " ".join(text.split())


def test_a_file_that_cannot_be_graded_loses_nothing_for_being_late(capsys: pytest.CaptureFixture[str]) -> None:
    report = report_for(UNREADABLE, "layers.py")
    assert "late" not in written(capsys, report, assignment="cs/one", is_late=True, late_percent=20.0, points=0.0)


def test_a_comment_is_below_its_line_and_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    said = {"line": 9, "text": "What is q here?\n\x1b[31mAnd v?", "author": "tara", "author_full_name": "Tara Singh"}
    comment = Comment.model_validate({**said, "written_at": datetime.now(UTC)})
    lines = [line.strip() for line in written(capsys, broken_down(), [comment]).splitlines()]
    at = next(number for number, line in enumerate(lines) if line.startswith("Tara Singh, "))
    assert lines[at + 1 : at + 3] == ["What is q here?", "[31mAnd v?"]
    assert any("def attention(q):" in line for line in lines[:at])
