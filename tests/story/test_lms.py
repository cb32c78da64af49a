"""A course that lives in the university's learning platform: played in a real Chromium, against Open edX's own code."""

from playwright.sync_api import Page, expect

from tests.patience import wait_until
from tests.story import steps
from tests.story.conftest import University
from tests.story.steps import COURSE, RIGHT, WRONG, Person
from tests.web.test_every_page import assert_is_readable

EXERCISE = "Multi-head self-attention with RoPE"


def test_a_course_inside_the_learning_platform(university: University) -> None:
    operator = steps.set_up(university)
    steps.add_platform(operator, university.platform.ask("about"))
    grace = Person("grace", "Grace Hopper", 100, university.browser(), role="instructor")
    steps.import_roster(operator, [grace.line])
    steps.invite_everybody(operator, university, [grace])
    steps.accept_invitation(grace, university)
    steps.connect_course(grace, university)
    wait_until(lambda: is_told(grace.page, "nothing was changed"))  # the roster was read at once, when nobody was on it

    eva = Person("eva", "Eva Lovelace", 1, university.browser())
    tom = Person("tom", "Tom Turing", 2, university.browser())
    enrol(university, grace, eva, tom)
    update_roster(grace.page, "2 added")
    choose_assignment(grace, university)

    steps.follow_platform_link(eva, university)
    expect(eva.page.get_by_text("Eva Lovelace")).to_be_visible()
    assert_is_readable(eva.page)
    eva.page.get_by_role("button", name="Yes, this is me").click()
    expect(eva.page.get_by_role("heading", name=EXERCISE)).to_be_visible()
    steps.upload(eva, WRONG[0], steps.FIRST)
    expect(eva.page.get_by_role("heading", name="Questions")).to_be_visible()
    first = points_on_page(eva.page)
    assert 0 < first < 100
    wait_until(lambda: score_of(university, eva) == first)

    university.platform.stop()
    steps.upload(eva, RIGHT, steps.FIRST)
    expect(eva.page.get_by_role("heading", name="Questions")).to_be_visible()
    wait_until(lambda: is_told(grace.page, "cannot be reached"))
    university.platform.start()
    assert score_of(university, eva) == first
    grace.page.get_by_role("button", name="Send again").click()
    wait_until(lambda: score_of(university, eva) == 100)
    wait_until(lambda: is_told(grace.page, "100 of 100"))

    enrol(university, grace, eva)
    update_roster(grace.page, "1 removed")
    grace.page.goto(f"{COURSE}/people")
    expect(grace.page.get_by_role("link", name="Eva Lovelace")).to_be_visible()
    expect(grace.page.get_by_role("link", name="Tom Turing")).to_have_count(0)


def enrol(university: University, *people: Person) -> None:
    """Says who is in the platform's course from now on."""
    members = [
        {"subject": str(person.number), "roles": [person.role], "name": person.full_name, "email": person.email}
        for person in people
    ]
    university.platform.ask("members", members)


def update_roster(page: Page, told: str) -> None:
    page.goto(f"{COURSE}/lms")
    page.get_by_role("button", name="Update the roster").click()
    expect(page.get_by_text(told)).to_be_visible()


def choose_assignment(person: Person, university: University) -> None:
    """By deep linking: afterwards the platform's link leads to that assignment."""
    steps.follow_platform_link(person, university, deep_link=True)
    assert_is_readable(person.page)
    person.page.get_by_role("button", name=f"Add {EXERCISE}").click()
    wait_until(lambda: bool(university.platform.ask("gradebook")["links"]))
    steps.follow_platform_link(person, university)
    expect(person.page.get_by_role("heading", name=EXERCISE)).to_be_visible()


def score_of(university: University, person: Person) -> float | None:
    scores = university.platform.ask("gradebook")["scores"]
    return next((score["score_given"] for score in scores if score["user_id"] == str(person.number)), None)


def points_on_page(page: Page) -> float:
    """Those in the assignment, as the result's page says them."""
    return float(page.locator("p", has_text="points in").inner_text().partition(" ")[0])


def is_told(page: Page, words: str) -> bool:
    page.goto(f"{COURSE}/lms")
    return page.get_by_text(words).count() > 0
