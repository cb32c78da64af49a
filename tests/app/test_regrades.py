"""Grading again: a preview first, then all or nothing; the old reports stay, and students go first."""

import base64
import json
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from app.accounts import service as accounts
from app.broker import REGRADES
from app.models import (
    Assignment,
    AuditEntry,
    Course,
    DiagnosedMisconception,
    EarlierReport,
    Role,
    StoredReport,
    now,
)
from app.regrades import service as regrades
from grader.challenge import load_challenges
from grader.messages import GRADE_CPU_QUEUE, Fault, Graded, GradeRequest, JobKind, lease_key
from grader.report import ChallengeRef, Report, TestStatus, Verdict
from tests.app.school import School, make_report
from transport.internals import list_of

pytestmark = pytest.mark.on_both_databases
BEHIND = list_of(GRADE_CPU_QUEUE, REGRADES)


@pytest.fixture
def assigned(school: School) -> School:
    with school.database.write() as session:
        course = session.scalars(select(Course).where(Course.slug == "demo")).one()
        terms = {"is_superseding": False, "challenge": "mha-rope"}
        session.add(Assignment(course_id=course.id, slug="attention", title="Attention", **terms))
        session.add(Assignment(course_id=course.id, slug="other", title="Other", challenge="mha-functional"))
    return school


