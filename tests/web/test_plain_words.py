"""Pages speak to people: no HTTP on an error's page, no dotted names in a course's log."""

import re
from pathlib import Path

import pytest

from app.web.log_words import DONE
from tests.app.school import School
from tests.web.conftest import Visit

APP = Path(__file__).parents[2] / "app"
OF_COURSES = {name.partition(".")[0] for name in DONE} - {"lti"}  # operators connect platforms, too


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/challenges/mha-rope/nothing", 404, "There is nothing at this address. Check that you have all of it."),
        ("/sign-out", 405, "This address is for sending a form, not for opening."),
        ("/courses/demo/submissions?offset=abc", 422, "Part of this address is not valid (offset)."),
        ("/courses/demo/submissions?verdict=x", 422, "Part of this address is not valid (verdict)."),
        ("/courses/demo/audit?before=x", 422, "This link into a list is not whole."),
        ("/submissions/x", 404, "and by <code>engine history</code>."),
    ],
)
def test_an_errors_page_says_what_to_do_without_speaking_of_requests(
    grace: Visit, path: str, status: int, sentence: str
) -> None:
    answer = grace.get(path)
    assert (answer.status_code, sentence in answer.text) == (status, True), answer.text
    assert not [word for word in ("query.", "API", "cursor", "Allow header") if word in answer.text]


def test_a_program_is_still_told_of_the_field_and_the_method(school: School) -> None:
    grace = school.client("grace")
    assert grace.get("/submissions", params={"limit": "x"}).json()["errors"][0]["location"] == "query.limit"
    assert "Allow header" in grace.put("/submissions").json()["detail"]


def test_the_log_says_in_words_whatever_can_be_done_in_a_course(school: School, grace: Visit) -> None:
    source = "\n".join(path.read_text() for path in APP.rglob("*.py") if path.name != "log_words.py")
    found = {name for name in re.findall(r'"([a-z]+\.[a-z_]+)"', source) if not name.endswith(".html")}
    assert {action for action in found if action.partition(".")[0] in OF_COURSES} <= DONE.keys() <= found
    school.client("grace").post("/courses/demo/roster/people", json={"name": "eve"}).raise_for_status()
    assert "<td>added a person</td>\n      <td>eve</td>" in grace.page("/courses/demo/audit")
