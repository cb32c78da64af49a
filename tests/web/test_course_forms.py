"""Courses and assignments in the browser: in the course's zone, and each mistake told beside its field."""

import re
from html import unescape

import pytest
from playwright.sync_api import Browser, expect

from tests.app.school import School
from tests.app.test_assignments import assign
from tests.web.conftest import Visit
from tests.web.test_browser import open_page, sign_in

NEW = "/courses/demo/assignments/new"
EDIT = "/courses/demo/assignments/attention/edit"
TERMS = {"title": "Attention", "challenge": "mha-rope", "points": "20", "late_percent_per_day": "0"}


@pytest.fixture
def root(school: School, visit: Visit) -> Visit:
    visit.sign_in(school.tokens["root"])
    return visit


def in_berlin(school: School) -> None:
    school.client("grace").patch("/courses/demo", json={"time_zone": "Europe/Berlin"}).raise_for_status()


def send(visit: Visit, path: str, **fields: str) -> str:
    response = visit.post(path, {"csrf": visit.csrf(path), **fields})
    assert response.status_code < 500
    return unescape(response.text)


def value_of(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" type="[^"]*" value="([^"]*)"', page)
    assert found, page
    return unescape(found[1])


def error_of(page: str, name: str) -> str:
    """The sentence beside the field, which refers to it."""
    assert re.search(rf'name="{name}"[^>]*aria-invalid="true"[^>]*aria-describedby="{name}-error', page), page
    found = re.search(rf'id="{name}-error">([^<]*)<', page)
    assert found, page
    return found[1]


WRONG = [
    ({"slug": ""}, "slug", "Use lowercase letters, digits and hyphens, and begin with a letter or a digit."),
    ({"slug": "new"}, "slug", "This is reserved for our own addresses: choose another one."),
    ({"title": ""}, "title", "Fill this in."),
    ({"points": "many"}, "points", "Write a number, such as 12.5."),
    ({"late_percent_per_day": "101"}, "late_percent_per_day", "Write 100 or less."),
    ({"attempts_max": "0"}, "attempts_max", "Write 1 or more."),
    ({"attempts_max": "1.5"}, "attempts_max", "Write a whole number, such as 3."),
    ({"due_at": "2026-03-29T02:30"}, "due_at", "In Europe/Berlin there is no 02:30 that day"),
    (
        {"due_at": "2026-12-01T00:00", "closes_at": "2026-11-01T00:00"},
        "closes_at",
        "This is before it is due. Choose a later time.",
    ),
    ({"questions_unlock": "after_attempts"}, "unlock_attempts", "Say after how many attempts"),
    ({"solutions": "after_closing", "closes_at": ""}, "solutions", "It needs a due time or a closing time."),
    (
        {"grades_release": "held", "questions_unlock": "on_pass"},
        "questions_unlock",
        "While grades are held, questions must",
    ),
    ({"challenge": "nothing"}, "challenge", "There is no such challenge."),
]


def test_what_is_wrong_stands_beside_its_field_and_what_was_typed_stays(school: School, grace: Visit) -> None:
    in_berlin(school)
    for wrong, name, told in WRONG:
        typed = {"slug": "first", **TERMS, "do": "save", "closes_at": "2027-01-01T08:00", **wrong}
        page = send(grace, NEW, **typed)
        assert told in error_of(page, name), wrong
        assert "Nothing was saved." in page, wrong
        for kept in set(typed) - {"do", "challenge", "questions_unlock", "solutions", "grades_release"}:
            assert value_of(page, kept) == typed[kept], (wrong, kept)


def test_a_name_that_is_taken_is_told_above_the_form(school: School, grace: Visit) -> None:
    assign(school)
    assert "already has an assignment 'attention'" in send(grace, NEW, slug="attention", **TERMS, do="save")


def test_times_are_entered_and_shown_in_the_courses_zone(school: School, grace: Visit) -> None:
    in_berlin(school)
    page = send(grace, NEW, slug="attention", **TERMS, due_at="2099-12-14T23:59", do="save")
    assert "14 Dec 2099, 23:59 CET" in page
    assert school.client("ada").get("/courses/demo/assignments/attention").json()["due_at"] == "2099-12-14T22:59:00Z"
    assert value_of(grace.page(EDIT), "due_at") == "2099-12-14T23:59"
    assert "Times are in the course's zone, Europe/Berlin." in unescape(grace.page(EDIT))


