"""The Celery side of the judge: takes a grade request, sends back a report. Only translates."""

import os
import time
from typing import Any

import structlog
import torch
from celery import Celery, Task, signals
from pydantic import BaseModel
from redis import Redis

from grader.challenge import load_challenges
from grader.messages import (
    CHECK_QUEUE,
    CHECK_TASK,
    CHECKED_TASK,
    ENDINGS_HEADER,
    FAULT_TASK,
    GRADE_TASK,
    QUEUED_AT_HEADER,
    RECORD_QUEUE,
    RECORD_TASK,
    STARTED_TASK,
    Checked,
    CheckRequest,
    Fault,
    Graded,
    GradeRequest,
    Started,
)
from worker.draining import Drain
from worker.holding import HoldLeases
from worker.judge import Judge
from worker.progress import Progress
from worker.provenance import package_digests
from worker.runner_client import RunnerClient
from worker.settings import WorkerSettings

REDIS_TIMEOUT_S = 5.0
# A lost judge's message comes back after this long; before that the sweeper has queued the submission again.
VISIBILITY_TIMEOUT_S = 120
# A judge's process that is not warm by then is killed and made anew; Celery's own 4 s are too few on a busy machine.
WARM_UP_TIMEOUT_S = 180.0

log = structlog.get_logger()


class GradeTask(Task):  # type: ignore[misc]  # celery is not annotated
    """Holds what a judge process needs: made when the process starts, closed when it ends."""

    settings: WorkerSettings
    progress: Progress
    runner: RunnerClient
    judge: Judge
    packages: dict[str, str]

    def open(self) -> None:
        name = f"{self.settings.name}:{os.getpid()}"
        redis = Redis.from_url(self.settings.redis_url, socket_timeout=REDIS_TIMEOUT_S)
        self.progress = Progress(redis, name)
        self.runner = RunnerClient(self.settings.runner_socket)
        torch.set_num_threads(1)  # a paper's tensors are small: more threads only wait for each other
        self.judge = Judge(load_challenges(self.settings.challenges_root), self.runner, self.progress)
        self.judge.warm_up()
        self.packages = package_digests()
        self.progress.start()

    def close(self) -> None:
        self.progress.stop()


def create_worker(settings: WorkerSettings) -> Celery:
    """The Celery application of a judge. Start it with `run_worker`."""
    celery = Celery("assay.worker", broker=settings.redis_url)
    celery.conf.update(
        accept_content=["json"],
        task_serializer="json",
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        worker_concurrency=settings.concurrency,
        worker_proc_alive_timeout=WARM_UP_TIMEOUT_S,
        worker_hijack_root_logger=False,
        worker_enable_remote_control=False,
        broker_connection_retry_on_startup=True,
        broker_transport_options={"visibility_timeout": VISIBILITY_TIMEOUT_S},
    )
    celery.steps["worker"].update((HoldLeases, Drain))
    task = celery.task(_grade, name=GRADE_TASK, base=GradeTask, bind=True)
    task.settings = settings

    def check(request: dict[str, Any]) -> None:
        _check(task, request)

    celery.task(check, name=CHECK_TASK, shared=False)
    signals.worker_process_init.connect(lambda **_: task.open(), weak=False)
    signals.worker_process_shutdown.connect(lambda **_: task.close(), weak=False)
    return celery


def run_worker(settings: WorkerSettings) -> None:
    """Serve the queue until SIGTERM; then finish what is in work."""
    worker = create_worker(settings)
    worker.worker_main(
        [
            "worker",
            "--queues",
            f"{settings.queue},{CHECK_QUEUE}",
            "--hostname",
            f"judge@{settings.name}",
            "--loglevel",
            "WARNING",
            "--without-gossip",
            "--without-mingle",
            "--without-heartbeat",
        ]
    )


def _grade(task: GradeTask, *, request: dict[str, Any]) -> None:
    """Grade one submission and send the report to the recorder. At least once; the recorder makes it once."""
    job = GradeRequest.model_validate(request)
    structlog.contextvars.bind_contextvars(submission_id=job.submission_id)
    if job.regrade is None and task.progress.is_settled(job.submission_id):
        return
    if task.progress.count_start(job.job) > task.settings.starts_max:
        _give_up(task, job, "judges die of it")
        return
    try:
        with task.progress.working_on(job.job):
            _tell_start(task, job)
            report = task.judge.grade(job)
            done = Graded(submission_id=job.submission_id, report=report, packages=task.packages, regrade=job.regrade)
            _send(task, RECORD_TASK, done, {ENDINGS_HEADER: task.runner.take_endings()})
        task.progress.forget_starts(job.job)
    except Exception as error:  # the edge: whatever it is, it is our fault, never the student's
        log.error("grade.failed", exc_info=error)
        task.progress.forget_starts(job.job)
        _give_up(task, job, f"{type(error).__name__}: {error}")


def _check(task: GradeTask, request: dict[str, Any]) -> None:
    """Run a line of code that answers a question. What fails here is sent again, as long as it has no mark."""
    job = CheckRequest.model_validate(request)
    try:
        mark = task.judge.check(job)
    except Exception as error:  # the edge: whatever it is, it is our fault, never the student's
        log.error("check.failed", answer_id=job.answer_id, question=job.question, exc_info=error)
        return
    _send(task, CHECKED_TASK, Checked(answer_id=job.answer_id, version=job.version, mark=mark))


def _tell_start(task: GradeTask, job: GradeRequest) -> None:
    """A regrade goes on unseen: the student has a report."""
    if job.regrade is None:
        _send(task, STARTED_TASK, Started(submission_id=job.submission_id, worker=task.settings.name, at=time.time()))
        task.progress.running(job.submission_id)


def _give_up(task: GradeTask, job: GradeRequest, reason: str) -> None:
    """The submission goes back into the line, and to another judge, later each time."""
    _send(task, FAULT_TASK, Fault(submission_id=job.submission_id, reason=reason, regrade=job.regrade))


def _send(task: GradeTask, name: str, message: BaseModel, headers: dict[str, Any] | None = None) -> None:
    task.app.send_task(
        name,
        kwargs={"message": message.model_dump(mode="json", by_alias=True)},
        queue=RECORD_QUEUE,
        headers={QUEUED_AT_HEADER: time.time(), **(headers or {})},
    )
