"""The verifier as a process: fetches and verifies the repositories that were asked for in the dashboard, one at a time.
It knows the queue, not the database: the recorder decides what goes live.
"""

import os
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import structlog
from celery import Celery
from redis import Redis

from app.exercises.public_archive import PACKED_BYTES
from assay.exercises.proofs import Origin, fetched_from, prove
from assay.exercises.settings import VerifierSettings
from assay.exercises.verifying import always_wanted
from grader.alive import Heartbeat
from grader.messages import (
    EXERCISES_QUEUE,
    EXERCISES_RECORD_QUEUE,
    JOB_TASK,
    PROGRESS_TASK,
    VERIFIERS,
    ExercisesFound,
    ExercisesRequest,
    Progressed,
)
from grader.repository_addresses import RepositoryError, is_local
from transport.internals import own_books
from transport.programs import consumer, serve
from worker.job_task import JobTask
from worker.progress import Progress

REDIS_TIMEOUT_S: Final = 5.0
# A proof takes up to an hour; before that, no other verifier must restore what this one has taken.
VISIBILITY_TIMEOUT_S: Final = 2 * 3600
STARTS_MAX: Final = 3  # verifiers that may die of one repository within an hour
SENTENCE_CHARACTERS: Final = 200
REASON_CHARACTERS: Final = 4000


class VerifierTask(JobTask):
    """Holds what the verifier needs."""

    doers = "verifiers"
    record_queue = EXERCISES_RECORD_QUEUE
    settings: VerifierSettings


def run_verifier(settings: VerifierSettings) -> None:
    """Takes repositories until SIGTERM. What it had begun then is done by the next one."""
    redis = Redis.from_url(settings.redis_url, socket_timeout=REDIS_TIMEOUT_S)
    heartbeat = Heartbeat(settings.alive_folder, "verifier")
    progress = Progress(redis, f"{settings.name}:{os.getpid()}", VERIFIERS, heartbeat)
    celery = create_verifier(settings, progress)
    progress.start()
    try:
        serve(celery, (EXERCISES_QUEUE,), f"verifier@{settings.name}", "--pool=solo")
    finally:
        progress.stop()


def create_verifier(settings: VerifierSettings, progress: Progress) -> Celery:
    """Returns the Celery application of a verifier."""
    celery = consumer("assay.verifier", settings.redis_url, VISIBILITY_TIMEOUT_S, own_books("unacked_exercises"))
    task = celery.task(_do, name=JOB_TASK, base=VerifierTask, bind=True)
    task.settings, task.progress = settings, progress
    return celery


def _do(task: VerifierTask, *, request: dict[str, Any]) -> None:
    """Verifies one repository and sends what was found to the recorder."""
    asked = ExercisesRequest.model_validate(request)
    structlog.contextvars.bind_contextvars(job=asked.job, kind=asked.kind)

    def tell(line: str) -> None:
        task.tell(PROGRESS_TASK, Progressed(job=asked.job, text=line[:SENTENCE_CHARACTERS]))

    task.do_job(
        asked.job,
        lambda: found_in(asked, task.settings.snapshots_folder, tell, lambda: task.progress.is_wanted(asked.job)),
        worker=task.settings.name,
        starts_max=STARTS_MAX,
    )


def found_in(
    asked: ExercisesRequest,
    snapshots: Path | None,
    tell: Callable[[str], None],
    is_wanted: Callable[[], bool] = always_wanted,
) -> ExercisesFound:
    """Fetches and verifies what was asked for, as long as it `is_wanted`. What cannot be used is told as a refusal,
    with the reason. Without `snapshots`, nothing of this machine is read.
    """
    commit = source = ""
    try:
        if is_local(asked.url) and snapshots is None:
            raise RepositoryError("This verifier fetches https and ssh addresses alone, no folders and file://.")
        place = (
            Origin.of(asked.url, asked.ref, asked.namespace, snapshots)
            if is_local(asked.url)
            else Origin.at(asked.url, asked.ref)
        )
        source = place.source
        with fetched_from(place, tell) as (commit, root):
            proof = prove(root, asked.namespace, asked.proven, tell, is_wanted)
        if len(proof.public) > PACKED_BYTES:
            raise RepositoryError(
                f"What students get of its exercises (starters, libraries) is larger than {PACKED_BYTES >> 20} MiB. "
                "Make that smaller, or have an operator add it with `assay exercises add`."
            )
    except RepositoryError as error:
        return ExercisesFound(job=asked.job, commit=commit, source=source, refusal=str(error)[:REASON_CHARACTERS])
    return ExercisesFound(
        job=asked.job, commit=commit, source=source, exercises=proof.exercises, public=b64encode(proof.public)
    )
