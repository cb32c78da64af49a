"""Everybody whom the scoping walk goes as, one student's things, and what each call is sent with."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any, Final

import httpx
from sqlalchemy import select, update

from app.accounts import service as accounts
from app.accounts import sessions
from app.accounts.codes import digest_of
from app.models import (
    Assignment,
    Course,
    Enrollment,
    Invitation,
    InvitationState,
    LeaderboardEntry,
    LtiContext,
    Note,
    NoteKind,
    NoteRecipient,
    Proof,
    Role,
    Submission,
    User,
    now,
)
from grader.report import Verdict
from tests.app.school import NO_CERTIFICATES, SOURCE, School, make_report

# In the order of the tables' columns. ada, bob, tara and grace are in the course demo.
PEOPLE: Final = (
    "anon",  # nobody has signed in
    "ada",  # whose things these are; a student in the courses second and later, too
    "bob",  # a classmate
    "zoe",  # a student of the course elsewhere
    "tara",  # an assistant
    "grace",  # an instructor
    "yan",  # an assistant elsewhere
    "eve",  # an instructor elsewhere
    "nina",  # an instructor of the course second
    "omar",  # an assistant in demo and in second
    "lena",  # an instructor of the course later, who brought ada in when all this had been sent
    "root",  # an operator
)
OWN_COURSE: Final = {"zoe": "elsewhere", "yan": "elsewhere", "eve": "elsewhere", "nina": "second", "lena": "later"}
STAFF: Final = ("tara", "grace", "omar", "root")
SEE_IT: Final = ("ada", *STAFF)

ADDRESS: Final = "ada@secret.example"
TITLE: Final = "The unspeakable assignment"
EXCEPTION: Final = {"student": "ada", "extra_attempts": 1, "reason": "Ill"}
PSEUDONYM: Final = "unseen heron 41"
THERE: Final = "The course at the platform"
THOUGHT: Final = "Because I think so."
COPY: Final = "A copy"
USED_CODE: Final = "AAAAA-BBBBB-CCCCC-DDDDD"
WORDS: Final = "A comment for ada alone."
DOUBT: Final = "I believe that it is right."
ANSWER: Final = {"outcome": "unchanged", "answer": WORDS}
NOTE: Final = "A note for ada alone."
ROSTER: Final = {"file": ("roster.csv", b"name\n")}
LAYERS: Final = {"file": ("layers.py", SOURCE)}
PLATFORM: Final = {
    "name": "Example",
    "issuer": "https://lms.example",
    **dict.fromkeys(("authorization_url", "token_url", "keyset_url"), "https://lms.example/lti"),
}
_CSRF: Final = re.compile(r'name="csrf" value="([^"]*)"')


@dataclass(frozen=True)
class Things:
    """What is ada's."""

    practice: str  # sent when demo was her only course
    fix: str  # to a bug hunt, then
    graded: str
    waiting: str
    token: str
    session: str  # on the web
    assignment: str  # that nobody submitted to
    taken: str  # that the submissions belong to
    regrade: str
    digest: str  # of a roster that changes nothing
    exception: str  # from the terms of `taken`
    review: str  # an answer in ada's own words
    platform: str  # a learning platform
    context: str  # a course there that is connected with demo
    comment: str  # on the graded one, by root
    request: str  # for a regrade of the graded one
    note: str  # to ada alone, about a misconception in the graded one
    entry: str  # on the leaderboard of `taken`

    def hidden_from(self, name: str) -> list[str]:
        """What no answer to this person may hold."""
        seen_by = {
            **dict.fromkeys((self.practice, self.fix, self.graded, self.waiting, THOUGHT, WORDS, DOUBT, NOTE), SEE_IT),
            self.token: ("ada",),
            self.session: ("ada",),
            ADDRESS: SEE_IT,
            TITLE: (*SEE_IT, "bob"),
            PSEUDONYM: SEE_IT,
            "secret message": STAFF,
            THERE: ("grace", "root"),
        }
        return [secret for secret, names in seen_by.items() if name not in names]


