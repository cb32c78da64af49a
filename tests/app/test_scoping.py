"""Who may call what. Every call of the OpenAPI document, as everybody, on one student's things in one course.

A new call must be put into CALLS: until then `test_every_call_is_known_here` fails.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from sqlalchemy import update

from app.models import Role, User
from tests.app.conftest import api_settings, open_school
from tests.app.databases import Databases
from tests.app.redis_process import RedisProcess
from tests.app.school import SOURCE, School, make_report

# ada's course is demo. yan, zoe and eve are in another one, as assistant, student and instructor.
STRANGERS: Final = ("zoe", "yan", "eve")
OWNER: Final = ("ada",)
MANAGERS: Final = ("grace", "root")
OPERATORS: Final = ("root",)
STAFF: Final = ("tara", *MANAGERS)
SEE_IT: Final = (*OWNER, *STAFF)
MEMBERS: Final = ("bob", *SEE_IT)
SIGNED_IN: Final = (*STRANGERS, *MEMBERS)
NOBODY: Final = None
ANYBODY: Final = (NOBODY, *SIGNED_IN)

METHODS: Final = {"get", "post", "put", "patch", "delete"}
ADDRESS: Final = "ada@secret.example"
TITLE: Final = "The unspeakable assignment"
THOUGHT: Final = "Because I think so."
ROSTER: Final = {"file": ("roster.csv", b"name\n")}
LAYERS: Final = {"file": ("layers.py", SOURCE)}
_numbers = count()


@dataclass(frozen=True)
class Things:
    """What is ada's, made anew for each call."""

    graded: str
    waiting: str
    token: str
    assignment: str  # that nobody submitted to
    taken: str  # that the submissions belong to
    regrade: str
    digest: str  # of a roster that changes nothing
    review: str  # an answer in ada's own words

    def hidden_from(self, name: str | None) -> list[str]:
        """What no answer to this person may hold."""
        seen_by = {
            self.graded: SEE_IT,
            self.waiting: SEE_IT,
            self.token: OWNER,
            ADDRESS: SEE_IT,
            TITLE: MEMBERS,
            "secret message": STAFF,
            THOUGHT: SEE_IT,
        }
        return [secret for secret, names in seen_by.items() if name not in names]


def nothing(_: Things) -> dict[str, Any]:
    return {}


def in_taken(things: Things) -> dict[str, Any]:
    return {"params": {"assignment": things.taken}}


@dataclass(frozen=True)
class Call:
    """Whom it is for, those with the fewest rights first, and what is sent along that it would take.

    `answer` is another status than success where the things are not as the call wants them: there are rights enough.
    """

    whom: tuple[str | None, ...]
    send: Callable[[Things], dict[str, Any]] = nothing
    answer: int | None = None


