"""What the pages say of assignments, and of tokens that have run out."""

from datetime import UTC, datetime

import pytest

from app.accounts import service as accounts
from app.models import Role
from tests.app.school import School
from tests.app.test_assignments import assign, from_now
from tests.web.conftest import Visit, counted_queries, field
from tests.web.reports import full_report
from tests.web.test_pages import graded


def test_the_challenge_page_says_what_an_upload_counts_for(school: School, ada: Visit) -> None:
    assert "counts towards" not in ada.page("/challenges/mha-rope")
    assign(school, due_at=from_now(days=1), closes_at=from_now(days=2), attempts_max=2, late_percent_per_day=10)
    page = ada.page("/challenges/mha-rope")
    assert "counts towards <strong>Attention</strong> in demo" in page
    assert "<strong>2</strong> of 2 attempts left" in page
    assert "costs 10 %" in page


@pytest.mark.parametrize(
    ("days", "percent", "told"),
    [
        (1, 10, ""),
        (-1.5, 10, "This is past due. What you submit now loses 20 % of its points."),
        (-1.5, 0, "This is past due. What you submit now counts as late, which costs no points."),
        (-20, 10, "This is past due. What you submit now earns no points for the code."),
    ],
)
def test_before_the_upload_stands_what_being_late_costs(
    school: School, ada: Visit, days: float, percent: float, told: str
) -> None:
    assign(school, due_at=from_now(days=days), late_percent_per_day=percent)
    page = ada.page("/challenges/mha-rope")
    assert told in page
    assert ("past due" in page) is bool(told)


def test_what_no_open_assignment_asks_for_is_practice(school: School, ada: Visit) -> None:
    assign(school, due_at=from_now(days=-2), closes_at=from_now(days=-1))
    assert "so it is practice: graded and explained" in ada.page("/challenges/mha-rope")
    assign(school, "open")
    assert "so it is practice" not in ada.page("/challenges/mha-rope")


def test_the_editor_says_when_the_next_attempt_may_be_sent(school: School, ada: Visit) -> None:
    assign(school, attempts_max=3, attempts_per_hour=1)
    page = ada.page(graded(school, source=b"x = 1\n"))
    assert "2 attempts left, the next after <time" in page
    assert "You can submit again after <time" in ada.page("/challenges/mha-rope")


def test_points_are_told_once_something_is_graded(school: School, ada: Visit) -> None:
    assign(school)
    sent = school.submit()["id"]
    assert "of 100 points</strong>" not in ada.page(f"/submissions/{sent}")
    school.grade(sent, full_report())
    assert "of 100 points</strong> in Attention" in ada.page(f"/submissions/{sent}")


def test_an_upload_too_many_is_told_beside_the_form(school: School, ada: Visit) -> None:
    assign(school, attempts_max=1, is_superseding=False)
    assert ada.upload(b"x = 1\n").url.path.startswith("/submissions/")
    refused = ada.upload(b"x = 2\n")
    assert refused.status_code == 409
    assert "the limit is 1" in refused.text


def test_with_no_attempts_left_the_form_offers_practice(school: School, ada: Visit) -> None:
    assign(school, attempts_max=1, is_superseding=False)
    page = ada.page(graded(school, source=b"x = 1\n"))
    assert field(page, "assignment") == "practice"
    assert "does not count towards your grade" in page
    page = ada.page("/challenges/mha-rope")
    assert "You have used all your attempts at <strong>Attention</strong>" in page
    assert "Submit as practice" in page
    sent = ada.upload(b"x = 2\n", assignment=field(page, "assignment"))
    assert sent.url.path.startswith("/submissions/")
    assert "for Attention" not in sent.text


def test_an_assignment_that_keeps_back_what_is_wrong_offers_no_practice(school: School, ada: Visit) -> None:
    assign(school, attempts_max=1, feedback="verdict", is_superseding=False)
    page = ada.page(graded(school, source=b"x = 1\n"))
    assert "Run it again" not in page
    page = ada.page("/challenges/mha-rope")
    assert "You cannot submit again until it closes" in page
    assert 'id="upload"' not in page


def test_the_result_page_shows_no_more_than_the_feedback_allows(school: School, ada: Visit) -> None:
    for feedback, sentence in (("families", "which tests pass, but not why"), ("verdict", "the verdict and the score")):
        assign(school, feedback, feedback=feedback, points=10)
        sent = school.submit(data={"assignment": f"demo/{feedback}"})["id"]
        report = full_report()
        school.grade(sent, report)
        page = ada.page(f"/submissions/{sent}")
        assert sentence in page
        assert f"for {feedback.title()}" in page
        assert report.diagnoses[0].title not in page
        assert report.summary not in page


