"""The gradebook's pages: what a cell leads to, forms that keep what was typed, and all of it by keyboard on a phone."""

import re

import pytest
from playwright.sync_api import Browser, expect

from grader.report import Verdict
from tests.app.school import School, make_report
from tests.app.test_assignments import assign, from_now
from tests.app.test_exceptions import put_into, sent
from tests.web.conftest import Visit, field
from tests.web.staff_pages import ASSIGNMENT, COURSE
from tests.web.test_browser import open_page, sign_in
from tests.web.test_course_forms import error_of

BOOK = f"{COURSE}/gradebook"
MINUS, APOSTROPHE = "\N{MINUS SIGN}", "\N{RIGHT SINGLE QUOTATION MARK}"
WORK = f"{ASSIGNMENT}/students/ada"


@pytest.fixture
def class_(school: School) -> School:
    """ada was late; bob has sent nothing."""
    assign(school, points=20, due_at=from_now(days=-2), closes_at=from_now(days=-1), late_percent_per_day=10)
    put_into(school, "Tuesday", "ada")
    return school


def open_again(school: School) -> None:
    """So that something can be sent."""
    school.client("grace").patch("/courses/demo/assignments/attention", json={"closes_at": from_now(days=1)})


def test_a_cell_leads_to_the_work_where_points_and_time_are_given(class_: School, grace: Visit) -> None:
    open_again(class_)
    sent(class_, score=80, hours=2)
    page = grace.page(BOOK)
    assert re.search(r'students/ada">14\.4 <abbr class="sign late" title="late">', page)
    assert "nothing submitted" in page
    work = grace.page(WORK)
    assert f"16 code {MINUS} 1.6 late = 14.4" in work
    csrf = field(work, "csrf")
    given = grace.post(WORK, {"csrf": csrf, "do": "override", "points": "18", "override_reason": "Oral exam"})
    assert "These points count now" in given.text
    assert "<strong>18 points</strong>, in force: Oral exam" in given.text
    more = {"due_at": "2035-01-01T10:00", "exception_reason": "Ill"}
    given = grace.post(WORK, {"csrf": csrf, "do": "exception", **more})
    assert "16 code = " not in given.text
    assert f"16 code; set to 18 by the course{APOSTROPHE}s staff: Oral exam" in given.text
    exception = re.search(r'name="exception" value="(\w+)"', given.text)
    assert exception
    taken = grace.post(WORK, {"csrf": csrf, "do": "withdraw-exception", "exception": exception[1]})
    assert f"16 code {MINUS} 1.6 late = 14.4; set to 18" in taken.text
    withdrawn = grace.post(WORK, {"csrf": csrf, "do": "withdraw-override", "override_reason": "By mistake"})
    assert "the computed points count again" in withdrawn.text


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"do": "override", "points": "many", "override_reason": "Oral exam"}, "Write a number, such as 12.5."),
        ({"do": "override", "points": "3", "override_reason": ""}, "Fill this in."),
        ({"do": "withdraw-override", "override_reason": "Oops"}, "no override to withdraw"),
        ({"do": "exception", "due_at": "soon", "exception_reason": "Ill"}, "This is not a date and time"),
        ({"do": "exception", "due_at": "2001-01-01T10:00", "exception_reason": "Ill"}, "must be later than"),
        ({"do": "exception", "exception_reason": "Ill"}, "Give more time, extra attempts, or both."),
        ({"do": "something"}, "Choose one of the buttons"),
    ],
)
def test_a_form_that_cannot_be_used_says_why_and_keeps_what_was_typed(
    class_: School, grace: Visit, form: dict[str, str], sentence: str
) -> None:
    refused = grace.post(WORK, {"csrf": field(grace.page(WORK), "csrf"), **form})
    assert refused.status_code in (409, 422)
    assert sentence in refused.text
    for name, typed in form.items():
        assert name == "do" or not typed or f'value="{typed}"' in refused.text


def test_everything_that_is_wrong_is_told_at_once_beside_its_field(class_: School, grace: Visit) -> None:
    form = {"do": "exception", "due_at": "soon", "extra_attempts": "-1", "exception_reason": ""}
    class_.client("grace").patch("/courses/demo/assignments/attention", json={"attempts_max": 3}).raise_for_status()
    page = grace.post(WORK, {"csrf": field(grace.page(WORK), "csrf"), **form}).text
    assert "This is not a date and time" in error_of(page, "due_at")
    assert "Write 0 or more." in error_of(page, "extra_attempts")
    assert "Fill this in." in error_of(page, "exception_reason")


