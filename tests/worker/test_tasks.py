"""The judge's Celery task with a real Redis: a report comes back; what fails is our fault, told as such, and waits."""

import base64
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from celery.worker import state

from grader.challenge import DEFAULT_ROOT, Challenge
from grader.exercise import exercise_of
from grader.messages import (
    DRAINED,
    ENDINGS_HEADER,
    GPU_JUDGES,
    GRADE_GPU_QUEUE,
    JOB_TASK,
    JUDGES,
    QUEUED_AT_HEADER,
    RECORD_QUEUE,
    Checked,
    CheckRequest,
    GpuRun,
    Measured,
    MeasureRequest,
    events_stream,
    lease_key,
    terminal_key,
)
from grader.questions import NO_FACTS, MarkStatus
from grader.report import Report, Verdict
from tests.app.redis_process import RedisProcess, running_redis
from tests.small_stage import CPU, challenges_with_small_stage
from worker.draining import Drain
from worker.leases import HoldLeases
from worker.private_runner import private_runner
from worker.process_settings import Device, ProcessSettingsError
from worker.progress import LEASE_S
from worker.settings import WorkerSettings
from worker.tasks import JudgeTask, create_worker, run_worker


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    with running_redis(tmp_path_factory.mktemp("redis")) as process:
        yield process


