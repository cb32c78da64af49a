"""The recorder as a process: a Celery consumer of `record`, with the sweeper beside it. Only translates."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import structlog
from celery import Celery, bootsteps
from prometheus_client import start_http_server
from pydantic import ValidationError

from app.broker import Broker
from app.database import DATABASE_FAULTS, Database
from app.metrics import RecorderMetrics
from app.receipts.service import register
from app.receipts.signing import Signer
from app.recording import Recording
from app.settings import RecorderSettings
from app.sweeper import Sweeper
from grader.alive import BEAT_S, NOWHERE, Sign
from grader.messages import (
    CHECKED_TASK,
    FAULT_TASK,
    GPU_TOLD_TASK,
    RECORD_QUEUE,
    RECORD_TASK,
    STARTED_TASK,
    Checked,
    Fault,
    GpuTold,
    Graded,
    Message,
    Started,
)

# A message that a recorder took with it into death comes back after this long.
VISIBILITY_TIMEOUT_S: Final = 30
RETRY_PAUSE_S: Final = 2
MessageT = TypeVar("MessageT", bound=Message)
logger = structlog.get_logger(part="recorder")


def run_recorder(settings: RecorderSettings) -> None:
    """Serve until SIGTERM or SIGINT; then finish the message in hand. The schema must be up to date.

    Raises SettingsError when the key for receipts cannot be used.
    """
    metrics = RecorderMetrics()
    database, broker = Database(settings.database_url), Broker(settings.redis_url)
    signer = Signer.at(settings.receipt_key_file) if settings.receipt_key_file else None
    if signer is not None:
        register(database, signer)
    recording = Recording(settings, database, broker, metrics, signer)
    celery = create_recorder(settings.redis_url, recording, metrics, Sign(settings.recorder_alive_folder, "queue"))
    sweeper = Sweeper(settings, database, broker, metrics, Sign(settings.recorder_alive_folder, "sweeper"))
    if settings.recorder_metrics_port:
        start_http_server(settings.recorder_metrics_port, registry=metrics.registry)
    sweeper.start()
    try:
        celery.worker_main(
            [
                "worker",
                "--pool=solo",
                f"--queues={RECORD_QUEUE}",
                "--hostname=recorder@%h",
                "--loglevel=WARNING",
                "--without-gossip",
                "--without-mingle",
                "--without-heartbeat",
            ]
        )
    finally:
        sweeper.stop()
        broker.close()
        database.close()


def create_recorder(redis_url: str, recording: Recording, metrics: RecorderMetrics, sign: Sign = NOWHERE) -> Celery:
    """The Celery application that hands the judges' messages to `recording`, and gives the sign while it does."""
    celery = Celery("assay.recorder", broker=redis_url, set_as_current=False)
    celery.conf.update(
        accept_content=["json"],
        task_serializer="json",
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_redirect_stdouts=False,
        worker_enable_remote_control=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "visibility_timeout": VISIBILITY_TIMEOUT_S,
            "unacked_restore_interval": 5,
            "unacked_restore_throttle": 1,
            # Its own books: restoring by our short timeout must not touch what judges have in hand.
            "unacked_key": "assay:record:unacked",
            "unacked_index_key": "assay:record:unacked_index",
            "unacked_mutex_key": "assay:record:unacked_mutex",
        },
    )
    celery.steps["worker"].add(_giving(sign))
    _consume(celery, metrics, STARTED_TASK, Started, recording.start)
    _consume(celery, metrics, RECORD_TASK, Graded, recording.record)
    _consume(celery, metrics, FAULT_TASK, Fault, recording.fault)
    _consume(celery, metrics, CHECKED_TASK, Checked, recording.checked)
    _consume(celery, metrics, GPU_TOLD_TASK, GpuTold, recording.gpu)
    return celery


def _giving(sign: Sign) -> type:
    """A step of Celery's worker: runs in its event loop, which stands still while it hangs or has lost Redis."""

    class Give(bootsteps.StartStopStep):  # type: ignore[misc]  # celery is not annotated
        requires = ("celery.worker.components:Timer",)

        def start(self, worker: Any) -> None:
            worker.timer.call_repeatedly(BEAT_S, sign.give)

    return Give


def _consume(
    celery: Celery, metrics: RecorderMetrics, name: str, kind: type[MessageT], apply: Callable[[MessageT], None]
) -> None:
    """A message that is none is refused and logged; while the database is away, the message waits for it."""

    def consume(task: Any, *, message: dict[str, Any]) -> None:
        try:
            parsed = kind.model_validate(message)
        except ValidationError as error:
            logger.error("message_refused", task=name, problems=error.error_count(), first=error.errors()[0]["msg"])
            return
        try:
            apply(parsed)
        except DATABASE_FAULTS as error:
            logger.error("database_failed", task=name, reason=str(error).partition("\n")[0])
            raise task.retry(exc=error, countdown=RETRY_PAUSE_S) from error
        metrics.note_message(name, task.request.headers or {})

    celery.task(consume, name=name, bind=True, max_retries=None)