def test_a_time_that_cannot_be_read_hides_no_other_mistake(school: School, grace: Visit) -> None:
    in_berlin(school)
    wrong = {**TERMS, "title": "", "due_at": "2099-03-29T02:30", "closes_at": "soon", "attempts_max": "0"}
    page = send(grace, NEW, slug="attention", **wrong, do="save")
    assert "the clocks go forward" in error_of(page, "due_at")
    assert "not a date and time" in error_of(page, "closes_at")
    assert error_of(page, "title") == "Fill this in."
    assert error_of(page, "attempts_max") == "Write 1 or more."


def test_a_student_reads_the_same_times(school: School, ada: Visit) -> None:
    in_berlin(school)
    assign(school, due_at="2099-07-14T21:59:00Z")
    for path in ("/", "/courses/demo", "/challenges/mha-rope"):
        assert 'data-zone="Europe/Berlin" title="Europe/Berlin">14 Jul 2099, 23:59 CEST' in ada.page(path)


def test_saving_a_form_moves_no_time_that_was_not_touched(school: School, grace: Visit) -> None:
    in_berlin(school)
    second_time = "2099-10-25T01:30:59Z"  # 02:30:59 in Berlin, for the second time that night
    assign(school, due_at=second_time)
    page = send(grace, EDIT, **{**TERMS, "points": "5"}, due_at=value_of(grace.page(EDIT), "due_at"), do="save")
    assert "Saved" in page
    found = school.client("grace").get("/courses/demo/assignments/attention").json()
    assert (found["points"], found["due_at"]) == (5, second_time)


def test_an_operator_creates_a_course(root: Visit) -> None:
    page = send(root, "/courses/new", title="", slug="Deep Learning", time_zone="Europe/Berlin")
    assert error_of(page, "title") == "Fill this in."
    assert "lowercase letters" in error_of(page, "slug")
    assert value_of(page, "slug") == "Deep Learning"
    assert "<option selected>Europe/Berlin</option>" in page
    assert "This name is taken" in error_of(
        send(root, "/courses/new", title="Again", slug="demo", time_zone="UTC"), "slug"
    )
    page = send(root, "/courses/new", title="Deep Learning", slug="deep", time_zone="Europe/Berlin")
    assert "<h1>Deep Learning</h1>" in page
    assert "Deep Learning" in root.page("/courses")


def test_a_copy_shows_its_dates_before_it_is_made(school: School, root: Visit) -> None:
    in_berlin(school)
    assign(school, due_at="2026-11-03T22:59:00Z")
    assert "Here, the first date is Tuesday, 3 November 2026." in root.page("/courses/demo/copy")
    wanted = {"title": "Next year", "slug": "next", "time_zone": "Europe/Berlin", "starts_on": "2027-06-02"}
    assert "Write a date" in error_of(send(root, "/courses/demo/copy", **{**wanted, "starts_on": "soon"}), "starts_on")
    page = send(root, "/courses/demo/copy", **wanted, do="preview")
    assert "Tue, " in page
    assert "1 Jun 2027, 23:59 CEST" in page
    assert "Next year" not in root.page("/courses")
    assert "1 Jun 2027, 23:59 CEST" in send(root, "/courses/demo/copy", **wanted, do="save")


def test_a_courses_settings_are_changed_on_its_page(grace: Visit) -> None:
    page = send(grace, "/courses/demo/settings", title="Language\u202emodels", time_zone="Mars/Olympus")
    assert "one line" in error_of(page, "title")
    assert "not a time zone" in error_of(page, "time_zone")
    assert "Saved." in send(grace, "/courses/demo/settings", title="Language models", time_zone="Asia/Tokyo")
    assert "<h1>Language models</h1>" in grace.page("/courses/demo")


def test_a_url_name_is_proposed_from_the_title_until_one_is_typed(chromium: Browser, school: School) -> None:
    with open_page(chromium, school) as page:
        sign_in(page, school, "grace")
        page.goto(NEW)
        title, slug = page.get_by_label("Title"), page.get_by_label("URL name")
        title.fill("Übung 3: Self-Attention (RoPE)")
        expect(slug).to_have_value("ubung-3-self-attention-rope")
        slug.fill("rope")
        title.fill("Something else")
        expect(slug).to_have_value("rope")
        slug.fill("")
        title.fill("x" * 80)
        expect(slug).to_have_value("x" * 63)


def test_a_field_that_is_wrong_has_a_red_edge_and_the_others_have_none(chromium: Browser, school: School) -> None:
    with open_page(chromium, school) as page:
        sign_in(page, school, "grace")
        page.goto(NEW)
        page.get_by_role("button", name="Create assignment").click()
        edge = "element => getComputedStyle(element).borderTopColor"
        bad = page.locator(".wrong").first.evaluate("element => getComputedStyle(element).color")
        assert page.get_by_label("Title").evaluate(edge) == bad
        assert page.get_by_label("Points for the code").evaluate(edge) != bad
