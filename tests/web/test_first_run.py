"""A new installation is set up in the browser, by whoever holds its code and by nobody else; links sign in once."""

import re
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from html import unescape
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect
from sqlalchemy import delete, select, update

from app.accounts import links
from app.accounts.service import console
from app.challenges.service import Catalogue
from app.courses.creation import create
from app.courses.schemas import NewCourse
from app.first_run.schemas import Beginning
from app.first_run.service import begin
from app.models import Role, SignInLink, User, now
from app.problems import Conflict, Forbidden, NotFound, Problem
from app.settings import ApiSettings
from tests.app.at_once import at_once
from tests.app.conftest import open_school
from tests.app.redis_process import RedisProcess
from tests.app.school import School
from tests.assay.conftest import invoke_assay
from tests.web.conftest import visitor
from tests.web.test_browser import open_page

WANTED = {
    "operator": "olga",
    "title": "Deep Learning",
    "slug": "deep",
    "time_zone": "Europe/Berlin",
    "challenge": "mha-rope",
    "due_at": "2099-12-14T23:59",
    "student": "test-student",
}


@pytest.fixture
def new(settings: ApiSettings, redis: RedisProcess) -> Iterator[School]:
    """An installation that nobody operates yet."""
    for school in open_school(settings, redis):
        with school.database.write() as session:
            session.execute(delete(User).where(User.role == Role.OPERATOR))
        yield school


def set_up(school: School, code: str, **changes: str) -> httpx.Response:
    with visitor(school) as visit:
        return visit.post("/first-run", {"csrf": visit.csrf("/first-run"), "code": code, **WANTED, **changes})


def operators(school: School) -> list[str]:
    with school.database.read() as session:
        return list(session.scalars(select(User.name).where(User.role == Role.OPERATOR)))


def test_one_page_makes_an_operator_a_course_an_assignment_and_a_student(new: School) -> None:
    page = set_up(new, links.make_first(new.database))
    assert page.status_code == 200, page.text
    tokens = dict(zip(("olga", "test-student"), re.findall(r"<code>(assay_[\w-]+)", page.text), strict=True))
    new.tokens |= tokens
    assert new.client("olga").get("/operations").status_code == 200
    assert [item["slug"] for item in new.client("olga").get("/courses").json()["items"]] == ["deep", "demo"]
    (assignment,) = new.client("test-student").get("/courses/deep/assignments").json()["items"]
    assert (assignment["challenge"], assignment["due_at"]) == ("mha-rope", "2099-12-14T22:59:00Z")
    actions = [entry["action"] for entry in new.client("olga").get("/courses/deep/audit").json()["items"]]
    assert actions == ["enrollment.add", "assignment.create", "course.create"]


@pytest.mark.parametrize("code", ["", "AAAAA-BBBBB-CCCCC-DDDDD"])
def test_without_the_code_nobody_claims_it(new: School, code: str) -> None:
    links.make_first(new.database)
    refused = set_up(new, code)
    assert (refused.status_code, "not the setup code" in refused.text) == (403, True)
    assert operators(new) == []


def test_codes_of_the_first_run_are_not_tried_by_the_thousand(new: School) -> None:
    links.make_first(new.database)
    assert [set_up(new, f"wrong-{number}").status_code for number in range(23)][-1] == 429


def test_the_code_works_once_and_only_until_there_is_an_operator(new: School) -> None:
    code = links.make_first(new.database)
    assert set_up(new, code).status_code == 200
    with pytest.raises(Conflict):
        links.make_first(new.database)
    with visitor(new) as again:
        assert "Your token" in again.page("/first-run")  # it leads to the form to sign in
        csrf = again.csrf("/sign-in")
        refused = again.post("/first-run", {"csrf": csrf, "code": code, **WANTED, "operator": "mallory"})
    assert (refused.status_code, "set up already" in refused.text) == (409, True)
    assert operators(new) == ["olga"]


def test_a_code_ends_and_a_newer_one_replaces_it(new: School) -> None:
    first, second = links.make_first(new.database), links.make_first(new.database)
    assert set_up(new, first).status_code == 403
    with new.database.write() as session:
        session.execute(update(SignInLink).values(expires_at=now() - timedelta(seconds=1)))
    assert set_up(new, second).status_code == 403