Send = Callable[[Things], dict[str, Any]]
# What is sent along, by the row's name, that the call would take from whoever may make it.
SENT: Final[dict[str, Send]] = {
    "POST /me/tokens": lambda _: {"json": {"label": "laptop"}},
    "POST /challenges/{slug}/hunt/fixes": lambda _: {"files": LAYERS},
    "GET /submissions": lambda _: {"params": {"student": "ada", "cursor": "z" * 26}},
    "POST /submissions": lambda it: {"files": LAYERS, "data": {"assignment": f"demo/{it.assignment}"}},
    "POST /submissions/{submission_id}/answers": lambda _: {"json": {"answers": [{"question": "heads", "answer": 1}]}},
    "POST /submissions/{submission_id}/comments": lambda _: {"json": {"text": WORDS}},
    "PATCH /submissions/{submission_id}/comments/{comment}": lambda _: {"json": {"text": WORDS}},
    "POST /submissions/{submission_id}/regrade-requests": lambda _: {"json": {"reason": DOUBT}},
    "POST /courses/{course}/regrade-requests/{request}": lambda _: {"json": ANSWER},
    "POST /me/news/seen": lambda _: {"json": {"until": "2026-01-01T00:00:00Z"}},
    "PUT /me/mail": lambda _: {"json": {"not_mailed": []}},
    "POST /courses/{course}/notes": lambda _: {"json": {"text": "The room has changed."}},
    "POST /courses": lambda _: {"json": {"slug": "added", "title": "New"}},
    "POST /courses/{course}/invitations/mail": lambda _: {"json": {"people": ["ada"]}},
    "POST /courses/{course}/invitations/slips": lambda _: {"json": {"people": ["ada"]}},
    "PATCH /courses/{course}": lambda _: {"json": {"title": "demo"}},
    "POST /courses/{course}/copies": lambda _: {"json": {"slug": "added", "title": COPY, "starts_on": "2027-10-04"}},
    "POST /courses/{course}/roster": lambda it: {"files": ROSTER, "data": {"digest": it.digest}},
    "POST /courses/{course}/roster/preview": lambda _: {"files": ROSTER},
    "POST /courses/{course}/roster/people": lambda _: {"json": {"email": "eve@uni.example"}},
    "POST /operations/exercises": lambda _: {"json": {"url": "https://git.example.edu/cs"}},
    "POST /operations/exercises/{namespace}/update": lambda _: {"json": {}},
    "PUT /operations/workers/{worker}/drain": lambda _: {"json": {"is_drained": True}},
    "GET /courses/{course}/submissions": lambda _: {"params": {"student": "ada", "cursor": "z" * 26}},
    "POST /courses/{course}/assignments": lambda _: {
        "json": {"slug": "added", "title": "New", "challenge": "mha-rope"}
    },
    "PATCH /courses/{course}/assignments/{assignment}": lambda _: {"json": {"points": 5}},
    "POST /courses/{course}/assignments/{assignment}/regrades": lambda it: {"json": {"submissions": [it.graded]}},
    "POST /courses/{course}/assignments/{assignment}/exceptions": lambda _: {"json": EXCEPTION},
    "POST /courses/{course}/assignments/{assignment}/overrides": lambda _: {
        "json": {"student": "ada", "points": 1, "reason": "Oral exam"}
    },
    "PUT /courses/{course}/assignments/{assignment}/leaderboard/mine": lambda _: {"json": {}},
    "PATCH /courses/{course}/gradebook": lambda _: {"json": {"drop_lowest": 0}},
    "POST /courses/{course}/reviews/{review}": lambda _: {"json": {"version": 1, "points": [1]}},
    "POST /lti/platforms": lambda _: {"json": PLATFORM | {"client_id": "new"}},
    "PATCH /lti/platforms/{platform}": lambda _: {"json": {"is_active": True}},
    "POST /lti/registrations": lambda _: {"json": {"host": "lms.example"}},
}
# The forms of the pages, likewise.
FORMS: Final[dict[str, Send]] = {
    "POST /challenges/{slug}/submissions": lambda _: {"data": {"source": SOURCE.decode()}},
    "POST /challenges/{slug}/hunt/fixes": lambda _: {"files": LAYERS},
    "POST /submissions/{submission_id}/answers": lambda _: {"data": {"question": "heads", "answer": "1"}},
    "POST /submissions/{submission_id}/comments": lambda _: {"data": {"text": WORDS}},
    "POST /submissions/{submission_id}/comments/{comment}": lambda _: {"data": {"text": WORDS}},
    "POST /submissions/{submission_id}/regrade-requests": lambda _: {"data": {"reason": DOUBT}},
    "POST /courses/{course}/regrade-requests/{request}": lambda _: {"data": ANSWER},
    "POST /news/seen": lambda _: {"data": {"until": "2026-01-01T00:00:00Z"}},
    "POST /courses/{course}/notes/new": lambda _: {"data": {"text": "The room has changed."}},
    "POST /courses/new": lambda _: {"data": {"slug": "added", "title": "New", "time_zone": "UTC"}},
    "POST /courses/{course}/copy": lambda _: {
        "data": {
            "slug": "added",
            "title": COPY,
            "time_zone": "UTC",
            "starts_on": "2027-10-04",
            "do": "save",
        }
    },
    "POST /courses/{course}/settings": lambda _: {"data": {"title": "demo", "time_zone": "UTC"}},
    "POST /first-run": lambda _: {
        "data": {
            "code": USED_CODE,
            "operator": "mallory",
            "title": "Mine",
            "slug": "mine",
            "time_zone": "UTC",
            "challenge": "mha-rope",
        }
    },
    "POST /code": lambda _: {"data": {"code": USED_CODE, "do": "open"}},
    "POST /courses/{course}/invitations": lambda _: {"data": {"person": "ada", "do": "print"}},
    "POST /courses/{course}/people": lambda _: {"data": {"email": "eve@uni.example", "role": "student"}},
    "POST /courses/{course}/people/import": lambda it: {"data": {"text": "name\n", "digest": it.digest}},
    "POST /courses/{course}/gradebook": lambda _: {"data": {"drop_lowest": "0"}},
    "POST /courses/{course}/assignments/{assignment}/students/{name}": lambda _: {
        "data": {"do": "override", "points": "1", "override_reason": "Oral exam"}
    },
    "POST /courses/{course}/reviews/{review}": lambda _: {"data": {"version": "1", "points-0": "1", "concepts": "1"}},
    "POST /courses/{course}/assignments/new": lambda _: {
        "data": {"slug": "added", "title": "New", "challenge": "mha-rope", "do": "save"}
    },
    "POST /courses/{course}/assignments/{assignment}/edit": lambda _: {"data": {"points": "5", "do": "save"}},
    "POST /courses/{course}/assignments/{assignment}/regrades/{regrade}": lambda _: {"data": {"do": "drop"}},
    "POST /tokens": lambda _: {"data": {"label": "laptop", "days": "30"}},
    "POST /operations/lms": lambda _: {"data": {"do": "link", "host": "lms.example"}},
    "POST /courses/{course}/lms/{context}": lambda _: {"data": {"do": "send"}},
    "POST /operations/exercises": lambda _: {"data": {"url": "https://git.example.edu/cs"}},
    "POST /operations/exercises/authors": lambda _: {"data": {"author_namespace": "cs", "person": "ada", "do": "give"}},
    "POST /operations/drain": lambda _: {"data": {"worker": "judge-1", "do": "drain"}},
    "GET /courses/{course}/people/{name}/changes": lambda it: {"params": {"before": it.practice, "after": it.graded}},
}


