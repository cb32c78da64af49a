"""Applies the judges' messages: each result at most once, in whatever order they come. Knows no Celery."""

from collections.abc import Callable
from datetime import UTC, datetime

import structlog
from sqlalchemy.orm import Session

from app.broker import BrokerDown
from app.database import Database
from app.jobs.dispatch import Dispatcher
from app.jobs.kind import Event, Kind, Office
from app.jobs.kinds import KINDS
from app.jobs.requeue import Reason, requeue_or_give_up
from app.jobs.telling import tell
from app.jobs.transitions import finish, start
from app.models import Job, JobState
from grader.messages import Fault, JobKind, Progressed, Result, Started

logger = structlog.get_logger(part="recorder")


class Recording:
    """Applies the judges' messages; the only writer of results. Every method may be called again
    with the same message.
    """

    def __init__(self, database: Database, office: Office) -> None:
        self._database = database
        self._office = office
        self._dispatcher = Dispatcher(database, office.broker, office.settings.queue_ahead, KINDS)

    def is_told_by(self, job_id: str, *, verifiers: bool) -> bool:
        """Whether verifiers, or else judges, may say something of the job: those of exercise repositories alone, these
        of everything else. Of a job that is not there, both may: nothing comes of it.
        """
        with self._database.read() as session:
            job = session.get(Job, job_id)
        return job is None or (job.kind is JobKind.EXERCISES) is verifiers

    def start(self, message: Started) -> None:
        """Records that a judge has begun the job, and dispatches more. Does nothing when the job is at its end."""
        moment = datetime.fromtimestamp(message.at, UTC)
        job = self._change(
            message.job,
            lambda session: start(session, message.job, message.worker, moment),
            lambda session, kind, job: kind.started(session, job),
        )
        if job is not None:
            self._refill(job.kind)

    def progress(self, message: Progressed) -> None:
        """Notes what is being done about a job, while it runs."""
        with self._database.write() as session:
            job = session.get(Job, message.job)
            if job is not None and job.state is JobState.RUNNING:
                KINDS[job.kind].progressed(session, job, message.text)

    def record(self, result: Result) -> None:
        """Records the result, once: for a second one the job is done already, and nothing changes."""
        with self._database.read() as session:
            seen = session.get(Job, result.job)
            if seen is None or seen.kind is not result.kind:
                logger.info("result_of_nothing", job=result.job, kind=result.kind)
                return
            refusal = KINDS[seen.kind].refusal(session, seen, result) if seen.state.is_open else None
        if refusal is not None:
            requeue_or_give_up(self._database, self._office, KINDS[seen.kind], seen, Reason.FAULT, refusal)
            return
        job = self._change(
            result.job,
            lambda session: finish(session, result.job),
            lambda session, kind, job: kind.record(session, self._office, job, result),
        )
        if job is None:
            self._office.metrics.duplicates.inc()
            logger.info("result_ignored", job=result.job, kind=result.kind)
            return
        with self._database.read() as session:
            KINDS[job.kind].noted(session, self._office, job, result)
        for kind in KINDS[job.kind].opens:
            self._refill(kind)

    def fault(self, message: Fault) -> None:
        """Records that the service failed on a job, and requeues it after a growing pause, or gives it up."""
        self._office.metrics.faults.inc()
        with self._database.read() as session:
            seen = session.get(Job, message.job)
        if seen is None:
            return
        logger.error("job_failed", job=seen.id, kind=seen.kind, submission_id=seen.submission_id, reason=message.reason)
        requeue_or_give_up(self._database, self._office, KINDS[seen.kind], seen, Reason.FAULT, message.reason)

    def _change(
        self,
        job_id: str,
        step: Callable[[Session], bool],
        follow: Callable[[Session, Kind, Job], list[Event]],
    ) -> Job | None:
        """Take the step, have what belongs to the job follow, and tell it. None when the step was not to be taken."""
        with self._database.write() as session:
            if not step(session):
                return None
            job = session.get_one(Job, job_id)
            events = follow(session, KINDS[job.kind], job)
        tell(self._office.broker, job, events)
        return job

    def _refill(self, kind: JobKind) -> None:
        try:
            self._dispatcher.refill(kind)
        except BrokerDown as error:  # the sweeper does it
            logger.warning("jobs_not_sent", kind=kind, reason=str(error))