def test_a_student_sees_what_is_due_what_is_left_and_what_they_have(school: School, ada: Visit) -> None:
    assert "No assignments yet" in ada.page("/courses/demo")
    assign(school, due_at=from_now(days=3), attempts_max=3, points=20, question_points=4)
    assign(school, "over", due_at=from_now(days=-3), closes_at=from_now(days=-2))
    assign(school, "later", opens_at=from_now(days=5.01), title="A surprise")
    sent = school.submit()["id"]
    school.grade(sent, full_report())
    for path in ("/courses/demo", "/"):
        page = ada.page(path)
        assert "Due in 2 days" in page
        assert '<strong>2</strong><span class="of"> of 3' in page
        assert '5.33<span class="of"> / 24' in page
        assert f'<a href="/submissions/{sent}">Attempt 1</a> <span class="badge failed">' in page
        assert "2 questions are not answered yet" in page
        assert "A surprise" not in page
    assert "opens" in (page := ada.page("/courses/demo"))
    assert "in 5 days" in page
    assert page.index("To do") < page.index("Closed") < page.index("Final score")
    assert "Assignments due" in ada.page("/")


def test_rest_says_what_the_students_page_shows(school: School) -> None:
    assign(school, attempts_max=3)
    sent = school.submit()["id"]
    found = school.client("ada").get("/courses/demo/standing").json()
    (standing,) = found["assignments"]
    assert (found["role"], found["next_opens_at"]) == ("student", None)
    assert (standing["attempts_left"], standing["last"]["id"], standing["phase"]) == (2, sent, "open")
    (mine,) = school.client("ada").get("/me").json()["assignments"]
    assert mine == standing


def test_more_assignments_cost_no_more_queries(school: School, ada: Visit) -> None:
    def queries() -> list[int]:
        counts = []
        for path in ("/", "/courses/demo"):
            with counted_queries() as statements:
                ada.page(path)
            counts.append(len([each for each in statements if each.startswith("SELECT ") and each != "SELECT 1"]))
        return counts

    assign(school)
    before = queries()
    for slug in ("second", "third"):
        assign(school, slug)
    assert queries() == before
    assert max(before) <= 21


def test_the_courses_page_lists_its_assignments(school: School, grace: Visit) -> None:
    assign(school, "later", opens_at=from_now(days=1))
    page = grace.page("/courses/demo")
    assert "Assignments" in page
    assert "Planned" in page


def test_what_was_sent_for_a_course_has_its_time_in_the_courses_zone(school: School, ada: Visit) -> None:
    school.client("grace").patch("/courses/demo", json={"time_zone": "Asia/Kathmandu"})
    assign(school)
    address = graded(school)
    submission = address.rpartition("/")[2]
    staff = school.client("grace").post(f"/submissions/{submission}/comments", json={"text": "Well named."})
    assert staff.status_code == 201, staff.text
    for page, times in ((address, 2), ("/challenges/mha-rope", 1), ("/", 1)):
        assert ada.page(page).count('data-zone="Asia/Kathmandu"') >= times, page
    assert "UTC+05:45" in ada.page(address)


def test_a_token_that_has_expired_is_told_in_a_sentence(school: School, visit: Visit) -> None:
    token = accounts.issue_token(school.database, "ada", "laptop", datetime(2021, 5, 6, tzinfo=UTC))
    response = visit.sign_in(token)
    assert response.status_code == 401
    assert "expired at 6 May 2021, 00:00 UTC" in response.text


def test_the_student_chooses_what_an_upload_counts_for_where_several_courses_ask(school: School, ada: Visit) -> None:
    assign(school, "ours", due_at=from_now(days=2))
    page = "/challenges/mha-rope"
    assert '<select id="assignment"' not in ada.page(page)
    school.add("eve", Role.INSTRUCTOR, "elsewhere")
    accounts.enroll(school.database, "ada", "elsewhere")
    assign(school, "trap", "elsewhere", due_at=from_now(days=1))
    text = ada.page(page)
    assert '<label for="assignment">Submit to</label>' in text
    assert '<select id="assignment" name="assignment" required' in text
    assert " selected" not in text
    refused = ada.upload(b"x = 1\n")
    assert refused.status_code == 409
    assert "elsewhere/trap" in refused.text
    form = {"csrf": field(text, "csrf"), "nonce": field(text, "nonce"), "source": "x = 1"}
    wrong = ada.post(f"{page}/submissions", form | {"assignment": "demo/unheard"})
    assert (wrong.status_code, "x = 1" in wrong.text) == (404, True)
    sent = ada.post(f"{page}/submissions", form | {"assignment": "demo/ours"})
    assert "for Ours" in sent.text


def test_each_open_assignment_of_a_course_can_be_chosen_and_the_one_come_from_is(school: School, ada: Visit) -> None:
    assign(school, "late", due_at=from_now(days=-1))
    assign(school, "next")
    page = ada.page("/challenges/mha-rope?assignment=demo/late")
    assert '<option value="demo/late" selected>' in page
    assert '<option value="demo/next">' in page
    assert "for Late, late" in ada.upload(b"x = 1\n", assignment="demo/late").text
    assert 'href="/challenges/mha-rope?assignment=demo/late"' in ada.page("/")