@pytest.mark.parametrize(
    ("wrong", "name", "status"),
    [
        ({"operator": ""}, "operator", 422),
        ({"operator": "console"}, "operator", 422),
        ({"operator": "grace"}, "operator", 409),
        ({"student": "ada"}, "student", 409),
        ({"slug": "demo"}, "slug", 409),
        ({"title": ""}, "title", 422),
        ({"due_at": "2026-03-29T02:30"}, "due_at", 422),
        ({"time_zone": "Mars/Olympus"}, "time_zone", 422),
        ({"challenge": "nothing"}, "challenge", 422),
    ],
)
def test_what_is_wrong_is_told_beside_its_field_and_uses_nothing_up(
    new: School, wrong: dict[str, str], name: str, status: int
) -> None:
    code = links.make_first(new.database)
    page = set_up(new, code, **wrong)
    assert (page.status_code, f'id="{name}-error"' in page.text) == (status, True), page.text
    assert 'value="Deep Learning"' in page.text or name == "title"
    assert f'value="{code}"' in page.text
    assert operators(new) == []
    assert set_up(new, code).status_code == 200


def test_two_who_have_the_code_do_not_both_become_operators(new: School, challenges_root: Path) -> None:
    code, catalogue = links.make_first(new.database), Catalogue(challenges_root)

    def claim(number: int) -> str:
        wanted = Beginning.model_validate({**WANTED, "operator": f"o{number}", "slug": f"c{number}", "due_at": None})
        wanted = wanted.model_copy(update={"student": None})
        try:
            return begin(new.database, catalogue, code, wanted, 365).operator.name
        except Problem as problem:
            return type(problem).__name__

    outcomes = at_once(4, claim)
    assert len(operators(new)) == 1
    assert len([each for each in outcomes if each not in ("Conflict", "Forbidden")]) == 1


def test_a_link_signs_in_once(school: School) -> None:
    code = links.make(school.database, "root")
    with visitor(school) as visit:
        for _ in range(2):
            visit.page("/code")  # a preview
        page = visit.post("/code", {"csrf": visit.csrf("/code"), "code": code})
        assert "Operations" in page.text
    with visitor(school) as other:
        assert other.post("/code", {"csrf": other.csrf("/code"), "code": code}).status_code == 404
    with pytest.raises(NotFound):
        links.make(school.database, "nobody")


def test_a_link_that_is_half_an_hour_old_opens_nothing(school: School) -> None:
    code = links.make(school.database, "root")
    with school.database.write() as session:
        session.execute(update(SignInLink).values(expires_at=now()))
    assert links.redeem(school.database, code) is None


def test_the_code_of_the_first_run_signs_nobody_in(new: School) -> None:
    assert links.redeem(new.database, links.make_first(new.database)) is None


def test_a_link_opens_no_first_run(new: School) -> None:
    create(new.database, console(), NewCourse(slug="other", title="Other"))
    with pytest.raises(Forbidden), new.database.write() as session:
        links.claim(session, links.make(new.database, "ada"))


def test_set_up_in_a_browser_on_a_phone(chromium: Browser, new: School) -> None:
    code = links.make_first(new.database)
    with open_page(chromium, new, viewport={"width": 390, "height": 844}) as page:
        page.goto(f"/first-run#{code}")
        expect(page.get_by_text("The setup code came with your link.")).to_be_visible()
        assert page.url == f"{new.url}/first-run"
        page.get_by_label("Title").fill("Deep Learning")
        page.get_by_label("URL name").fill("deep")
        page.get_by_role("button", name="Set up").click()
        expect(page.get_by_role("heading", name="Assay is ready")).to_be_visible()
        token = page.get_by_role("region", name="Your token, as operator")
        assert token.evaluate("each => each.scrollWidth <= each.clientWidth"), "all of it is in sight"
        page.get_by_role("link", name="Go to Deep Learning").click()
        expect(page.get_by_role("heading", name="Deep Learning")).to_be_visible()
        assert unescape(page.title()).startswith("Assignments")


def test_the_course_is_where_the_browser_is_unless_somebody_chose(chromium: Browser, new: School) -> None:
    code = links.make_first(new.database)
    with open_page(chromium, new, timezone_id="Europe/Berlin") as page:
        page.goto(f"/first-run#{code}")
        zone = page.get_by_label("Time zone")
        expect(zone).to_have_value("Europe/Berlin")
        zone.select_option("UTC")
        page.get_by_role("button", name="Set up").click()
        expect(page.get_by_text("Nothing was saved.")).to_be_visible()
        expect(zone).to_have_value("UTC")


def test_the_command_line_prints_links_with_the_code_behind_the_hash(new: School, tmp_path: Path) -> None:
    url = new.database.engine.url.render_as_string(hide_password=False)
    link = partial(
        invoke_assay, tmp_path, "user", "--database-url", url, "link", "--server", "https://assay.example.edu/"
    )
    address, _, code = link().stdout.strip().partition("#")
    assert address == "https://assay.example.edu/first-run"
    assert set_up(new, code).status_code == 200
    address, _, code = link("olga").stdout.strip().partition("#")
    assert address == "https://assay.example.edu/code"
    found = links.redeem(new.database, code)
    assert found is not None
    assert found.name == "olga"
    assert "Name the person" in link().stderr