CALLS: Final = {
    "GET /healthz": Call(ANYBODY),
    "GET /readyz": Call(ANYBODY),
    "GET /receipts/key": Call(ANYBODY),
    "GET /me": Call(SIGNED_IN),
    "GET /me/tokens": Call(SIGNED_IN),
    "POST /me/tokens": Call(SIGNED_IN, lambda _: {"json": {"label": "laptop"}}),
    "DELETE /me/tokens/{token_id}": Call(OWNER),
    "GET /challenges": Call(SIGNED_IN),
    "GET /challenges/{slug}": Call(SIGNED_IN),
    "GET /challenges/{slug}/starter": Call(SIGNED_IN),
    "GET /challenges/{slug}/hunt": Call(SIGNED_IN, answer=409),
    "POST /challenges/{slug}/hunt/next": Call(SIGNED_IN, answer=409),
    "POST /challenges/{slug}/hunt/fixes": Call(SIGNED_IN, lambda _: {"files": LAYERS}, answer=409),
    "GET /submissions": Call(SIGNED_IN, lambda _: {"params": {"student": "ada", "cursor": "z" * 26}}),
    "POST /submissions": Call(
        MEMBERS, lambda things: {"files": LAYERS, "data": {"assignment": f"demo/{things.assignment}"}}
    ),
    "GET /submissions/{submission_id}": Call(SEE_IT),
    "GET /submissions/{submission_id}/events": Call(SEE_IT),
    "GET /submissions/{submission_id}/files": Call(SEE_IT),
    "GET /submissions/{submission_id}/questions": Call(OWNER),
    "POST /submissions/{submission_id}/answers": Call(
        OWNER, lambda _: {"json": {"answers": [{"question": "heads", "answer": 1}]}}
    ),
    "POST /submissions/{submission_id}/cancel": Call(OWNER),
    "GET /courses/{course}/roster": Call(STAFF),
    "POST /courses/{course}/roster": Call(
        MANAGERS, lambda things: {"files": ROSTER, "data": {"digest": things.digest}}
    ),
    "POST /courses/{course}/roster/preview": Call(MANAGERS, lambda _: {"files": ROSTER}),
    "GET /courses/{course}/analytics": Call(STAFF),
    "GET /courses/{course}/analytics/overview": Call(STAFF, in_taken),
    "GET /courses/{course}/analytics/misconceptions": Call(STAFF, in_taken),
    "GET /courses/{course}/analytics/misconceptions/{misconception}": Call(STAFF, in_taken),
    "GET /courses/{course}/analytics/matrix": Call(STAFF, in_taken),
    "GET /courses/{course}/analytics/questions": Call(STAFF, in_taken),
    "GET /courses/{course}/analytics/stuck": Call(STAFF, in_taken),
    "GET /courses/{course}/analytics/students/{student}": Call(STAFF),
    "GET /operations": Call(OPERATORS),
    "PUT /operations/workers/{worker}/drain": Call(OPERATORS, lambda _: {"json": {"is_drained": True}}, answer=404),
    "GET /courses/{course}/audit": Call(MANAGERS),
    "GET /courses/{course}/similarity": Call(STAFF, in_taken),
    "GET /courses/{course}/export.csv": Call(MANAGERS),
    "GET /courses/{course}/export/gradescope.zip": Call(MANAGERS, in_taken),
    "GET /courses/{course}/export/junit.xml": Call(MANAGERS, in_taken),
    "GET /courses/{course}/submissions": Call(STAFF, lambda _: {"params": {"student": "ada", "cursor": "z" * 26}}),
    "GET /courses/{course}/standing": Call(MEMBERS),
    "GET /courses/{course}/assignments": Call(MEMBERS),
    "POST /courses/{course}/assignments": Call(
        MANAGERS, lambda _: {"json": {"slug": f"n{next(_numbers)}", "title": "New", "challenge": "mha-rope"}}
    ),
    "GET /courses/{course}/assignments/{assignment}": Call(MEMBERS),
    "PATCH /courses/{course}/assignments/{assignment}": Call(MANAGERS, lambda _: {"json": {"points": 5}}),
    "DELETE /courses/{course}/assignments/{assignment}": Call(MANAGERS),
    "GET /courses/{course}/assignments/{assignment}/regrades": Call(MANAGERS),
    "POST /courses/{course}/assignments/{assignment}/regrades": Call(
        MANAGERS, lambda things: {"json": {"submissions": [things.graded]}}
    ),
    "GET /courses/{course}/assignments/{assignment}/regrades/{regrade}": Call(MANAGERS),
    "POST /courses/{course}/assignments/{assignment}/regrades/{regrade}/apply": Call(MANAGERS, answer=409),
    "POST /courses/{course}/assignments/{assignment}/regrades/{regrade}/drop": Call(MANAGERS),
    "GET /courses/{course}/reviews": Call(STAFF),
    "GET /courses/{course}/reviews/{review}": Call(STAFF),
    "POST /courses/{course}/reviews/{review}/proposals": Call(STAFF, answer=409),
    "POST /courses/{course}/reviews/{review}": Call(STAFF, lambda _: {"json": {"version": 1, "points": [1]}}),
}


@pytest.fixture(scope="module")
def school(databases: Databases, challenges_root: Path, session_redis: RedisProcess) -> Iterator[School]:
    with databases.migrated() as url:
        settings = api_settings(url, challenges_root, session_redis)
        patient = settings.model_copy(update={"submissions_per_minute": 10_000, "answers_per_minute": 10_000})
        for school in open_school(patient, session_redis):
            school.add("tara", Role.ASSISTANT)
            for name, role in (("zoe", Role.STUDENT), ("yan", Role.ASSISTANT), ("eve", Role.INSTRUCTOR)):
                school.add(name, role, course="elsewhere")
            with school.database.write() as session:
                session.execute(update(User).where(User.name == "ada").values(email=ADDRESS))
            yield school


