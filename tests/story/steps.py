"""What people do in the stories: each function is a few clicks of one person, or one command."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page, expect

from tests.patience import PATIENCE_S, wait_until
from tests.story.conftest import University
from tests.web.test_every_page import assert_is_readable

ROOT: Final = Path(__file__).parents[2]
FILES: Final = ROOT / "tests" / "submissions" / "mha-rope"
RIGHT: Final = ROOT / "examples" / "correct.py"
WRONG: Final = tuple(FILES / "failed" / f"{name}.py" for name in ("angles_in_degrees", "batched_positions_refused"))
COURSE: Final = "/courses/deep"
FIRST: Final = "deep/mha-rope"


@dataclass
class Person:
    """Somebody on the roster, their browser, and their token once they have one."""

    name: str
    full_name: str
    number: int  # what the learning platform calls them
    page: Page
    role: str = "student"
    token: str = field(default="", repr=False)

    @property
    def email(self) -> str:
        return f"{self.name}@school.test"

    @property
    def line(self) -> str:
        return f"{self.name},{self.full_name},{self.email},{self.role}"


def set_up(university: University) -> Page:
    """The operator follows the link, and comes out in a course with an assignment."""
    page = university.browser()
    page.goto(university.first_link)
    assert_is_readable(page)
    page.get_by_label("Title").fill("Deep Learning")
    page.get_by_label("URL name").fill("deep")
    page.get_by_label("Exercise").select_option("mha-rope")
    page.get_by_role("button", name="Set up").click()
    expect(page.get_by_role("heading", name="Assay is ready")).to_be_visible()
    assert_is_readable(page)
    page.get_by_role("link", name="Go to Deep Learning").click()
    expect(page.get_by_role("heading", name="Deep Learning")).to_be_visible()
    return page


def add_platform(page: Page, about: dict[str, Any]) -> None:
    """What the learning platform's administrator told the operator."""
    page.goto("/operations/lms")
    form = page.locator("form", has=page.get_by_label("Client ID"))
    form.get_by_label("Name", exact=True).fill("Open edX")
    for label, key in (
        ("Issuer", "issuer"),
        ("Client ID", "client_id"),
        ("Authorization URL", "authorization_url"),
        ("Token URL", "token_url"),
        ("Keyset URL", "keyset_url"),
    ):
        form.get_by_label(label).fill(about[key])
    form.get_by_label("Deployment IDs").fill("\n".join(about["deployment_ids"]))
    form.get_by_role("button", name="Add").click()
    expect(page.get_by_role("heading", name=re.compile("^Open edX"))).to_be_visible()


def import_roster(page: Page, lines: list[str], *, refused: int = 0) -> None:
    """Pastes it, reads the preview, and brings it in when no line is refused."""
    page.goto(f"{COURSE}/people/import")
    page.get_by_text("Paste it instead").click()
    page.get_by_label("Lines").fill("\n".join(["name,full_name,email,role", *lines]))
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("Refused", exact=True)).to_have_count(refused)
    assert_is_readable(page)
    if not refused:
        page.get_by_role("button", name=f"Add {len(lines)}").click()
        expect(page.get_by_text("Roster imported.")).to_be_visible()


def invite_everybody(page: Page, university: University, people: list[Person]) -> None:
    """By e-mail, and waits until the mail server has them all."""
    page.goto(f"{COURSE}/invitations")
    page.get_by_role("button", name="E-mail everybody without a way in").click()
    told = "1 invitation is" if len(people) == 1 else f"{len(people)} invitations are"
    expect(page.get_by_text(f"{told} on the way.")).to_be_visible()
    wait_until(lambda: all(university.mails.to(person.email) for person in people))


def accept_invitation(person: Person, university: University) -> None:
    """Follows the link in the mail."""
    (mail,) = university.mails.to(person.email)
    link = re.search(r"http\S+/code#\S+", mail.get_content())
    assert link is not None, mail.get_content()
    person.page.goto(link[0])
    person.page.get_by_role("button", name="Continue").click()
    yes = person.page.get_by_role("button", name="Yes, this is me")
    expect(yes).to_be_visible()
    is_looked_at = person.role == "instructor"  # all see the same
    if is_looked_at:
        assert_is_readable(person.page)
    yes.click()
    expect(person.page.get_by_role("heading", name="You're in")).to_be_visible()
    if is_looked_at:
        assert_is_readable(person.page)
    token = re.search(r"assay_[\w-]+", person.page.inner_text("main"))
    assert token is not None
    person.token = token[0]