def people_the_school(school: School) -> tuple[str, str]:
    """Everybody; ada's practice and fix, from before she was in any other course."""
    for name, role, course in (
        ("tara", Role.ASSISTANT, "demo"),
        ("omar", Role.ASSISTANT, "demo"),
        ("zoe", Role.STUDENT, "elsewhere"),
        ("yan", Role.ASSISTANT, "elsewhere"),
        ("eve", Role.INSTRUCTOR, "elsewhere"),
        ("nina", Role.INSTRUCTOR, "second"),
        ("lena", Role.INSTRUCTOR, "later"),
    ):
        school.add(name, role, course)
    accounts.enroll(school.database, "omar", "second", Role.ASSISTANT)
    with school.database.write() as session:
        session.execute(update(User).where(User.name == "ada").values(email=ADDRESS))
        session.execute(update(Enrollment).where(Enrollment.user.has(name="ada")).values(email=ADDRESS))  # by demo
        mine = session.scalars(select(Enrollment).where(Enrollment.user.has(name="ada"))).one()
        session.add(
            Invitation(
                course_id=mine.course_id,
                user_id=mine.user_id,
                state=InvitationState.USED,
                sha256=digest_of(USED_CODE),
                expires_at=now(),
            )
        )
    practice = school.submit()["id"]
    school.grade(practice, make_report(Verdict.PASSED, 100.0))
    ada, hunt = school.client("ada"), "/challenges/mha-rope/hunt"
    source = ada.get(hunt).json()["source"]
    fix = ada.post(f"{hunt}/fixes", files={"file": ("layers.py", source.encode())}).json()["id"]
    school.grade(fix)
    accounts.enroll(school.database, "ada", "second")
    return practice, fix


