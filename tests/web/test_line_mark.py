"""The mark of a line of code, which is run after it was sent, comes to the page by itself."""

from playwright.sync_api import Browser, expect

from grader.questions import MarkStatus
from tests.app.school import School
from tests.app.test_questions import give
from tests.app.test_questions_of_runs import challenges_root, checks, grade, tell
from tests.web.reports import full_report
from tests.web.test_browser import open_page, sign_in

__all__ = ["challenges_root"]


def test_a_mark_that_is_made_later_comes_by_itself(chromium: Browser, school: School) -> None:
    sent = grade(school, full_report())
    with open_page(chromium, school) as page:
        sign_in(page, school)
        page.goto(f"/submissions/{sent}")
        question = page.locator("#question-double")
        question.get_by_role("textbox").fill("x * 2")
        question.get_by_role("button", name="Answer").click()
        expect(question.get_by_role("status")).to_have_text("Being run")
        question.get_by_role("textbox").fill("x * 3")  # which is not lost when the mark comes
        school.sweeper().sweep()
        tell(school, checks(school)[0], MarkStatus.CORRECT)
        page.wait_for_timeout(1500)
        expect(question.get_by_role("textbox")).to_have_value("x * 3")
        question.get_by_role("textbox").fill("x * 2")
        expect(question.get_by_role("status")).to_contain_text("Right")
        expect(question.locator(".feedback")).to_have_text("Run.")


def test_without_javascript_a_link_looks_again(chromium: Browser, school: School) -> None:
    sent = grade(school, full_report())
    give(school, sent, ("double", "x * 2"))
    with open_page(chromium, school, java_script_enabled=False) as page:
        sign_in(page, school)
        page.goto(f"/submissions/{sent}?answered=double")
        school.sweeper().sweep()
        tell(school, checks(school)[0], MarkStatus.CORRECT)
        page.get_by_role("link", name="Check again").click()
        expect(page.locator("#question-double .feedback")).to_have_text("Run.")
