"""Every page, as each role that may see it: in light and dark for axe, and as wide as a phone."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page
from sqlalchemy import select

from app.models import Job, Role
from grader.messages import ExercisesFound, JobKind
from grader.report import Verdict
from tests.app.school import School, make_report
from tests.app.test_analytics import report, send
from tests.app.test_assignments import assign, from_now
from tests.app.test_leaderboard import measured, on_the_board
from tests.app.test_reviews import listed, write
from tests.web.reports import SOURCE, full_report
from tests.web.staff_pages import ASSIGNMENT, COURSE, FOR_MANAGERS, FOR_STAFF
from tests.web.test_browser import open_page, sign_in

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}
SERIOUS = ("serious", "critical")
RULES = {"reporter": "no-passes"}  # all of them, and only what was violated comes back
CONTRAST = {**RULES, "runOnly": ["color-contrast"]}
# Whatever may scroll takes the focus or has something in it that does, and says what it is; whether it has to scroll
# on this screen and with these fonts is no question.
SCROLLING_OUT_OF_REACH = """
[...document.body.querySelectorAll('*')].filter(element => {
    const style = getComputedStyle(element)
    if (![style.overflowX, style.overflowY].some(how => ['auto', 'scroll'].includes(how))) return false
    if (element.matches('a[href], button, input, select, textarea')) return false
    if (element.hasAttribute('tabindex')) return !(element.role && element.ariaLabel)
    return !element.querySelector('a[href], button, input, select, textarea, [tabindex="0"]')
}).map(element => element.outerHTML.slice(0, 120))
"""
WIDE_LISTS = """
[...document.querySelectorAll('.scroll:has(> table.records)')]
    .filter(each => each.scrollWidth > each.clientWidth).map(each => each.outerHTML.slice(0, 120))
"""
FOR_STUDENTS = [
    "/",
    COURSE,
    "/tokens",
    "/notes",
    "/mail",
    "/challenges/mha-rope",
    "/challenges/mha-rope/hunt",
    "/challenges/nothing",
    "/submissions/{waiting}",
    "/submissions/{wrong}",
    "/submissions/{wrong}/changes",
    f"{ASSIGNMENT}/leaderboard",
]
PAGES = {
    "ada": FOR_STUDENTS,
    "tara": [
        "/",
        *FOR_STAFF,
        f"{COURSE}/reviews/{{review}}",
        f"{COURSE}/regrade-requests/{{request}}",
        "/submissions/{wrong}",
        f"{ASSIGNMENT}/leaderboard",
    ],
    "grace": [COURSE, ASSIGNMENT, f"{COURSE}/people", *FOR_MANAGERS, f"{ASSIGNMENT}/regrades/{{regrade}}"],
    "root": [
        "/",
        "/operations",
        "/operations/exercises",
        "/operations/lms",
        "/courses",
        "/courses/new",
        f"{COURSE}/copy",
    ],
}


def refuse_exercises(school: School) -> None:
    """A repository of which a commit was refused, under a namespace that somebody else may update."""
    root = school.client("root")
    root.put("/operations/exercises/cs/authors/grace").raise_for_status()
    root.post("/operations/exercises", json={"url": "https://git.example.edu/cs"}).raise_for_status()
    with school.database.read() as session:
        job = session.scalars(select(Job.id).where(Job.kind == JobKind.EXERCISES)).one()
    school.recording().record(ExercisesFound(job=job, commit="a" * 40, refusal="x" * 500))


@pytest.fixture(scope="module")
def things(shared_school: School) -> dict[str, str]:
    """Something to see on every page: ada is at it, bob is stuck."""
    school = shared_school
    assign(school, question_points=4, attempts_max=50, due_at=from_now(days=3), has_leaderboard=True)
    school.add("tara", Role.ASSISTANT)
    send(school, "bob", *[report(40, "theta", misconceptions=("rope-on-v",), line=2)] * 5)
    send(school, "ada", report(100))
    school.grade(school.submit("ada")["id"], make_report(Verdict.PASSED, 100.0))
    wrong = school.submit("ada", SOURCE)["id"]
    school.grade(wrong, full_report(message="x" * 500))
    school.client("grace").post(f"/submissions/{wrong}/comments", json={"line": 9, "text": "Why V?\n" + "x" * 200})
    doubt = {"reason": "Line 9 is right.\n" + "x" * 200, "lines": [9], "tests": ["heads/1"]}
    request = school.client("ada").post(f"/submissions/{wrong}/regrade-requests", json=doubt).json()["id"]
    school.client("grace").post("/courses/demo/notes", json={"assignment": "attention", "text": "x" * 300})
    refuse_exercises(school)
    write(school, "attention", "Scores hold positions.", "bob")
    regrade = school.client("grace").post("/courses/demo/assignments/attention/regrades", json={}).json()["id"]
    for name, time in (("ada", 0.8), ("bob", 1.3)):
        measured(school, on_the_board(school, name), time)
    waiting = school.submit("ada")["id"]
    review = listed(school, "attention")[0]["id"]
    return {"wrong": wrong, "waiting": waiting, "regrade": regrade, "request": request, "review": review}


@pytest.mark.parametrize("name", PAGES)
def test_every_page_can_be_read_by_everybody(
    chromium: Browser, shared_school: School, things: dict[str, str], name: str
) -> None:
    with open_page(chromium, shared_school, viewport=DESK) as page:
        if name == "ada":
            assert_readable(page, "/sign-in")
            assert_readable(page, "/code")
        sign_in(page, shared_school, name)
        for path in PAGES[name]:
            assert_readable(page, path.format(**things))


def assert_readable(page: Page, path: str) -> None:
    page.goto(path)
    assert_is_readable(page)


def assert_is_readable(page: Page) -> None:
    """The page that is shown, as it is: also one that only a form leads to."""
    found = faults(page, RULES)
    page.emulate_media(color_scheme="dark")
    found += faults(page, CONTRAST)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(PHONE)
    if page.evaluate("document.documentElement.scrollWidth") > PHONE["width"]:
        found.append("it is wider than a phone")
    found += [f"a list that scrolls: {html}" for html in page.evaluate(WIDE_LISTS)]
    found += [f"out of reach without a mouse: {html}" for html in page.evaluate(SCROLLING_OUT_OF_REACH)]
    page.set_viewport_size(DESK)
    assert not found, page.url


@pytest.mark.parametrize("size", ["16px", "40px"])
def test_a_wide_formula_can_be_scrolled_with_the_keys(chromium: Browser, shared_school: School, size: str) -> None:
    """With large letters the formulas are wider than the screen, as with other fonts."""
    with open_page(chromium, shared_school, viewport=PHONE) as page:
        sign_in(page, shared_school, "ada")
        page.goto("/challenges/mha-rope")
        page.evaluate("size => document.documentElement.style.fontSize = size", size)
        assert faults(page, {**RULES, "runOnly": ["scrollable-region-focusable"]}) == []
        wide = page.locator(".math.block").last
        is_wide = "element => element.scrollWidth > element.clientWidth"
        assert wide.evaluate(is_wide) or size == "16px"
        if wide.evaluate(is_wide):
            wide.focus()
            page.keyboard.press("ArrowRight")
            page.wait_for_function("element => element.scrollLeft > 0", arg=wide.element_handle())


def faults(page: Page, options: dict[str, Any]) -> list[str]:
    """What axe finds that keeps somebody out."""
    results = Axe().run(page, options=options).response["violations"]
    return [
        f"{found['id']}: {node['target']} {node['html'][:200]}"
        for found in results
        if found["impact"] in SERIOUS
        for node in found["nodes"]
    ]
