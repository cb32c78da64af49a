"""Taking a submission back is free until a judge begins, whoever is slow to write it down: real judge, no recorder."""

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from redis import Redis

from app.models import State
from grader.challenge import DEFAULT_ROOT
from grader.messages import Fault, Started, lease_key, terminal_key
from tests.app.conftest import api_settings, open_school
from tests.app.redis_process import RedisProcess
from tests.app.school import Event, School
from tests.app.test_assignments import assign
from tests.app.test_recorder import age, look_twice, recorder, row_of, wait_until_graded
from tests.patience import PATIENCE_S, wait_until
from worker.private_runner import private_runner
from worker.progress import Progress

ROOT = Path(__file__).parents[2]
RACES = 200


@pytest.fixture
def graded_school(database_url: str, own_redis: RedisProcess, tmp_path: Path) -> Iterator[School]:
    """With a real judge, and as yet without a recorder."""
    root = tmp_path / "challenges"
    shutil.copytree(DEFAULT_ROOT / "mha-rope", root / "mha-rope")
    for school in open_school(api_settings(database_url, root, own_redis), own_redis):
        with private_runner(imports_ahead="false") as runner, judge(school, runner._path):
            yield school


@contextmanager
def judge(school: School, socket: Path) -> Iterator[None]:
    told = {
        "REDIS_URL": school.redis.url,
        "RUNNER_SOCKET": str(socket),
        "CHALLENGES_ROOT": str(school.api_settings.challenges_root),
        "CONCURRENCY": "1",
    }
    environment = {**os.environ, **{f"ASSAY_WORKER_{name}": value for name, value in told.items()}}
    process = subprocess.Popen([sys.executable, "-P", "-m", "assay", "worker"], env=environment, cwd=ROOT)
    try:
        wait_until(lambda: school.broker.judges() == 1)
        yield
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE_S)


def hear_all_tests(school: School, submission_id: str) -> list[Event]:
    """As the student hears them, with the recorder away: the stream does not end."""
    heard: list[Event] = []

    class HeardAll(Exception):
        pass

    def hear(event: Event) -> None:
        heard.append(event)
        if event.event == "test" and event.data["done"] == event.data["total"]:
            raise HeardAll

    with pytest.raises(HeardAll):
        school.watch(submission_id, hear=hear)
    return heard


def send(school: School, source: bytes = b"x = 1\n", name: str = "ada") -> httpx.Response:
    return school.client(name).post("/submissions", files={"file": ("layers.py", source)})


def cancel(school: School, submission_id: str) -> httpx.Response:
    return school.client("ada").post(f"/submissions/{submission_id}/cancel")


def attempts_used(school: School) -> int:
    (assignment,) = school.client("ada").get("/courses/demo/standing").json()["assignments"]
    return int(assignment["attempts_used"])


def test_what_a_judge_has_begun_counts_while_the_recorder_is_stopped(graded_school: School):
    school = graded_school
    assign(school, attempts_max=2)
    begun = school.client("ada").get("/challenges/mha-rope/starter").content + b"\nBEGUN = 1\n"
    first = school.submit(source=begun)["id"]
    heard = hear_all_tests(school, first)
    assert {event.event for event in heard} >= {"state", "test"}
    assert row_of(school, first).state is State.QUEUED  # nobody has written down that it was begun

    refused = cancel(school, first)
    assert (refused.status_code, refused.json()["type"]) == (409, "urn:assay:problem:conflict")
    assert "Grading has already started" in refused.json()["detail"]
    second = send(school, begun + b"\n# again\n")
    assert second.status_code == 202
    hear_all_tests(school, second.json()["id"])
    assert row_of(school, first).state is State.QUEUED
    third = send(school, begun + b"\n# and again\n")
    assert (third.status_code, "no attempts" in third.json()["detail"]) == (409, True)

    with recorder(school):
        for each in (first, second.json()["id"]):
            wait_until_graded(school, each)
    assert attempts_used(school) == 2


def begin(school: School, submission_id: str) -> bool:
    """As a judge does, in Redis alone."""
    with Redis.from_url(school.redis.url) as redis:
        return Progress(redis, "judge").begin(submission_id)


def test_of_a_judge_and_a_student_at_the_same_moment_one_wins(school: School):
    with Redis.from_url(school.redis.url) as redis, ThreadPoolExecutor(2) as pool:
        progress, won = Progress(redis, "judge"), []
        for number in range(RACES):
            each, ready = f"s{number}", threading.Barrier(2)
            school.broker.allow_withdrawal(each)

            def judge_begins(each: str = each, ready: threading.Barrier = ready) -> bool:
                ready.wait()
                return progress.begin(each)

            def student_withdraws(each: str = each, ready: threading.Barrier = ready) -> bool:
                ready.wait()
                return school.broker.withdraw(each)

            begun, withdrawn = pool.submit(judge_begins), pool.submit(student_withdraws)
            assert begun.result() is not withdrawn.result()
            won.append(begun.result())
            assert progress.begin(each) is won[-1]  # the same message once more
            assert not school.broker.withdraw(each)
    assert len(won) == RACES


