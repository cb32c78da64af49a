"""The queue: what is dispatched next, what is not dispatched at all, and what those who wait are told."""

import time
from datetime import datetime, timedelta

import pytest
from sqlalchemy import select, update

from app.models import Assignment, Course, Enrollment, Job, Submission, TermsException, User, now
from grader.messages import JUDGES, Started, terminal_key
from tests.app.school import School
from tests.patience import wait_until

pytestmark = pytest.mark.on_both_databases


def assign(school: School, slug: str = "attention", course: str = "demo", **more: object) -> None:
    with school.database.write() as session:
        found = session.scalars(select(Course).where(Course.slug == course)).one()
        session.add(Assignment(course_id=found.id, slug=slug, title=slug, challenge="mha-rope", **more))


def send(school: School, name: str = "ada", source: bytes = b"x = 1\n") -> str:
    return str(school.submit(name, source)["id"])


def state_of(school: School, submission_id: str) -> str:
    return str(school.client("root").get(f"/submissions/{submission_id}").json()["state"])


def _give(
    school: School, due_at: datetime, *, user: str | None = None, section: str | None = None, member: str = ""
) -> None:
    """More time for a student, or for a section and the student who is put into it."""
    with school.database.write() as session:
        session.execute(update(Enrollment).where(Enrollment.user.has(name=member)).values(section=section))
        session.add(
            TermsException(
                assignment_id=session.scalars(select(Assignment.id)).one(),
                user_id=session.scalar(select(User.id).where(User.name == user)),
                section=section,
                due_at=due_at,
                reason="Ill",
                given_by="grace",
            )
        )


def _position(school: School, submission_id: str) -> int | None:
    found: int | None = school.client("root").get(f"/submissions/{submission_id}").json()["queue"]["position"]
    return found


def take(school: School) -> str:
    """As a judge does: the recorder hears of it, and sends who is next."""
    taken = school.judge.take().submission_id
    school.recording().start(Started(job=taken, worker="judge", at=time.time()))
    return taken


def test_only_a_few_are_sent_ahead_and_the_next_follow_as_judges_take_them(school: School):
    ids = [send(school, name) for name in ("ada", "bob") * 8]
    assert school.judge.waiting() == 8
    taken = [take(school) for _ in ids]
    assert sorted(taken) == sorted(ids)


def test_one_students_hundred_uploads_delay_nobody_else(school: School):
    many = [send(school, "ada") for _ in range(25)]
    other = send(school, "bob")
    sent_before = school.judge.waiting()
    taken = [take(school) for _ in range(len(many) + 1)]
    assert taken.index(other) <= sent_before + 1


def test_whoever_has_more_time_goes_behind_whoever_has_not(school: School):
    for name in ("cyd", "dan"):
        school.add(name)
    assign(school, due_at=now() + timedelta(hours=1), is_superseding=False)
    _give(school, due_at=now() + timedelta(days=2), user="ada")
    _give(school, due_at=now() + timedelta(days=1), section="Tuesday", member="bob")
    for _ in range(8):
        send(school, "cyd")  # all that is dispatched ahead
    waiting = {name: send(school, name) for name in ("ada", "bob", "dan")}
    positions = {name: _position(school, sent) for name, sent in waiting.items()}
    assert positions == {"dan": 9, "bob": 10, "ada": 11}


def test_a_newer_upload_takes_the_place_of_the_older(school: School):
    assign(school)
    first, of_bob, second = send(school), send(school, "bob"), send(school, source=b"x = 2\n")
    assert state_of(school, first) == "superseded"
    assert [event.data for event in school.watch(first)][-1] == {"state": "superseded"}
    with school.redis.client() as redis:
        assert redis.get(terminal_key(first)) == "superseded"
        assert not redis.exists(terminal_key(second))
    with school.database.read() as session:
        since = dict(session.execute(select(Submission.id, Submission.waiting_since)).all())
    assert since[second] == since[first] < since[of_bob]
    school.grade(first)  # a judge was quicker than the word: too late all the same
    assert state_of(school, first) == "superseded"


