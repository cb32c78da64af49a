"""Grades that are held: how long grading took tells nothing. Code can sleep where only right answers come to."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

import pytest
from sqlalchemy import update

from app.models import Submission, now
from app.queue.lengths import tallies
from app.submissions.feedback import HELD_PAUSE
from grader.report import Verdict
from tests.app.school import Event, School, make_report
from tests.app.test_assignments import assign, from_now
from tests.app.test_exceptions import ATTENTION

pytestmark = pytest.mark.on_both_databases
BEGAN_AGO: Final = timedelta(seconds=90)


@pytest.fixture
def began(school: School) -> datetime:
    """When a judge began with both submissions."""
    assign(school, due_at=from_now(days=1), grades_release="held", question_points=10)
    return now() - BEGAN_AGO


def graded(school: School, name: str, began: datetime, took_s: float, verdict: Verdict = Verdict.PASSED) -> str:
    """A submission whose grading took so long."""
    submission: str = school.submit(name, data={"assignment": "demo/attention"})["id"]
    school.grade(submission, make_report(verdict, 91.25))
    school.change_job(submission, started_at=began)
    with school.database.write() as session:
        ended = update(Submission).where(Submission.id == submission)
        session.execute(ended.values(graded_at=began + timedelta(seconds=took_s)))
    return submission


def read(school: School, name: str, submission: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = school.client(name).get(f"/submissions/{submission}").json()
    return found


def test_that_it_is_graded_is_told_a_fixed_time_after_a_judge_began(school: School, began: datetime):
    slept, failed = graded(school, "ada", began, 60), graded(school, "bob", began, 0.5, Verdict.FAILED)
    for name, submission in (("ada", slept), ("bob", failed)):
        seen = read(school, name, submission)
        assert (seen["state"], seen["graded_at"], seen["is_held"]) == ("running", None, True)
        assert seen["queue"] is not None
        school.let_held_be_told(submission)
        seen = read(school, name, submission)
        told_after = datetime.fromisoformat(seen["graded_at"]) - datetime.fromisoformat(seen["started_at"])
        assert (seen["state"], told_after, seen["queue"]) == ("graded", HELD_PAUSE, None)


def test_a_list_by_state_and_the_standing_tell_it_no_earlier(school: School, began: datetime):
    submission = graded(school, "ada", began, 60)
    ada, grace = school.client("ada"), school.client("grace")

    def listed(state: str, client: Any) -> list[str]:
        return [each["state"] for each in client.get("/submissions", params={"state": state}).json()["items"]]

    assert (listed("graded", ada), listed("running", ada)) == ([], ["running"])
    assert (listed("graded", grace), listed("running", grace)) == (["graded"], [])
    assert ada.get("/me").json()["assignments"][0]["last"]["state"] == "running"
    school.let_held_be_told(submission)
    assert (listed("graded", ada), listed("running", ada)) == (["graded"], [])


def test_the_questions_open_when_it_is_told(school: School, began: datetime):
    submission = graded(school, "ada", began, 60)
    ada, path = school.client("ada"), f"/submissions/{submission}"
    body = {"answers": [{"question": "why", "answer": "Because."}]}
    assert ada.get(f"{path}/questions").status_code == 409
    assert ada.post(f"{path}/answers", json=body).status_code == 409
    school.let_held_be_told(submission)
    assert ada.get(f"{path}/questions").status_code == 200
    assert ada.post(f"{path}/answers", json=body).status_code == 200


def test_a_request_is_refused_in_the_same_words_before_and_after(school: School, began: datetime):
    submission = school.submit("ada", data={"assignment": "demo/attention"})["id"]
    path = f"/submissions/{submission}/regrade-requests"
    before = school.client("ada").post(path, json={"reason": "It is right."}).json()["detail"]
    school.grade(submission, make_report(Verdict.PASSED, 91.25))
    assert school.client("ada").post(path, json={"reason": "It is right."}).json()["detail"] == before


def test_the_stream_tells_what_the_row_does_and_when_it_does(school: School, began: datetime):
    submission = graded(school, "ada", began, 60)

    def hear(event: Event) -> None:
        if event.data == {"state": "running"}:
            school.let_held_be_told(submission)

    heard = school.watch(submission, hear=hear)
    assert [(each.event, each.data, each.id) for each in heard] == [
        ("state", {"state": "running"}, None),
        ("state", {"state": "graded"}, None),
    ]


def test_staff_and_whoever_sent_what_cannot_be_graded_are_told_at_once(school: School, began: datetime):
    slept, rejected = graded(school, "ada", began, 60), graded(school, "bob", began, 0.1, Verdict.REJECTED)
    assert (read(school, "grace", slept)["state"], read(school, "grace", slept)["queue"]) == ("graded", None)
    seen = read(school, "bob", rejected)
    assert (seen["state"], seen["verdict"], seen["queue"]) == ("graded", "rejected", None)
    assert {event.event for event in school.watch(rejected, "bob")} == {"verdict", "state"}


def test_the_times_that_are_expected_come_from_no_held_grading(school: School, began: datetime):
    graded(school, "ada", began, 60)
    waiting = school.submit("bob", data={"assignment": "demo/attention"})["id"]
    seen = read(school, "bob", waiting)["queue"]
    assert (seen["position"], seen["grading_p50_s"], seen["grading_p95_s"]) == (1, None, None)


def test_counters_do_not_tell_verdicts_until_grades_are_released(school: School, began: datetime):
    graded(school, "ada", began, 60)
    assert [each.verdict for each in tallies(school.database)] == ["held"]
    assert school.client("grace").post(f"{ATTENTION}/release").status_code == 200
    assert [each.verdict for each in tallies(school.database)] == ["passed"]


def test_of_one_that_was_cancelled_nothing_is_held(school: School, began: datetime):
    submission = school.submit("ada", data={"assignment": "demo/attention"})["id"]
    assert read(school, "ada", submission)["is_held"] is True
    cancelled = school.client("ada").post(f"/submissions/{submission}/cancel").json()
    assert (cancelled["state"], cancelled["is_held"]) == ("cancelled", False)
