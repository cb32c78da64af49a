"""A class's figures: each is counted by hand here, from reports that are as real as their shape."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.analytics.timeline import STEPS_MAX, shares, steps_between
from app.models import Role
from grader.report import Diagnosis, RuleFinding, RuleStatus, TestStatus, Verdict
from tests.app.school import School, make_report
from tests.app.test_assignments import assign

pytestmark = pytest.mark.on_both_databases


def report(score: float, *failed: str, misconceptions: tuple[str, ...] = (), line: int | None = None) -> Any:
    """Of two families, heads and theta, and one rule."""
    verdict = Verdict.FAILED if failed else Verdict.PASSED
    one = make_report(verdict, score)
    tests = tuple(
        one.tests[0].model_copy(
            update={
                "id": f"{family}-{number}",
                "group": family,
                "status": TestStatus.FAILED if family in failed and number == 1 else TestStatus.PASSED,
            }
        )
        for family in ("heads", "theta")
        for number in (1, 2)
    )
    rule = RuleFinding(
        rule="no-loop-over-heads",
        status=RuleStatus.FAILED if "loop" in failed else RuleStatus.PASSED,
        message="",
    )
    found = tuple(
        Diagnosis(id=name, title=f"About {name}", explanation="", evidence="", line=line) for name in misconceptions
    )
    return one.model_copy(update={"tests": tests, "structure": (rule,), "diagnoses": found})


def send(
    school: School, student: str, *reports: Any, source: bytes = b"def rope(): ...\n", **options: Any
) -> list[str]:
    sent = []
    for number, each in enumerate(reports):
        submission = school.submit(student, source + f"# {number}\n".encode(), **options)["id"]
        school.grade(submission, each)
        sent.append(submission)
    return sent


def read(school: School, what: str, **params: Any) -> Any:
    response = school.client("grace").get(
        f"/courses/demo/analytics/{what}", params={"assignment": "attention", **params}
    )
    assert response.status_code == 200, response.text
    return response.json()


@pytest.fixture
def class_(school: School) -> School:
    """ada passes at the third attempt, bob never does, cyd has sent nothing; grace's own trial does not count."""
    assign(school)
    school.add("cyd")
    send(
        school,
        "ada",
        report(20, "heads", "theta", misconceptions=("rope-on-v",), line=1),
        report(60, "theta"),
        report(100),
    )
    send(
        school,
        "bob",
        report(60, "theta", misconceptions=("theta-ignored",)),
        *[report(40, "heads", "loop", misconceptions=("rope-on-v",), line=2)] * 3,
    )
    send(school, "grace", report(100))
    return school


def test_the_overview_counts_students_once_and_staff_never(class_: School):
    found = read(class_, "overview")
    assert (found["students"], found["students_submitted"], found["students_passed"]) == (3, 2, 1)
    assert found["submissions"] == 7
    assert found["verdicts"] == {"passed": 1, "failed": 6}
    assert found["attempts_to_pass"] == {"3": 1}
    assert found["scores"] == [0, 0, 0, 0, 0, 0, 1, 0, 0, 1]
    assert sum(step["submissions"] for step in found["timeline"]) == 7
    assert sum(step["passed"] for step in found["timeline"]) == 1


def test_an_assignment_without_submissions_has_figures_too(school: School):
    assign(school)
    assert read(school, "overview")["timeline"] == []
    assert read(school, "misconceptions")["items"] == []
    assert read(school, "matrix") == {"parts": [], "rows": [], "total": 0}
    assert read(school, "stuck")["items"] == []


def test_misconceptions_say_how_many_had_them_and_who_still_does(class_: School):
    rope, theta = read(class_, "misconceptions")["items"]
    assert (rope["id"], rope["students"], rope["students_still"], rope["submissions"]) == ("rope-on-v", 2, 1, 4)
    assert (theta["id"], theta["students"], theta["students_still"]) == ("theta-ignored", 1, 0)
    assert sum(rope["over_time"]) == 4


def test_behind_a_misconception_stand_the_students_and_their_lines(class_: School):
    first = read(class_, "misconceptions/rope-on-v", limit=1)
    (bob,) = first["items"]
    assert (bob["student"], bob["is_still_there"], bob["line"]) == ("bob", True, 2)
    assert (bob["first_line"], bob["lines"]) == (1, ["def rope(): ...", "# 3", ""])
    (ada,) = read(class_, "misconceptions/rope-on-v", cursor=first["next_cursor"])["items"]
    assert (ada["student"], ada["is_still_there"], ada["line"]) == ("ada", False, 1)