def test_a_whole_section_gets_more_time_from_the_page_of_one_of_its_students(class_: School, grace: Visit) -> None:
    put_into(class_, "Tuesday", "bob")
    more = {"do": "exception", "section": "Tuesday", "closes_at": "2035-01-01T10:00", "exception_reason": "No class"}
    given = grace.post(WORK, {"csrf": field(grace.page(WORK), "csrf"), **more})
    assert "Section Tuesday: closes" in given.text
    for name in ("ada", "bob"):
        (standing,) = class_.client(name).get("/courses/demo/standing").json()["assignments"]
        assert standing["phase"] == "open", name
    refused = grace.post(WORK, {"csrf": field(given.text, "csrf"), **more, "section": "Friday"})
    assert "No student is in the section" in error_of(refused.text, "section")


def test_where_nothing_is_limited_nothing_more_is_offered(school: School, grace: Visit) -> None:
    assign(school)
    page = grace.page(WORK)
    assert "There is nothing to give more of" in page
    assert 'name="exception_reason"' not in page


def test_nobody_is_asked_for_a_section_where_the_student_is_in_none(class_: School, grace: Visit) -> None:
    assert 'name="section"' in grace.page(WORK)
    assert 'name="section"' not in grace.page(f"{ASSIGNMENT}/students/bob")


def test_more_points_than_there_are_can_be_given_and_are_told(class_: School, grace: Visit) -> None:
    form = {"csrf": field(grace.page(WORK), "csrf"), "do": "override", "points": "20", "override_reason": "Oral exam"}
    assert "The assignment has only" not in grace.post(WORK, form).text
    given = grace.post(WORK, {**form, "points": "200"})
    assert "These points count now. The assignment has only 20." in given.text


def test_a_student_reads_the_arithmetic_and_what_was_given(class_: School, visit: Visit) -> None:
    open_again(class_)
    sent(class_, score=80, hours=2)
    path, grace = "/courses/demo/assignments/attention", class_.client("grace")
    grace.post(f"{path}/overrides", json={"student": "ada", "points": 15, "reason": "Oral exam"})
    grace.post(f"{path}/exceptions", json={"section": "Tuesday", "closes_at": from_now(days=9), "reason": "No class"})
    visit.sign_in(class_.tokens["ada"])
    page = visit.page(COURSE)
    assert (
        f"16 code {MINUS} 1.6 late = 14.4; set to 15 by the course\N{RIGHT SINGLE QUOTATION MARK}s staff: Oral exam"
        in page
    )
    assert "<strong>15 of 20 points</strong> so far" in page
    assert "Your exception: Section Tuesday: closes" in page
    assert "(No class)" in page


def test_held_grades_are_released_with_a_button(school: School, visit: Visit, grace: Visit) -> None:
    assign(school, points=20, grades_release="held")
    submission = school.submit(data={"assignment": "demo/attention"})["id"]
    school.grade(submission, make_report(Verdict.PASSED, 91.25))
    school.let_held_be_told(submission)
    csrf = field(grace.page(f"{ASSIGNMENT}/edit"), "csrf")
    assert ", held" in grace.page(BOOK)
    grace.client.cookies.clear()
    visit.sign_in(school.tokens["ada"])
    assert "Graded, and held" in visit.page(f"/submissions/{submission}")
    assert "held until your instructor releases it" in visit.page("/")
    visit.client.cookies.clear()
    visit.sign_in(school.tokens["grace"])
    csrf = field(visit.page(f"{ASSIGNMENT}/edit"), "csrf")
    assert (
        "Released: students see"
        in visit.client.post(f"{ASSIGNMENT}/edit", data={"csrf": csrf, "do": "release"}, follow_redirects=True).text
    )
    visit.client.cookies.clear()
    visit.sign_in(school.tokens["ada"])
    assert "18.25" in visit.page(f"/submissions/{submission}")


def test_points_are_given_by_keyboard_without_a_script_on_a_phone(class_: School, chromium: Browser) -> None:
    phone = {"width": 390, "height": 844}
    with open_page(chromium, class_, viewport=phone, java_script_enabled=False, color_scheme="dark") as page:
        sign_in(page, class_, "grace")
        page.goto(BOOK)
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        page.get_by_role("row", name="ada").get_by_role("link").nth(1).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=2)).to_contain_text("Attention")
        page.get_by_label("Points, instead of the computed ones").fill("12.5")
        page.get_by_label("Reason").nth(1).fill("On paper")
        page.keyboard.press("Enter")
        expect(page.get_by_role("status")).to_contain_text("These points count now")
        page.goto(f"{BOOK}?sort=total&direction=down")
        first = page.get_by_role("region", name="Points by student and assignment").get_by_role("row").nth(1)
        expect(first).to_contain_text("12.5")


def test_names_and_titles_stay_in_sight(class_: School, chromium: Browser) -> None:
    for number in range(12):
        assign(class_, f"more-{number}", points=5)
    with open_page(chromium, class_, viewport={"width": 700, "height": 500}) as page:
        sign_in(page, class_, "grace")
        page.goto(BOOK)
        region = page.get_by_role("region", name="Points by student and assignment")
        name = region.get_by_role("rowheader").first
        before = name.bounding_box()
        region.evaluate("element => element.scrollLeft = 400")
        assert name.bounding_box() == before
