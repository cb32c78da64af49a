"""The recorder as a process: a Celery consumer of `record`, with the sweeper beside it. Only translates."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar

import structlog
from celery import Celery
from prometheus_client import start_http_server
from pydantic import TypeAdapter, ValidationError

from app.broker import Broker
from app.database import DATABASE_FAULTS, Database
from app.invitations.mailing import InvitationMails
from app.jobs.kind import Office
from app.mail.mailer import Mailer, mailing
from app.metrics import RecorderMetrics
from app.news.mailing import Digests
from app.receipts.service import register
from app.receipts.signing import Signer
from app.recording import Recording
from app.settings import RecorderSettings
from app.sweeper import Sweeper
from grader.alive import BEAT_S, NOWHERE, Heartbeat
from grader.messages import (
    EXERCISES_RECORD_QUEUE,
    FAULT_TASK,
    PROGRESS_TASK,
    RECORD_QUEUE,
    RECORD_TASK,
    RESULT,
    STARTED_TASK,
    Fault,
    Message,
    Progressed,
    Started,
)
from transport.internals import own_books
from transport.programs import consumer, serve
from transport.steps import Repeated
from transport.taken import queue_of

# A message that a recorder took with it into death comes back after this long.
VISIBILITY_TIMEOUT_S: Final = 30
RETRY_PAUSE_S: Final = 2
MessageT = TypeVar("MessageT", bound=Message)
logger = structlog.get_logger(part="recorder")


def run_recorder(settings: RecorderSettings) -> None:
    """Runs until SIGTERM or SIGINT, then finishes the current message. The schema must be up to date.

    Raises SettingsError when the key for receipts cannot be used.
    """
    metrics = RecorderMetrics()
    database, broker = Database(settings.database_url), Broker(settings.redis_url)
    signer = Signer.at(settings.receipt_key_file) if settings.receipt_key_file else None
    if signer is not None:
        register(database, signer)
    office = Office(settings, broker, metrics, signer)
    recording = Recording(database, office)
    celery = create_recorder(settings.redis_url, recording, metrics, Heartbeat(settings.recorder_alive_folder, "queue"))
    mails = mailing(Mailer(settings, metrics, (InvitationMails(database), Digests(database))))
    sweeper = Sweeper(database, office, Heartbeat(settings.recorder_alive_folder, "sweeper"))
    if settings.recorder_metrics_port:
        start_http_server(settings.recorder_metrics_port, registry=metrics.registry)
    sweeper.start()
    if settings.smtp_host:
        mails.start()
    try:
        serve(celery, (RECORD_QUEUE, EXERCISES_RECORD_QUEUE), "recorder@%h", "--pool=solo")
    finally:
        mails.stop()
        sweeper.stop()
        broker.close()
        database.close()


def create_recorder(
    redis_url: str, recording: Recording, metrics: RecorderMetrics, heartbeat: Heartbeat = NOWHERE
) -> Celery:
    """Returns the Celery application that hands the judges' messages to `recording` and gives a heartbeat meanwhile."""
    # What a judge has taken must not be restored by our short timeout.
    options = {"unacked_restore_interval": 5, "unacked_restore_throttle": 1, **own_books("assay:record:unacked")}
    celery = consumer("assay.recorder", redis_url, VISIBILITY_TIMEOUT_S, options)
    celery.conf.update(worker_redirect_stdouts=False, broker_connection_max_retries=None)
    celery.steps["worker"].add(_beating(heartbeat))
    consume = partial(_consume, celery, metrics, recording)
    consume(STARTED_TASK, TypeAdapter(Started), recording.start)
    consume(PROGRESS_TASK, TypeAdapter(Progressed), recording.progress)
    consume(RECORD_TASK, RESULT, recording.record)
    consume(FAULT_TASK, TypeAdapter(Fault), recording.fault)
    return celery


def _beating(heartbeat: Heartbeat) -> type[Repeated]:
    class Give(Repeated):
        """The recorder's heartbeat."""

        every_s = BEAT_S

        def beat(self, worker: Any) -> None:  # noqa: ARG002
            heartbeat.beat()

    return Give


def _consume(
    celery: Celery,
    metrics: RecorderMetrics,
    recording: Recording,
    name: str,
    form: TypeAdapter[MessageT],
    apply: Callable[[MessageT], None],
) -> None:
    """A message that is none, or of somebody whose job it is not, is refused and logged; while the database is away,
    the message waits for it.
    """

    def consume(task: Any, *, message: dict[str, Any]) -> None:
        try:
            parsed = form.validate_python(message)
        except ValidationError as error:
            logger.error("message_refused", task=name, problems=error.error_count(), first=error.errors()[0]["msg"])
            return
        queue = queue_of(task)
        try:
            if not recording.is_told_by(parsed.job, verifiers=queue == EXERCISES_RECORD_QUEUE):
                logger.error("message_refused", task=name, job=parsed.job, queue=queue)
                return
            apply(parsed)
        except DATABASE_FAULTS as error:
            logger.error("database_failed", task=name, reason=str(error).partition("\n")[0])
            raise task.retry(exc=error, countdown=RETRY_PAUSE_S) from error
        metrics.note_message(name, task.request.headers or {})

    celery.task(consume, name=name, bind=True, max_retries=None)
