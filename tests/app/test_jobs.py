"""What judges are asked to do, of every kind: sent, lost, requeued and given up in one way."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import select
from structlog.testing import capture_logs

from app.jobs.kinds import KINDS
from app.models import Answer, Assignment, Course, Job, JobState, now
from app.settings import RecorderSettings
from grader.messages import GPU_JUDGES, Checked, Fault, Graded, JobKind, Result, Started, lease_key, terminal_key
from grader.questions import Mark, MarkStatus
from grader.report import Verdict
from tests.app.conftest import with_questions
from tests.app.school import School, make_report
from tests.app.test_gpu_stages import find as find_gpu
from tests.app.test_leaderboard import on_the_board
from tests.app.test_questions import ask, give
from tests.app.test_questions_of_runs import QUESTIONS
from transport.internals import list_of

pytestmark = pytest.mark.on_both_databases
AWAY: Final = timedelta(minutes=10)


@pytest.fixture(scope="session")
def challenges_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a question that a line of code answers."""
    return with_questions(tmp_path_factory.mktemp("challenges-of-jobs"), QUESTIONS)


def graded(school: School, verdict: Verdict = Verdict.FAILED, **told: Any) -> str:
    sent = str(school.submit()["id"])
    school.recording().record(Graded(job=sent, report=make_report(verdict), **told))
    return sent


def submission(school: School) -> Job:
    return school.job(str(school.submit()["id"]))


def regrade(school: School) -> Job:
    with school.database.write() as session:
        course = session.scalars(select(Course).where(Course.slug == "demo")).one()
        session.add(Assignment(course_id=course.id, slug="attention", title="Attention", challenge="mha-rope"))
    sent = graded(school)
    asked = school.client("grace").post("/courses/demo/assignments/attention/regrades", json={})
    assert asked.status_code == 202, asked.text
    return school.job(sent, JobKind.REGRADE)


def gpu_stage(school: School) -> Job:
    with school.redis.client() as client:
        client.zadd(GPU_JUDGES, {"card:1": time.time()})
    return school.job(graded(school, Verdict.PASSED, has_gpu_stage=True), JobKind.GPU)


def check(school: School) -> Job:
    sent = graded(school)
    assert give(school, sent, ("double", "x * 2")).status_code == 200
    return school.job(sent, JobKind.CHECK)


def measurement(school: School) -> Job:
    sent = on_the_board(school)
    return school.job(sent, JobKind.MEASURE)


def exercises(school: School) -> Job:
    asked = school.client("root").post("/operations/exercises", json={"url": "https://git.example.edu/cs"})
    assert asked.status_code == 202, asked.text
    with school.database.read() as session:
        return session.scalars(select(Job).where(Job.kind == JobKind.EXERCISES)).one()


OPENED: Final[dict[JobKind, Callable[[School], Job]]] = {
    JobKind.SUBMISSION: submission,
    JobKind.REGRADE: regrade,
    JobKind.GPU: gpu_stage,
    JobKind.CHECK: check,
    JobKind.MEASURE: measurement,
    JobKind.EXERCISES: exercises,
}


@pytest.fixture(params=JobKind)
def opened(request: pytest.FixtureRequest, school: School) -> Job:
    """A job of each kind."""
    return OPENED[request.param](school)


def seen(school: School, job: Job) -> Job:
    with school.database.read() as session:
        return session.get_one(Job, job.id)


def queued(school: School, job: Job) -> int:
    with school.redis.client() as client:
        return int(client.llen(list_of(job.queue, job.priority)))


def in_defaults(school: School) -> dict[str, Any]:
    """The settings that a service has if nobody sets any."""
    names = ("requeue_base_s", "requeue_cap_s", "requeues_max")
    return {name: RecorderSettings.model_fields[name].default for name in names}


def fail_until(school: School, job: Job, is_over: Callable[[Job, timedelta], bool]) -> tuple[Job, timedelta]:
    """Every judge gives it back at once, as with no runner; whenever its pause has gone by it is sent again."""
    recording, sweeper = school.recording(**in_defaults(school)), school.sweeper(**in_defaults(school))
    away = timedelta()
    while True:
        recording.fault(Fault(job=job.id, reason="SandboxUnavailable: no runner"))
        found = seen(school, job)
        if is_over(found, away):
            return found, away
        away += waits(found.not_before)
        school.change_job(job.id, not_before=now())
        sweeper.sweep()
        assert seen(school, job).state is JobState.DISPATCHED


def waits(until: datetime | None) -> timedelta:
    assert until is not None
    return max(timedelta(), until - now())


def test_every_kind_is_tested_here() -> None:
    assert OPENED.keys() == KINDS.keys() == set(JobKind)


def test_a_runner_that_is_away_for_ten_minutes_costs_nothing(school: School, opened: Job) -> None:
    found, _ = fail_until(school, opened, lambda _, away: away > AWAY)
    assert (found.state, found.fault) == (JobState.WAITING, "SandboxUnavailable: no runner")
    school.change_job(opened.id, not_before=now())
    school.sweeper().sweep()
    assert seen(school, opened).state is JobState.DISPATCHED


