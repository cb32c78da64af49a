"""Staff read people's names with the account's beside it, and titles instead of slugs."""

import re
from html import unescape

import pytest
from sqlalchemy import update

from app.models import Enrollment
from tests.app.school import School
from tests.app.test_assignments import assign, from_now
from tests.web.conftest import Visit, field
from tests.web.reports import SOURCE, full_report
from tests.web.staff_pages import ASSIGNMENT, COURSE

NAMES = {"ada": "Ada Lovelace", "bob": "Bob Bold", "grace": "Grace Hopper"}
PATH = "/courses/demo/assignments/attention"


@pytest.fixture
def graded(school: School) -> str:
    """A submission of ada's that counts, in a course that knows people's names."""
    with school.database.write() as session:
        for name, full_name in NAMES.items():
            session.execute(update(Enrollment).where(Enrollment.user.has(name=name)).values(full_name=full_name))
    assign(school, title="Attention, please")
    submission = str(school.submit("ada", SOURCE, data={"assignment": "demo/attention"})["id"])
    school.grade(submission, full_report())
    return submission


def words(page: str) -> str:
    """What the page shows, without its tags."""
    main = re.search(r"<main.*</main>", page, re.DOTALL)
    assert main
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", main[0])).split())


def test_submissions_are_listed_by_name_and_title(grace: Visit, graded: str) -> None:
    page = words(grace.page(f"{COURSE}/submissions"))
    assert "Ada Lovelace ada Attempt 1 of Ada Lovelace" in page
    assert page.count("Attention, please") == 2, "in the filter, and in the row"


def test_the_gradebook_has_the_login_beside_the_name(grace: Visit, graded: str) -> None:
    assert "Ada Lovelace ada " in words(grace.page(f"{COURSE}/gradebook"))


def test_whom_a_page_of_an_assignment_tells_of_is_named(grace: Visit, graded: str) -> None:
    (mistake,) = set(re.findall(r"understanding/([\w-]+)", grace.page(f"{ASSIGNMENT}/understanding")))
    for page in ("students", f"understanding/{mistake}"):
        assert "Ada Lovelace ada" in words(grace.page(f"{ASSIGNMENT}/{page}")), page


def test_whom_a_roster_changes_or_removes_is_named(grace: Visit, school: School, graded: str) -> None:
    page = f"{COURSE}/people/import"
    form = {"csrf": field(grace.page(page), "csrf"), "remove_missing": "yes", "text": "name,section\nbob,Tuesday\n"}
    preview = words(grace.post(page, form).text)
    assert "Ada Lovelace ada removed from the course" in preview
    assert "Bob Bold bob section: nothing → Tuesday" in preview


def test_a_submission_begins_with_its_students_name(grace: Visit, school: School, graded: str) -> None:
    page = words(grace.page(f"/submissions/{graded}"))
    assert "Points of Ada Lovelace Ada Lovelace ada , attempt 1" in page
    second = str(school.submit("ada", SOURCE + b"# again\n", data={"assignment": "demo/attention"})["id"])
    assert "Ada Lovelace ada , attempt 2" in words(grace.page(f"/submissions/{second}/changes"))


def test_who_gave_something_is_told_by_name(grace: Visit, school: School, graded: str) -> None:
    client = school.client("grace")
    client.patch(PATH, json={"due_at": from_now(days=1)}).raise_for_status()
    given = {"student": "ada", "reason": "Ill"}
    client.post(f"{PATH}/exceptions", json={**given, "due_at": from_now(days=2)}).raise_for_status()
    client.post(f"{PATH}/overrides", json={**given, "points": 3}).raise_for_status()
    assert words(grace.page(f"{ASSIGNMENT}/students/ada")).count("Grace Hopper grace , ") == 2
    assert "Grace Hopper grace set points by hand Attention" in words(grace.page(f"{COURSE}/audit"))


def test_who_started_a_regrade_is_told_by_name(grace: Visit, graded: str) -> None:
    page = f"{ASSIGNMENT}/regrades"
    started = grace.post(page, {"csrf": field(grace.page(page), "csrf")})
    assert "Started by Grace Hopper grace , " in words(started.text)
    assert "Grace Hopper grace" in words(grace.page(page))


def test_whose_invitation_was_revoked_is_told_by_name(grace: Visit, school: School, graded: str) -> None:
    carol = {"name": "carol", "full_name": "Carol <b>Clark</b>"}
    school.client("grace").post("/courses/demo/roster/people", json=carol).raise_for_status()
    form = {"csrf": field(grace.page(f"{COURSE}/invitations"), "csrf"), "person": "carol"}
    grace.post(f"{COURSE}/invitations", {**form, "do": "print"}).raise_for_status()
    revoked = grace.post(f"{COURSE}/invitations", {**form, "do": "revoke"})
    assert "Revoked: Carol <b>Clark</b> carol ." in words(revoked.text)


def test_a_regrade_request_has_its_time_in_the_courses_zone(ada: Visit, school: School, graded: str) -> None:
    school.client("grace").patch("/courses/demo", json={"time_zone": "Asia/Kathmandu"}).raise_for_status()
    asked = school.client("ada").post(f"/submissions/{graded}/regrade-requests", json={"reason": "It is right."})
    asked.raise_for_status()
    assert re.search(r'requested <time [^>]*data-zone="Asia/Kathmandu"', ada.page(f"/submissions/{graded}"))
