"""Reports are recorded at most once, in whatever order messages come, and nothing that is accepted is ever lost."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from sqlalchemy import func, select, update
from sqlalchemy.orm import joinedload

from app.jobs.transitions import pause
from app.models import DiagnosedMisconception, State, StoredReport, Submission, now
from app.sweeper import Sweeper
from grader.messages import EXERCISES_RECORD_QUEUE, RECORD_QUEUE, RECORD_TASK, Fault, Graded, Started
from grader.report import Verdict
from tests.app.at_once import at_once
from tests.app.school import School, make_report
from tests.patience import PATIENCE_S, wait_until

pytestmark = pytest.mark.on_both_databases


def row_of(school: School, submission_id: str) -> Submission:
    with school.database.read() as session:
        query = select(Submission).options(joinedload(Submission.job)).where(Submission.id == submission_id)
        return session.scalars(query).one()


def age(school: School, submission_id: str, seconds: float = 60) -> None:
    """As if it had been queued so long ago."""
    school.change_job(submission_id, dispatched_at=now() - timedelta(seconds=seconds), not_before=None)


def test_any_order_of_messages_ends_with_one_report(school: School):
    recording = school.recording()
    for order in permutations(range(4)):
        sent = school.submit()
        graded = Graded(job=sent["id"], report=make_report(Verdict.PASSED, 100.0))
        for number in order:
            match number:
                case 0:
                    recording.start(Started(job=sent["id"], worker="a", at=time.time()))
                case 1:
                    recording.fault(Fault(job=sent["id"], reason="no sandbox"))
                case _:
                    recording.record(graded)
        row = row_of(school, sent["id"])
        assert (row.state, row.verdict, row.score, row.job.fault) == (State.GRADED, Verdict.PASSED, 100.0, None)


def test_the_first_report_stands(school: School):
    sent = school.submit()
    school.grade(sent["id"], make_report(Verdict.FAILED, 10.0, ("rope-on-v", "rope-on-v", "missing-scale")))
    school.grade(sent["id"], make_report(Verdict.PASSED, 100.0, ("softmax-dim",)))
    shown = school.client("ada").get(f"/submissions/{sent['id']}").json()
    assert (shown["verdict"], shown["score"], shown["report"]["score"]) == ("failed", 10.0, 10.0)
    with school.database.read() as session:
        found = session.scalars(select(DiagnosedMisconception.misconception)).all()
    assert sorted(found) == ["missing-scale", "rope-on-v"]


def test_ten_recorders_at_once_write_one_report(school: School):
    sent = school.submit()
    at_once(10, lambda _: school.grade(sent["id"]))
    with school.database.read() as session:
        assert session.scalar(select(func.count()).select_from(StoredReport)) == 1
    assert [event.event for event in school.watch(sent["id"])] == ["state", "verdict", "state"]


def test_messages_about_nothing_are_ignored(school: School):
    recording = school.recording()
    recording.start(Started(job="none", worker="a", at=1.0))
    recording.record(Graded(job="none", report=make_report()))
    recording.fault(Fault(job="none", reason="x"))


def test_a_fault_of_ours_is_told_as_ours_and_costs_no_attempt(school: School):
    sent = school.submit()
    school.judge.take()
    school.recording().fault(Fault(job=sent["id"], reason="secret: no sandbox at /run/x"))
    response = school.client("ada").get(f"/submissions/{sent['id']}")
    assert response.json()["waiting"] == "The grader is having trouble; your submission is safe and will be graded."
    assert response.json()["state"] == "queued"
    assert "secret" not in response.text
    school.grade(sent["id"])
    assert school.client("ada").get(f"/submissions/{sent['id']}").json()["waiting"] is None


def look_twice(school: School, sweeper: Sweeper | None = None) -> int:
    """What is missing at one moment may only be on its way."""
    sweeper = sweeper or school.sweeper()
    assert sweeper.sweep() == 0
    school.clock.let_pass(0.25)
    return sweeper.sweep()


def test_a_lost_message_is_sent_again(school: School):
    sent = school.submit()
    school.judge.take()
    sweeper = school.sweeper()
    age(school, sent["id"], -60)
    assert look_twice(school, sweeper) == 0  # too early to call it lost
    age(school, sent["id"])
    assert look_twice(school, sweeper) == 1
    assert school.judge.take().submission_id == sent["id"]
    assert school.job(sent["id"]).tries == 1


def test_a_message_that_waits_is_not_lost(school: School):
    first, second, third = school.submit(), school.submit(), school.submit()
    school.judge.take()
    for sent in (first, second):
        age(school, sent["id"], 30)
    # the head of the queue was queued just now: what claims to be much older cannot be behind it
    assert look_twice(school) == 2
    assert school.job(third["id"]).tries == 0
    assert school.judge.waiting() == 4


def test_a_long_queue_is_not_mistaken_for_loss(school: School):
    ids = [school.submit()["id"] for _ in range(5)]
    school.clock.let_pass(0.3)
    assert look_twice(school) == 0
    assert school.judge.waiting() == len(ids)


def test_a_submission_in_work_is_left_alone(school: School):
    sent = school.submit()
    school.judge.take()
    school.judge.lease(sent["id"])
    age(school, sent["id"])
    assert look_twice(school) == 0


def test_a_killed_judge_gives_the_submission_back(school: School):
    sent = school.submit()
    school.judge.take()
    school.recording().start(Started(job=sent["id"], worker="a", at=time.time()))
    assert look_twice(school) == 1
    row = row_of(school, sent["id"])
    assert (row.state, row.job.tries) == (State.QUEUED, 1)
    assert [event.data["state"] for event in watch_until_graded(school, sent["id"]) if event.event == "state"] == [
        "queued", "queued", "graded",
    ]  # fmt: skip


def watch_until_graded(school: School, submission_id: str):
    school.grade(submission_id)
    return school.watch(submission_id)


@pytest.mark.parametrize("queue", [RECORD_QUEUE, EXERCISES_RECORD_QUEUE])
def test_what_waits_for_the_recorder_is_not_lost(school: School, queue: str):
    sent = school.submit()
    school.judge.take()
    age(school, sent["id"])
    school.judge.send_graded(sent["id"], make_report(), queue=queue)
    assert look_twice(school) == 0


def test_a_recorder_that_is_busy_with_others_does_not_hide_a_loss(school: School):
    sent = school.submit()
    school.judge.take()
    age(school, sent["id"])
    sweeper = school.sweeper()
    assert sweeper.sweep() == 0
    school.clock.let_pass(0.25)
    school.judge.send_graded("another", make_report())  # told after the lease had ended: it is not this one's report
    assert sweeper.sweep() == 1


def test_two_sweepers_queue_a_submission_once(school: School):
    sent = school.submit()
    school.judge.take()
    age(school, sent["id"])
    assert sum(at_once(4, lambda _: look_twice(school))) == 1
    assert school.judge.waiting() == 1


def test_the_first_requeue_is_at_once_and_each_further_one_later(school: School):
    settings = school.recorder_settings
    assert [pause(settings, requeues).total_seconds() for requeues in range(4)] == [0.0, 0.3, 0.6, 1.2]
    assert pause(settings, 1000).total_seconds() == settings.requeue_cap_s
    sent = school.submit()
    school.judge.take()
    school.change_job(sent["id"], tries=8)
    school.recording().fault(Fault(job=sent["id"], reason="no sandbox"))
    school.sweeper().sweep()
    assert school.job(sent["id"]).dispatched_at is None  # it waits apart, for 38 s
    assert school.client("ada").get(f"/submissions/{sent['id']}").json()["queue"]["position"] is None


def test_what_fails_again_and_again_is_given_up_as_our_fault(school: School):
    sent = school.submit()
    recording = school.recording()
    for _ in range(school.recorder_settings.requeues_max + 1):
        recording.fault(Fault(job=sent["id"], reason="secret: no sandbox"))
    response = school.client("ada").get(f"/submissions/{sent['id']}")
    shown = response.json()
    assert (shown["state"], shown["queue"]) == ("cancelled", None)
    assert "our fault" in shown["waiting"]
    assert "does not count" in shown["waiting"]
    assert "secret" not in response.text
    assert school.watch(sent["id"])[-1].data == {"state": "cancelled"}
    school.grade(sent["id"])  # too late
    assert row_of(school, sent["id"]).state is State.CANCELLED


def test_redis_down_at_the_upload_costs_nobody_anything(fragile_school: School):
    school = fragile_school
    school.redis.kill()
    started = time.perf_counter()
    sent = school.submit()
    assert time.perf_counter() - started < 1.5
    assert sent["state"] == "queued"
    school.redis.start()
    assert school.job(sent["id"]).dispatched_at is None
    assert school.sweeper().sweep() == 0  # it was never sent, so it is not lost
    assert school.judge.take().submission_id == sent["id"]


def test_a_redis_that_lost_everything_is_filled_again(fragile_school: School):
    school = fragile_school
    ids = {school.submit()["id"] for _ in range(3)}
    school.redis.kill()
    school.redis.start()
    for submission_id in ids:
        age(school, submission_id)
    assert look_twice(school) == 3
    assert {school.judge.take().submission_id for _ in ids} == ids


@contextmanager
def recorder(school: School, stderr: int = subprocess.PIPE, **changes: Any) -> Iterator[subprocess.Popen[str]]:
    """The real process, with its log."""
    settings = school.recorder_settings.model_copy(update=changes)
    script = (
        "from app.recorder import run_recorder; from app.settings import RecorderSettings; from assay import logs;"
        "from transport.internals import use_no_scripts; use_no_scripts(); logs.configure();"
        f"run_recorder(RecorderSettings.model_validate_json({settings.model_dump_json()!r}))"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stderr=stderr, text=True)
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_S)


def wait_until_graded(school: School, submission_id: str) -> None:
    wait_until(lambda: row_of(school, submission_id).state is State.GRADED, lambda: "it was never graded")


def test_the_real_recorder_records_sweeps_refuses_and_survives_redis(fragile_school: School):
    school = fragile_school
    first, lost, last = school.submit(), school.submit(), school.submit()
    for _ in range(3):
        school.judge.take()
    with recorder(school) as process:
        with Celery("judge", broker=school.redis.url, set_as_current=False) as celery:
            celery.send_task(
                RECORD_TASK,
                kwargs={"message": {"job": "x", "kind": "submission", "report": "none"}},
                queue=RECORD_QUEUE,
            )
        school.judge.send_started(first["id"])
        school.judge.send_graded(first["id"], make_report())
        school.judge.send_graded(first["id"], make_report())
        wait_until_graded(school, first["id"])
        assert school.judge.take().submission_id in (
            lost["id"],
            last["id"],
        )  # the sweeper of that process sent it again
        school.redis.kill()
        school.redis.start()
        school.judge.send_graded(lost["id"], make_report())
        wait_until_graded(school, lost["id"])
        process.kill()
    with recorder(school) as process:
        school.judge.send_graded(last["id"], make_report(Verdict.PASSED))
        wait_until_graded(school, last["id"])
        process.terminate()
        assert process.wait(timeout=PATIENCE_S) == 0


def test_a_recorder_that_loses_redis_while_it_records_takes_the_next_report_all_the_same(
    fragile_school: School, tmp_path: Path
):
    """It cannot acknowledge the message that it has in hand."""
    school = fragile_school
    first, second = school.submit(), school.submit()
    for _ in range(2):
        school.judge.take()
    log = tmp_path / "log"
    with log.open("w") as stderr, recorder(school, stderr=stderr.fileno()):
        with school.database.write() as session, school.redis.client() as redis:
            session.execute(update(Submission).where(Submission.id == first["id"]).values(filename="held.py"))
            school.judge.send_graded(first["id"], make_report())
            wait_until(lambda: bool(redis.zcard("assay:record:unacked_index")))
            school.redis.kill()
        wait_until_graded(school, first["id"])
        wait_until(lambda: "Couldn't ack" in log.read_text(), log.read_text)
        school.redis.start()
        school.judge.send_graded(second["id"], make_report())
        wait_until_graded(school, second["id"])


DYING_RECORDER = """
import os, sys
from app.recorder import create_recorder
from app.jobs.kind import Office
from app.recording import Recording
from app.settings import RecorderSettings
settings = RecorderSettings(database_url="sqlite://", redis_url=sys.argv[1])
celery = create_recorder(sys.argv[1], Recording(None, Office(settings, None, None)), None)
with celery.connection() as connection:
    connection.SimpleQueue("record").get(timeout=5)
    os._exit(9)
"""


def test_a_report_that_a_killed_recorder_had_in_hand_comes_back(school: School):
    sent = school.submit()
    school.judge.take()
    school.judge.send_graded(sent["id"], make_report())
    assert subprocess.run([sys.executable, "-c", DYING_RECORDER, school.redis.url], check=False).returncode == 9
    with school.redis.client() as redis:
        assert redis.llen(RECORD_QUEUE) == 0
        (tag,) = redis.zrange("assay:record:unacked_index", 0, -1)
        redis.zadd("assay:record:unacked_index", {tag: time.time() - 60})  # half a minute later
    with recorder(school):
        wait_until_graded(school, sent["id"])
