"""The Celery side of the judge: takes a grade request, sends back a report. Only translates."""

import os
import time
from typing import Any, Final

import structlog
import torch
from celery import Celery, Task, signals
from pydantic import BaseModel
from redis import Redis, RedisError

from grader.alive import Sign
from grader.challenge import load_challenges
from grader.execution import Device, SandboxUnavailable
from grader.gpu_report import GpuReport
from grader.messages import (
    CHECK_TASK,
    CHECKED_TASK,
    ENDINGS_HEADER,
    FAULT_TASK,
    GPU_JUDGES,
    GPU_TASK,
    GPU_TOLD_TASK,
    GRADE_TASK,
    JUDGES,
    QUEUED_AT_HEADER,
    RECORD_QUEUE,
    RECORD_TASK,
    STARTED_TASK,
    Checked,
    CheckRequest,
    Fault,
    GpuRequest,
    GpuTold,
    Graded,
    GradeRequest,
    Started,
)
from worker.draining import Drain
from worker.holding import HoldLeases
from worker.in_hand import Dealt
from worker.judge import Judge
from worker.progress import Progress
from worker.provenance import package_digests
from worker.runner_client import RunnerClient
from worker.settings import WorkerSettings, WorkerSettingsError
from worker.vitality import Vitality

REDIS_TIMEOUT_S = 5.0
# A lost judge's message comes back after this long; before that the sweeper has queued the submission again.
VISIBILITY_TIMEOUT_S = 120
# A GPU stage takes longer, and has books of its own: other judges must not restore what one of these has in hand.
GPU_TRANSPORT: Final = {
    "visibility_timeout": 1800,
    "unacked_key": "unacked_gpu",
    "unacked_index_key": "unacked_gpu_index",
    "unacked_mutex_key": "unacked_gpu_mutex",
}
# A judge's process that is not warm by then is killed and made anew; Celery's own 4 s are too few on a busy machine.
WARM_UP_TIMEOUT_S = 180.0

log = structlog.get_logger()


class GradeTask(Task):  # type: ignore[misc]  # celery is not annotated
    """Holds what a judge process needs: made when the process starts, closed when it ends."""

    Request = Dealt
    settings: WorkerSettings
    progress: Progress
    runner: RunnerClient
    judge: Judge
    packages: dict[str, str]
    stand_in: Device | None = None  # in a card's place

    def open(self) -> None:
        name = f"{self.settings.name}:{os.getpid()}"
        redis = Redis.from_url(self.settings.redis_url, socket_timeout=REDIS_TIMEOUT_S)
        judges = GPU_JUDGES if self.settings.is_on_gpu else JUDGES
        self.progress = Progress(redis, name, judges, Sign(self.settings.alive_folder, "judge"))
        self.runner = RunnerClient(self.settings.runner_socket)
        torch.set_num_threads(1)  # a paper's tensors are small: more threads only wait for each other
        self.judge = Judge(load_challenges(self.settings.challenges_root), self.runner, self.progress)
        self.judge.warm_up()
        self.packages = package_digests()
        self.progress.start()

    def close(self) -> None:
        self.progress.stop()

    def device(self) -> Device:
        """Where GPU stages run, as it is now. Raises SandboxUnavailable."""
        device = self.stand_in or self.runner.device
        if device is None:
            raise SandboxUnavailable(f"the runner at {self.settings.runner_socket} has no card")
        return device


def create_worker(settings: WorkerSettings, stand_in: Device | None = None) -> Celery:
    """The Celery application of a judge. Start it with `run_worker`. With a `stand_in`, GPU stages run on that."""
    celery = Celery("assay.worker", broker=settings.redis_url)
    celery.conf.update(
        accept_content=["json"],
        task_serializer="json",
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        worker_concurrency=1 if settings.is_on_gpu else settings.concurrency,
        worker_proc_alive_timeout=WARM_UP_TIMEOUT_S,
        worker_hijack_root_logger=False,
        worker_enable_remote_control=False,
        broker_connection_retry_on_startup=True,
        broker_transport_options=(
            GPU_TRANSPORT if settings.is_on_gpu else {"visibility_timeout": VISIBILITY_TIMEOUT_S}
        ),
    )
    celery.steps["worker"].update((HoldLeases, Drain))
    if settings.alive_folder is not None:
        celery.steps["worker"].add(Vitality)
    task = celery.task(_grade, name=GRADE_TASK, base=GradeTask, bind=True)
    task.settings = settings
    task.stand_in = stand_in

    def gpu(request: dict[str, Any]) -> None:
        _gpu(task, request)

    def check(request: dict[str, Any]) -> None:
        _check(task, request)

    celery.task(check, name=CHECK_TASK, shared=False, Request=Dealt)
    celery.task(gpu, name=GPU_TASK, shared=False, Request=Dealt)
    signals.worker_process_init.connect(lambda **_: task.open(), weak=False)
    signals.worker_process_shutdown.connect(lambda **_: task.close(), weak=False)
    return celery


