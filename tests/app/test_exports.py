"""What is taken elsewhere: points by the assignment's terms, in the form that each gradebook imports."""

import codecs
import csv
import io
import json
import zipfile
from datetime import timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from sqlalchemy import update

from app.models import Enrollment, Submission
from grader.report import Diagnosis, RuleFinding, RuleStatus, TestResult, TestStatus, Verdict, Visibility
from tests.app.school import School, make_report
from tests.app.test_assignments import assign, from_now

pytestmark = pytest.mark.on_both_databases


@pytest.fixture
def class_(school: School) -> School:
    """ada was better when it was late; bob has sent nothing; a name of theirs would be a formula."""
    assign(school, due_at=from_now(days=1), late_percent_per_day=50, points=10)
    assign(school, "second", challenge="mha-rope", due_at=from_now(days=9), points=5)
    send(school, 60)
    set_days_late(school, send(school, 90), 1.5)
    with school.database.write() as session:
        session.execute(
            update(Enrollment)
            .where(Enrollment.user.has(name="ada"))
            .values(full_name="=HYPERLINK(1)", email="a@b.example")
        )
    return school


def send(school: School, score: float) -> str:
    submission = school.submit("ada", b"x = %d\n" % score, data={"assignment": "demo/attention"})["id"]
    school.grade(submission, make_report(Verdict.FAILED, score))
    return str(submission)


def set_days_late(school: School, submission: str, days: float) -> None:
    with school.database.write() as session:
        row = session.get_one(Submission, submission)
        assert row.assignment
        assert row.assignment.due_at
        row.created_at = row.assignment.due_at + timedelta(days=days)


def export(school: School, path: str = "export.csv", **params: str) -> Any:
    response = school.client("grace").get(f"/courses/demo/{path}", params=params)
    assert response.status_code == 200, response.text
    return response


def rows(response: Any) -> list[list[str]]:
    return list(csv.reader(io.StringIO(response.text)))


def test_the_best_counts_after_what_being_late_costs(class_: School):
    response = export(class_, assignment="attention")
    assert response.headers["content-disposition"] == 'attachment; filename="demo-attention.csv"'
    ada, bob = (line for line in csv.DictReader(io.StringIO(response.text)))
    assert (ada["points"], ada["points_max"], ada["days_late"], ada["attempts"]) == ("6.0", "10.0", "0", "2")
    assert (bob["student"], bob["points"], bob["attempts"]) == ("bob", "", "0")


def test_a_spreadsheet_is_told_the_encoding_and_programs_are_not(class_: School):
    plain, marked = export(class_), export(class_, **{"for": "spreadsheet"})
    assert marked.content == codecs.BOM_UTF8 + plain.content
    assert marked.headers["content-disposition"] == plain.headers["content-disposition"]
    for table in ("canvas", "moodle"):
        assert not export(class_, **{"for": table}).content.startswith(codecs.BOM_UTF8)


def test_no_cell_is_a_formula(class_: School):
    for table in ("all", "spreadsheet", "canvas", "moodle"):
        cells = [cell for row in rows(export(class_, **{"for": table})) for cell in row]
        assert "'=HYPERLINK(1)" in cells
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


def test_canvas_finds_students_by_login_and_keeps_what_is_empty(class_: School):
    header, possible, ada, bob = rows(export(class_, **{"for": "canvas"}))
    assert header == ["Student", "ID", "SIS Login ID", "Section", "Attention", "Second"]
    assert possible == ["    Points Possible", "", "", "", "10.0", "5.0"]
    assert ada[2:] == ["ada", "demo", "6.0", ""]
    assert bob[2:] == ["bob", "demo", "", ""]


def test_moodle_finds_students_by_name_or_address(class_: School):
    header, ada, _ = rows(export(class_, assignment="attention", **{"for": "moodle"}))
    assert header == ["Username", "Full name", "Email address", "Attention"]
    assert ada == ["ada", "'=HYPERLINK(1)", "a@b.example", "6.0"]


def test_gradescope_gets_the_points_that_count_and_a_report_for_each_student(class_: School):
    response = export(class_, "export/gradescope.zip", assignment="attention")
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        assert archive.namelist() == ["ada/results.json"]
        results = json.loads(archive.read("ada/results.json"))
    assert results["score"] == 6
    assert results["tests"][0]["visibility"] == "hidden"


@pytest.mark.parametrize(
    ("feedback", "shown"),
    [
        (
            "full",
            {"the summary", "what is public", "what the rule says", "the cause", "heads: one head", "rule: loops"},
        ),
        ("families", {"heads: one head", "rule: loops"}),
        ("verdict", set()),
    ],
)
def test_students_see_in_gradescope_what_they_may_see_here(school: School, feedback: str, shown: set[str]):
    assign(school, feedback=feedback, due_at=from_now(days=1), closes_at=from_now(days=1))
    public = TestResult(
        id="heads-1", group="heads", title="one head", status=TestStatus.FAILED, score=0, max_score=2,
        visibility=Visibility.PUBLIC, message="what is public",
    )  # fmt: skip
    hidden = public.model_copy(update={"id": "h", "title": "two", "visibility": Visibility.HIDDEN, "message": "secret"})
    later = hidden.model_copy(update={"id": "l", "title": "three", "visibility": Visibility.AFTER_DUE_DATE})
    report = make_report().model_copy(
        update={
            "seed": 987654321,
            "summary": "the summary",
            "tests": (public, hidden, later),
            "structure": (RuleFinding(rule="loops", status=RuleStatus.FAILED, line=7, message="what the rule says"),),
            "diagnoses": (Diagnosis(id="d", title="the cause", explanation="e", evidence="e"),),
        }
    )
    school.grade(school.submit("ada", data={"assignment": "demo/attention"})["id"], report)
    content = export(school, "export/gradescope.zip", assignment="attention").content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        results = json.loads(archive.read("ada/results.json"))
    by_visibility = {
        wanted: json.dumps([test for test in results["tests"] if (test["visibility"] == "visible") is wanted])
        for wanted in (True, False)
    }
    seen = by_visibility[True] + json.dumps({**results, "tests": []})
    told = {"the summary", "what is public", "what the rule says", "the cause", "heads: one head", "rule: loops"}
    assert {text for text in told if text in seen} == shown
    assert "secret" not in seen
    assert by_visibility[False].count("secret") == 2
    assert {test["visibility"] for test in results["tests"]} <= {"visible", "hidden"}
    assert "987654321" not in json.dumps(results)


def test_junit_has_a_suite_for_each_student(class_: School):
    suites = ElementTree.fromstring(export(class_, "export/junit.xml", assignment="attention").text)
    assert [suite.get("name") for suite in suites] == ["ada"]


def test_answers_count_where_questions_have_points(class_: School):
    class_.client("grace").patch("/courses/demo/assignments/attention", json={"question_points": 4})
    submission = class_.client("ada").get("/submissions").json()["items"][0]["id"]
    ada = class_.client("ada")
    prompt = ada.get(f"/submissions/{submission}/questions").json()["items"][0]["prompt"]
    heads, wide = (int(word) for word in prompt.replace("?", "").split() if word.isdigit())
    answer = {"answers": [{"question": "heads", "answer": wide / heads}]}
    assert ada.post(f"/submissions/{submission}/answers", json=answer).status_code == 200
    line = next(csv.DictReader(io.StringIO(export(class_, assignment="attention").text)))
    assert (line["points"], line["points_max"], line["question_points"]) == ("8.0", "14.0", "2.0")
