"""Comments on the page of a submission: written beside the source, read beside the line, without JavaScript too."""

import re

import pytest
from playwright.sync_api import Browser, expect

from app.models import Role
from tests.app.school import School
from tests.app.test_assignments import assign, from_now
from tests.web.conftest import Visit
from tests.web.reports import ATTACK, SOURCE, full_report
from tests.web.test_browser import open_page, sign_in


@pytest.fixture
def wrong(school: School) -> str:
    """A submission of ada's with a diagnosis on line 9."""
    submission = str(school.submit("ada", SOURCE)["id"])
    school.grade(submission, full_report())
    return submission


def post(visit: Visit, submission: str, comment: str = "", **fields: str) -> str:
    page = f"/submissions/{submission}"
    path = f"{page}/comments/{comment}" if comment else f"{page}/comments"
    return visit.post(path, {"csrf": visit.csrf(page), **fields}).text


def test_a_comment_is_written_changed_and_deleted_without_javascript(school: School, grace: Visit, wrong: str) -> None:
    page = post(grace, wrong, line="9", text=f"Why V?\r\n{ATTACK}")
    assert "Why V?\n&lt;script&gt;" in page
    assert "Likely cause here.</strong> RoPE is applied to the values" in page
    (comment,) = re.findall(r'id="comment-(\w+)"', page)
    assert "Why Q?" in post(grace, wrong, comment, do="change", text="Why Q?")
    assert "Likely cause here" not in post(grace, wrong, comment, do="delete")


def test_what_is_wrong_is_told_beside_its_field_and_what_was_typed_is_kept(grace: Visit, wrong: str) -> None:
    page = post(grace, wrong, line="99", text="Look here.")
    assert re.search(r'id="line-error">The last line of layers.py is line \d+', page)
    assert 'value="99"' in page
    assert "\nLook here.</textarea>" in page
    assert "Write a whole number" in post(grace, wrong, line="nine", text="Look.")
    assert "Fill this in." in post(grace, wrong, line="9", text=" ")


def test_a_refused_change_opens_its_own_form_again(school: School, grace: Visit, wrong: str) -> None:
    (comment,) = re.findall(r'id="comment-(\w+)"', post(grace, wrong, text="Well begun."))
    page = post(grace, wrong, comment, do="change", text="x" * 4001)
    assert f'id="text-{comment}-error">Use at most 4000 characters.' in page
    assert page.count("x" * 4001) == 1


def test_a_diagnosis_leads_to_a_comment_on_its_line(grace: Visit, wrong: str) -> None:
    assert 'href="?line=9#write"' in grace.page(f"/submissions/{wrong}")
    assert re.search(r'id="line"[^>]*value="9"', grace.page(f"/submissions/{wrong}?line=9"))


def test_students_get_no_form_and_nothing_while_results_are_kept_back(school: School, visit: Visit) -> None:
    assign(school, due_at=from_now(days=1), feedback="families")
    submission = str(school.submit("ada", SOURCE, data={"assignment": "demo/attention"})["id"])
    school.grade(submission, full_report())
    visit.sign_in(school.tokens["grace"])
    assert "see comments yet" in post(visit, submission, line="9", text="Secret for now.")
    assert "Secret for now." not in visit.page(f"/submissions/{submission}?as_student=true")
    visit.client.cookies.clear()
    visit.sign_in(school.tokens["ada"])
    page = visit.page(f"/submissions/{submission}")
    assert "Secret for now." not in page
    assert 'id="write"' not in page


def test_a_line_is_chosen_with_a_click_and_its_student_reads_it_there(
    chromium: Browser, school: School, wrong: str
) -> None:
    school.add("tara", Role.ASSISTANT)
    with open_page(chromium, school) as page:
        sign_in(page, school, "tara")
        page.goto(f"/submissions/{wrong}")
        page.locator('[data-comments-on] .line[data-number="9"]').click()
        expect(page.get_by_label("Line", exact=True)).to_have_value("9")
        page.get_by_label("Comment", exact=True).fill("Which of q, k and v should know positions?")
        page.get_by_role("button", name="Comment").click()
        expect(page.get_by_role("article", name="On line 9")).to_contain_text("tara")
    with open_page(chromium, school) as page:
        sign_in(page, school)
        page.goto(f"/submissions/{wrong}")
        thread = page.get_by_role("article", name="On line 9")
        expect(thread).to_contain_text("Which of q, k and v should know positions?")
        expect(thread.locator(".line.marked")).to_contain_text("v = rope(v)")
