"""What people come for, by keyboard alone, and an instructor's week without JavaScript."""

import re
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from tests.app.school import School
from tests.app.test_assignments import assign
from tests.web.reports import SOURCE, full_report
from tests.web.test_browser import open_page, sign_in

TABS_MAX = 60


def tab_to(page: Page, target: Locator) -> None:
    """As somebody without a mouse does, who sees where they are."""
    for _ in range(TABS_MAX):
        page.keyboard.press("Tab")
        if target.evaluate("element => element === document.activeElement"):
            assert target.evaluate("element => element.matches(':focus-visible')")
            return
    raise AssertionError(f"{TABS_MAX} times Tab do not lead to {target}")


def follow(page: Page, target: Locator) -> None:
    """To the page that it leads to."""
    tab_to(page, target)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def test_a_student_uploads_and_answers_by_keyboard(chromium: Browser, shared_school: School) -> None:
    with open_page(chromium, shared_school) as page:
        page.goto("/")
        expect(page.get_by_label("Your token")).to_be_focused()
        page.keyboard.type(shared_school.tokens["bob"])
        with page.expect_navigation():
            page.keyboard.press("Enter")
        follow(page, page.get_by_role("link", name="Multi-head self-attention with RoPE"))
        tab_to(page, page.locator("summary", has_text="Paste the code instead"))
        page.keyboard.press("Enter")
        tab_to(page, page.get_by_label("Source"))
        page.keyboard.insert_text(SOURCE.decode())
        follow(page, page.get_by_role("button", name="Submit anyway"))
        expect(page.get_by_role("heading", name="Waiting for a grader")).to_be_visible()
        shared_school.grade(page.url.rpartition("/")[2], full_report())

        expect(page.get_by_role("heading", name="RoPE is applied to the values")).to_be_visible()
        question = page.locator("#question-heads")
        tab_to(page, question.get_by_role("textbox"))
        page.keyboard.type("1")
        page.keyboard.press("Enter")
        expect(question.locator(".feedback")).to_have_text("Divide.")
        expect(question.locator("summary")).to_be_focused()  # and so the next Tab goes on from here


def test_staff_filter_and_open_by_keyboard(chromium: Browser, shared_school: School) -> None:
    sent = shared_school.submit("ada", SOURCE)["id"]
    shared_school.grade(sent, full_report())
    shared_school.submit("ada", b"x = 1")
    with open_page(chromium, shared_school) as page:
        sign_in(page, shared_school, "grace")
        page.goto("/courses/demo/submissions")
        tab_to(page, page.get_by_label("Student or file"))
        page.keyboard.type("ad")
        tab_to(page, page.get_by_label("Verdict"))
        page.keyboard.type("Not right")
        follow(page, page.get_by_role("button", name="Filter"))
        expect(page.get_by_role("link", name=re.compile("^Attempt"))).to_have_count(1)
        follow(page, page.get_by_role("link", name="Attempt 1 of ada"))
        expect(page).to_have_url(re.compile(f"{sent}$"))


def test_an_instructor_sets_regrades_and_exports_without_javascript(
    chromium: Browser, shared_school: School, tmp_path: Path
) -> None:
    assign(shared_school, "first")
    shared_school.grade(shared_school.submit("ada", data={"assignment": "demo/first"})["id"])
    with open_page(chromium, shared_school, java_script_enabled=False) as page:
        sign_in(page, shared_school, "grace")
        page.get_by_role("navigation", name="Main").get_by_role("link", name="demo").click()
        page.get_by_role("link", name="New assignment").click()
        page.get_by_label("Title").fill("Second")
        page.get_by_label("URL name").fill("second")
        page.get_by_role("button", name="Preview").click()
        expect(page.get_by_text("This counts towards Second")).to_be_visible()
        page.get_by_role("button", name="Create assignment").click()
        expect(page.get_by_role("heading", name="Second")).to_be_visible()

        page.goto("/courses/demo/assignments/first")
        page.get_by_role("link", name="Regrades").click()
        page.get_by_role("button", name="Regrade everything").click()
        expect(page.get_by_text("0 of 1 graded")).to_be_visible()
        page.get_by_role("button", name="Discard").click()
        expect(page.get_by_text("Discarded")).to_be_visible()

        page.goto("/courses/demo")
        page.get_by_role("link", name="Exports").click()
        with page.expect_download() as download:
            page.get_by_role("link", name="CSV").first.click()
        download.value.save_as(tmp_path / "export.csv")
        assert (tmp_path / "export.csv").read_text().startswith("\ufeffstudent,")