def run_worker(settings: WorkerSettings, stand_in: Device | None = None) -> None:
    """Serve the queue until SIGTERM; then finish what is in work. Raises WorkerSettingsError where a card is asked for
    and there is none.
    """
    if settings.is_on_gpu and stand_in is None:
        require_card(settings)
    worker = create_worker(settings, stand_in)
    worker.worker_main(
        [
            "worker",
            "--queues",
            ",".join(settings.queues),
            "--hostname",
            f"judge@{settings.name}",
            "--loglevel",
            "WARNING",
            "--without-gossip",
            "--without-mingle",
            "--without-heartbeat",
        ]
    )


def require_card(settings: WorkerSettings) -> None:
    """Raises WorkerSettingsError with a sentence for the operator."""
    advice = "start it with ASSAY_RUNNER_DEVICE=cuda on a machine with an NVIDIA card (docs/gpu.md)."
    try:
        device = RunnerClient(settings.runner_socket).device
    except SandboxUnavailable as error:
        raise WorkerSettingsError(
            f"A worker with --device cuda needs a runner with a GPU, and {error}: {advice}"
        ) from error
    if device is None:
        raise WorkerSettingsError(f"The runner at {settings.runner_socket} has no GPU: {advice}")


def _grade(task: GradeTask, *, request: dict[str, Any]) -> None:
    """Grade one submission and send the report to the recorder. At least once; the recorder makes it once."""
    job = GradeRequest.model_validate(request)
    structlog.contextvars.bind_contextvars(submission_id=job.submission_id)
    try:
        if job.regrade is None and not task.progress.begin(job.submission_id):
            return
    except RedisError as error:
        _give_up(task, job, f"{type(error).__name__}: {error}")
        return
    if task.progress.count_start(job.job) > task.settings.starts_max:
        _give_up(task, job, "judges die of it")
        return
    try:
        with task.progress.working_on(job.job):
            _tell_start(task, job)
            report = task.judge.grade(job)
            done = Graded(
                submission_id=job.submission_id,
                report=report,
                packages=task.packages,
                regrade=job.regrade,
                has_gpu_stage=task.judge.has_gpu_stage(job.challenge),
            )
            _send(task, RECORD_TASK, done, {ENDINGS_HEADER: task.runner.take_endings()})
        task.progress.forget_starts(job.job)
    except Exception as error:  # the edge: whatever it is, it is our fault, never the student's
        log.error("grade.failed", exc_info=error)
        task.progress.forget_starts(job.job)
        _give_up(task, job, f"{type(error).__name__}: {error}")


def _gpu(task: GradeTask, request: dict[str, Any]) -> None:
    """Put a submission that has passed to its GPU stage. At least once; the recorder makes it once."""
    job = GpuRequest.model_validate(request)
    if task.progress.count_start(job.job) > task.settings.starts_max:
        _tell_gpu(task, job, fault="judges die of it")
        return
    try:
        with task.progress.working_on(job.job):
            _tell_gpu(task, job)
            _tell_gpu(task, job, report=task.judge.gpu_stage(job, task.device()))
    except Exception as error:  # the edge: whatever it is, it is our fault, never the student's
        log.error("gpu_stage.failed", submission_id=job.submission_id, exc_info=error)
        _tell_gpu(task, job, fault=f"{type(error).__name__}: {error}")
    task.progress.forget_starts(job.job)


def _tell_gpu(task: GradeTask, job: GpuRequest, *, report: GpuReport | None = None, fault: str | None = None) -> None:
    told = GpuTold(submission_id=job.submission_id, worker=task.settings.name, report=report, fault=fault)
    _send(task, GPU_TOLD_TASK, told)


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
