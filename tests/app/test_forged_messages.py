"""What somebody can do who may write into one queue: no other queue, no other's jobs, and nobody is stopped by it."""

import base64
import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pytest
import redis

from app.models import now
from assay.redis_accounts import VERIFIER
from grader.messages import (
    EXERCISES_RECORD_QUEUE,
    FAULT_TASK,
    GRADE_CPU_QUEUE,
    JOB_TASK,
    PROGRESS_TASK,
    RECORD_TASK,
    STARTED_TASK,
    Fault,
    Graded,
    Message,
    Progressed,
    Started,
)
from grader.report import Verdict
from tests.app.school import School, make_report
from tests.app.test_recorder import recorder, row_of, wait_until_graded
from tests.patience import PATIENCE_S, wait_until

NOBODYS: Final = Progressed(job="nobodys", text="x")
FORGED_JOB: Final = {
    "task": JOB_TASK,
    "args": [],
    "kwargs": {"request": {"job": "forged"}},
    "options": {"queue": GRADE_CPU_QUEUE},
    "subtask_type": None,
    "immutable": True,
}
DROPPED: Final = object()


def message(
    told: Message = NOBODYS, task: str = PROGRESS_TASK, embed: dict[str, Any] | None = None, **headers: Any
) -> dict[str, Any]:
    """A message as Celery writes it. A header that is DROPPED is left out."""
    number = str(uuid4())
    body = [[], {"message": told.model_dump(mode="json", by_alias=True)}, embed or {}]
    heads = {"lang": "py", "task": task, "id": number, "assay_queued_at": 1.0, **headers}
    return {
        "body": encoded(body),
        "content-encoding": "utf-8",
        "content-type": "application/json",
        "headers": {name: value for name, value in heads.items() if value is not DROPPED},
        "properties": {
            "body_encoding": "base64",
            "delivery_info": {"exchange": "", "routing_key": EXERCISES_RECORD_QUEUE},
            "delivery_tag": number,
            "priority": 0,
        },
    }


def encoded(body: Any) -> str:
    return base64.b64encode(json.dumps(body).encode()).decode()


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in message().items() if key != name}


BAD: Final[dict[str, Any]] = {
    "no JSON": b"\xff\x00",
    "a number": 7,
    "nothing": {},
    "nested without end": b"[" * 100_000,
    "no headers": without("headers"),
    "no properties": without("properties"),
    "no body": without("body"),
    "no base64": message() | {"body": "%%%"},
    "a body that is none": message() | {"body": encoded([1, 2, 3, 4])},
    "a body that is an object": message() | {"body": encoded({"args": []})},
    "arguments without names": message() | {"body": encoded([["x"], {}, {}])},
    "a list of named arguments": message() | {"body": encoded([[], [], {}])},
    "a body nested without end": message() | {"body": base64.b64encode(b"[" * 100_000).decode()},
    "no id": message(id=DROPPED),
    "an id that is none": message(id=7),
    "no task": message(task=DROPPED),
    "a task that is none": message(task=["x"]),
    "an unknown task": message(task="x"),
    "a task of Celery's own": message(task="celery.group"),
    "a day that is none": message(eta="tomorrow"),
    "a number for a day": message(eta=5),
    "no zone": message(eta="2099-01-01T00:00:00"),
    "compressed": message(compression="application/x-gzip"),
    "an end that is none": message(expires=[]),
    "a time limit that is none": message(timelimit="x"),
    "no number of tries": message(retries="x"),
    "another time": message(assay_queued_at="x"),
}


@pytest.fixture
def verifier(fragile_school: School) -> Iterator["redis.Redis"]:
    """The rights of a verifier that was taken over."""
    with redis.Redis.from_url(fragile_school.redis.url_of(VERIFIER)) as client:
        yield client


def send(client: "redis.Redis", forged: Any) -> None:
    client.lpush(EXERCISES_RECORD_QUEUE, forged if isinstance(forged, bytes) else json.dumps(forged))


def wait_until_taken(client: "redis.Redis") -> None:
    wait_until(lambda: client.llen(EXERCISES_RECORD_QUEUE) == 0)


def test_no_message_stops_the_recorder(fragile_school: School, verifier: "redis.Redis", tmp_path: Path) -> None:
    """It had stopped for good, and each of its successors: nothing was recorded any more."""
    school = fragile_school
    sent = school.submit()
    log = tmp_path / "log"
    with log.open("w") as stderr, recorder(school, stderr=stderr.fileno(), lost_after_s=PATIENCE_S) as process:
        for forged in BAD.values():
            send(verifier, forged)
        wait_until_taken(verifier)
        school.judge.send_graded(sent["id"], make_report())
        wait_until_graded(school, sent["id"])
        assert process.poll() is None
    assert "broker lost" not in log.read_text()
    with school.redis.client() as everything:
        assert everything.hlen("assay:record:unacked") == 0


def test_the_recorder_sends_nothing_for_somebody_else(fragile_school: School, verifier: "redis.Redis") -> None:
    """Celery sends what a message names after it, with the rights of whoever takes it."""
    school = fragile_school
    fails = Started(job="nobodys", worker="w", at=1e300)  # no date, so what is for after a failure comes
    sent = school.submit()
    school.judge.take()
    with recorder(school, lost_after_s=PATIENCE_S):
        for name in ("chain", "callbacks", "errbacks"):
            for told, task in ((NOBODYS, PROGRESS_TASK), (fails, STARTED_TASK)):
                send(verifier, message(told, task, {name: [FORGED_JOB]}))
                send(verifier, message(told, task, **{name: [FORGED_JOB]}))
        wait_until_taken(verifier)
        school.judge.send_graded(sent["id"], make_report())  # behind all of them
        wait_until_graded(school, sent["id"])
    assert school.judge.waiting() == 0


def test_a_verifier_says_nothing_of_submissions(fragile_school: School, verifier: "redis.Redis") -> None:
    """Also where a student has told it the id, and whatever queue the message says that it is from."""
    school = fragile_school
    sent = school.submit()
    school.judge.take()
    forged = {
        STARTED_TASK: Started(job=sent["id"], worker="w", at=1.0),
        FAULT_TASK: Fault(job=sent["id"], reason="x"),
        RECORD_TASK: Graded(job=sent["id"], report=make_report(Verdict.PASSED, 100.0)),
    }
    with recorder(school, lost_after_s=PATIENCE_S):
        for task, told in forged.items():
            lies = message(told, task)
            lies["properties"]["delivery_info"] = {"exchange": "record", "routing_key": "record"}
            send(verifier, lies)
        wait_until_taken(verifier)
        school.judge.send_graded(sent["id"], make_report(Verdict.FAILED, 40.0))
        wait_until_graded(school, sent["id"])
    row = row_of(school, sent["id"])
    assert (row.verdict, row.score, row.job.tries, row.job.worker) == (Verdict.FAILED, 40.0, 0, None)


def test_a_queue_with_no_message_in_it_holds_up_no_sweeper(fragile_school: School) -> None:
    school = fragile_school
    sent = school.submit()
    school.judge.take()
    school.change_job(sent["id"], dispatched_at=now() - timedelta(seconds=60))
    with school.redis.client() as everything:
        for forged in ("{", "7", json.dumps({"headers": {"assay_queued_at": "x"}})):
            everything.rpush(GRADE_CPU_QUEUE, forged)
            school.sweeper().sweep()
    assert school.job(sent["id"]).tries == 0