def follow_platform_link(person: Person, university: University, **more: Any) -> None:
    """As the platform's course shows it."""
    told = {
        "user_id": str(person.number),
        "user_role": person.role,
        "name": person.full_name,
        "email": person.email,
        **more,
    }
    person.page.goto(university.platform.ask("launch", told)["address"])


def link_account(person: Person, university: University) -> None:
    """Comes from the platform for the first time, signed in here."""
    follow_platform_link(person, university)
    person.page.get_by_role("button", name="Yes, link my account").click()


def connect_course(person: Person, university: University) -> None:
    """The instructor says which course the platform's is."""
    follow_platform_link(person, university)
    assert_is_readable(person.page)
    person.page.get_by_role("button", name="Yes, link my account").click()
    course = person.page.get_by_label("Course on Assay")
    expect(course).to_be_visible()
    assert_is_readable(person.page)
    course.select_option(label="Deep Learning")
    person.page.get_by_role("button", name="Connect").click()
    expect(person.page.get_by_text("No scores yet.")).to_be_visible()


def create_assignment(page: Page, title: str, **terms: str) -> None:
    """Fills the form; `terms` by field name."""
    page.goto(f"{COURSE}/assignments/new")
    page.get_by_label("Title").fill(title)
    page.get_by_label("URL name").fill(title.lower())
    for name, value in terms.items():
        control = page.locator(f"[name={name}]")
        if control.evaluate("element => element.tagName") == "SELECT":
            control.select_option(value)
        else:
            control.fill(value)
    page.get_by_role("button", name="Create assignment").click()
    expect(page.get_by_role("heading", name=title)).to_be_visible()


def upload(person: Person, file: Path, assignment: str) -> None:
    """On the exercise's page; comes back when it is sent."""
    page = person.page
    page.goto(f"/challenges/mha-rope?assignment={assignment}")
    page.get_by_label("Your layers.py").set_input_files(
        {"name": "layers.py", "mimeType": "text/x-python", "buffer": file.read_bytes()}
    )
    if page.get_by_label("Submit to").count():
        page.get_by_label("Submit to").select_option(assignment)
    page.get_by_role("button", name="Submit for grading").click()
    page.wait_for_url("**/submissions/*")


def submit_build(person: Person, university: University, folder: Path, file: Path, assignment: str) -> str:
    """`engine submit-build`, as a program of its own; returns what it says."""
    said = {
        "ASSAY_SERVER": university.url,
        "ASSAY_TOKEN": person.token,
        "HOME": str(folder),
        "PATH": os.environ["PATH"],
    }
    command = ["submit-build", str(file), "--challenge", "mha-rope", "--assignment", assignment]
    done = subprocess.run(
        [sys.executable, "-P", "-c", "from engine.cli import main; main()", *command],
        cwd=folder,
        env=said,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def are_graded(page: Page, count: int) -> bool:
    """Whether staff see so many graded submissions in the course."""
    page.goto(f"{COURSE}/submissions?state=graded")
    return page.get_by_text(f"{count} found", exact=True).count() == 1


def points_in_gradebook(page: Page, title: str) -> dict[str, float]:
    """As its table shows them, by student; nothing for who has no points."""
    page.goto(f"{COURSE}/gradebook")
    heads = [head.partition("\n")[0] for head in page.locator("table.grades thead th").all_inner_texts()]
    found = {}
    for row in page.locator("table.grades tbody tr").all():
        name = (row.locator("th a").get_attribute("href") or "").rpartition("/")[2]
        cell = row.locator("th, td").nth(heads.index(title)).inner_text()
        if number := re.match(r"[\d.]+", cell):
            found[name] = float(number[0])
    return found


def scores_at(university: University) -> dict[str, float]:
    """What the learning platform has, by the names of the roster."""
    scores = university.platform.ask("gradebook")["scores"]
    return {f"s{int(score['user_id']):02}": float(score["score_given"]) for score in scores}
