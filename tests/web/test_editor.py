"""The editor on a result's page and in the bug hunt, in a real Chromium."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from grader.report import Report, Verdict
from tests.app.school import School, make_report
from tests.web.reports import full_report
from tests.web.test_browser import GOOD, open_page, sign_in
from tests.web.test_every_page import CONTRAST, DESK, PHONE, RULES, faults

LINES = [f"x{number} = [{number}]\n" for number in range(1, 101)]
LONG = "".join(LINES).encode()
LINE = 70
KEY_MS = 30  # between two keys, as nobody types faster: right after focus the browser may still move the caret
TYPED = "textarea[name=source]"
DROP_ON_THE_EDITOR = """([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    const options = { dataTransfer: data, bubbles: true, cancelable: true, composed: true };
    const content = document.querySelector("div.editor").shadowRoot.querySelector(".cm-content");
    for (const kind of ["dragover", "drop"]) content.dispatchEvent(new DragEvent(kind, options));
}"""

PASTE_INTO_THE_EDITOR = """text => {
    const data = new DataTransfer();
    data.items.add(new File([text], "mine.py"));
    data.setData("text/plain", "mine.py");
    const options = { clipboardData: data, bubbles: true, cancelable: true, composed: true };
    const content = document.querySelector("div.editor").shadowRoot.querySelector(".cm-content");
    content.dispatchEvent(new ClipboardEvent("paste", options));
}"""


def failed_at(line: int | None) -> Report:
    report = full_report()
    diagnosis = report.diagnoses[0].model_copy(update={"line": line})
    return report.model_copy(update={"diagnoses": (diagnosis,), "structure": (), "breakdown": None})


@contextmanager
def result_page(
    chromium: Browser, school: School, source: bytes = b"x = 1\n", line: int | None = None, **options: Any
) -> Iterator[Page]:
    """The page of a submission that did not pass, ready to be typed in."""
    sent = school.submit("ada", source)["id"]
    school.judge.take()
    school.grade(sent, failed_at(line))
    with open_page(chromium, school, **options) as page:
        sign_in(page, school)
        page.goto(f"/submissions/{sent}")
        if options.get("java_script_enabled", True):
            expect(editor_of(page)).to_be_visible()
        yield page


def editor_of(page: Page) -> Locator:
    """The editor, or the text area where there is no JavaScript."""
    return page.get_by_role("textbox", name="Your layers.py")


def typed_in(page: Page) -> str:
    return page.locator(TYPED).input_value()


def test_a_result_is_fixed_and_run_again_with_the_keyboard(chromium: Browser, school: School) -> None:
    with result_page(chromium, school) as page:
        editor_of(page).press("Control+End")
        page.keyboard.type("def fixed(x):\nreturn (x", delay=KEY_MS)
        expect(editor_of(page)).to_contain_text("    return (x)")
        assert typed_in(page) == "x = 1\ndef fixed(x):\n    return (x)", "indented, and the bracket closed"
        editor_of(page).press("Control+Enter")
        expect(page.get_by_role("heading", name="Waiting for a grader")).to_be_visible()
    assert school.judge.take().files["cs336_basics/layers.py"] == b"x = 1\ndef fixed(x):\n    return (x)"


def test_a_source_as_it_was_is_told_before_it_costs_an_attempt(chromium: Browser, school: School) -> None:
    source = (
        b"def multihead_self_attention_with_rope(): ...\ndef rope(): ...\ndef scaled_dot_product_attention(): ...\n"
    )
    with result_page(chromium, school, source) as page:
        expect(page.locator("#check")).to_have_text("Nothing has changed yet.")
        editor_of(page).press("Control+End")
        page.keyboard.type("# mine", delay=KEY_MS)
        expect(page.locator("#check")).to_contain_text("Ready to submit.")


def test_without_javascript_the_text_area_sends_the_same(chromium: Browser, school: School) -> None:
    with result_page(chromium, school, java_script_enabled=False) as page:
        expect(page.locator(TYPED)).to_have_value("x = 1\n")
        editor_of(page).fill("x = 2\n")
        page.get_by_role("button", name="Run it again").click()
        expect(page.get_by_role("heading", name="Waiting for a grader")).to_be_visible()
    assert school.judge.take().files["cs336_basics/layers.py"] == b"x = 2\n"


def test_a_draft_outlives_a_reload_and_a_session_and_can_be_discarded(chromium: Browser, school: School) -> None:
    with result_page(chromium, school) as page:
        discard = page.get_by_role("button", name="Discard your changes")
        expect(discard).to_be_hidden()
        editor_of(page).press("Control+Home")
        page.keyboard.type("# mine\n", delay=KEY_MS)
        page.reload()
        expect(editor_of(page)).to_contain_text("# mine")
        page.context.clear_cookies()  # as when the session has expired
        page.get_by_role("button", name="Submit anyway").click()
        page.get_by_label("Your token").fill(school.tokens["ada"])
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name="Attempt 1")).to_be_visible()  # where one was
        expect(editor_of(page)).to_contain_text("# mine")
        editor_of(page).press("Control+z")
        assert typed_in(page) == "x = 1\n", "what was sent is one undo away"
        editor_of(page).press("Control+y")
        discard.click()
        assert typed_in(page) == "x = 1\n"
        expect(discard).to_be_hidden()
        assert page.evaluate("sessionStorage.length") == 0


def test_a_draft_that_the_browser_cannot_keep_is_told(chromium: Browser, school: School) -> None:
    with result_page(chromium, school) as page:
        page.evaluate("sessionStorage.setItem('other', 'x'.repeat(5 * 1024 * 1024 - 100))")
        editor_of(page).press("Control+End")
        page.keyboard.insert_text("# " + "x" * 200)
        expect(page.get_by_text("no room left to keep your changes")).to_be_visible()
        page.get_by_role("button", name="Discard your changes").click()
        expect(page.get_by_text("no room left to keep your changes")).to_be_hidden()


def test_tab_indents_and_escape_opens_a_way_out_that_is_told(chromium: Browser, school: School) -> None:
    with result_page(chromium, school, b"if x:\n\ty = 1\n") as page:
        editor = editor_of(page)
        described = editor.evaluate(
            "it => it.getRootNode().getElementById(it.getAttribute('aria-describedby')).innerText"
        )
        assert "press Esc, then Tab" in described
        editor.press("Control+Home")
        page.keyboard.press("Tab")
        assert typed_in(page) == "\tif x:\n\ty = 1\n", "with what the file is indented with"
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Shift+ArrowDown")  # Escape would first take a selection back
        page.keyboard.press("Escape")
        expect(page.locator(".cm-announced")).to_have_text("Press Tab to leave the editor.")
        page.keyboard.press("Tab")
        expect(page.get_by_text("Or upload a file")).to_be_focused()
        page.keyboard.press("Shift+Tab")
        expect(editor).to_be_focused()
        page.keyboard.press("Control+Home")
        page.keyboard.press("Tab")
        assert typed_in(page).startswith("\tif x"), "another key closes the way out again"


def test_the_line_that_is_spoken_of_is_marked_in_view_and_stays_marked(chromium: Browser, school: School) -> None:
    with result_page(chromium, school, LONG, LINE, viewport=DESK) as page:
        assert page.evaluate("scrollY") == 0, "the page itself stays at its top"
        page.locator("div.editor").scroll_into_view_if_needed()
        marked = page.locator("div.editor .cm-line.marked")
        expect(marked).to_have_text(f"x{LINE} = [{LINE}]")
        expect(page.locator("div.editor .cm-gutterElement.marked")).to_have_text(str(LINE))
        inside, around = marked.bounding_box(), page.locator("div.editor").bounding_box()
        assert inside is not None
        assert around is not None
        assert around["y"] < inside["y"] < around["y"] + around["height"] - inside["height"]
        page.get_by_text("Your layers.py", exact=True).click()
        expect(editor_of(page)).to_be_focused()
        page.keyboard.type("# new\n", delay=KEY_MS)
        expect(marked).to_have_text(f"x{LINE} = [{LINE}]")
        for _ in range(5):  # coming into view and being scrolled meet in any order
            page.reload()
            page.locator("div.editor").scroll_into_view_if_needed()
            expect(page.locator("div.editor .cm-gutterElement.marked")).to_have_text(str(LINE + 1))


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_the_editor_can_be_read_by_everybody(chromium: Browser, school: School, viewport: dict[str, int]) -> None:
    source = b'@torch.no_grad()\ndef f(x):  # why\n    return "a" if x is None else 1  # ' + b"long " * 60
    with result_page(chromium, school, source, 3, viewport=viewport) as page:
        editor_of(page).press("Control+f")
        expect(page.get_by_role("textbox", name="Find")).to_be_focused()
        page.keyboard.type("return", delay=KEY_MS)
        expect(page.locator(".cm-searchMatch")).to_have_count(1)
        found = faults(page, RULES)
        page.emulate_media(color_scheme="dark")
        found += faults(page, CONTRAST)
        assert found == []
        assert page.evaluate("document.documentElement.scrollWidth") == viewport["width"]
        assert page.evaluate("document.styleSheets.length") == 1, "its styles are its own"
        page.keyboard.press("Escape")
        expect(editor_of(page)).to_be_focused()


def test_code_has_the_colours_of_the_source_beside_it(chromium: Browser, school: School) -> None:
    with result_page(chromium, school, b'def f(x):\n    return "a", 1, None  # why\n') as page:
        page.locator("details.card summary").filter(has_text="layers.py").click()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            for text in ("def", "f", "return", '"a"', "1", "None", "# why"):
                shown, edited = (
                    page.locator(f"{place} span")
                    .get_by_text(text, exact=True)
                    .first.evaluate("it => [getComputedStyle(it).color, getComputedStyle(it).fontWeight]")
                    for place in (".source .line", "div.editor .cm-line")
                )
                assert edited == shown, (scheme, text)


def test_tabs_stay_and_line_ends_become_those_of_unix(chromium: Browser, school: School) -> None:
    source = "if x:\r\n\ty = 'é\u2028' \t\r\n"
    with result_page(chromium, school, source.encode("utf-8-sig")) as page:
        expect(page.get_by_role("button", name="Discard your changes")).to_be_hidden()
        editor_of(page).press("Control+End")
        page.keyboard.type("z = 1", delay=KEY_MS)
        editor_of(page).press("Control+Enter")
        expect(page.get_by_role("heading", name="Waiting for a grader")).to_be_visible()
    sent = school.judge.take().files["cs336_basics/layers.py"]
    assert sent == (source.replace("\r\n", "\n") + "z = 1").encode()


def test_a_file_that_is_pasted_into_the_editor_is_taken_as_a_file(chromium: Browser, school: School) -> None:
    with result_page(chromium, school) as page:
        page.evaluate(PASTE_INTO_THE_EDITOR, GOOD)
        expect(page.locator("#check")).to_contain_text("mine.py (0.1 KiB)")
        assert typed_in(page) == "x = 1\n", "not even its name is written into the text"


@pytest.mark.parametrize("name", ["mine.py", "work.ipynb"])
def test_a_file_dropped_on_the_editor_is_sent_as_it_is_until_it_is_removed(
    chromium: Browser, school: School, name: str
) -> None:
    crlf = GOOD.replace("\n", "\r\n")
    text = crlf if name == "mine.py" else json.dumps({"cells": [{"cell_type": "code", "source": GOOD}]})
    with result_page(chromium, school) as page:
        page.evaluate(DROP_ON_THE_EDITOR, [name, text])
        expect(page.locator("#check")).to_contain_text(name)
        assert typed_in(page) == "x = 1\n", "its text is not put into what is edited"
        assert page.locator(".field:has(div.editor)").evaluate("it => it.inert"), "nobody types what is not sent"
        page.get_by_role("button", name="Remove this file").click()
        editor_of(page).press("Control+End")
        page.keyboard.type("y = 2", delay=KEY_MS)
        assert typed_in(page) == "x = 1\ny = 2"
        page.evaluate(DROP_ON_THE_EDITOR, [name, text])
        expect(page.locator("#check")).to_contain_text("Ready to submit.")
        page.get_by_role("button", name="Run it again").click()
        expect(page.get_by_role("heading", name="Waiting for a grader")).to_be_visible()
    sent = school.judge.take().files["cs336_basics/layers.py"]
    assert sent == crlf.encode() if name == "mine.py" else GOOD.encode() in sent


def test_a_source_as_large_as_may_be_is_edited_and_a_larger_one_is_held_back(chromium: Browser, school: School) -> None:
    large = b"# " + b"x" * 80 + b"\n"
    source = large * (250 * 1024 // len(large))
    with result_page(chromium, school, source) as page:
        editor_of(page).press("Control+Home")
        page.keyboard.insert_text(large.decode() * 100)
        expect(page.locator("#check")).to_contain_text("the limit is 256 KiB")
        page.get_by_role("button", name="Run it again").click()
        expect(page.get_by_label("edited elsewhere")).to_be_focused()
        page.get_by_text("Discard your changes").click()
        editor_of(page).press("Control+Home")
        page.keyboard.type("y = 1\n", delay=KEY_MS)
        editor_of(page).press("Control+Enter")
        expect(page.get_by_role("heading", name="Waiting for a grader")).to_be_visible()
    assert school.judge.take().files["cs336_basics/layers.py"] == b"y = 1\n" + source


def test_the_bug_hunt_has_the_same_editor_without_a_marked_line(chromium: Browser, school: School) -> None:
    school.grade(school.submit()["id"], make_report(Verdict.PASSED, 100.0))
    with open_page(chromium, school) as page:
        sign_in(page, school)
        page.goto("/challenges/mha-rope/hunt")
        expect(editor_of(page)).to_be_visible()
        expect(page.locator("div.editor .cm-line.marked")).to_have_count(0)
        assert typed_in(page) == page.locator(TYPED).evaluate("it => it.defaultValue")
