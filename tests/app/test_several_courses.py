"""A student of several courses that ask for the same challenge: nobody but the student says which one an upload is for.

eve manages the course elsewhere and enrols ada, of demo, who has not asked for it.
"""

import pytest

from app.accounts import service as accounts
from app.models import Role
from tests.app.school import SOURCE, School
from tests.app.test_assignments import assign, from_now, refusal


@pytest.fixture
def torn(school: School) -> School:
    school.add("eve", Role.INSTRUCTOR, "elsewhere")
    accounts.enroll(school.database, "ada", "elsewhere")
    assign(school, "ours", due_at=from_now(days=2))
    assign(school, "trap", "elsewhere", due_at=from_now(days=1))
    return school


def test_an_upload_that_names_no_assignment_is_refused_where_several_courses_ask(torn: School):
    status, detail = refusal(torn)
    assert status == 409
    assert "demo/ours" in detail
    assert "elsewhere/trap" in detail
    assert "engine submit-build --assignment" in detail
    assert torn.client("ada").get("/submissions").json()["items"] == []


def test_an_upload_goes_where_it_says_whatever_is_due_first(torn: School):
    for address in ("demo/ours", "elsewhere/trap"):
        assert torn.submit(data={"assignment": address})["assignment"] == address


def test_a_classmate_in_one_course_need_not_say_which_and_gets_the_one_due_next(torn: School):
    assign(torn, "sooner", due_at=from_now(hours=1))
    assert torn.submit("bob")["assignment"] == "demo/sooner"


def test_the_refusal_names_for_each_course_the_one_due_next(torn: School):
    assign(torn, "sooner", due_at=from_now(hours=1))
    _, detail = refusal(torn)
    assert "demo/sooner" in detail
    assert "demo/ours" not in detail


def test_a_course_that_asks_for_another_time_takes_no_part(torn: School):
    root = torn.client("root")
    root.patch("/courses/elsewhere/assignments/trap", json={"opens_at": from_now(hours=1)})
    assert torn.submit()["assignment"] == "demo/ours"


def test_sending_again_under_the_same_key_still_brings_back_what_was_taken(torn: School):
    ada, files = torn.client("ada"), {"file": ("layers.py", SOURCE)}
    headers = {"Idempotency-Key": "once"}
    first = ada.post("/submissions", files=files, headers=headers, data={"assignment": "demo/ours"})
    again = ada.post("/submissions", files=files, headers=headers)
    assert again.json()["id"] == first.json()["id"]
