"""GPU stages: opened with a passed verdict, sent once, found again when lost, written down once; never a verdict."""

import base64
import json
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from app.gpu.schemas import gpu_view
from app.models import Feedback, GpuStage, now
from grader.gpu_report import GpuReport, GpuState, GpuTests, Spread
from grader.messages import GPU_JUDGES, GRADE_GPU_QUEUE, Fault, GpuRequest, GpuRun, Graded, JobKind, Started
from grader.report import Verdict
from tests.app.school import School, make_report

pytestmark = pytest.mark.on_both_databases
LIST = GRADE_GPU_QUEUE
PASSED = make_report(Verdict.PASSED, 100.0)
FOUND = GpuReport(
    device="Fake 9000",
    is_right=True,
    message="Right in float32 and bfloat16 on Fake 9000, and measured.",
    tests=(GpuTests(dtype="float32", passed=3, total=3, worst=0.1),),
    size="batch 32",
    time=Spread(median=1.2, least=1.1, most=1.4),
    memory_ratio=1.5,
)


@pytest.fixture
def card(school: School) -> Iterator[School]:
    """A school with a worker that has a card."""
    with school.redis.client() as client:
        client.zadd(GPU_JUDGES, {"card:1": time.time()})
        yield school


def passed(school: School, **message: Any) -> str:
    sent = school.submit()
    school.judge.take()
    told = {"report": PASSED, "has_gpu_stage": True, **message}
    school.recording().record(Graded(job=sent["id"], **told))
    return str(sent["id"])


def shown(school: School, submission_id: str, name: str = "ada") -> dict[str, Any]:
    found: dict[str, Any] = school.client(name).get(f"/submissions/{submission_id}").json()
    return found


def taken(school: School) -> GpuRequest:
    with school.redis.client() as client:
        raw = client.rpop(LIST)
    assert raw is not None, "nothing was sent"
    return GpuRequest.model_validate(json.loads(base64.b64decode(json.loads(raw)["body"]))[1]["request"])


def sent(school: School) -> int:
    with school.redis.client() as client:
        return int(client.llen(LIST))


def job(school: School, submission_id: str) -> str:
    return school.job(submission_id, JobKind.GPU).id


def start(school: School, submission_id: str) -> None:
    school.recording().start(Started(job=job(school, submission_id), worker="card", at=time.time()))


def find(school: School, submission_id: str, report: GpuReport = FOUND) -> None:
    school.recording().record(GpuRun(job=job(school, submission_id), report=report))


def fail(school: School, submission_id: str, reason: str) -> None:
    school.recording().fault(Fault(job=job(school, submission_id), reason=reason))


def test_without_a_card_it_is_not_run_and_the_verdict_stands(school: School):
    found = shown(school, passed(school))
    assert (found["state"], found["verdict"], found["gpu"]["state"]) == ("graded", "passed", "not_run")
    assert "no worker with a GPU was available" in found["gpu"]["message"]
    assert sent(school) == 0


def test_where_a_card_is_expected_it_waits_for_it(school: School):
    submitted = school.submit()
    school.recording(gpu_expected=True).record(Graded(job=submitted["id"], report=PASSED, has_gpu_stage=True))
    assert shown(school, submitted["id"])["gpu"]["state"] == "waiting"
    assert sent(school) == 1


@pytest.mark.parametrize("message", [{"report": make_report(Verdict.FAILED)}, {"has_gpu_stage": False}])
def test_what_has_not_passed_or_has_no_stage_gets_none(card: School, message: dict[str, Any]):
    assert shown(card, passed(card, **message))["gpu"] is None
    assert sent(card) == 0


def test_a_stage_goes_its_way_beside_a_verdict_that_stands(card: School):
    submission_id = passed(card)
    assert shown(card, submission_id)["gpu"]["state"] == "waiting"
    request = taken(card)
    assert (request.job, request.submission_id) == (job(card, submission_id), submission_id)
    assert request.main == "cs336_basics/layers.py"
    assert list(request.files.values()) == [b"def rope(): ...\n"]
    start(card, submission_id)
    assert shown(card, submission_id)["gpu"]["state"] == "running"
    for report in (FOUND, FOUND.model_copy(update={"is_right": False})):  # the first one counts
        find(card, submission_id, report)
    start(card, submission_id)
    fail(card, submission_id, "too late")
    found = shown(card, submission_id)
    assert found["gpu"]["state"] == "done"
    assert found["gpu"]["report"]["time"]["median"] == 1.2
    assert found["gpu"]["message"] == FOUND.message
    assert (found["verdict"], found["score"]) == ("passed", 100.0)
    assert (sent(card), card.sweeper().sweep()) == (0, 0)


