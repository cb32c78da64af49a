"""Grades that are held: two students to whom everything happened alike, but for what they earned, see the same."""

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from sqlalchemy import update

from app.accounts.personal import export_person
from app.models import User
from grader.report import Verdict
from tests.app import scoped
from tests.app.school import School, make_report
from tests.app.test_assignments import PATH, assign, from_now, refusal
from tests.app.test_exceptions import ATTENTION, give
from tests.app.test_gradebook import engine

pytestmark = pytest.mark.on_both_databases
HERE: Final = Path(__file__).parent
# Of each answer, in this order: what differs between any two students and tells nothing.
DIFFERS: Final = (
    (re.compile(r"[0-9][0-9a-hjkmnp-tv-z]{25}"), "ID"),
    (re.compile(r"\b\d{13}-\d+"), "EVENT"),
    (re.compile(r"20\d\d-\d\d-\d\d[T ][0-9:.]+(Z|\+00:00)?"), "TIME"),
    (re.compile(r"\d+ \w{3} 20\d\d, \d\d:\d\d UTC"), "TIME"),
    (re.compile(r'"given": ?[^,}]+'), "GIVEN"),
    (re.compile(r'name="(csrf|nonce|answer)"( type="\w+")? value="[^"]*"'), "FIELD"),
    (re.compile(r'value="[^"]*"( type="\w+")? name="(csrf|nonce|answer)"'), "FIELD"),
    (re.compile(r'<input[^>]*name="answer"[^>]*>'), "FIELD"),
    (re.compile(r"\b(ada|bob)\b"), "NAME"),
    (re.compile(r'"email":"[^"]*"'), "EMAIL"),
)
SECRETS: Final = ("91.25", "11.75", "18.25", "13.37", "Oral exam", "rope-on-v", "secret message")


@dataclass(frozen=True)
class Held:
    """A school in which ada has passed and was given points, and bob has not; neither is to know."""

    school: School
    sent: dict[str, str]

    def release(self) -> None:
        assert self.school.client("grace").post(f"{ATTENTION}/release").status_code == 200


@pytest.fixture
def held(school: School) -> Held:
    return Held(school, _fill(school))


def _fill(school: School) -> dict[str, str]:
    assign(
        school, points=20, question_points=10, due_at=from_now(days=1), attempts_max=5, answers_max=3,
        grades_release="held", solutions="after_attempts",
    )  # fmt: skip
    with school.database.write() as session:
        session.execute(update(User).values(question_seed="s" * 32))
    reports = {
        "ada": make_report(Verdict.PASSED, 91.25),
        "bob": make_report(Verdict.FAILED, 11.75, misconceptions=("rope-on-v",)),
    }
    sent = {}
    for name, report in reports.items():
        sent[name] = school.submit(name, data={"assignment": "demo/attention"})["id"]
        school.grade(sent[name], report)
        school.let_held_be_told(sent[name])
        client = school.client(name)
        questions = client.get(f"/submissions/{sent[name]}/questions").json()["items"]
        width = _right(next(each["prompt"] for each in questions if each["id"] == "heads"))
        answers = {"heads": width if name == "ada" else width + 1, "why": "Because."}
        body = {"answers": [{"question": question, "answer": given} for question, given in answers.items()]}
        answered = client.post(f"/submissions/{sent[name]}/answers", json=body)
        assert {each["mark"]["status"] for each in answered.json()["items"]} == {"pending"}, answered.text
    give(school, "overrides", student="ada", points=13.37, reason="Oral exam")
    return sent


def _right(prompt: str) -> int:
    heads, wide = (int(number) for number in re.findall(r"\d+", prompt))
    return wide // heads


def walk(held: Held, name: str) -> Iterator[tuple[str, str]]:
    """Every call and page that is read, as this student."""
    calls, pages = (scoped.read_table(HERE / f"scoping_{kind}.txt") for kind in ("calls", "pages"))
    client = held.school.client(name)
    for row in calls.values():
        if row.method == "GET":
            yield f"API {row.name}", _told(client.get(_filled(row.path, held, name)))
    with scoped.browser(held.school, name) as browser:
        for row in pages.values():
            if row.method == "GET" and "openid" not in row.path:
                yield f"page {row.name}", _told(browser.get(_filled(row.path, held, name)))


def _filled(path: str, held: Held, name: str) -> str:
    known = {"course": "demo", "assignment": "attention", "slug": "mha-rope", "submission_id": held.sent[name]}
    return re.sub(r"{(\w+)}", lambda found: known.get(found[1], name), path)


def _told(response: httpx.Response) -> str:
    return f"{response.status_code} {plain(response.text)}"


def plain(text: str) -> str:
    for pattern, word in DIFFERS:
        text = pattern.sub(word, text)
    return text


def test_nothing_that_a_student_can_read_tells_who_has_passed(held: Held):
    ada, bob = dict(walk(held, "ada")), dict(walk(held, "bob"))
    assert len(ada) > 60
    for where, told in ada.items():
        assert told == bob[where], where
        assert not [secret for secret in SECRETS if secret in told], where