@pytest.fixture
def things(school: School) -> Iterator[Things]:
    """For a call that may change them."""
    yield from make_things(school)


@pytest.fixture(scope="module")
def lasting_things(school: School) -> Iterator[Things]:
    """For calls that change nothing."""
    yield from make_things(school)


def make_things(school: School) -> Iterator[Things]:
    root, ada, number = school.client("root"), school.client("ada"), next(_numbers)
    for slug in (f"taken-{number}", f"free-{number}"):
        terms = {"slug": slug, "title": TITLE, "challenge": "mha-rope"}
        assert root.post("/courses/demo/assignments", json=terms).status_code == 201
    meant = {"data": {"assignment": f"demo/taken-{number}"}}
    graded = school.submit(**meant)["id"]
    school.grade(graded, make_report(misconceptions=("rope-on-v",)))
    ada.post(f"/submissions/{graded}/answers", json={"answers": [{"question": "why", "answer": THOUGHT}]})
    regrade = root.post(f"/courses/demo/assignments/taken-{number}/regrades", json={})
    made = Things(
        graded=graded,
        waiting=school.submit(**meant)["id"],
        token=ada.post("/me/tokens", json={"label": "laptop"}).json()["id"],
        assignment=f"free-{number}",
        taken=f"taken-{number}",
        regrade=regrade.json()["id"],
        digest=root.post("/courses/demo/roster/preview", files=ROSTER).json()["digest"],
        review=root.get("/courses/demo/reviews", params={"assignment": f"taken-{number}"}).json()["items"][0]["id"],
    )
    yield made
    ada.delete(f"/me/tokens/{made.token}")


def test_every_call_is_known_here(school: School):
    """One that is missing: say in CALLS for whom it is. One too many: it is gone."""
    paths = school.client().get("/openapi.json").json()["paths"]
    there_are = {
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, calls in paths.items()
        for method in METHODS & calls.keys()
    }
    assert there_are == set(CALLS)


@pytest.mark.parametrize("name", CALLS)
def test_a_call_answers_those_it_is_for_and_shows_nobody_what_is_not_theirs(
    school: School, request: pytest.FixtureRequest, name: str
):
    things = request.getfixturevalue("lasting_things" if name.startswith("GET") else "things")
    call = CALLS[name]
    others = [person for person in ANYBODY if person not in call.whom]
    for person in others:
        response = answer(school, things, name, person)
        assert response.status_code in ({401} if person is NOBODY else {403, 404}), (person, response.text)
        assert_nothing_is_shown(things, person, response)
    for person in call.whom if name.startswith("GET") else call.whom[:1]:
        response = answer(school, things, name, person)
        assert response.is_success or response.status_code == call.answer, (person, response.text)
        assert_nothing_is_shown(things, person, response)


@pytest.mark.parametrize("name", [name for name in CALLS if "{course}" in name])
def test_through_ones_own_course_nobody_reaches_into_another(school: School, lasting_things: Things, name: str):
    for person in STRANGERS:
        response = answer(school, lasting_things, name, person, course="elsewhere")
        assert response.status_code < 500
        assert_nothing_is_shown(lasting_things, person, response)
        if "{assignment}" in name:
            assert response.status_code in (403, 404)


def answer(school: School, things: Things, name: str, person: str | None, course: str = "demo") -> httpx.Response:
    """What a person gets for this call on ada's things."""
    method, _, path = name.partition(" ")
    filled = path.format(
        course=course,
        slug="mha-rope",
        assignment=things.taken if "/regrades" in path else things.assignment,
        regrade=things.regrade,
        misconception="rope-on-v",
        student="ada",
        worker="judge-1",
        review=things.review,
        token_id=things.token,
        submission_id=things.waiting if path.endswith("/cancel") else things.graded,
    )
    base = school.url if filled in ("/healthz", "/readyz") else f"{school.url}/api/v1"
    return school.client(person).request(method, f"{base}{filled}", **CALLS[name].send(things))


def assert_nothing_is_shown(things: Things, person: str | None, response: httpx.Response) -> None:
    shown = [secret for secret in things.hidden_from(person) if secret in response.text]
    assert not shown, f"{person} is shown {shown}: {response.text}"
