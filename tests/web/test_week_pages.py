"""The course's page on a Monday, and what a class is taught with: every line leads to what can be done about it."""

import re
from html import unescape

import pytest
from playwright.sync_api import Browser, expect

from app.models import Role
from tests.app.school import School
from tests.app.test_analytics import report, send
from tests.app.test_assignments import assign, from_now
from tests.app.test_exceptions import sent
from tests.app.test_handouts import send as send_mistake
from tests.web.conftest import Visit
from tests.web.staff_pages import ASSIGNMENT, COURSE
from tests.web.test_browser import open_page, sign_in

TEACH = f"{ASSIGNMENT}/understanding/rope-on-v/teach"


@pytest.fixture
def class_(school: School) -> School:
    """bob is stuck, ada has sent nothing."""
    assign(school, due_at=from_now(days=3), attempts_max=9)
    mistake = report(40, "heads", misconceptions=("rope-on-v",))
    send(school, "bob", *[mistake] * 4, data={"assignment": "demo/attention"})
    return school


def test_each_line_has_its_action_with_the_person_and_the_assignment_filled_in(class_: School, grace: Visit) -> None:
    page = grace.page(COURSE)
    assert "is stuck on: About rope-on-v" in page
    for name in ("ada", "bob"):
        more = f'href="{ASSIGNMENT}/students/{name}#more-heading">More time or attempts'
        assert page.count(more) == 1
    assert 'id="more-heading"' in grace.page(f"{ASSIGNMENT}/students/ada")
    assert f'href="{TEACH}">Teach this' in page
    (note,) = re.findall(r'href="([^"]+)">Write to the student', page)
    assert "bob" in grace.page(unescape(note))
    assert f'href="{ASSIGNMENT}">Attention</a> is due' in page


def test_a_course_without_students_says_so_and_where_to_get_them(school: School, visit: Visit) -> None:
    assign(school, due_at=from_now(days=3))
    copy = {"slug": "next", "title": "Next", "starts_on": "2099-06-01"}
    school.client("root").post("/courses/demo/copies", json=copy).raise_for_status()
    visit.sign_in(school.tokens["root"])
    page = visit.page("/courses/next")
    assert "No students are in this course yet." in page
    assert 'href="/courses/next/people/import">Import a roster' in page
    assert "Everybody has started" not in page


def test_an_assistant_is_offered_only_what_an_assistant_may_do(class_: School, visit: Visit) -> None:
    class_.add("tara", Role.ASSISTANT)
    visit.sign_in(class_.tokens["tara"])
    page = visit.page(COURSE)
    assert "More time" not in page
    assert f'href="{ASSIGNMENT}/students/ada">Work' in page


def test_a_search_opens_the_lists_with_whoever_is_found(class_: School, grace: Visit) -> None:
    page = grace.page(f"{COURSE}?search=AD")
    assert re.search(r"<details open><summary><strong>1</strong> has not started", page)
    assert "Nobody here is called “AD”." in page, "among the stuck"
    assert "Nobody here is called “&lt;b&gt;”." in grace.page(f"{COURSE}?search=<b>")


def test_what_waits_is_said_and_so_is_that_nothing_does(school: School, grace: Visit) -> None:
    assign(school, question_points=5, grades_release="held", due_at=from_now(days=1))
    assert "Grading has stopped: no judge is running. Nothing is waiting." in grace.page(COURSE)
    submission = sent(school)
    school.let_held_be_told(submission)
    answers = {"answers": [{"question": "why", "answer": "Because."}]}
    school.client("ada").post(f"/submissions/{submission}/answers", json=answers).raise_for_status()
    school.client("grace").patch(
        "/courses/demo/assignments/attention", json={"due_at": from_now(hours=-1)}
    ).raise_for_status()
    page = grace.page(COURSE)
    assert f'href="{COURSE}/reviews?assignment=attention&amp;state=waiting#answers"' in page
    assert f'href="{ASSIGNMENT}/edit#release-heading"' in page
    assert "1 answer awaits review" in page
    assert "No assignment opens, is due or closes." in page


def test_a_hand_out_prints_without_what_is_for_staff_alone(chromium: Browser, class_: School) -> None:
    class_.add("cyd")
    for name in ("ada", "cyd"):
        send_mistake(class_, name)
    with open_page(chromium, class_) as page:
        sign_in(page, class_, "grace")
        page.goto(TEACH)
        expect(page.get_by_text("There is no code here")).to_be_visible()
        send_mistake(class_, "bob")
        page.reload()
        expect(page.get_by_role("region", name="Excerpt 1")).to_contain_text("v = rope(name1)")
        expect(page.get_by_text("For you only")).to_be_visible()
        page.emulate_media(media="print")
        for text in ("For you only", "Download as Markdown", "Overview", "Sign out"):
            expect(page.get_by_text(text).first).to_be_hidden()
        expect(page.get_by_role("heading", name="About rope-on-v")).to_be_visible()
        assert "ada" not in page.locator("main").inner_text()
        page.emulate_media(media="screen")
        with page.expect_download() as download:
            page.get_by_role("link", name="Download as Markdown").click()
        assert download.value.suggested_filename == "attention-rope-on-v.md"