@pytest.fixture(scope="module")
def runner_socket() -> Iterator[Path]:
    with private_runner(imports_ahead="false") as client:
        yield client._path


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of all challenges, those that are asked for: a judge warms up on each that it has."""
    root = tmp_path_factory.mktemp("challenges")
    for slug in ("mha-rope", "rmsnorm"):
        shutil.copytree(DEFAULT_ROOT / slug, root / slug)
    return root


def opened(redis: RedisProcess, socket: Path, root: Path, exercises_folder: Path | None = None) -> JudgeTask:
    with redis.client() as client:
        client.flushall()
    settings = WorkerSettings(
        redis_url=redis.url,
        runner_socket=socket,
        name="here",
        challenges_root=root,
        exercises_folder=exercises_folder,
    )
    task: JudgeTask = create_worker(settings).tasks[JOB_TASK]
    task.open()
    return task


@pytest.fixture
def task(redis: RedisProcess, runner_socket: Path, root: Path) -> Iterator[JudgeTask]:
    opened_task = opened(redis, runner_socket, root)
    yield opened_task
    opened_task.close()


@pytest.fixture
def task_without_runner(redis: RedisProcess, tmp_path: Path, root: Path) -> Iterator[JudgeTask]:
    opened_task = opened(redis, tmp_path / "nobody", root)
    yield opened_task
    opened_task.close()


def request(challenge: Challenge, name: str = "s1", slug: str = "mha-rope") -> dict[str, object]:
    source = exercise_of(challenge).baseline().source
    files = {"layers.py": base64.b64encode(source).decode()}
    asked = {"challenge": slug, "main": "layers.py", "files": files, "seed": 3, "queued_at": 0.0}
    return {"job": name, "kind": "submission", "submission_id": name, **asked}


def regrade_request(challenge: Challenge) -> dict[str, object]:
    return request(challenge) | {"job": "r1", "kind": "regrade"}


def sent(redis: RedisProcess) -> list[tuple[str, dict[str, object]]]:
    """Messages to the recorder, oldest first: task name and message."""
    with redis.client() as client:
        raw = [json.loads(message) for message in reversed(client.lrange(RECORD_QUEUE, 0, -1))]
    return [
        (message["headers"]["task"], json.loads(base64.b64decode(message["body"]))[1]["message"]) for message in raw
    ]


def test_a_submission_is_told_graded_and_recorded(task: JudgeTask, redis: RedisProcess, mha_rope: Challenge) -> None:
    task.apply(kwargs={"request": request(mha_rope)}).get()
    names = [name for name, _ in sent(redis)]
    assert names == ["assay.started", "assay.record"]
    report = Report.model_validate(sent(redis)[1][1]["report"])
    assert report.verdict is Verdict.PASSED
    assert report.timings.queued_s > 0
    with redis.client() as client:
        headers = json.loads(client.lindex(RECORD_QUEUE, 0))["headers"]
        assert set(headers[ENDINGS_HEADER]) == {"completed"}
        assert headers[QUEUED_AT_HEADER] <= time.time()
        events = [fields["event"] for _, fields in client.xrange(events_stream("s1"))]
        assert events == ["state", *["test"] * len(report.tests)]
        assert not client.exists(lease_key("s1"))
        assert client.zrange(JUDGES, 0, -1) == [f"here:{os.getpid()}"]
        assert client.keys("assay:starts:*") == []


def test_a_file_is_graded_where_its_project_has_it(task: JudgeTask, redis: RedisProcess, mha_rope: Challenge) -> None:
    source = exercise_of(mha_rope).baseline().source
    main = b"from .ops import *\nfrom ..ops import *\n"
    files = {"lm/blocks/attention.py": main, "lm/blocks/ops.py": source, "lm/ops.py": b""}
    encoded = {path: base64.b64encode(each).decode() for path, each in files.items()}
    asked = {"main": "lm/blocks/attention.py", "files": encoded}
    task.apply(kwargs={"request": request(mha_rope) | asked}).get()
    report = Report.model_validate(sent(redis)[1][1]["report"])
    assert report.verdict is Verdict.PASSED, report.summary


def test_what_nobody_waits_for_any_more_is_not_graded(
    task: JudgeTask, redis: RedisProcess, mha_rope: Challenge
) -> None:
    with redis.client() as client:
        client.set(terminal_key("s1"), "superseded")
    task.apply(kwargs={"request": request(mha_rope)}).get()
    assert sent(redis) == []


def test_a_regrade_is_told_to_nobody_but_the_recorder(
    task: JudgeTask, redis: RedisProcess, mha_rope: Challenge
) -> None:
    with redis.client() as client:
        client.set(terminal_key("s1"), "graded")
    task.apply(kwargs={"request": regrade_request(mha_rope)}).get()
    (_, (name, message)) = sent(redis)
    assert (name, message["job"], message["kind"]) == ("assay.record", "r1", "regrade")
    assert "sha256:" in message["packages"]["torch"]
    with redis.client() as client:
        assert not client.exists(events_stream("s1"))


def test_without_a_runner_it_is_told_as_our_fault(
    task_without_runner: JudgeTask, redis: RedisProcess, mha_rope: Challenge
) -> None:
    task_without_runner.apply(kwargs={"request": request(mha_rope)}).get()
    assert [name for name, _ in sent(redis)] == ["assay.started", "assay.fault"]
    assert "SandboxUnavailable" in str(sent(redis)[-1][1]["reason"])
    with redis.client() as client:
        assert client.keys("assay:starts:*") == []


class Received:
    """A request as Celery's worker keeps it until it is acknowledged."""

    def __init__(self, **kwargs: object) -> None:
        self.kwargs = kwargs


def test_what_a_worker_has_received_is_leased_before_a_judge_is_warm(
    redis: RedisProcess, tmp_path: Path, mha_rope: Challenge
) -> None:
    settings = WorkerSettings(redis_url=redis.url, runner_socket=tmp_path / "nobody", name="here")
    celery = create_worker(settings)
    assert HoldLeases in celery.steps["worker"]
    step = HoldLeases(SimpleNamespace(app=celery))
    received = [
        Received(request=regrade_request(mha_rope)),
        Received(request=request(mha_rope, "s2")),
        Received(request=gpu_request(mha_rope)),
        Received(),
    ]
    state.reserved_requests.update(received)
    try:
        step.beat(None)
        with redis.client() as client:
            assert sorted(client.keys("assay:lease:*")) == [
                *("assay:lease:g1", "assay:lease:r1", "assay:lease:s2"),
            ]
            assert 0 < client.ttl("assay:lease:s2") <= LEASE_S
    finally:
        state.reserved_requests.clear()
        step.stop(None)