def test_the_matrix_shows_the_best_submission_part_by_part(class_: School):
    found = read(class_, "matrix")
    assert [(part["name"], part["students_passed"]) for part in found["parts"]] == [
        ("heads", 2),
        ("theta", 1),
        ("no-loop-over-heads", 2),
    ]
    bob, ada = found["rows"]
    assert (bob["student"], bob["score"], bob["attempts"]) == ("bob", 0.6, 4)
    assert bob["cells"] == [{"passed": 2, "total": 2}, {"passed": 1, "total": 2}, {"passed": 1, "total": 1}]
    assert ada["has_passed"]
    assert [row["student"] for row in read(class_, "matrix", failing="theta")["rows"]] == ["bob"]
    assert [row["student"] for row in read(class_, "matrix", student="AD")["rows"]] == ["ada"]
    assert [row["student"] for row in read(class_, "matrix", order="name", offset=1)["rows"]] == ["bob"]


def test_who_is_no_better_than_long_ago_is_stuck(class_: School):
    found = read(class_, "stuck")
    (bob,) = found["items"]
    assert (bob["student"], bob["attempts"], bob["attempts_since_best"]) == ("bob", 4, 3)
    assert len(bob["on"]) == 2
    assert bob["misconceptions"] == ["About rope-on-v"]
    assert [each["students"] for each in found["on"]] == [1, 1]


def test_nobody_is_stuck_on_what_is_not_needed_to_pass(school: School):
    assign(school)
    wrong = report(40, "heads")
    also = [
        wrong.tests[0].model_copy(update={"id": f"{name}-1", "group": name}) for name in ("efficiency", "structure")
    ]
    send(school, "bob", *[wrong.model_copy(update={"tests": (*wrong.tests, *also)})] * 4)
    assert [each["title"] for each in read(school, "stuck")["on"]] == ["Number of heads"]
    (now,) = school.client("grace").get("/courses/demo/week").json()["assignments"]
    assert [each["title"] for each in now["stuck_on"]] == ["Number of heads"]


def test_a_question_is_as_hard_as_few_get_it_right(class_: School):
    for student, answer in (("ada", 1), ("bob", -1)):
        submission = class_.client(student).get("/submissions").json()["items"][0]["id"]
        asked = class_.client(student).get(f"/submissions/{submission}/questions").json()["items"]
        heads, wide = (int(word) for word in asked[0]["prompt"].replace("?", "").split() if word.isdigit())
        given = wide / heads if answer == 1 else answer
        answers = [{"question": "heads", "answer": given}, {"question": "why", "answer": "because"}]
        response = class_.client(student).post(f"/submissions/{submission}/answers", json={"answers": answers})
        assert response.status_code == 200, response.text
    items = {item["id"]: item for item in read(class_, "questions")["items"]}
    assert (items["heads"]["students"], items["heads"]["difficulty"]) == (2, 0.5)
    assert items["heads"]["scores"] == [1, 0, 0, 0, 1]
    assert (items["why"]["pending"], items["why"]["difficulty"]) == (2, None)


def test_an_assistant_reads_figures_and_an_unknown_assignment_is_told(class_: School):
    class_.add("tara", Role.ASSISTANT)
    for what in ("overview", "misconceptions", "matrix", "questions", "stuck"):
        path = f"/courses/demo/analytics/{what}"
        assert class_.client("tara").get(path, params={"assignment": "attention"}).status_code == 200
        assert class_.client("tara").get(path, params={"assignment": "nothing"}).status_code == 404
        assert class_.client("tara").get(path).status_code == 422


START = datetime(2026, 1, 5, 10, 30, tzinfo=UTC)


@pytest.mark.parametrize("days", [0, 0.1, 2, 9, 40, 200, 3000])
def test_steps_cover_everything_and_are_never_too_many(days: float):
    last = START + timedelta(days=days)
    steps = steps_between(START, last)
    moments = steps.moments()
    assert moments[0] <= START
    assert moments[-1] <= last < moments[-1] + timedelta(seconds=steps.step_s)
    assert steps.count <= STEPS_MAX or steps.step_s == 8736 * 3600


def test_a_full_score_belongs_to_the_last_part():
    assert shares([0, 0.099, 0.1, 0.95, 1.0], 10) == [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]
