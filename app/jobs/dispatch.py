"""Dispatches jobs to the judges, a few of each kind at a time: once in Redis, a message keeps its position."""

import threading
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.broker import Broker, BrokerDown, PerhapsSent
from app.database import Database
from app.exercises.sources import source_of
from app.jobs.kind import Kind
from app.jobs.transitions import dispatch, undo_dispatch, withdraw
from app.models import Job, JobState, Submission, SubmissionFile, now
from app.rows import count
from grader.messages import JobKind

logger = structlog.get_logger(part="jobs")


class Dispatcher:
    """Dispatches waiting jobs to the judges. Several processes may have one: a conditional update lets one of them send
    a job. Thread-safe.
    """

    def __init__(self, database: Database, broker: Broker, ahead: int, kinds: Mapping[JobKind, Kind]) -> None:
        self._database = database
        self._broker = broker
        self._kinds = kinds
        self.ahead = ahead
        self._has_arrived = False
        self._is_sending = threading.Lock()

    def send_all(self) -> None:
        """Dispatches the next jobs of every kind. Raises BrokerDown."""
        for kind in self._kinds:
            self.send(kind)

    def send(self, kind: JobKind, least: int = 1) -> int:
        """Dispatches the next jobs until `ahead` messages wait for a judge; none unless there is room for `least`.
        Returns how many it sent.

        Raises BrokerDown; jobs that were not sent keep waiting.
        """
        with self._database.read() as session:
            room = self.ahead - count(session, Job.kind == kind, Job.state == JobState.DISPATCHED)
            chosen = self._kinds[kind].next(session, room, now()) if room >= least else []
        return sum(self._send(job_id) for job_id in chosen)

    def refill(self, kind: JobKind) -> None:
        """Dispatches the next jobs once half of the room is free, so that the queue is not sorted for each message that
        a judge claims.
        """
        self.send(kind, least=(self.ahead + 1) // 2)

    def arrived(self) -> None:
        """Dispatches after a new submission. While one thread dispatches, others that come only leave a flag, and it
        looks once more; so no upload waits for another.

        Raises BrokerDown.
        """
        self._has_arrived = True
        while self._has_arrived and self._is_sending.acquire(blocking=False):
            try:
                self._has_arrived = False
                self.send(JobKind.SUBMISSION)
            finally:
                self._is_sending.release()

    def _send(self, job_id: str) -> bool:
        moment = now()
        with self._database.write() as session:
            if not dispatch(session, job_id, moment):
                return False
        with self._database.read() as session:
            job = session.get_one(Job, job_id)
            request = self._kinds[job.kind].request(session, job)
        if request is None:
            self._withdraw(job_id)
            return False
        try:
            self._broker.allow_withdrawal(job_id)  # first: a judge that has it already must find this
            self._broker.send(request, job.queue, job.priority, moment.timestamp())
        except PerhapsSent:
            raise  # a judge may have it: if none has, the sweeper misses it
        except BrokerDown:
            with self._database.write() as session:
                undo_dispatch(session, job_id, moment)
            raise
        return True

    def _withdraw(self, job_id: str) -> None:
        with self._database.write() as session:
            withdraw(session, Job.id == job_id)
        logger.info("job_withdrawn", job=job_id)


def work_of(session: Session, row: Submission, version: str | None) -> dict[str, Any]:
    """Returns what every SubmissionRequest says of a submission, but for the seed: its files in base64, and where that
    version of its exercise is.
    """
    files = session.scalars(select(SubmissionFile).where(SubmissionFile.submission_id == row.id))
    return {
        "submission_id": row.id,
        "challenge": row.challenge,
        "source": source_of(session, row.challenge, version),
        "main": row.main,
        "files": {file.path: b64encode(file.content) for file in files},
    }