def test_what_is_wrong_on_the_card_is_told_and_stays_passed(card: School):
    submission_id = passed(card)
    find(card, submission_id, FOUND.model_copy(update={"is_right": False, "message": "Right on the CPU; ..."}))
    found = shown(card, submission_id)
    assert (found["verdict"], found["gpu"]["state"], found["gpu"]["message"]) == (
        "passed", "failed", "Right on the CPU; ...",
    )  # fmt: skip


def test_who_follows_may_stay_until_the_stage_is_over(card: School):
    submission_id = passed(card)

    def go_on(event: Any) -> None:
        if (event.event, event.data) == ("state", {"state": "graded"}):
            start(card, submission_id)
            find(card, submission_id)

    path = f"/submissions/{submission_id}/events"
    short = [(event.event, event.data.get("state")) for event in card.watch(submission_id)]
    assert short[-3:] == [("verdict", None), ("gpu", "waiting"), ("state", "graded")]
    long = [(event.event, event.data.get("state")) for event in card.watch(submission_id, until="gpu", hear=go_on)]
    assert long == [*short, ("gpu", "running"), ("gpu", "done")]
    with card.redis.client() as client:
        client.delete(f"assay:events:{submission_id}")
    again = [(event.event, event.data.get("state")) for event in card.watch(submission_id, until="gpu")]
    assert again == [("verdict", None), ("gpu", "done"), ("state", "graded")]
    assert card.client("ada").get(f"{path}?until=never").status_code == 422


def test_the_end_of_a_stage_is_told_while_the_recorder_is_between_it_and_its_event(card: School):
    submission_id = passed(card)
    start(card, submission_id)
    find(card, submission_id)
    with card.redis.client() as client:
        stream = f"assay:events:{submission_id}"
        client.xdel(stream, client.xrevrange(stream, count=1)[0][0])
    heard = [(event.event, event.data.get("state")) for event in card.watch(submission_id, until="gpu")]
    assert heard[-3:] == [("state", "graded"), ("gpu", "running"), ("gpu", "done")]


def test_a_lost_stage_is_sent_again(card: School):
    submission_id = passed(card)
    taken(card)
    start(card, submission_id)
    sweeper = card.sweeper()
    assert sweeper.sweep() == 0
    card.clock.let_pass(0.25)
    assert sweeper.sweep() == 1
    assert taken(card).submission_id == submission_id
    card.change_job(job(card, submission_id), dispatched_at=now() - timedelta(minutes=1))  # its message is lost
    assert sweeper.sweep() == 0
    card.clock.let_pass(0.25)
    assert sweeper.sweep() == 1


def test_a_stage_in_work_or_in_the_queue_is_left_alone(card: School):
    running, waiting = passed(card), passed(card)
    taken(card)
    start(card, running)
    card.judge.lease(job(card, running))
    sweeper = card.sweeper()
    for _ in range(2):
        assert sweeper.sweep() == 0
        card.clock.let_pass(0.25)
    assert (shown(card, waiting)["gpu"]["state"], sent(card)) == ("waiting", 1)


def test_what_fails_again_and_again_is_our_fault_and_not_run(card: School):
    submission_id = passed(card)
    for _ in range(card.recorder_settings.requeues_max + 1):
        fail(card, submission_id, "secret: no card at /run/x")
    found = shown(card, submission_id)
    assert (found["verdict"], found["gpu"]["state"]) == ("passed", "not_run")
    assert "That is our fault" in found["gpu"]["message"]
    assert "secret" not in json.dumps(found)
    find(card, submission_id)  # too late
    assert shown(card, submission_id)["gpu"]["state"] == "not_run"


def test_figures_are_kept_back_where_the_report_is(card: School):
    submission_id = passed(card)
    find(card, submission_id)
    with card.database.read() as session:
        stage = session.get_one(GpuStage, submission_id)
    for feedback in Feedback:
        view = gpu_view(stage, feedback)
        assert view is not None
        assert view.state is GpuState.DONE
        assert (view.report is None) == (feedback is not Feedback.FULL)


def test_operators_see_who_waits_and_which_worker_has_a_card(card: School):
    passed(card)
    found = card.client("root").get("/operations").json()
    assert {queue["name"]: queue["waiting"] for queue in found["queues"]} == {"grade.cpu": 0, "grade.gpu": 1}
    assert [worker["name"] for worker in found["workers"]] == ["card"]


def test_redis_away_when_the_stage_is_sent_costs_nothing(fragile_school: School):
    school = fragile_school
    with school.redis.client() as client:
        client.zadd(GPU_JUDGES, {"card:1": time.time()})
    submission_id = passed(school)
    taken(school)
    school.redis.kill()
    fail(school, submission_id, "x")
    school.redis.start()
    school.sweeper().sweep()
    assert taken(school).submission_id == submission_id
