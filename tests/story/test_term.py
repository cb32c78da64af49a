"""A term, from an empty machine to the grades in the university's system: in a real Chromium, with real parts."""

from datetime import datetime, timedelta
from pathlib import Path

from playwright.sync_api import expect

from tests.patience import wait_until
from tests.story import steps
from tests.story.conftest import University
from tests.story.steps import COURSE, RIGHT, WRONG, Person

STUDENTS = 20
ASSIGNMENT = "deep/attention"
WORK = f"{COURSE}/assignments/attention/students"


def test_a_term(university: University, tmp_path: Path) -> None:
    operator = steps.set_up(university)
    steps.add_platform(operator, university.platform.ask("about"))

    grace = Person("grace", "Grace Hopper", 100, university.browser(), role="instructor")
    students = [
        Person(f"s{number:02}", f"Student {number:02}", number, university.browser()) for number in range(STUDENTS)
    ]
    everybody = [grace, *students]
    lines = [person.line for person in everybody]
    steps.import_roster(operator, [*lines, "s00,Twice,,student", "eve,Eve,no address,student"], refused=2)
    steps.import_roster(operator, lines)
    steps.invite_everybody(operator, university, everybody)

    steps.accept_invitation(grace, university)
    steps.connect_course(grace, university)
    yesterday, tomorrow = datetime.now() - timedelta(days=1, hours=1), datetime.now() + timedelta(days=1)
    steps.create_assignment(
        grace.page,
        "Attention",
        challenge="mha-rope",
        due_at=f"{yesterday:%Y-%m-%dT%H:%M}",
        closes_at=f"{tomorrow:%Y-%m-%dT%H:%M}",
        late_percent_per_day="10",
        attempts_max="1",
        grades_release="held",
    )
    for person in students:
        steps.accept_invitation(person, university)
        steps.link_account(person, university)
        file = RIGHT if person.number % 2 else WRONG[person.number // 2 % len(WRONG)]
        if person.number < STUDENTS // 2:
            steps.upload(person, file, ASSIGNMENT)
        else:
            told = steps.submit_build(person, university, tmp_path, file, ASSIGNMENT)
            assert "The result is held until your instructor releases it." in told
    extended, retried, overridden, commented, *_ = students
    page = grace.page
    wait_until(lambda: steps.are_graded(page, STUDENTS))  # students are told five minutes later: grades are held
    page.goto(f"{WORK}/{extended.name}")
    page.get_by_label("Due").fill(f"{tomorrow:%Y-%m-%dT%H:%M}")
    page.get_by_label("Reason").first.fill("Ill last week")
    page.get_by_role("button", name="Give").click()
    expect(page.get_by_text("Saved. It is in effect now.")).to_be_visible()

    page.goto(f"{WORK}/{retried.name}")
    page.get_by_label("Extra attempts").fill("1")
    page.get_by_label("Reason").first.fill("A power cut")
    page.get_by_role("button", name="Give").click()
    expect(page.get_by_text("Saved. It is in effect now.")).to_be_visible()
    again = tmp_path / "again.py"
    again.write_bytes(RIGHT.read_bytes() + b"\n# once more\n")
    steps.upload(retried, again, ASSIGNMENT)

    page.goto(f"{WORK}/{overridden.name}")
    page.get_by_label("Points, instead of the computed ones").fill("77.5")
    page.get_by_label("Reason").last.fill("Explained it at the board")
    page.get_by_role("button", name="Override").click()
    expect(page.get_by_text("Saved. These points count now.")).to_be_visible()

    page.goto(f"{WORK}/{commented.name}")
    page.get_by_role("link", name="Attempt 1").click()
    page.get_by_label("Line").fill("3")
    page.get_by_role("textbox", name="Comment").fill("Why a buffer, and not a parameter?")
    page.get_by_role("button", name="Comment").click()
    expect(page.locator("p.words", has_text="Why a buffer")).to_be_visible()

    wait_until(lambda: steps.are_graded(page, STUDENTS + 1))
    assert steps.scores_at(university) == {}, "held grades are not sent"
    page.goto(f"{COURSE}/assignments/attention/edit")
    page.get_by_role("button", name="Release grades").click()
    commented.page.reload()
    expect(commented.page.locator("p.words", has_text="Why a buffer")).to_be_visible()

    commented.page.get_by_text("Request a regrade").click()
    commented.page.get_by_label("What is wrong, and why?").fill("My positions are right: see the comment.")
    commented.page.get_by_role("button", name="Send request").click()
    page.goto(COURSE)
    page.get_by_role("listitem").filter(has_text="1 regrade request awaits an answer.").get_by_role("link").click()
    page.get_by_role("link", name=commented.full_name, exact=True).click()
    page.get_by_label("Outcome").select_option(label="Nothing changed")
    page.get_by_label("Answer", exact=True).fill("Look at the first row of the example.")
    page.get_by_role("button", name="Answer and close").click()
    commented.page.goto("/")
    commented.page.get_by_role("link", name="Your regrade request for attempt 1 at Attention is answered").click()
    expect(commented.page.get_by_text("Look at the first row of the example.")).to_be_visible()

    points = steps.points_in_gradebook(page, "Attention")
    right_but_late = points[students[5].name]
    assert (points[retried.name], points[overridden.name]) == (right_but_late, 77.5)
    assert 80 <= right_but_late < 100
    assert points[students[4].name] < points[extended.name] < right_but_late, (
        "the same file, late and with an extension"
    )
    wait_until(
        lambda: steps.scores_at(university) == points,
        lambda: f"{steps.scores_at(university)} are not {points}",
    )