def test_a_submission_that_judges_die_of_is_put_aside(
    task: JudgeTask, redis: RedisProcess, mha_rope: Challenge
) -> None:
    for _ in range(task.settings.starts_max):
        task.progress.count_start("s1")
    task.apply(kwargs={"request": request(mha_rope)}).get()
    assert [name for name, _ in sent(redis)] == ["assay.fault"]


def test_a_challenge_that_this_judge_does_not_have_is_our_fault(
    task: JudgeTask, redis: RedisProcess, mha_rope: Challenge
) -> None:
    task.apply(kwargs={"request": request(mha_rope, slug="unknown")}, throw=False)
    name, message = sent(redis)[-1]
    assert name == "assay.fault"
    assert "no challenge 'unknown' here" in str(message["reason"])


def test_a_commit_that_cannot_be_fetched_now_is_our_fault_and_told_with_the_words_of_git(
    redis: RedisProcess, tmp_path: Path, root: Path, mha_rope: Challenge
) -> None:
    """So the submission waits, and is sent again."""
    repository = tmp_path / "repository"
    subprocess.run(["git", "init", "--quiet", str(repository)], check=True)
    source = {"url": f"file://{repository}", "commit": "0" * 40, "version": "0" * 16}
    asked = request(mha_rope, slug="cs.shares") | {"source": source}
    reasons = {None: "set ASSAY_WORKER_EXERCISES_FOLDER", tmp_path / "kept": "cannot be fetched: git says"}
    for folder, reason in reasons.items():
        task = opened(redis, tmp_path / "nobody", root, exercises_folder=folder)
        try:
            task.apply(kwargs={"request": asked}, throw=False)
        finally:
            task.close()
        name, message = sent(redis)[-1]
        assert name == "assay.fault"
        assert reason in str(message["reason"])


def test_without_redis_progress_is_lost_and_nothing_else(runner_socket: Path, root: Path, tmp_path: Path) -> None:
    with running_redis(tmp_path) as own:
        lonely = opened(own, runner_socket, root)
    assert lonely.progress.count_start("s1") == 1
    with lonely.progress.working_on("s1"):
        lonely.progress.running("s1")
    lonely.progress.forget_starts("s1")
    lonely.close()


def gpu_request(challenge: Challenge, slug: str = "mha-rope") -> dict[str, object]:
    asked = request(challenge, slug=slug)
    del asked["queued_at"]
    return asked | {"job": "g1", "kind": "gpu"}


def test_a_gpu_stage_is_told_when_it_begins_and_with_its_report(
    redis: RedisProcess, runner_socket: Path, mha_rope: Challenge, tmp_path: Path
) -> None:
    root = challenges_with_small_stage(tmp_path)
    settings = WorkerSettings(
        redis_url=redis.url, runner_socket=runner_socket, name="card", device=Device.CUDA, challenges_root=root
    )
    celery = create_worker(settings, CPU)
    assert (settings.queues, celery.conf.worker_concurrency) == ((GRADE_GPU_QUEUE,), 1)
    task: JudgeTask = celery.tasks[JOB_TASK]
    with redis.client() as client:
        client.flushall()
    task.open()
    try:
        task.apply(kwargs={"request": gpu_request(mha_rope)}).get()
        (began, told), (ended, found) = sent(redis)
        assert (began, told["job"], told["worker"], ended) == ("assay.started", "g1", "card", "assay.record")
        report = GpuRun.model_validate(found).report
        assert report.is_right, report.message
        with redis.client() as client:
            assert client.zrange(GPU_JUDGES, 0, -1) == [f"card:{os.getpid()}"]
            assert not client.exists(JUDGES)
            assert client.keys("assay:lease:*") + client.keys("assay:starts:*") == []
    finally:
        task.close()


