"""Reading free texts in a browser: without JavaScript, and by keyboard in a real Chromium."""

import re
from typing import Final

import pytest
from playwright.sync_api import Browser, expect

from app.reviews.schemas import Proposal
from app.web.staff.reviews import passages_in
from tests.app.school import School
from tests.app.test_assignments import assign
from tests.app.test_questions import ask
from tests.app.test_reviews import listed, mark, write
from tests.web.conftest import Visit, field
from tests.web.reports import ATTACK
from tests.web.test_browser import open_page, sign_in

LIST: Final = "/courses/demo/reviews"


@pytest.fixture
def waiting(school: School) -> list[str]:
    """Two answers, as submissions: ada's, then bob's."""
    assign(school, "essay", question_points=4)
    return [write(school, "essay", f"Scores hold positions. {ATTACK}", name) for name in ("ada", "bob")]


def test_answers_are_read_one_by_one_without_javascript(school: School, grace: Visit, waiting: list[str]) -> None:
    page = grace.page(f"{LIST}?state=waiting")
    assert "Review them one by one" in page
    by_words = '<td>Why not V?<br><span class="faint">Essay</span>'
    assert page.count(by_words) == 2, "the question as it begins, and the assignment by its title"
    assert ATTACK not in page
    assert not re.search(r"\bada\b|\bbob\b", page)
    review = listed(school, "essay")[0]["id"]
    form = grace.page(f"{LIST}/{review}?state=waiting")
    assert "positions belong to scores" in form
    sent = {"csrf": field(form, "csrf"), "version": "1", "concepts": "1", "points-0": "0.5", "comment": "Say why."}
    following = grace.post(f"{LIST}/{review}?state=waiting", sent)
    assert following.status_code == 200
    assert "Say why." in following.text, "offered again"
    assert ask(school, waiting[0])["why"]["answer"]["mark"]["feedback"] == "Say why."
    last = following.url.path
    kept = sent | {"kept": "Say why.", "comment": "And more."}
    end = grace.post(f"{last}?state=waiting", kept)
    assert end.url.path == LIST
    assert "Nothing is left here." in end.text
    assert ask(school, waiting[1], "bob")["why"]["answer"]["mark"]["feedback"] == "Say why.\nAnd more."


NOT_KEPT = [
    ({"points-0": ""}, 422, "1 is missing"),
    ({"points-0": "7"}, 422, "worth at most 1"),
    ({"points-0": "nan"}, 422, "points"),
    ({"concepts": "x"}, 422, "give 1 numbers"),
    ({"version": "x"}, 422, "version"),
    ({"version": "9"}, 409, "has changed"),
    ({"csrf": "x"}, 403, "form has expired"),
]


def test_what_cannot_be_kept_is_shown_again(school: School, grace: Visit, waiting: list[str]) -> None:
    path = f"{LIST}/{listed(school, 'essay')[0]['id']}"
    for change, status, sentence in NOT_KEPT:
        sent = {"version": "1", "concepts": "1", "points-0": "1", "comment": "My long comment", **change}
        refused = grace.post(path, {"csrf": field(grace.page(path), "csrf"), **sent})
        assert (refused.status_code, sentence in refused.text) == (status, True), (change, refused.text)
        assert status == 403 or "My long comment" in refused.text, change
        assert ask(school, waiting[0])["why"]["answer"]["mark"]["status"] == "pending", change


def test_without_a_model_nothing_is_proposed(school: School, grace: Visit, waiting: list[str]) -> None:
    path = f"{LIST}/{listed(school, 'essay')[0]['id']}"
    page = grace.page(path)
    assert "Propose" not in page
    assert grace.post(f"{path}/proposals", {"csrf": field(page, "csrf")}).status_code == 409


def test_students_are_not_let_in(school: School, ada: Visit, waiting: list[str]) -> None:
    assert ada.get(LIST).status_code == 403
    assert ada.get(f"{LIST}/{listed(school, 'essay')[0]['id']}").status_code == 403


def test_many_answers_are_read_by_keyboard(school: School, chromium: Browser, waiting: list[str]) -> None:
    with open_page(chromium, school, viewport={"width": 390, "height": 800}) as page:
        sign_in(page, school, "grace")
        page.goto(f"{LIST}?state=waiting")
        page.get_by_role("link", name="Review them one by one").click()
        expect(page.get_by_role("heading", name="The answer")).to_be_visible()
        address = page.url
        page.wait_for_load_state()  # its script, too
        page.keyboard.press("n")
        expect(page.get_by_role("link", name="Previous")).to_be_visible()
        page.wait_for_load_state()
        page.keyboard.press("p")
        expect(page).to_have_url(address)
        page.wait_for_load_state()
        page.keyboard.press("1")
        page.keyboard.press("1")
        expect(page.get_by_role("radio", name="0.5")).to_be_checked()
        page.keyboard.press("c")
        page.keyboard.type("Why 1?")
        page.keyboard.press("Control+Enter")
        expect(page.get_by_role("checkbox", name="Why 1?")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it fits a phone"
    assert ask(school, waiting[0])["why"]["answer"]["mark"]["score"] == 0.5


def test_the_student_sees_on_the_page_who_marked(school: School, ada: Visit, waiting: list[str]) -> None:
    mark(school, listed(school, "essay")[0]["id"], 0.5, comment="And why?")
    page = ada.page(f"/submissions/{waiting[0]}?answered=why")
    assert "And why?" in page
    assert "Marked by an instructor" in page
    assert "cannot be changed" in page


def test_passages_are_marked_in_the_answer() -> None:
    proposed = [Proposal(concept=1, points=1, passage="b c"), Proposal(concept=2, points=1, passage="c d")]
    assert passages_in("a b\nc d e", proposed) == [("a ", ""), ("b\n", "1"), ("c", "1, 2"), (" d", "2"), (" e", "")]