def bring_ada_in(school: School) -> None:
    """As lena does, by her name."""
    lena, file = school.client("lena"), {"file": ("roster.csv", b"name\nada\n")}
    plan = lena.post("/courses/later/roster/preview", files=file).json()
    assert lena.post("/courses/later/roster", files=file, data={"digest": plan["digest"]}).is_success


def make_things(school: School, practice: str, fix: str) -> Things:
    root, ada = school.client("root"), school.client("ada")
    for slug in ("taken", "free"):
        terms = {"slug": slug, "title": TITLE, "challenge": "mha-rope", "attempts_max": 500, "has_leaderboard": True}
        assert root.post("/courses/demo/assignments", json=terms).status_code == 201
    meant = {"data": {"assignment": "demo/taken"}}
    graded = school.submit(**meant)["id"]
    school.grade(graded, make_report(misconceptions=("rope-on-v",)))
    ada.post(f"/submissions/{graded}/answers", json={"answers": [{"question": "why", "answer": THOUGHT}]})
    regrade = root.post("/courses/demo/assignments/taken/regrades", json={})
    platform = root.post("/lti/platforms", json=PLATFORM | {"client_id": "made"}).json()["id"]
    return Things(
        practice=practice,
        fix=fix,
        graded=graded,
        waiting=school.submit(**meant)["id"],
        token=ada.post("/me/tokens", json={"label": "laptop"}).json()["id"],
        session=session_of(school, "ada"),
        assignment="free",
        taken="taken",
        regrade=regrade.json()["id"],
        exception=root.post("/courses/demo/assignments/taken/exceptions", json=EXCEPTION).json()["id"],
        digest=root.post("/courses/demo/roster/preview", files=ROSTER).json()["digest"],
        comment=root.post(f"/submissions/{graded}/comments", json={"text": WORDS}).json()["id"],
        request=ada.post(f"/submissions/{graded}/regrade-requests", json={"reason": DOUBT}).json()["id"],
        review=root.get("/courses/demo/reviews", params={"assignment": "taken"}).json()["items"][0]["id"],
        platform=platform,
        context=connected(school, platform),
        note=noted(school, "taken"),
        entry=on_the_leaderboard(school, graded),
    )


def noted(school: School, taken: str) -> str:
    """As staff would have sent it some days ago: in one day a course takes only so many."""
    with school.database.write() as session:
        assignment = session.scalars(select(Assignment).where(Assignment.slug == taken)).one()
        ada, root = (session.scalars(select(User.id).where(User.name == name)).one() for name in ("ada", "root"))
        about = {
            "kind": NoteKind.MISCONCEPTION,
            "misconception": "rope-on-v",
            "misconception_title": "RoPE",
            "text": NOTE,
        }
        places = {"course_id": assignment.course_id, "assignment_id": assignment.id, "author_id": root}
        note = Note(**about, **places, sent_at=now() - timedelta(days=2))
        session.add(note)
        session.flush()
        session.add(NoteRecipient(note_id=note.id, user_id=ada))
        return note.id