class Staff:
    """grace, and the judge that she asks for."""

    def __init__(self, school: School) -> None:
        self.school = school
        self.base = "/courses/demo/assignments/attention/regrades"
        self.version = load_challenges(school.api_settings.challenges_root)["mha-rope"].version

    def graded(self, name: str, score: float = 40.0, verdict: Verdict = Verdict.FAILED) -> str:
        sent = str(self.school.submit(name)["id"])
        self.school.grade(sent, make_report(verdict, score, ("rope-on-v",)))
        with self.school.redis.client() as redis:
            redis.delete("grade.cpu")
        return sent

    def ask(self, submissions: list[str] | None = None, status: int = 202) -> dict[str, Any]:
        response = self.school.client("grace").post(self.base, json={"submissions": submissions})
        assert response.status_code == status, response.text
        found: dict[str, Any] = response.json()
        return found

    def shown(self, regrade: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = self.school.client("grace").get(f"{self.base}/{regrade['id']}").json()
        return found

    def end(self, regrade: dict[str, Any], how: str) -> httpx.Response:
        return self.school.client("grace").post(f"{self.base}/{regrade['id']}/{how}")

    def report(self, verdict: Verdict, score: float) -> Report:
        report = make_report(verdict, score)
        passed = report.tests[0].model_copy(update={"status": TestStatus.PASSED})
        version = ChallengeRef(slug="mha-rope", version=self.version)
        return report.model_copy(update={"challenge": version, "tests": (passed,)})

    def take(self) -> GradeRequest:
        self.school.sweeper().sweep()
        with self.school.redis.client() as redis:
            found: Any = redis.rpop(BEHIND)
        assert found is not None, "no regrade was sent"
        return GradeRequest.model_validate(json.loads(base64.b64decode(json.loads(found)["body"]))[1]["request"])

    @staticmethod
    def graded_again(job: GradeRequest, report: Report) -> Graded:
        return Graded(job=job.job, kind=JobKind.REGRADE, report=report)

    def judge(self, verdict: Verdict = Verdict.PASSED, score: float = 100.0) -> GradeRequest:
        job = self.take()
        self.school.recording().record(self.graded_again(job, self.report(verdict, score)))
        self.school.sweeper().sweep()
        return job


@pytest.fixture
def staff(assigned: School) -> Staff:
    return Staff(assigned)


def test_a_preview_tells_who_gains_who_loses_and_which_tests(staff: Staff):
    first, second, third = staff.graded("ada"), staff.graded("bob", 90.0), staff.graded("ada")
    regrade = staff.ask()
    assert (regrade["state"], regrade["total"], regrade["waiting"]) == ("grading", 3, 3)
    staff.judge(Verdict.PASSED, 100.0)
    staff.judge(Verdict.FAILED, 10.0)
    staff.judge(Verdict.FAILED, 40.0)
    shown = staff.shown(regrade)
    assert (shown["state"], shown["waiting"], shown["failed"]) == ("ready", 0, 0)
    assert (shown["gain"], shown["lose"], shown["verdict_changes"]) == (1, 1, 1)
    assert [change["submission"] for change in shown["changes"]] == [first, second]  # the third stays as it is
    assert shown["changes"][0]["before"] == {"verdict": "failed", "score": 40.0}
    assert shown["changes"][0]["after"] == {"verdict": "passed", "score": 100.0}
    assert shown["changes"][0]["tests"] == [
        {"id": "heads-1", "title": "one head", "before": "failed", "after": "passed"}
    ]
    client = staff.school.client("root")
    assert [client.get(f"/submissions/{name}").json()["score"] for name in (first, second, third)] == [40.0, 90.0, 40.0]


def test_applied_reports_hold_and_the_old_ones_stay(staff: Staff):
    sent = staff.graded("ada")
    regrade = staff.ask()
    job = staff.judge()
    assert (job.kind, job.submission_id) == (JobKind.REGRADE, sent)
    for _ in range(2):  # again is the same
        assert staff.end(regrade, "apply").json()["state"] == "applied"
    shown = staff.school.client("ada").get(f"/submissions/{sent}").json()
    assert (shown["state"], shown["verdict"], shown["score"]) == ("graded", "passed", 100.0)
    assert shown["report"]["verdict"] == "passed"
    with staff.school.database.read() as session:
        (kept,) = session.scalars(select(EarlierReport)).all()
        assert session.scalar(select(func.count()).select_from(DiagnosedMisconception)) == 0
        actions = session.scalars(select(AuditEntry.action).order_by(AuditEntry.id)).all()
    assert (Report.model_validate_json(kept.body).score, kept.submission_id) == (40.0, sent)
    assert [action for action in actions if action.startswith("regrade")] == ["regrade.ask", "regrade.apply"]
    assert staff.shown(regrade)["changes"][0]["before"]["score"] == 40.0  # the preview stays readable


def test_a_dropped_regrade_changes_nothing(staff: Staff):
    sent = staff.graded("ada")
    regrade = staff.ask()
    job = staff.take()
    for _ in range(2):
        assert staff.end(regrade, "drop").json()["state"] == "dropped"
    assert staff.end(regrade, "apply").status_code == 409
    staff.school.recording().record(staff.graded_again(job, staff.report(Verdict.PASSED, 100.0)))
    assert staff.school.client("ada").get(f"/submissions/{sent}").json()["score"] == 40.0
    staff.ask()  # and another may be asked for


def test_one_or_some_may_be_chosen(staff: Staff):
    first, second, third = (staff.graded(name) for name in ("ada", "bob", "ada"))
    regrade = staff.ask([first, third])
    assert {staff.judge().submission_id, staff.judge().submission_id} == {first, third}
    staff.end(regrade, "apply")
    assert staff.school.client("bob").get(f"/submissions/{second}").json()["score"] == 40.0


def test_asking_for_the_same_again_is_the_same_and_for_another_a_conflict(staff: Staff):
    first, second = staff.graded("ada"), staff.graded("bob")
    regrade = staff.ask([first])
    assert staff.ask([first], status=200)["id"] == regrade["id"]
    staff.ask([second], status=409)
    assert [item["id"] for item in staff.school.client("grace").get(staff.base).json()["items"]] == [regrade["id"]]


def test_what_cannot_be_graded_again_is_told(staff: Staff):
    waiting = str(staff.school.submit("ada")["id"])
    staff.ask(status=422)  # nothing is graded
    for submissions in ([waiting], ["nonsense"], []):
        staff.ask(submissions, status=422)


def test_it_cannot_be_applied_before_it_is_complete(staff: Staff):
    staff.graded("ada")
    staff.graded("bob")
    regrade = staff.ask()
    staff.judge()
    refused = staff.end(regrade, "apply")
    assert (refused.status_code, "is grading" in refused.json()["detail"]) == (409, True)


def test_a_kill_in_the_middle_of_applying_leaves_all_as_it_was(staff: Staff, monkeypatch: pytest.MonkeyPatch):
    ids = [staff.graded("ada"), staff.graded("bob")]
    regrade = staff.ask()
    staff.judge()
    staff.judge()
    seen: list[str] = []

    def die(submission_id: str, _report: Report) -> list[object]:
        seen.append(submission_id)
        if len(seen) == 2:
            raise KeyboardInterrupt
        return []

    grace = next(user for user in accounts.list_users(staff.school.database) if user.name == "grace")
    with monkeypatch.context() as patched:
        patched.setattr("app.regrades.replace.rows_of", die)
        with pytest.raises(KeyboardInterrupt):
            regrades.apply(staff.school.database, grace, "demo", "attention", regrade["id"])
    with staff.school.database.read() as session:
        scores = [Report.model_validate_json(body).score for body in session.scalars(select(StoredReport.body))]
    assert (scores, staff.shown(regrade)["state"]) == ([40.0, 40.0], "ready")
    assert staff.end(regrade, "apply").status_code == 200
    assert {staff.school.client("root").get(f"/submissions/{sent}").json()["score"] for sent in ids} == {100.0}


def test_a_lost_job_is_sent_again_and_one_in_work_is_not(staff: Staff):
    staff.graded("ada")
    staff.ask()
    job = staff.take()
    staff.school.clock.let_pass(0.3)
    sweeper = staff.school.sweeper()
    with staff.school.redis.client() as redis:
        redis.set(lease_key(job.job), "judge", ex=15)
        assert (sweeper.sweep(), redis.llen(BEHIND)) == (0, 0)
        redis.delete(lease_key(job.job))
        assert sweeper.sweep() == 0
        staff.school.clock.let_pass(0.25)
        assert (sweeper.sweep(), redis.llen(BEHIND)) == (1, 1)


def test_what_judges_cannot_grade_again_keeps_its_report(staff: Staff):
    sent = staff.graded("ada")
    regrade = staff.ask()
    job = staff.take()
    recording = staff.school.recording()
    for _ in range(staff.school.recorder_settings.requeues_max + 1):
        recording.fault(Fault(job=job.job, reason="no sandbox"))
    staff.school.sweeper().sweep()
    shown = staff.shown(regrade)
    assert (shown["state"], shown["failed"], shown["changes"]) == ("ready", 1, [])
    assert staff.end(regrade, "apply").status_code == 200
    assert staff.school.client("ada").get(f"/submissions/{sent}").json()["score"] == 40.0


def test_what_fails_again_waits_its_pause(staff: Staff):
    staff.school.recorder_settings.__dict__["requeue_base_s"] = 60.0
    staff.graded("ada")
    staff.ask()
    job = staff.take()
    recording, sweeper = staff.school.recording(), staff.school.sweeper()
    fault = Fault(job=job.job, reason="no sandbox")
    with staff.school.redis.client() as redis:

        def waiting() -> int:
            sweeper.sweep()
            return int(redis.llen(BEHIND))

        recording.fault(fault)
        assert waiting() == 1  # the first time at once
        staff.take()
        recording.fault(fault)
        assert waiting() == 0
        staff.school.change_job(job.job, not_before=now())
        assert waiting() == 1


def test_a_judge_with_another_version_of_the_challenge_is_not_believed(staff: Staff):
    staff.graded("ada")
    regrade = staff.ask()
    job = staff.take()
    staff.school.recording().record(staff.graded_again(job, make_report(Verdict.PASSED, 100.0)))
    assert staff.shown(regrade)["waiting"] == 1


def test_students_go_first(staff: Staff):
    staff.graded("ada")
    staff.ask()
    staff.school.sweeper().sweep()
    sent = staff.school.submit("bob")
    with staff.school.redis.client() as redis:
        assert redis.llen(BEHIND) == 1
        name, _ = redis.brpop(["grade.cpu", BEHIND], timeout=1)  # in the order in which Celery's workers take them
    assert (name, sent["state"]) == ("grade.cpu", "queued")


@pytest.mark.parametrize("name", ["ada", "eve", None])
def test_only_instructors_of_the_course_may(staff: Staff, name: str | None):

    staff.school.add("eve", Role.INSTRUCTOR, course="elsewhere")
    staff.graded("ada")
    regrade = staff.ask()
    expected = {"ada": 403, "eve": 404, None: 401}[name]
    client = staff.school.client(name)
    assert client.post(staff.base, json={}).status_code == expected
    assert client.get(staff.base).status_code == expected
    for path in ("", "/apply", "/drop"):
        ask = client.post if path else client.get
        assert ask(f"{staff.base}/{regrade['id']}{path}").status_code == expected
    other = staff.base.replace("attention", "other")
    assert staff.school.client("grace").get(f"{other}/{regrade['id']}").status_code == 404
