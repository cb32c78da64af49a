"""An order is given by dragging, by buttons, and without JavaScript by a menu for each place."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from grader.challenge import DEFAULT_ROOT
from tests.app.school import School
from tests.app.test_assignments import assign
from tests.web.reports import full_report
from tests.web.test_browser import open_page, sign_in


@pytest.fixture(scope="session")
def challenges_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the exercise's own questions, of which one asks for an order."""
    root = tmp_path_factory.mktemp("challenges-with-an-order")
    shutil.copytree(DEFAULT_ROOT / "mha-rope", root / "mha-rope")
    return root


def question_with_an_order(page: Page, school: School) -> Locator:
    assign(school)  # in practice its answer would be given away
    sent = str(school.submit()["id"])
    school.grade(sent, full_report())
    sign_in(page, school)
    page.goto(f"/submissions/{sent}")
    question = page.locator("details.question").filter(has=page.locator("fieldset.order"))
    question.locator("summary").click()
    return question


def order_in(question: Locator) -> list[str]:
    return [str(text) for text in question.locator(".arrange li > span").all_inner_texts()]


def sent_by(question: Locator) -> list[str]:
    """The texts behind the values of the menus."""
    return question.locator("select").evaluate_all("menus => menus.map((menu) => menu.selectedOptions[0].textContent)")


def test_an_order_is_made_by_keyboard_and_said(chromium: Browser, school: School) -> None:
    with open_page(chromium, school) as page:
        question = question_with_an_order(page, school)
        before = order_in(question)
        down = question.get_by_role("button", name=f"Move down: {before[0]}", exact=True)
        down.focus()
        page.keyboard.press("Enter")
        assert order_in(question) == [before[1], before[0], *before[2:]]
        expect(down).to_be_focused()
        expect(question.get_by_text(f"{before[0]} is now 2 of {len(before)}.")).to_be_attached()
        assert [text.replace("`", "") for text in sent_by(question)] == order_in(question)
        expect(question.get_by_role("button", name=f"Move up: {before[1]}", exact=True)).to_be_disabled()


def test_an_order_is_made_by_dragging_and_is_kept_when_it_was_sent(chromium: Browser, school: School) -> None:
    with open_page(chromium, school) as page:
        question = question_with_an_order(page, school)
        before = order_in(question)
        items = question.locator(".arrange li")
        items.nth(3).hover()
        page.mouse.down()
        items.nth(0).hover(position={"x": 40, "y": 4})
        items.nth(0).hover(position={"x": 41, "y": 3})
        page.mouse.up()
        dragged = [before[3], *before[:3], *before[4:]]
        assert order_in(question) == dragged
        question.get_by_role("button", name="Answer", exact=True).click()
        expect(question.get_by_role("button", name="Answer again")).to_be_visible()
        assert order_in(question) == dragged


@pytest.mark.parametrize("width", [390, 1280])
def test_without_javascript_each_place_has_a_menu(chromium: Browser, school: School, width: int) -> None:
    with open_page(chromium, school, java_script_enabled=False, viewport={"width": width, "height": 800}) as page:
        question = question_with_an_order(page, school)
        expect(question.get_by_label("Position 1", exact=True)).to_be_visible()
        expect(question.locator(".arrange")).to_have_count(0)