def test_each_kind_is_given_up_at_the_same_cap_with_a_word_to_the_operator(school: School, opened: Job) -> None:
    with capture_logs() as logs:
        found, away = fail_until(school, opened, lambda found, _: not found.state.is_open)
    assert (found.state, found.tries) == (JobState.GIVEN_UP, in_defaults(school)["requeues_max"] + 1)
    assert away > AWAY
    (told,) = [entry for entry in logs if entry["event"] == "job_given_up"]
    assert (told["log_level"], told["kind"], told["submission_id"]) == ("error", opened.kind, opened.submission_id)
    assert "no runner" in told["detail"]
    if opened.submission_id is None:
        (shown,) = school.client("root").get("/operations/exercises").json()["fetches"]
        assert (shown["state"], "no runner" in shown["reason"]) == ("failed", True)
    else:
        (shown,) = school.client("root").get("/operations").json()["faults"]
        told_of = (shown["kind"], shown["submission"], shown["requeues"])
        assert told_of == (opened.kind, opened.submission_id, found.tries)
        assert shown["job_state"] == "given_up"
    with school.redis.client() as client:
        assert client.get(terminal_key(opened.id)) == "given_up"
    school.sweeper().sweep()
    assert seen(school, opened).state is JobState.GIVEN_UP


def test_what_is_lost_is_sent_again_and_what_a_judge_holds_is_not(school: School, opened: Job) -> None:
    sweeper = school.sweeper()
    sweeper.sweep()
    with school.redis.client() as client:
        client.delete(*client.keys("grade.*"))
        school.recording().start(Started(job=opened.id, worker="here", at=time.time()))
        client.set(lease_key(opened.id), "here")
        for _ in range(2):
            assert sweeper.sweep() == 0
            school.clock.let_pass(0.25)
        client.delete(lease_key(opened.id))
    assert sweeper.sweep() == 0
    school.clock.let_pass(0.25)
    assert sweeper.sweep() == 1
    found = seen(school, opened)
    assert (found.state, found.tries, queued(school, opened)) == (JobState.DISPATCHED, 1, 1)


def test_what_nobody_wants_any_more_is_not_sent(school: School) -> None:
    """An answer that was given anew; the job of the one before is withdrawn with it."""
    first = check(school)
    give(school, first.submission_id, ("double", "x + x"))
    assert seen(school, first).state is JobState.WITHDRAWN
    second = school.job(first.submission_id, JobKind.CHECK)
    with school.database.write() as session:
        session.delete(session.scalars(select(Answer)).one())
    school.sweeper().sweep()
    assert (seen(school, second).state, queued(school, second)) == (JobState.WITHDRAWN, 0)


def test_a_result_of_another_kind_is_not_recorded(school: School, opened: Job) -> None:
    mark = Mark(status=MarkStatus.CORRECT, score=2.0, max_score=2.0, feedback="Run.")
    wrong: Result = Graded(job=opened.id, report=make_report())
    if opened.kind is JobKind.SUBMISSION:
        wrong = Checked(job=opened.id, mark=mark)
    school.recording().record(wrong)
    assert seen(school, opened).state.is_open


def test_a_line_that_was_given_up_costs_no_try_and_is_run_when_it_is_sent_again(school: School) -> None:
    first = check(school)
    fail_until(school, first, lambda found, _: not found.state.is_open)
    (answer,) = answers(school)
    assert (answer.tries, answer.mark["status"]) == (0, "pending")
    assert "our fault, not yours" in answer.mark["feedback"]
    assert ask(school, first.submission_id)["double"]["answer"]["is_given_up"]
    give(school, first.submission_id, ("double", "x * 2"))  # the same again
    second = school.job(first.submission_id, JobKind.CHECK)
    assert (second.id != first.id, second.state) == (True, JobState.WAITING)
    (answer,) = answers(school)
    assert (answer.tries, answer.mark["feedback"][:17]) == (1, "Your line is runn")
    give(school, first.submission_id, ("double", "x * 2"))  # by a network, this time
    assert school.job(first.submission_id, JobKind.CHECK).id == second.id


def answers(school: School) -> list[Answer]:
    with school.database.read() as session:
        return list(session.scalars(select(Answer)))


def test_a_regrade_of_which_the_last_job_is_given_up_is_ready(school: School) -> None:
    job = regrade(school)
    fail_until(school, job, lambda found, _: not found.state.is_open)
    (item,) = school.client("grace").get("/courses/demo/assignments/attention/regrades").json()["items"]
    assert (item["state"], item["failed"], item["waiting"]) == ("ready", 1, 0)


def test_a_gpu_stage_is_recorded_after_it_was_requeued(school: School) -> None:
    job = gpu_stage(school)
    school.recording().fault(Fault(job=job.id, reason="the runner is gone"))
    find_gpu(school, job.submission_id)
    assert seen(school, job).state is JobState.DONE
