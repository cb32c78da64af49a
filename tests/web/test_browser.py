"""A student's way through the pages in a real Chromium, with and without JavaScript, and at the width of a phone."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from app.models import State
from grader.messages import Started
from tests.app.school import School
from tests.app.test_assignments import assign
from tests.web.reports import SOURCE, full_report

TIMEOUT_MS = 300_000
expect.set_options(timeout=TIMEOUT_MS)


@contextmanager
def open_page(chromium: Browser, school: School, **options: Any) -> Iterator[Page]:
    """A page whose every complaint and every foreign request fails the test."""
    context: BrowserContext = chromium.new_context(base_url=school.url, **options)
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if is_complaint(page, message) else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request", lambda request: complaints.append(request.url) if not request.url.startswith(school.url) else None
    )
    yield page
    context.close()
    assert complaints == []


def is_complaint(page: Page, message: ConsoleMessage) -> bool:
    """Chromium also complains of what is no fault: a page that is not there, an answer that is no answer."""
    is_meant = message.location["url"] == page.url or "422" in message.text
    return message.type == "error" and not is_meant


def sign_in(page: Page, school: School, name: str = "ada") -> None:
    page.goto("/")
    page.get_by_label("Your token").fill(school.tokens[name])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()


def choose_file(page: Page) -> None:
    page.get_by_label("Your layers.py").set_input_files(
        {"name": "layers.py", "mimeType": "text/x-python", "buffer": SOURCE}
    )


class StandInJudge(threading.Thread):
    """Takes one real request from the real queue, and tells its progress in steps that the test allows."""

    def __init__(self, school: School) -> None:
        super().__init__(daemon=True)
        self.school = school
        self.may_finish = threading.Event()

    def run(self) -> None:
        request = self.school.judge.take()
        report = full_report()
        self.school.recording().start(Started(job=request.job, worker="judge", at=request.queued_at))
        self.school.broker.tell(request.submission_id, "state", {"state": State.RUNNING})
        for done, test in enumerate(report.tests[:2], start=1):
            shown = test.model_dump(mode="json", include={"id", "group", "title", "status", "score", "max_score"})
            self.school.broker.tell(request.submission_id, "test", shown | {"done": done, "total": len(report.tests)})
        self.may_finish.wait(TIMEOUT_MS / 1000)
        self.school.grade(request.submission_id, report)


@pytest.fixture
def judge(school: School) -> Iterator[StandInJudge]:
    thread = StandInJudge(school)
    thread.start()
    yield thread
    thread.may_finish.set()
    thread.join(TIMEOUT_MS / 1000)


def test_a_student_uploads_watches_reads_and_answers(chromium: Browser, school: School, judge: StandInJudge) -> None:
    with open_page(chromium, school, permissions=["clipboard-read", "clipboard-write"]) as page:
        sign_in(page, school)
        page.get_by_role("link", name="Multi-head self-attention with RoPE").click()
        choose_file(page)
        page.get_by_role("button", name="Submit anyway").click()  # the file lacks what is asked for

        expect(page.get_by_role("heading", name="Being graded")).to_be_visible()
        expect(page.get_by_text("2 of 3 tests done.")).to_be_visible()
        assert page.locator('[data-group="heads"] .mark').count() == 2
        judge.may_finish.set()

        expect(page.get_by_role("heading", name="RoPE is applied to the values")).to_be_visible()
        expect(page).to_have_title(re.compile("Not passed yet"))
        expect(page.locator(".diagnosis .line.marked")).to_contain_text("v = rope(v)")

        page.get_by_text("An example to run").click()
        page.get_by_role("button", name="Copy").click()
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()") == "print(output)"
        page.set_viewport_size({"width": 390, "height": 844})  # now what explains it stands above the lines
        box = page.locator(".diagnosis figure").bounding_box()
        assert box is not None
        assert box["width"] > 300

        question = page.locator("#question-heads")
        question.get_by_role("textbox").fill("many")
        question.get_by_role("button", name="Answer").click()
        expect(question.get_by_role("alert")).to_be_visible()
        question.get_by_role("textbox").fill("1")
        question.get_by_role("button", name="Answer").click()
        expect(question.locator(".feedback")).to_have_text("Divide.")


def test_the_same_way_without_javascript(chromium: Browser, school: School, judge: StandInJudge) -> None:
    with open_page(chromium, school, java_script_enabled=False) as page:
        sign_in(page, school)
        page.goto("/challenges/mha-rope")
        page.get_by_text("Paste the code instead").click()
        page.get_by_label("Source").fill(SOURCE.decode())
        page.get_by_role("button", name="Submit for grading").click()
        expect(page.get_by_role("heading", name=re.compile("Waiting|Being graded"))).to_be_visible()
        judge.may_finish.set()
        expect(page.get_by_role("heading", name="RoPE is applied to the values")).to_be_visible()

        question = page.locator("#question-heads")
        question.get_by_role("textbox").fill("1")
        question.get_by_role("button", name="Answer").click()
        expect(page.locator("#question-heads .feedback")).to_have_text("Divide.")


GOOD = "def rope(): ...\ndef scaled_dot_product_attention(): ...\ndef multihead_self_attention_with_rope(): ...\n"
LOOKED_AT = {
    GOOD: "Ready to submit.",
    GOOD.replace("def rope", "async def rope"): "Ready to submit.",
    GOOD.replace("def rope(): ...", "from .parts import (\n    other,\n    rope,\n)"): "Ready to submit.",
    GOOD.replace("def rope(): ...", "from .parts import *"): "Ready to submit.",
    GOOD.replace("def rope(): ...", "rope: object = make()"): "Ready to submit.",
    GOOD.replace("def rope(): ...", "try:\n    def rope(): ...\nexcept NameError:\n    pass"): "Ready to submit.",
    GOOD.replace("def rope(): ...", "print('(', \"it's [\") # {"): "rope is missing: the exercise calls it by name.",
    GOOD.replace("def rope(): ...", '"""\ndef rope(): ...\n"""'): "rope is missing",
    GOOD.replace(
        "def rope(): ...", "class Attention:\n    def rope(self): ..."
    ): "At the top level it defines Attention.",
    "x = 1": "rope and scaled_dot_product_attention are missing",
    GOOD + "x = torch.zeros(\n    3,\n": "The “(” in line 4 is never closed",
    GOOD + "x = (1,\n     2])": "Line 5 has a closing “]” without an opening one",
}


def test_an_upload_is_looked_at_before_it_is_sent(chromium: Browser, school: School) -> None:
    with open_page(chromium, school) as page:
        sign_in(page, school)
        page.goto("/challenges/mha-rope")
        file, check = page.get_by_label("Your layers.py"), page.locator("#check")
        for buffer, told in {
            b"#" * (300 * 1024): "300 KiB",
            b"": "is empty",
            b"\xff\xfe": "is not UTF-8 text",
        }.items():
            file.set_input_files({"name": "layers.py", "mimeType": "text/x-python", "buffer": buffer})
            expect(check).to_contain_text(told)
            page.get_by_role("button", name="Submit for grading").click()
            assert page.url.endswith("/challenges/mha-rope")
            assert told in file.evaluate("input => input.validationMessage")
        file.set_input_files([])
        page.get_by_text("Paste the code instead").click()
        for source, told in LOOKED_AT.items():
            page.get_by_label("Source").fill(source)
            expect(check).to_contain_text(told)
        page.get_by_label("Source").fill("def rope(x): ...\n")
        expect(check).to_have_text(re.compile("are missing: the exercise calls them by name.$"))
        page.get_by_role("button", name="Submit anyway").click()
        expect(page.get_by_role("heading", name="Waiting for a grader")).to_be_visible()


DROP = """text => {
    const data = new DataTransfer();
    data.items.add(new File([text], "mine.py", { type: "text/x-python" }));
    const options = { dataTransfer: data, bubbles: true, cancelable: true };
    for (const name of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(name, options));
}"""
PASTE = """text => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}"""


def test_what_is_dropped_or_pasted_anywhere_is_taken(chromium: Browser, school: School) -> None:
    with open_page(chromium, school) as page:
        sign_in(page, school)
        page.goto("/challenges/mha-rope")
        page.evaluate(DROP, GOOD)
        expect(page.locator("#check")).to_contain_text("mine.py (0.1 KiB) defines multihead")
        page.evaluate(PASTE, GOOD)
        expect(page.locator("#check")).to_contain_text("The pasted text (0.1 KiB) defines multihead")
        assert page.get_by_label("Source").input_value() == GOOD


def test_the_keyboard_alone_signs_in_and_reaches_the_content_first(chromium: Browser, school: School) -> None:
    with open_page(chromium, school) as page:
        page.goto("/")
        expect(page.get_by_label("Your token")).to_be_focused()
        page.keyboard.type(school.tokens["ada"])
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Challenges")).to_be_visible()
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()


def test_staff_filter_the_table_and_open_a_submission(chromium: Browser, school: School) -> None:
    school.grade(school.submit("ada", SOURCE)["id"], full_report())
    school.submit("bob")
    with open_page(chromium, school) as page:
        sign_in(page, school, "grace")
        page.get_by_role("navigation", name="Main").get_by_role("link", name="demo").click()
        page.get_by_role("link", name="Submissions").click()
        page.get_by_label("Verdict").select_option(label="Not passed yet")
        page.get_by_role("button", name="Filter").click()
        expect(page.get_by_role("link", name=re.compile("Attempt 1"))).to_have_count(1)
        assert "verdict=failed" in page.url
        page.get_by_role("link", name="Attempt 1 of ada").click()
        expect(page.get_by_role("heading", name="ada, attempt 1")).to_be_visible()


def test_the_file_of_the_last_attempt_is_told_before_it_costs_another(chromium: Browser, school: School) -> None:
    assign(school, attempts_max=3)
    sent = school.submit(source=GOOD.encode(), data={"assignment": "demo/attention"})["id"]
    school.grade(sent)
    with open_page(chromium, school) as page:
        sign_in(page, school)
        page.goto("/challenges/mha-rope")
        file, check = page.get_by_label("Your layers.py"), page.locator("#check")
        for source, is_new in ((GOOD, False), (GOOD + "x = 1\n", True), (GOOD.replace("\n", "\r\n"), False)):
            file.set_input_files({"name": "layers.py", "mimeType": "text/x-python", "buffer": source.encode()})
            expect(check).to_contain_text(
                "Ready to submit." if is_new else "Nothing has changed since your last attempt"
            )
            expect(page.get_by_role("button", name="Submit for grading" if is_new else "Submit anyway")).to_be_visible()
