"""Invitations in the browser: an instructor sends or prints them, and a newcomer gets in, also in a real Chromium."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from app.settings import ApiSettings
from tests.app.conftest import open_school
from tests.app.inviting import bring_in, code_in, mail, mailer, slips, use
from tests.app.mail_server import MailServer, running
from tests.app.redis_process import RedisProcess
from tests.app.school import School
from tests.web.conftest import Visit, visitor
from tests.web.test_browser import open_page, sign_in

PAGE = "/courses/demo/invitations"
LETTERS = r"[0-9A-Z]{5}(?:-[0-9A-Z]{5}){3}"


@pytest.fixture
def school(settings: ApiSettings, redis: RedisProcess) -> Iterator[School]:
    """With a mail server, and two newcomers on the roster of demo."""
    for school in open_school(settings.model_copy(update={"smtp_host": "127.0.0.1"}), redis):
        bring_in(school)
        yield school


def send(visit: Visit, path: str, **fields: Any) -> httpx.Response:
    return visit.post(path, {"csrf": visit.csrf(path), **fields})


def test_an_instructor_prints_a_slip_for_each_person_without_a_way_in(school: School, grace: Visit) -> None:
    assert "Roster imported" not in grace.page("/courses/demo/people")
    assert "Not invited" in grace.page("/courses/demo/people")
    page = unescape(send(grace, PAGE, whom="everybody", do="print").text)
    codes = re.findall(LETTERS, page)
    assert (len(codes), "Nora Ní" in page, f"{school.url}/code" in page) == (2, True, True)
    assert not re.search(LETTERS, grace.page(PAGE))
    assert "Invited" in grace.page("/courses/demo/people")
    assert "There is nobody to print for" in send(grace, PAGE, whom="everybody", do="print").text


def test_slips_that_only_this_machine_can_use_say_so(school: School, grace: Visit) -> None:
    page = unescape(send(grace, PAGE, whom="everybody", do="print").text)
    assert f"Only this machine can open {school.url}/code" in page


def test_slips_with_a_public_address_give_no_warning(settings: ApiSettings, redis: RedisProcess) -> None:
    public = settings.model_dump() | {"public_url": "http://assay.example.edu"}
    for school in open_school(ApiSettings.model_validate(public), redis):
        bring_in(school)
        with visitor(school) as visit:
            visit.sign_in(school.tokens["grace"])
            page = send(visit, PAGE, whom="everybody", do="print").text
        assert "http://assay.example.edu/code" in page
        assert "Only this machine" not in page


def test_an_instructor_mails_the_chosen_and_sees_what_became_of_it(school: School, grace: Visit) -> None:
    assert "1 invitation is on the way" in send(grace, PAGE, person="nora", do="mail").text
    assert "Mail on its way" in grace.page("/courses/demo/people")
    with running(MailServer(refusals={"nora@school.test": "550 no"})) as server:
        mailer(school, server).send_waiting()
    assert "knows no such address (SMTP 550)" in grace.page("/courses/demo/people")
    assert "in use" in send(grace, PAGE, person="grace", do="mail").text


def test_whoever_chooses_nobody_is_told_so(grace: Visit) -> None:
    assert "Nobody was chosen" in send(grace, PAGE, do="revoke").text


def test_an_invitation_is_revoked_on_the_page(school: School, grace: Visit) -> None:
    (slip,) = slips(school, ["nora"]).json()["items"]
    assert re.search(r"Revoked: .*nora", send(grace, PAGE, person="nora", do="revoke").text)
    with visitor(school) as visit:
        assert "not known here" in send(visit, "/code", code=slip["code"]).text


def test_a_newcomer_types_the_code_says_yes_and_keeps_the_token(school: School) -> None:
    (slip,) = slips(school, ["nora"]).json()["items"]
    with visitor(school) as visit:
        asked = unescape(send(visit, "/code", code=slip["code"].lower().replace("-", " ")).text)
        assert "for <strong>Nora Ní</strong>, who signs in as nora" in asked
        page = send(visit, "/code", code=slip["code"], do="open")
        assert (page.status_code, "You're in" in page.text) == (200, True)
        token = re.search(r"assay_[\w-]+", page.text)
        assert token
        school.tokens["nora"] = token[0]
        assert school.client("nora").get("/me").json()["name"] == "nora"
        assert visit.page("/courses/demo")
        again = send(visit, "/code", code=slip["code"], do="open")
        assert (again.status_code, "has used this account already" in again.text) == (403, True)


def test_looking_at_the_link_uses_nothing_up(school: School) -> None:
    """As a preview of links in a chat or a mail scanner does."""
    (slip,) = slips(school, ["nora"]).json()["items"]
    with visitor(school) as visit:
        for _ in range(3):
            assert visit.get(f"/code#{slip['code']}").status_code == 200
        assert "Is this you?" in send(visit, "/code", code=slip["code"]).text


def test_codes_are_not_tried_by_the_thousand(school: School) -> None:
    with visitor(school) as visit:
        answers = [send(visit, "/code", code=f"wrong-{number}").status_code for number in range(25)]
    assert answers[0] == 404
    assert answers[-1] == 429


def test_an_account_in_use_stays_its_owners(school: School) -> None:
    (slip,) = slips(school, ["nora"]).json()["items"]
    use(school, "nora")
    with visitor(school) as visit:
        assert "tell your instructor at once" in send(visit, "/code", code=slip["code"], do="open").text


def test_the_whole_way_in_a_browser(chromium: Browser, school: School) -> None:
    """The code leaves the address at once, and reaches the server in a form alone."""
    mail(school, ["nora"])
    with running(MailServer()) as server:
        mailer(school, server).send_waiting()
    code = code_in(server.mails[0])
    with open_page(chromium, school) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(f"{request.url} {request.headers.get('referer', '')}"))
        page.goto(f"/code#{code}")
        expect(page.get_by_text("Your link is ready to use.")).to_be_visible()
        assert page.url == f"{school.url}/code"
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Yes, this is me").click()
        expect(page.get_by_role("heading", name="You're in")).to_be_visible()
        page.get_by_role("link", name="Go to demo").click()
        expect(page.get_by_role("button", name="Sign out")).to_be_visible()
        assert not any(code in each.partition("#")[0] or code in each.partition(" ")[2] for each in asked)


@pytest.mark.parametrize("script", [True, False])
def test_an_instructor_invites_with_and_without_javascript_on_a_phone(
    chromium: Browser, school: School, script: bool
) -> None:
    with open_page(chromium, school, java_script_enabled=script, viewport={"width": 390, "height": 844}) as page:
        sign_in(page, school, "grace")
        page.goto(PAGE)
        page.get_by_label("Nora Ní").check()
        page.get_by_role("button", name="Print for the chosen").click()
        expect(page.get_by_text("Print this page now.")).to_be_visible()
        expect(page.locator(".slip-code")).to_have_text(re.compile(LETTERS))
        page.emulate_media(media="print")
        expect(page.get_by_text("Print this page now.")).to_be_hidden()
        expect(page.locator(".slip-code")).to_be_visible()