def test_what_was_held_is_told_once_it_is_released_and_held_again(held: Held):
    held.release()
    ada, bob = dict(walk(held, "ada")), dict(walk(held, "bob"))
    differing = {where for where, told in ada.items() if told != bob[where]}
    assert differing >= {
        "API GET /submissions/{submission_id}", "API GET /submissions", "API GET /courses/{course}/standing",
        "API GET /me", "API GET /submissions/{submission_id}/questions", "API GET /submissions/{submission_id}/events",
        "API GET /courses/{course}/assignments/{assignment}", "page GET /", "page GET /courses/{course}",
        "page GET /submissions/{submission_id}", "page GET /challenges/{slug}",
    }  # fmt: skip
    score = held.school.client("ada").get(f"{ATTENTION}").json()["score"]
    assert (score["total"], score["code"], score["override"]["reason"]) == (13.37, 18.25, "Oral exam")
    assert held.school.client("grace").delete(f"{ATTENTION}/release").status_code == 200
    assert held.school.client("ada").get(f"{ATTENTION}").json()["score"]["total"] == 0


def test_an_archive_of_a_students_data_tells_nothing_that_is_held(held: Held):
    ada, bob = (_archive(held.school, name) for name in ("ada", "bob"))
    assert {path: text for path, text in ada.items() if "account" not in path} == {
        path: text for path, text in bob.items() if "account" not in path
    }
    held.release()
    assert "Oral exam" in _archive(held.school, "ada")["overrides.json"]


def _archive(school: School, name: str) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(export_person(school.database, name))) as archive:
        texts = {path: archive.read(path).decode() for path in archive.namelist()}
    return {
        path: plain(text)
        for path, text in texts.items()
        if path.endswith(".json") and not path.startswith(("tokens", "sessions"))
    }


def test_events_tell_that_it_is_graded_and_not_how(held: Held):
    assert {event.event for event in held.school.watch(held.sent["ada"], until="gpu")} == {"state"}


def test_the_terminal_tells_nothing_that_is_held(held: Held):
    told = {
        name: [
            plain(engine(held.school, name, *words))
            for words in (("status", held.sent[name]), ("due",), ("history",), ("status",), ("whoami",))
        ]
        for name in ("ada", "bob")
    }
    assert told["ada"] == told["bob"]
    assert "held until your instructor releases it" in told["ada"][0]
    assert "held" in told["ada"][1]


def test_a_used_up_question_does_not_show_its_answer_and_a_right_one_can_be_changed(held: Held):
    path = f"/submissions/{held.sent['ada']}"
    for given in (7, 8):
        body = {"answers": [{"question": "heads", "answer": given}]}
        answered = held.school.client("ada").post(f"{path}/answers", json=body).json()["items"][0]
    assert (answered["answers_left"], answered["solution"], answered["mark"]["score"]) == (0, None, 0.0)


def test_the_same_file_cannot_be_tried_as_practice(held: Held):
    for name in ("ada", "bob"):
        status, sentence = refusal(held.school, name, assignment="practice")
        assert (status, "are held for now" in sentence) == (409, True)
    held.school.client("grace").patch(ATTENTION, json={"due_at": None, "closes_at": from_now(seconds=-1)})
    assert "are held for now" in refusal(held.school)[1]


def test_a_file_that_cannot_be_graded_is_told_as_that(held: Held):
    submission = held.school.submit("bob", b"def (", data={"assignment": "demo/attention"})["id"]
    held.school.grade(submission, make_report(Verdict.REJECTED, 0.0))
    seen = held.school.client("bob").get(f"/submissions/{submission}").json()
    assert (seen["verdict"], seen["is_held"], seen["assignment_score"]["is_held"]) == ("rejected", False, True)


def test_staff_see_it_all_and_gradescope_waits(held: Held):
    grace = held.school.client("grace")
    assert grace.get(f"/submissions/{held.sent['ada']}").json()["score"] == 91.25
    assert grace.get("/courses/demo/gradebook").json()["assignments"][0]["is_held"] is True
    refused = grace.get("/courses/demo/export/gradescope.zip", params={"assignment": "attention"})
    assert (refused.status_code, "Release them first" in refused.json()["detail"]) == (409, True)


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        ({"grades_release": "at_once"}, 409, "release the grades"),
        ({"questions_unlock": "on_pass"}, 422, "questions_unlock always"),
    ],
)
def test_how_grades_are_held_does_not_change_under_way(held: Held, change: dict[str, Any], status: int, words: str):
    response = held.school.client("grace").patch(ATTENTION, json=change)
    assert (response.status_code, words in response.json()["detail"]) == (status, True)


def test_nothing_can_be_released_where_nothing_is_held(school: School):
    assign(school)
    assert school.client("grace").post(f"{PATH}/attention/release").status_code == 409