def connected(school: School, platform: str) -> str:
    with school.database.write() as session:
        course = session.scalars(select(Course.id).where(Course.slug == "demo")).one()
        context = LtiContext(
            platform_id=platform, deployment_id="1", context_id="course", title=THERE, course_id=course
        )
        session.add(context)
        session.flush()
        return context.id


def on_the_leaderboard(school: School, submission_id: str) -> str:
    """An entry of ada's, which nobody else is to see: nothing of hers has passed there."""
    with school.database.write() as session:
        sent = session.get_one(Submission, submission_id)
        assert sent.assignment_id is not None
        entry = LeaderboardEntry(
            assignment_id=sent.assignment_id, user_id=sent.user_id, pseudonym=PSEUDONYM, pseudonym_key=PSEUDONYM
        )
        session.add(entry)
        session.flush()
        return entry.id


def session_of(school: School, name: str) -> str:
    """A new one."""
    with school.database.read() as session:
        user = session.scalars(select(User).where(User.name == name)).one()
    sessions.begin(school.database, user, Proof.PROVIDER, "Firefox/140.0")
    return sessions.list_own(school.database, user)[-1].id


def filled(path: str, things: Things, what: str, course: str) -> str:
    """The path with ada's things in it. `what` names the submission, where it is not the graded one."""
    waits = path.endswith("/cancel")
    return path.format(
        course=course,
        slug="mha-rope",
        assignment=things.assignment if path.endswith(("{assignment}", "/edit")) else things.taken,
        regrade=things.regrade,
        exception=things.exception,
        misconception="rope-on-v",
        student="ada",
        name="ada",
        worker="judge-1",
        namespace="cs336",
        review=things.review,
        platform=things.platform,
        context=things.context,
        code="made-up",
        comment=things.comment,
        request=things.request,
        note=things.note,
        entry=things.entry,
        token_id=things.token,
        session_id=things.session,
        pair=f"{things.graded}-{things.practice}",
        submission_id=things.waiting if waits else getattr(things, what or "graded"),
    )


@contextmanager
def browser(school: School, person: str) -> Iterator[httpx.Client]:
    """Somebody who has signed in on the pages."""
    options: Any = {"headers": {"Accept": "text/html"}, "timeout": 60, "trust_env": False, "verify": NO_CERTIFICATES}
    with httpx.Client(base_url=school.url, **options) as client:
        sign_in(client, school, person)
        yield client


def sign_in(client: httpx.Client, school: School, person: str) -> None:
    secret = csrf(client, "/sign-in")
    if person != "anon":
        client.post("/sign-in", data={"csrf": secret, "token": school.tokens[person]})


def csrf(client: httpx.Client, path: str) -> str:
    """The secret that the forms of a session carry."""
    found = _CSRF.search(client.get(path, follow_redirects=True).text)
    assert found
    return unescape(found[1])


@dataclass(frozen=True)
class Row:
    """One call or page, and what each of PEOPLE gets. `what` is said behind an @."""

    name: str
    what: str
    cells: dict[str, str]

    @property
    def method(self) -> str:
        return self.name.partition(" ")[0]

    @property
    def path(self) -> str:
        return self.name.partition(" ")[2]


def read_table(path: Path) -> dict[str, Row]:
    """By the whole name. Lines that begin with # are read by people alone."""
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    rows = {}
    for line in lines:
        words = line.split()
        head, cells = words[: -len(PEOPLE)], words[-len(PEOPLE) :]
        name, _, what = " ".join(head).partition(" @")
        rows[" ".join(head)] = Row(name, what, dict(zip(PEOPLE, cells, strict=True)))
    return rows
