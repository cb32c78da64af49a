"""The bug hunt's page, without JavaScript: from a build that passed to a bug that is mended."""

import re
from html import unescape
from pathlib import Path

from playwright.sync_api import Browser

from grader.hunt import HuntBank
from grader.report import Verdict
from tests.app.school import School, make_report
from tests.web.conftest import Visit, field

HUNT = "/challenges/mha-rope/hunt"
PASSED = make_report(Verdict.PASSED, 100.0)


def build(school: School) -> str:
    submission_id = str(school.submit()["id"])
    school.grade(submission_id, PASSED)
    return submission_id


def send(ada: Visit, source: bytes, filename: str = "layers.py") -> str:
    """The address that it leads to."""
    page = ada.page(HUNT)
    data = {"csrf": field(page, "csrf"), "nonce": field(page, "nonce")}
    return ada.post(f"{HUNT}/fixes", data, files=[("file", (filename, source))]).url.path


def solution(challenges_root: Path, source: str) -> tuple[str, str]:
    """Right, and the title of what is wrong in it."""
    bank = HuntBank.load(challenges_root / "mha-rope" / "hunt")
    planted = next(planted for planted in bank.all_planted() if planted.source == source)
    return bank.solutions[planted.style], bank.observed[planted.name].title


def test_a_build_that_passed_leads_to_the_hunt(school: School, ada: Visit):
    failed = str(school.submit()["id"])
    school.grade(failed, make_report())
    assert HUNT not in ada.page(f"/submissions/{failed}")
    refused = ada.get(HUNT)
    assert refused.status_code == 409
    assert "opens once your own build has passed" in refused.text
    assert f'href="{HUNT}"' in ada.page(f"/submissions/{build(school)}")


def test_from_the_symptom_to_the_cause(school: School, ada: Visit, challenges_root: Path):
    build(school)
    given = ada.page(f"{HUNT}/file")
    right, title = solution(challenges_root, given)
    page = ada.page(HUNT)
    assert "Symptoms" in page
    assert title not in page
    tried = send(ada, given.encode())
    school.grade(tried.rpartition("/")[2], make_report(misconceptions=("rope-on-v",)))
    result = ada.page(tried)
    assert "Bug hunt, try 1" in result
    assert "You have not changed the file yet." in result
    assert "About rope-on-v" not in result
    assert "Likely cause" not in result
    assert "Questions" not in result
    assert "Until the assignment closes" not in result
    school.grade(send(ada, right.encode()).rpartition("/")[2], PASSED)
    solved = ada.page(HUNT)
    assert "Solved" in solved
    assert title.replace("'", "&#39;") in solved
    assert "Attempt 2" not in ada.page("/challenges/mha-rope")
    again = ada.post(f"{HUNT}/next", {"csrf": field(solved, "csrf")})
    assert "bug 2" in again.text


def test_the_file_is_mended_on_the_page(school: School, ada: Visit, challenges_root: Path):
    build(school)
    given = ada.page(f"{HUNT}/file")
    right, _title = solution(challenges_root, given)
    page = ada.page(HUNT)
    shown = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", page, re.DOTALL)
    assert shown
    assert unescape(shown[1]) == given
    data = {"csrf": field(page, "csrf"), "nonce": field(page, "nonce"), "source": right.replace("\n", "\r\n")}
    sent = ada.post(f"{HUNT}/fixes", data).url.path
    school.grade(sent.rpartition("/")[2], PASSED)
    assert "Solved" in ada.page(HUNT)


def test_nothing_chosen_is_told_on_the_page(school: School, ada: Visit):
    build(school)
    page = ada.page(HUNT)
    data = {"csrf": field(page, "csrf"), "nonce": field(page, "nonce")}
    response = ada.post(f"{HUNT}/fixes", data, files=[("file", ("", b""))])
    assert response.status_code == 422
    assert "Nothing was submitted. Fix the file on this page" in response.text


def test_the_page_fits_a_telephone_and_says_what_each_thing_is(school: School, ada: Visit, chromium: Browser):
    build(school)
    context = chromium.new_context(viewport={"width": 360, "height": 800}, base_url=school.url)
    context.add_cookies(
        [{"name": name, "value": value, "url": school.url} for name, value in ada.client.cookies.items()]
    )
    page = context.new_page()
    page.goto(HUNT)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.get_by_role("textbox", name="Your layers.py, as it was handed out").is_visible()
    assert page.get_by_role("link", name="download it").is_visible()
    context.close()
