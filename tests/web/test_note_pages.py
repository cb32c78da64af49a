"""Notes on the pages: staff look at who gets one, then send it; students find it where they work."""

import re

import pytest
from playwright.sync_api import Browser, expect

from app.news.schemas import NewsKind
from app.settings import ApiSettings
from tests.app.conftest import open_school
from tests.app.redis_process import RedisProcess
from tests.app.school import School
from tests.app.test_analytics import report, send
from tests.app.test_assignments import assign
from tests.web.conftest import Visit, visitor
from tests.web.reports import ATTACK
from tests.web.staff_pages import ASSIGNMENT
from tests.web.test_browser import open_page, sign_in

FORM = "/courses/demo/notes/new"
STILL = f"{FORM}?assignment=attention&misconception=rope-on-v"
WRONG = report(40, "theta", misconceptions=("rope-on-v",), line=1)


@pytest.fixture
def class_(school: School) -> School:
    """ada still has it, bob does not."""
    assign(school, attempts_max=50)
    send(school, "ada", WRONG)
    send(school, "bob", WRONG, report(100))
    return school


def fields(page: str) -> dict[str, str]:
    """What the form sends along unseen."""
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))


def test_staff_see_who_gets_a_note_and_afterwards_who_has_read_it(class_: School, grace: Visit, visit: Visit) -> None:
    assert "Write to the student who still has it" in grace.page(f"{ASSIGNMENT}/understanding/rope-on-v")
    form = grace.page(STILL)
    assert "last submission to Attention shows: About rope-on-v" in form
    assert ">ada</a>" in form
    assert ">bob</a>" not in form
    page = grace.post(FORM, {**fields(form), "text": f"Which of them?\r\n{ATTACK}"}).text
    assert "Which of them?\n&lt;script&gt;" in page
    assert "<strong>0 of 1</strong>" in page


def test_what_is_wrong_is_told_beside_its_field_and_what_was_typed_is_kept(class_: School, grace: Visit) -> None:
    form = fields(grace.page(STILL))
    assert 'id="text-error">Fill this in.' in grace.post(FORM, {**form, "text": ""}).text
    page = grace.post(FORM, {**form, "text": "x" * 4001}).text
    assert 'id="text-error">Use at most 4000 characters.' in page
    assert page.count("x" * 4001) == 1
    send(class_, "bob", WRONG)
    page = grace.post(FORM, {**form, "text": "Look again."}).text
    assert "the list of those who get it has changed" in page
    assert ">bob</a>" in page
    assert "\nLook again.</textarea>" in page
    assert "<strong>0 of 2</strong>" in grace.post(FORM, {**fields(page), "text": "Look again."}).text


def test_a_student_finds_a_note_at_home_and_at_the_challenge(chromium: Browser, class_: School) -> None:
    grace = class_.client("grace")
    for text in ("Think of V.", "The room\nhas changed."):
        assert grace.post("/courses/demo/notes", json={"assignment": "attention", "text": text}).status_code == 201
    grace.post(f"{ASSIGNMENT}/exceptions", json={"student": "ada", "extra_attempts": 1, "reason": "Ill"})
    with open_page(chromium, class_) as page:
        sign_in(page, class_)
        page.goto("/")
        expect(page.get_by_role("heading", level=1)).to_have_text("New for you")
        expect(page.get_by_role("link", name="You have more time or attempts for Attention")).to_be_visible()
        expect(page.get_by_text("The room has changed.")).to_be_visible()
        page.goto("/challenges/mha-rope")
        notes = page.get_by_role("region", name="Notes from your course")
        notes.get_by_role("button", name="Mark as read").first.click()
        expect(notes.get_by_text("1 read")).to_be_visible()
        page.goto("/")
        expect(page.get_by_text("The room has changed.")).not_to_be_visible()
        page.get_by_role("button", name="Mark everything as read").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Assignments due")
        page.goto("/notes")
        expect(page.get_by_role("article")).to_have_count(2)
        expect(page.get_by_role("button", name="Mark as read")).to_have_count(0)


def test_a_form_that_is_not_ours_marks_nothing(class_: School, ada: Visit) -> None:
    assert ada.post("/news/seen", {"csrf": ada.csrf("/tokens"), "until": "yesterday"}).status_code == 422
    assert ada.post("/news/seen", {"until": "2026-01-01T00:00:00Z"}).status_code == 403


def test_kinds_of_mail_are_ticked_off_without_javascript(settings: ApiSettings, redis: RedisProcess) -> None:
    for school in open_school(settings.model_copy(update={"smtp_host": "127.0.0.1"}), redis):
        with visitor(school) as ada:
            ada.sign_in(school.tokens["ada"])
            page = ada.page("/mail")
            assert page.count(" checked>") == len(NewsKind)
            assert "has no e-mail address" in page
            saved = ada.post("/mail", {"csrf": ada.csrf("/mail"), "comment": "yes", "note": "yes"}).text
            assert "Saved." in saved
            assert re.findall(r'name="(\w+)" value="yes" checked', ada.page("/mail")) == ["note", "comment"]