@pytest.mark.on_both_databases
def test_what_was_sent_and_not_begun_is_free_and_a_judge_leaves_it_alone(school: School):
    assign(school, attempts_max=1)
    first, second = send(school).json()["id"], send(school, b"x = 2\n").json()["id"]
    assert row_of(school, first).state is State.SUPERSEDED
    assert cancel(school, second).json()["state"] == "cancelled"
    assert not begin(school, first)
    assert not begin(school, second)
    third = send(school, b"x = 3\n").json()["id"]
    with school.redis.client() as redis:
        redis.set(lease_key(third), "held")  # received, and not begun
    fourth = send(school, b"x = 4\n").json()["id"]
    assert row_of(school, third).state is State.SUPERSEDED
    assert begin(school, fourth)
    assert cancel(school, fourth).status_code == 409
    assert send(school, b"x = 5\n").status_code == 409


@pytest.mark.on_both_databases
def test_what_was_put_back_is_no_longer_free_and_costs_nothing_if_it_fails_for_good(school: School):
    assign(school, attempts_max=1)
    sent = school.submit()["id"]
    assert begin(school, sent)
    school.recording().start(Started(job=sent, worker="judge", at=time.time()))
    for _ in range(school.recorder_settings.requeues_max + 1):
        assert cancel(school, sent).status_code == 409
        assert send(school, b"x = 2\n").status_code == 409
        school.recording().fault(Fault(job=sent, reason="no sandbox"))
    assert row_of(school, sent).state is State.CANCELLED
    assert send(school, b"x = 2\n").status_code == 202  # our fault: the attempt is still there


def test_without_redis_what_may_have_been_begun_stays_and_nothing_is_lost(fragile_school: School):
    school = fragile_school
    assign(school, attempts_max=2)
    sent = school.submit()["id"]
    school.redis.kill()
    refused = cancel(school, sent)
    assert (refused.status_code, "retry-after" in refused.headers) == (503, True)
    newer = send(school, b"x = 2\n")
    assert (newer.status_code, newer.json()["type"]) == (503, "urn:assay:problem:unavailable")
    assert row_of(school, sent).state is State.QUEUED
    assert len(school.client("ada").get("/submissions").json()["items"]) == 1
    school.redis.start()


def test_without_redis_an_upload_without_a_limit_of_attempts_is_taken_all_the_same(fragile_school: School):
    school = fragile_school
    assign(school)
    sent = school.submit()["id"]
    school.redis.kill()
    assert send(school, b"x = 2\n").status_code == 202
    assert row_of(school, sent).state is State.QUEUED  # both are graded
    school.redis.start()


def test_what_was_never_sent_is_free_without_asking_redis(fragile_school: School):
    school = fragile_school
    assign(school, attempts_max=1)
    school.redis.kill()
    first = school.submit()["id"]
    assert school.job(first).dispatched_at is None
    second = send(school, b"x = 2\n")
    assert (second.status_code, row_of(school, first).state) == (202, State.SUPERSEDED)
    assert cancel(school, second.json()["id"]).json()["state"] == "cancelled"
    school.redis.start()


def test_a_redis_that_has_forgotten_everything_makes_nothing_free(fragile_school: School):
    school = fragile_school
    sent = school.submit()["id"]
    assert begin(school, sent)
    school.redis.kill()
    school.redis.start()
    assert cancel(school, sent).status_code == 409


@pytest.mark.on_both_databases
def test_a_withdrawal_that_never_reached_the_database_is_undone(school: School):
    """The process died, or the database failed, between Redis and the commit."""
    sent = school.submit()["id"]
    school.judge.take()
    assert school.broker.withdraw(sent)
    assert not begin(school, sent)
    age(school, sent)
    assert look_twice(school) >= 1
    with school.redis.client() as redis:
        assert not redis.exists(terminal_key(sent))
    assert school.judge.take().submission_id == sent
    assert begin(school, sent)


def test_a_message_that_perhaps_was_sent_is_not_sent_again_as_if_it_had_not(fragile_school: School):
    """Else its student could take back what a judge began with the first one."""
    school = fragile_school
    with school.redis.client() as redis:
        redis.execute_command("ACL", "SETUSER", "default", "-lpush")
        sent = school.submit()["id"]
        assert school.job(sent).dispatched_at is not None
        redis.execute_command("ACL", "SETUSER", "default", "+lpush")
    age(school, sent)
    assert look_twice(school) >= 1
    assert school.job(sent).tries == 1
    assert school.judge.take().submission_id == sent
    assert cancel(school, sent).status_code == 409
