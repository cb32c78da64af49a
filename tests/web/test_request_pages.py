"""Regrade requests on the pages: made below a result, answered from the course's list, without JavaScript too."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.app.school import School
from tests.app.test_assignments import assign
from tests.web.conftest import Visit
from tests.web.reports import ATTACK, SOURCE, full_report
from tests.web.test_browser import open_page, sign_in

LIST = "/courses/demo/regrade-requests"


@pytest.fixture
def wrong(school: School) -> str:
    """A submission of ada's that counts, with two tests that did not pass."""
    assign(school)
    submission = str(school.submit("ada", SOURCE, data={"assignment": "demo/attention"})["id"])
    school.grade(submission, full_report())
    return submission


def ask(visit: Visit, submission: str, **fields: str | list[str]) -> str:
    page = f"/submissions/{submission}"
    return visit.post(f"{page}/regrade-requests", {"csrf": visit.csrf(page), **fields}).text


def request_of(school: School, submission: str, reason: str = "Line 9 is right.") -> str:
    wanted = {"reason": reason, "lines": [9]}
    made = school.client("ada").post(f"/submissions/{submission}/regrade-requests", json=wanted)
    return str(made.json()["id"])


def test_a_request_is_made_and_withdrawn_without_javascript(ada: Visit, wrong: str) -> None:
    page = ask(ada, wrong, reason=f"It is right.\r\n{ATTACK}", tests=["heads/1"], lines="9, 3")
    assert "It is right.\n&lt;script&gt;" in page
    assert re.search(r"About lines 3, 9 of your file; \w+", page)
    assert "You have already requested a regrade" in page
    (request,) = re.findall(r'id="request-(\w{26})"', page)
    path = f"/submissions/{wrong}"
    page = ada.post(f"{path}/regrade-requests/{request}", {"csrf": ada.csrf(path)}).text
    assert ">Withdrawn</span>" in page
    assert "Send request" in page


def test_what_is_wrong_is_told_beside_its_field_and_what_was_typed_is_kept(ada: Visit, wrong: str) -> None:
    page = ask(ada, wrong, reason="It is right.", tests=["theta/1"], lines="99")
    assert re.search(r'id="lines-error">The last line of layers.py is line \d+', page)
    assert 'value="99"' in page
    assert "\nIt is right.</textarea>" in page
    assert re.search(r'value="theta/1" checked', page)
    assert re.search(r'id="lines-error">Write a whole number', ask(ada, wrong, reason="x", lines="nine"))
    assert re.search(r'id="reason-error">Fill this in.', ask(ada, wrong, reason=" "))
    assert re.search(r'id="tests-error">Your report has no test', ask(ada, wrong, reason="x", tests=["made-up"]))


def test_staff_see_it_answer_it_and_its_student_reads_the_answer(school: School, visit: Visit, wrong: str) -> None:
    request = request_of(school, wrong, f"See line 9. {ATTACK}")
    visit.sign_in(school.tokens["grace"])
    assert "1 regrade request awaits an answer." in visit.page("/courses/demo")
    assert f'href="{LIST}/{request}">Answer</a>' in visit.page(f"/submissions/{wrong}")
    listed = visit.page(LIST)
    assert "1 request is waiting for an answer; the oldest was made just now" in listed
    assert "See line 9. &lt;script&gt;" in listed
    page = visit.page(f"{LIST}/{request}")
    assert f'href="/submissions/{wrong}?line=9&amp;file=#write"' in page
    assert "/courses/demo/assignments/attention/students/ada#override-heading" in page
    csrf = visit.csrf(LIST + f"/{request}")
    refused = visit.post(f"{LIST}/{request}", {"csrf": csrf, "outcome": "", "answer": "We have looked."}).text
    assert re.search(r'id="outcome-error">Choose one from the list.', refused)
    assert "\nWe have looked.</textarea>" in refused
    done = visit.post(f"{LIST}/{request}", {"csrf": csrf, "outcome": "points_changed", "answer": "You are right."}).text
    assert "You are right." in done
    late = visit.post(f"{LIST}/{request}", {"csrf": csrf, "outcome": "unchanged", "answer": "No."})
    assert (late.status_code, "somebody else answered it" in late.text) == (409, True)
    assert "No requests are waiting" in visit.page(LIST)
    assert "Points changed" in visit.page(f"{LIST}?closed=true")
    visit.client.cookies.clear()
    visit.sign_in(school.tokens["ada"])
    page = visit.page(f"/submissions/{wrong}")
    assert "You are right." in page
    assert ">Points changed</span>" in page


def test_one_submission_is_graded_again_from_its_request(school: School, grace: Visit, wrong: str) -> None:
    bobs = str(school.submit("bob", data={"assignment": "demo/attention"})["id"])
    school.grade(bobs, full_report())
    page = grace.page(f"{LIST}/{request_of(school, wrong)}")
    assert f'name="submission" value="{wrong}"' in page
    path = "/courses/demo/assignments/attention/regrades"
    grace.post(path, {"csrf": grace.csrf(path), "submission": wrong})
    (regrade,) = school.client("grace").get(path).json()["items"]
    assert regrade["total"] == 1


def test_an_answer_is_written_with_the_keyboard_and_a_refused_request_has_the_focus(
    chromium: Browser, school: School, wrong: str
) -> None:
    with open_page(chromium, school) as page:
        sign_in(page, school)
        page.goto(f"/submissions/{wrong}")
        page.get_by_text("Request a regrade").press("Enter")
        page.get_by_label("Which lines?").fill("99")
        page.get_by_label("What is wrong, and why?").fill("Line 9 is right.")
        page.get_by_role("button", name="Send request").press("Enter")
        expect(page.get_by_label("What is wrong, and why?")).to_be_focused()
        page.get_by_label("Which lines?").fill("9")
        page.get_by_role("button", name="Send request").press("Enter")
        expect(page.get_by_role("article", name="Request 1")).to_contain_text("Line 9 is right.")


def test_practice_offers_no_request(school: School, ada: Visit) -> None:
    told = []
    for counts in (False, True):
        if counts:
            assign(school)
        submission = str(school.submit("ada", SOURCE)["id"])
        school.grade(submission, full_report())
        told.append("Is this result wrong?" in ada.page(f"/submissions/{submission}"))
    assert told == [False, True]
