"""The page of exercise repositories, in a browser."""

from playwright.sync_api import Browser, expect

from tests.app.school import School
from tests.web.test_browser import open_page, sign_in

URL = "https://git.example.edu/cs"


def test_it_looks_again_by_itself_but_takes_from_nobody_what_they_type(chromium: Browser, school: School) -> None:
    with open_page(chromium, school) as page:
        sign_in(page, school, "root")
        page.clock.install()
        page.goto("/operations/exercises")
        page.get_by_label("Address").fill(URL)
        page.get_by_role("button", name="Fetch and verify").click()
        expect(page.get_by_text("Waiting for the verifier")).to_be_visible()
        page.evaluate("window.isTheSame = true")
        page.get_by_label("Person").fill("gra")
        page.clock.fast_forward(60_000)
        page.wait_for_timeout(500)  # a reload would have begun
        assert page.evaluate("window.isTheSame")
        page.get_by_label("Person").fill("")
        page.clock.fast_forward(60_000)
        page.wait_for_function("!window.isTheSame")
