"""The Celery side of the judge: takes a grade request, sends back a report. Only translates."""

import os
from typing import Any, Final

import structlog
import torch
from celery import Celery, signals
from redis import Redis

from grader.alive import Heartbeat
from grader.challenge import load_challenges
from grader.guest.execution import Device, SandboxUnavailable
from grader.messages import (
    ENDINGS_HEADER,
    GPU_JUDGES,
    JOB_TASK,
    JUDGES,
    REQUEST,
    Checked,
    CheckRequest,
    ExercisesRequest,
    GpuRequest,
    GpuRun,
    Graded,
    GradeRequest,
    JobKind,
    Measured,
    MeasureRequest,
    Request,
    Result,
)
from transport.internals import own_books
from transport.programs import consumer, serve
from worker.draining import Drain
from worker.heartbeats import Heartbeats
from worker.job_task import JobTask
from worker.judge import Judge
from worker.leases import HoldLeases
from worker.process_settings import ProcessSettingsError
from worker.progress import Progress
from worker.provenance import package_digests
from worker.repositories.store import Store
from worker.runner_client import RunnerClient
from worker.settings import WorkerSettings

REDIS_TIMEOUT_S = 5.0
# A lost judge's message comes back after this long; before that the sweeper has queued the submission again.
VISIBILITY_TIMEOUT_S = 120
# A GPU stage takes longer: other judges must not restore what one of these has.
GPU_TIMEOUT_S: Final = 1800
GPU_BOOKS: Final = own_books("unacked_gpu")
# A judge's process that is not warm by then is killed and made anew; Celery's own 4 s are too few on a busy machine.
WARM_UP_TIMEOUT_S = 180.0


class JudgeTask(JobTask):
    """Holds what a judge process needs: made when the process starts, closed when it ends."""

    doers = "judges"
    settings: WorkerSettings
    runner: RunnerClient
    judge: Judge
    packages: dict[str, str]
    stand_in: Device | None = None  # in a GPU's place

    def open(self) -> None:
        """Connects to Redis and the runner, loads and warms up all challenges, and begins the heartbeat."""
        name = f"{self.settings.name}:{os.getpid()}"
        redis = Redis.from_url(self.settings.redis_url, socket_timeout=REDIS_TIMEOUT_S)
        judges = GPU_JUDGES if self.settings.is_on_gpu else JUDGES
        self.progress = Progress(redis, name, judges, Heartbeat(self.settings.alive_folder, "judge"))
        self.runner = RunnerClient(self.settings.runner_socket)
        torch.set_num_threads(1)  # a paper's tensors are small: more threads only wait for each other
        folder = self.settings.exercises_folder
        store = Store(folder) if folder else None
        self.judge = Judge(load_challenges(self.settings.challenges_root), self.runner, self.progress, store)
        self.judge.warm_up()
        self.packages = package_digests()
        self.progress.start()

    def close(self) -> None:
        """Ends the heartbeat."""
        self.progress.stop()

    def device(self) -> Device:
        """Where GPU stages run, as it is now. Raises SandboxUnavailable."""
        device = self.stand_in or self.runner.device
        if device is None:
            raise SandboxUnavailable(f"the runner at {self.settings.runner_socket} has no GPU")
        return device


def create_worker(settings: WorkerSettings, stand_in: Device | None = None) -> Celery:
    """The Celery application of a judge. Start it with `run_worker`. With a `stand_in`, GPU stages run on that."""
    timeout_s, options = (GPU_TIMEOUT_S, GPU_BOOKS) if settings.is_on_gpu else (VISIBILITY_TIMEOUT_S, {})
    celery = consumer("assay.worker", settings.redis_url, timeout_s, options)
    celery.set_current()
    celery.conf.update(
        worker_concurrency=1 if settings.is_on_gpu else settings.concurrency,
        worker_proc_alive_timeout=WARM_UP_TIMEOUT_S,
    )
    celery.steps["worker"].update((HoldLeases, Drain))
    if settings.alive_folder is not None:
        celery.steps["worker"].add(Heartbeats)
    task = celery.task(_do, name=JOB_TASK, base=JudgeTask, bind=True)
    task.settings = settings
    task.stand_in = stand_in
    signals.worker_process_init.connect(lambda **_: task.open(), weak=False)
    signals.worker_process_shutdown.connect(lambda **_: task.close(), weak=False)
    return celery


def run_worker(settings: WorkerSettings, stand_in: Device | None = None) -> None:
    """Serve the queue until SIGTERM; then finish what is in work. Raises ProcessSettingsError where a GPU is asked for
    and there is none.
    """
    if settings.is_on_gpu and stand_in is None:
        require_gpu(settings)
    serve(create_worker(settings, stand_in), settings.queues, f"judge@{settings.name}")


def require_gpu(settings: WorkerSettings) -> None:
    """Raises ProcessSettingsError with a sentence for the operator."""
    advice = "start it with ASSAY_RUNNER_DEVICE=cuda on a machine with an NVIDIA GPU (docs/gpu.md)."
    try:
        device = RunnerClient(settings.runner_socket).device
    except SandboxUnavailable as error:
        raise ProcessSettingsError(
            f"A worker with --device cuda needs a runner with a GPU, and {error}: {advice}"
        ) from error
    if device is None:
        raise ProcessSettingsError(f"The runner at {settings.runner_socket} has no GPU: {advice}")


def _do(task: JudgeTask, *, request: dict[str, Any]) -> None:
    """Do one job and send what came of it to the recorder."""
    asked = REQUEST.validate_python(request)
    structlog.contextvars.bind_contextvars(job=asked.job, kind=asked.kind)
    task.do_job(
        asked.job,
        lambda: _result(task, asked),
        worker=task.settings.name,
        starts_max=task.settings.starts_max,
        headers=lambda: {ENDINGS_HEADER: task.runner.take_endings()},
    )


def _result(task: JudgeTask, asked: Request) -> Result:
    match asked:
        case GradeRequest():
            if asked.kind is JobKind.SUBMISSION:  # of a regrade, the student hears when it is applied
                task.progress.running(asked.submission_id)
            report = task.judge.grade(asked)
            has_gpu_stage = task.judge.has_gpu_stage(asked)
            return Graded(
                job=asked.job, kind=asked.kind, report=report, packages=task.packages, has_gpu_stage=has_gpu_stage
            )
        case GpuRequest():
            return GpuRun(job=asked.job, report=task.judge.gpu_stage(asked, task.device()))
        case CheckRequest():
            return Checked(job=asked.job, mark=task.judge.check(asked))
        case MeasureRequest():
            measurement, version = task.judge.measure(asked)
            return Measured(
                job=asked.job, measurement=measurement, challenge_version=version, worker=task.settings.name[:255]
            )
        case ExercisesRequest():
            raise TypeError("exercise repositories are for `assay verifier`, not for judges")