def test_a_gpu_stage_that_cannot_be_run_is_our_fault(task: JudgeTask, redis: RedisProcess, mha_rope: Challenge) -> None:
    task.apply(kwargs={"request": gpu_request(mha_rope)}).get()
    task.stand_in = CPU
    task.apply(kwargs={"request": gpu_request(mha_rope, "rmsnorm")}).get()
    assert [name for name, _ in sent(redis)] == ["assay.started", "assay.fault"] * 2
    _, (_, no_gpu), _, (_, no_stage) = sent(redis)
    assert "has no GPU" in str(no_gpu["reason"])
    assert "no GPU stage of 'rmsnorm' here" in str(no_stage["reason"])


def test_a_worker_for_a_card_refuses_to_start_without_one(runner_socket: Path, tmp_path: Path) -> None:
    for socket, said in (
        (runner_socket, "has no GPU: start it with ASSAY_RUNNER_DEVICE=cuda"),
        (tmp_path, "not answer"),
    ):
        settings = WorkerSettings(redis_url="redis://nowhere", runner_socket=socket, device=Device.CUDA)
        with pytest.raises(ProcessSettingsError, match=said):
            run_worker(settings)


def line(given: str, question: str = "turn-back") -> dict[str, object]:
    request = CheckRequest(
        job="c1", challenge="mha-rope", question=question, student="anna", facts=NO_FACTS, given=given
    )
    return request.model_dump(mode="json")


def test_a_line_is_run_and_its_mark_sent_to_the_recorder(task: JudgeTask, redis: RedisProcess) -> None:
    task.apply(kwargs={"request": line("turned_even * cos + turned_odd * sin")}).get()
    (_, (name, message)) = sent(redis)
    checked = Checked.model_validate(message)
    assert (name, checked.job) == ("assay.record", "c1")
    assert checked.mark.status is MarkStatus.CORRECT


def test_a_line_that_cannot_be_run_now_is_our_fault(task_without_runner: JudgeTask, redis: RedisProcess) -> None:
    task_without_runner.apply(kwargs={"request": line("turned_even")}).get()
    task_without_runner.apply(kwargs={"request": line("turned_even", "no-such-question")}).get()
    assert [name for name, _ in sent(redis)] == ["assay.started", "assay.fault"] * 2
    assert "no line 'no-such-question' of 'mha-rope' here" in str(sent(redis)[-1][1]["reason"])


def test_a_drained_worker_takes_nothing_until_it_may_again(redis: RedisProcess) -> None:
    served: list[str] = ["grade.cpu"]
    consumer = SimpleNamespace(task_consumer=object(), cancel_task_queue=served.remove, add_task_queue=served.append)
    app = SimpleNamespace(
        conf=SimpleNamespace(broker_url=redis.url), amqp=SimpleNamespace(queues=SimpleNamespace(consume_from=served))
    )
    worker = SimpleNamespace(app=app, hostname="judge@here", consumer=consumer)
    step = Drain(worker)
    with redis.client() as client:
        client.sadd(DRAINED, "here", "elsewhere")
        for _ in range(2):
            step.beat(worker)
        assert served == []
        client.srem(DRAINED, "here")
        for _ in range(2):
            step.beat(worker)
        assert served == ["grade.cpu"]
    step.stop(worker)


def test_what_fails_when_it_is_measured_is_told_to_the_recorder_with_the_challenges_version(
    task: JudgeTask, redis: RedisProcess
) -> None:
    request = MeasureRequest(
        job="m1", submission_id="s1", challenge="mha-rope", main="layers.py", files={"layers.py": ""}, seed=1
    )
    task.apply(kwargs={"request": request.model_dump(mode="json")}).get()
    (_, (name, message)) = sent(redis)
    measured = Measured.model_validate(message)
    assert (name, measured.job, measured.measurement.time) == ("assay.record", "m1", None)
    assert measured.measurement.problem is not None
    assert measured.challenge_version
