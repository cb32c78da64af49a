"""Pages that no link leads to: in light and dark for axe, and as wide as a phone. The stories look at others."""

import httpx
import pytest
from playwright.sync_api import Browser, expect
from sqlalchemy import select

from app.models import Enrollment, User, now
from app.news import choices
from tests.app.school import NO_CERTIFICATES, School
from tests.app.test_assignments import assign
from tests.patience import PATIENCE_S
from tests.web.reports import SOURCE, full_report
from tests.web.staff_pages import COURSE
from tests.web.test_browser import open_page, sign_in
from tests.web.test_every_page import DESK, assert_is_readable, assert_readable

PLATFORM = {
    "name": "Canvas",
    "issuer": "https://canvas.example",
    "client_id": "10000",
    "authorization_url": "https://sso.canvas.example/authorize",
    "token_url": "https://sso.canvas.example/token",
    "keyset_url": "https://sso.canvas.example/keys",
    "deployment_ids": ["1:abc"],
}


@pytest.fixture
def class_(school: School) -> School:
    assign(school)
    carol = {"name": "carol", "full_name": "Carol Clark", "section": "Tuesday"}
    school.client("grace").post("/courses/demo/roster/people", json=carol).raise_for_status()
    return school


def test_invitations_to_print(class_: School, chromium: Browser) -> None:
    with open_page(chromium, class_, viewport=DESK) as page:
        sign_in(page, class_, "grace")
        page.goto(f"{COURSE}/invitations")
        page.get_by_role("button", name="Print for everybody without a way in").click()
        expect(page.get_by_role("heading", name="Invitations to print")).to_be_visible()
        assert_is_readable(page)


def test_what_changed_between_two_attempts(class_: School, chromium: Browser) -> None:
    sent = [str(class_.submit("ada", SOURCE + b"# %d\n" % number)["id"]) for number in range(2)]
    for submission in sent:
        class_.grade(submission, full_report())
    with open_page(chromium, class_, viewport=DESK) as page:
        sign_in(page, class_, "grace")
        assert_readable(page, f"{COURSE}/people/ada/changes?before={sent[0]}&after={sent[1]}")


def test_the_dates_of_a_course_that_is_to_be_copied(class_: School, chromium: Browser) -> None:
    with open_page(chromium, class_, viewport=DESK) as page:
        sign_in(page, class_, "root")
        page.goto(f"{COURSE}/copy")
        page.get_by_label("URL name").fill("next")
        page.locator("[name=starts_on]").fill("2099-06-01")
        page.get_by_role("button", name="Preview dates").click()
        expect(page.get_by_role("heading", name="Dates of the copy")).to_be_visible()
        assert_is_readable(page)


def test_a_section_is_given_more_time(class_: School, chromium: Browser) -> None:
    class_.client("grace").patch("/courses/demo/assignments/attention", json={"due_at": now().isoformat()})
    with class_.database.write() as session:
        for row in session.query(Enrollment):
            row.section = "Tuesday"
    with open_page(chromium, class_, viewport=DESK, java_script_enabled=False) as page:
        sign_in(page, class_, "grace")
        page.goto(f"{COURSE}/assignments/attention/students/carol")
        page.get_by_label("For", exact=True).select_option(label="Everybody in section Tuesday")
        page.get_by_label("Due").fill("2099-01-01T10:00")
        page.get_by_label("Reason").first.fill("No class")
        page.keyboard.press("Enter")
        expect(page.get_by_role("status")).to_contain_text("It is in effect now")
        expect(page.get_by_text("Section Tuesday: due 1 Jan 2099, 10:00 UTC (No class)")).to_be_visible()
    with open_page(chromium, class_, viewport=DESK) as page:
        sign_in(page, class_, "grace")
        assert_readable(page, f"{COURSE}/assignments/attention/students/ada")


def test_a_link_in_a_mail_that_ends_the_mails(class_: School, chromium: Browser) -> None:
    with class_.database.read() as session:
        ada = session.scalars(select(User).where(User.name == "ada")).one()
    code = choices.code_of(ada, choices.mail_secret_of(class_.database, ada))
    with open_page(chromium, class_, viewport=DESK) as page:
        assert_readable(page, f"/mail/off/{code}")
        page.get_by_role("button").click()
        assert_is_readable(page)
        assert page.url.endswith(code)


def test_what_a_platform_shows_in_a_frame(class_: School, chromium: Browser) -> None:
    root = class_.client("root")
    root.post("/lti/platforms", json=PLATFORM).raise_for_status()
    link = root.post("/lti/registrations", json={"host": "canvas.example"}).json()["url"]
    asked = {"iss": PLATFORM["issuer"], "login_hint": "1", "target_link_uri": f"{class_.url}/lti/launch"}
    framed = httpx.get(
        f"{class_.url}/lti/login",
        params=asked,
        headers={"Sec-Fetch-Dest": "iframe"},
        verify=NO_CERTIFICATES,
        timeout=PATIENCE_S,
        trust_env=False,
    )
    assert "_blank" in framed.text
    with open_page(chromium, class_, viewport=DESK) as page:
        assert_readable(page, link)
        page.route("**/lti/login", lambda route: route.fulfill(body=framed.text, content_type="text/html"))
        assert_readable(page, "/lti/login")
