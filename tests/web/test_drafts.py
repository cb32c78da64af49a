"""What somebody types into a page's text areas stays theirs until it has arrived, in a real Chromium."""

from playwright.sync_api import Browser, Page, expect

from tests.app.school import School
from tests.web.test_browser import GOOD, open_page, sign_in
from tests.web.test_editor import result_page

PASTE = """text => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}"""
MINE = "# mine\n" + GOOD


def sign_in_again(page: Page, school: School, login: str = "ada") -> None:
    page.get_by_label("Your token").fill(school.tokens[login])
    page.get_by_role("button", name="Sign in").click()


def test_pasted_code_outlives_a_session_and_is_gone_once_it_has_arrived(chromium: Browser, school: School) -> None:
    with open_page(chromium, school) as page:
        sign_in(page, school)
        page.goto("/challenges/mha-rope")
        page.evaluate(PASTE, MINE)
        page.context.clear_cookies()  # as when the session has expired
        page.get_by_role("button", name="Submit for grading").click()
        sign_in_again(page, school)
        expect(page.get_by_label("Source")).to_have_value(MINE)
        expect(page.get_by_label("Source")).to_be_visible()
        page.reload()
        expect(page.get_by_label("Source")).to_have_value(MINE)
        page.get_by_role("button", name="Submit for grading").click()
        expect(page.get_by_role("heading", name="Waiting for a grader")).to_be_visible()
        page.goto("/challenges/mha-rope")
        expect(page.get_by_label("Source")).to_have_value("")
        assert page.evaluate("sessionStorage.length") == 0


def test_a_draft_is_not_shown_to_whoever_signs_in_next_and_ends_with_signing_out(
    chromium: Browser, school: School
) -> None:
    with open_page(chromium, school) as page:
        sign_in(page, school)
        page.goto("/challenges/mha-rope")
        page.evaluate(PASTE, MINE)
        page.context.clear_cookies()
        page.reload()
        sign_in_again(page, school, "grace")
        expect(page.get_by_role("link", name="Grace")).to_be_visible()
        expect(page.get_by_label("Source")).to_have_value("")
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_label("Your token")).to_be_visible()
        assert page.evaluate("sessionStorage.length") == 0


def test_an_answer_outlives_a_page_that_says_it_did_not_arrive(chromium: Browser, school: School) -> None:
    with result_page(chromium, school) as page:
        answer = page.locator("textarea[name=answer]").first
        answer.evaluate("it => it.closest('details').open = true")
        answer.fill("Because the values have no position.")
        page.context.clear_cookies()
        answer.locator("xpath=ancestor::form").get_by_role("button").click()
        sign_in_again(page, school)
        expect(page.locator("textarea[name=answer]").first).to_have_value("Because the values have no position.")