def test_what_a_judge_has_taken_is_not_superseded(school: School):
    assign(school)
    first = send(school)
    take(school)
    send(school, source=b"x = 2\n")
    assert state_of(school, first) == "running"


def test_an_assignment_may_keep_every_upload(school: School):
    assign(school, is_superseding=False)
    first = send(school)
    send(school, source=b"x = 2\n")
    assert state_of(school, first) == "queued"


def test_a_student_takes_back_what_waits(school: School):
    sent = send(school)
    ada = school.client("ada")
    for _ in range(2):  # again is the same
        assert ada.post(f"/submissions/{sent}/cancel").json()["state"] == "cancelled"
    assert [event.data for event in school.watch(sent)][-1] == {"state": "cancelled"}
    with school.redis.client() as redis:
        assert redis.get(terminal_key(sent)) == "cancelled"
    assert ada.get(f"/submissions/{sent}").json()["waiting"] is None


def test_nobody_else_takes_it_back_and_nobody_once_it_runs(school: School):
    sent = send(school)
    assert school.client("bob").post(f"/submissions/{sent}/cancel").status_code == 404
    assert school.client("grace").post(f"/submissions/{sent}/cancel").status_code == 403
    take(school)
    refused = school.client("ada").post(f"/submissions/{sent}/cancel")
    assert (refused.status_code, refused.json()["type"]) == (409, "urn:assay:problem:conflict")


def test_a_full_line_is_told_before_anything_is_kept(school: School):
    with school.database.write() as session:
        session.execute(update(Course).values(title="x"))
    school.api_settings.__dict__["queue_max"] = 2
    ids = [send(school), send(school, "bob")]
    refused = school.client("ada").post("/submissions", files={"file": ("layers.py", b"x = 3\n")})
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "60")
    assert "submit it again" in refused.json()["detail"]
    with school.database.read() as session:
        assert sorted(session.scalars(select(Submission.id))) == sorted(ids)
    take(school)
    assert school.client("ada").post("/submissions", files={"file": ("layers.py", b"x = 3\n")}).status_code == 202


def test_who_waits_is_told_the_place_and_when_it_starts(school: School):
    for _ in range(3):
        graded = send(school)
        take(school)
        school.grade(graded)
    with school.database.write() as session:
        session.execute(update(Job).values(started_at=(moment := now()) - timedelta(seconds=10)))
        session.execute(update(Submission).values(graded_at=moment))
    with school.redis.client() as redis:
        redis.zadd(JUDGES, {"one": time.time(), "two": time.time(), "dead": time.time() - 60})
    ids = [send(school) for _ in range(4)]
    queue = school.client("ada").get(f"/submissions/{ids[-1]}").json()["queue"]
    assert (queue["position"], queue["grading_p50_s"], queue["grading_p95_s"]) == (4, 10.0, 10.0)
    wait = (time.time() + 4 * 10 / 2) - time.mktime(
        time.strptime(queue["estimated_start_at"][:19], "%Y-%m-%dT%H:%M:%S")
    )
    assert abs(wait) < 5
    take(school)
    wait_until(lambda: _position(school, ids[-1]) == 3)  # positions are kept for a second


def test_without_judges_nobody_promises_a_time(school: School):
    sent = send(school)
    queue = school.client("ada").get(f"/submissions/{sent}").json()["queue"]
    assert queue == {"position": 1, "estimated_start_at": None, "grading_p50_s": None, "grading_p95_s": None}


def test_the_place_is_told_while_one_watches(school: School):
    school.api_settings.__dict__["heartbeat_s"] = 60.0
    first, second = send(school), send(school, "bob")
    seen: list[int] = []
    with school.client("bob").stream("GET", f"/submissions/{second}/events") as response:
        event = ""
        for line in response.iter_lines():
            event = line.removeprefix("event: ") if line.startswith("event: ") else event
            if event == "queue" and line.startswith("data: "):
                seen.append(int(line.partition('"position":')[2].partition(",")[0]))
                if seen == [2]:
                    assert take(school) == first
                else:
                    break
    assert seen == [2, 1]
