"""The recorder's part: sends the jobs of regrades behind students, takes their reports, finds those that are lost."""

from dataclasses import dataclass
from datetime import datetime

import structlog
from sqlalchemy import ColumnElement, and_, func, or_, select, update

from app.broker import REGRADES, Broker, BrokerDown
from app.database import Database
from app.line.dispatch import grade_request
from app.line.missing import Missing, Sent
from app.line.transitions import applies_to, pause
from app.models import Regrade, RegradedSubmission, RegradeState, Submission, now
from app.receipts.signing import Signer
from app.settings import RecorderSettings
from grader.messages import GRADE_CPU_QUEUE, Fault, Graded, job_of

LOST = "its judge was lost"
logger = structlog.get_logger(part="regrades")


@dataclass(frozen=True)
class Job(Sent):
    """One submission of a regrade that was sent to a judge."""

    regrade: str
    submission: str


class RegradeJobs:
    """Every method may be called again, by several processes: conditional updates let one of them win."""

    def __init__(
        self, settings: RecorderSettings, database: Database, broker: Broker, signer: Signer | None = None
    ) -> None:
        self._settings = settings
        self._database = database
        self._broker = broker
        self._signer = signer
        self._missing: Missing[Job] = Missing(broker, settings.lost_after_s, REGRADES)

    def sweep(self) -> int:
        """Put back what is lost, send what is next, note what is complete; returns how many were lost."""
        lost = self._missing.lost(self._sent())
        for job in lost:
            self._put_back(job.regrade, job.submission, LOST)
        self.send()
        self._note_complete()
        return len(lost)

    def send(self) -> None:
        """As many as may wait in Redis; there they stand behind every student. Raises BrokerDown."""
        with self._database.read() as session:
            in_work = session.scalar(
                select(func.count()).select_from(RegradedSubmission).join(Regrade).where(_is_sent())
            )
            query = (
                select(RegradedSubmission)
                .join(Regrade)
                .where(_is_due(now()))
                .order_by(RegradedSubmission.regrade_id, RegradedSubmission.submission_id)
                .limit(max(0, self._settings.queue_ahead - (in_work or 0)))
            )
            chosen = session.scalars(query).all()
        for item in chosen:
            self._send(item.regrade_id, item.submission_id)

    def record(self, message: Graded, regrade: str) -> None:
        """The new report, beside the one that holds. The first one counts."""
        moment = now()
        with self._database.write() as session:
            item = session.get(RegradedSubmission, (regrade, message.submission_id), with_for_update=True)
            wanted = session.get(Regrade, regrade)
            if item is None or wanted is None or item.body is not None:
                return
            if message.report.challenge.version == wanted.challenge_version:
                submission = session.get_one(Submission, message.submission_id)
                item.verdict, item.score = message.report.verdict, message.report.score
                item.body = message.report.to_json()
                item.receipt = self._signer.receipt(submission, message, moment) if self._signer else None
                item.fault = None
                return
        found = message.report.challenge.version
        self._put_back(regrade, message.submission_id, f"a judge has version {found}, not {wanted.challenge_version}")

    def fault(self, message: Fault, regrade: str) -> None:
        logger.error("regrading_failed", submission_id=message.submission_id, regrade=regrade, reason=message.reason)
        self._put_back(regrade, message.submission_id, message.reason)

    def _sent(self) -> list[Job]:
        query = (
            select(RegradedSubmission)
            .join(Regrade)
            .where(_is_sent(), RegradedSubmission.queued_at < self._missing.sent_before)
        )
        with self._database.read() as session:
            return [
                Job(
                    job=job_of(row.submission_id, row.regrade_id),
                    queue=GRADE_CPU_QUEUE,
                    queued_at=row.queued_at,
                    regrade=row.regrade_id,
                    submission=row.submission_id,
                )
                for row in session.scalars(query)
            ]

    def _send(self, regrade: str, submission_id: str) -> None:
        moment = now()
        if not self._set_queued_at(regrade, submission_id, None, moment):
            return
        try:
            with self._database.read() as session:
                request = grade_request(session, submission_id, regrade)
            self._broker.queue(request, moment.timestamp(), REGRADES)
        except BrokerDown:
            self._set_queued_at(regrade, submission_id, moment, None)
            raise

    def _set_queued_at(self, regrade: str, submission_id: str, seen: datetime | None, moment: datetime | None) -> bool:
        was = RegradedSubmission.queued_at
        with self._database.write() as session:
            return applies_to(
                session,
                update(RegradedSubmission)
                .where(_is(regrade, submission_id), _is_open(), was.is_(None) if seen is None else was == seen)
                .values(queued_at=moment),
            )

    def _put_back(self, regrade: str, submission_id: str, reason: str) -> None:
        """Again, later each time; after too many the preview says so, and the report that holds stays."""
        with self._database.write() as session:
            item = session.get(RegradedSubmission, (regrade, submission_id), with_for_update=True)
            if item is None or item.body is not None or item.fault is not None:
                return
            item.queued_at = None
            item.requeue_at = now() + pause(self._settings, item.requeues)
            item.requeues += 1
            if item.requeues > self._settings.requeues_max:
                item.fault = reason
                logger.error("regrading_given_up", submission_id=submission_id, regrade=regrade, reason=reason)

    def _note_complete(self) -> None:
        is_open = select(RegradedSubmission).where(RegradedSubmission.regrade_id == Regrade.id, _is_open()).exists()
        with self._database.read() as session:
            complete = session.scalars(select(Regrade.id).where(_is_grading(), ~is_open)).all()
        for regrade in complete:
            with self._database.write() as session:
                ready = update(Regrade).where(Regrade.id == regrade, _is_grading(), ~is_open)
                if applies_to(session, ready.values(state=RegradeState.READY)):
                    logger.info("regrade_ready", regrade=regrade)


def _is(regrade: str, submission_id: str) -> ColumnElement[bool]:
    return and_(RegradedSubmission.regrade_id == regrade, RegradedSubmission.submission_id == submission_id)


def _is_open() -> ColumnElement[bool]:
    return and_(RegradedSubmission.body.is_(None), RegradedSubmission.fault.is_(None))


def _is_grading() -> ColumnElement[bool]:
    """A condition on regrades: of one that was dropped, nobody wants to know any more."""
    return Regrade.state == RegradeState.GRADING


def _is_due(moment: datetime) -> ColumnElement[bool]:
    is_in_time = or_(RegradedSubmission.requeue_at.is_(None), RegradedSubmission.requeue_at <= moment)
    return and_(_is_grading(), _is_open(), RegradedSubmission.queued_at.is_(None), is_in_time)


def _is_sent() -> ColumnElement[bool]:
    return and_(_is_grading(), _is_open(), RegradedSubmission.queued_at.is_not(None))
