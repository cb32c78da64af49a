"""Writing down what judges tell: each report at most once, in whatever order messages come. Knows no Celery."""

from datetime import UTC, datetime, timedelta

import structlog
from sqlalchemy import func, update
from sqlalchemy.orm import Session

from app.broker import Broker, BrokerDown
from app.database import Database
from app.gpu.stages import GpuStages
from app.hunts.solving import note_same_mistake, note_solved
from app.line.dispatch import Dispatcher
from app.line.requeue import Reason, Requeue
from app.line.transitions import applies_to
from app.metrics import RecorderMetrics
from app.models import OPEN_STATES, State, StoredReport, Submission, SubmissionKind, now
from app.questions.asked import facts_to_keep
from app.questions.checks import Checks
from app.receipts.signing import Signer
from app.recorded import rows_of, verdict_of
from app.regrades.jobs import RegradeJobs
from app.settings import RecorderSettings
from grader.messages import Checked, Fault, GpuTold, Graded, Started

logger = structlog.get_logger(part="recorder")


class Recording:
    """The only writer of reports. Every method may be called again with the same message."""

    def __init__(
        self,
        settings: RecorderSettings,
        database: Database,
        broker: Broker,
        metrics: RecorderMetrics,
        signer: Signer | None = None,
    ) -> None:
        self._database = database
        self._broker = broker
        self._metrics = metrics
        self._signer = signer
        self._requeue = Requeue(settings, database, broker, metrics)
        self._regrades = RegradeJobs(settings, database, broker, signer)
        self._checks = Checks(database, broker)
        self._gpu = GpuStages(settings, database, broker)
        self._dispatcher = Dispatcher(database, broker, settings.queue_ahead)

    def start(self, message: Started) -> None:
        """A judge took the submission. Too late for one that is graded already."""
        started_at = datetime.fromtimestamp(message.at, UTC)
        with self._database.write() as session:
            applies_to(
                session,
                update(Submission)
                .where(Submission.id == message.submission_id, Submission.state == State.QUEUED)
                .values(state=State.RUNNING, started_at=started_at, worker=message.worker[:255], fault=None),
            )
        self._send_next()

    def record(self, message: Graded) -> None:
        """The report, once: whoever comes second finds the row graded and changes nothing."""
        if message.regrade is not None:
            self._regrades.record(message, message.regrade)
            self._send_next()
            return
        gpu_state = self._gpu.first_state(message)
        with self._database.write() as session:
            is_first = _grade(session, message, self._signer)
            if is_first:
                self._gpu.begin(session, session.get_one(Submission, message.submission_id), gpu_state)
        if not is_first:
            self._metrics.duplicates.inc()
            logger.info("report_ignored", submission_id=message.submission_id)
            return
        self._note(message)
        self._tell(message, has_gpu_stage=gpu_state is not None)

    def fault(self, message: Fault) -> None:
        """The service failed. The submission goes back into the line, each time later."""
        self._metrics.faults.inc()
        if message.regrade is not None:
            self._regrades.fault(message, message.regrade)
            return
        logger.error("grading_failed", submission_id=message.submission_id, reason=message.reason)
        with self._database.read() as session:
            row = session.get(Submission, message.submission_id)
        if row is not None and not row.state.is_final:
            self._requeue.put_back(row.id, row.state, row.requeues, Reason.FAULT, message.reason)

    def gpu(self, message: GpuTold) -> None:
        """A judge with a card tells of a GPU stage."""
        self._gpu.record(message)

    def checked(self, message: Checked) -> None:
        """A judge has run the line of code that answers a question."""
        self._checks.record(message)

    def _note(self, message: Graded) -> None:
        report = message.report
        with self._database.read() as session:
            row = session.get_one(Submission, message.submission_id)
        elapsed_s = ((row.graded_at or now()) - row.created_at).total_seconds()
        self._metrics.reports.labels(row.challenge, report.verdict).inc()
        self._metrics.graded_seconds.labels(row.challenge).observe(elapsed_s)
        waited_s = ((row.started_at or row.created_at) - row.created_at).total_seconds()
        self._metrics.note_phases(waited_s, report.timings.total_s, report.timings.sandbox_s)
        logger.info("report_recorded", submission_id=row.id, verdict=report.verdict, elapsed_s=round(elapsed_s, 3))

    def _tell(self, message: Graded, *, has_gpu_stage: bool) -> None:
        try:
            self._broker.tell(message.submission_id, "verdict", verdict_of(message.report))
            if has_gpu_stage:
                self._gpu.tell(message.submission_id)
            self._broker.end(message.submission_id, State.GRADED)
            if has_gpu_stage:
                self._gpu.send()
        except BrokerDown as error:  # those who watch find it in the row
            logger.warning("verdict_not_told", submission_id=message.submission_id, reason=str(error))

    def _send_next(self) -> None:
        try:
            self._dispatcher.refill()
            self._regrades.send()
        except BrokerDown as error:  # the sweeper does it
            logger.warning("line_not_sent", reason=str(error))


def _grade(session: Session, message: Graded, signer: Signer | None) -> bool:
    moment, report, submission_id = now(), message.report, message.submission_id
    is_first = applies_to(
        session,
        update(Submission)
        .where(Submission.id == submission_id, Submission.state.in_(OPEN_STATES))
        .values(
            state=State.GRADED,
            verdict=report.verdict,
            score=report.score,
            max_score=report.max_score,
            started_at=func.coalesce(Submission.started_at, moment - timedelta(seconds=report.timings.total_s)),
            graded_at=moment,
            fault=None,
            requeue_at=None,
        ),
    )
    if not is_first:
        return False
    row = session.get_one(Submission, submission_id)
    if row.kind is SubmissionKind.HUNT:  # not the student's own work: no proof of anything, and in no figures
        note_solved(row, moment)
        session.add(StoredReport(submission_id=submission_id, body=report.to_json(), recorded_at=moment))
        return True
    note_same_mistake(session, row, report)
    facts = facts_to_keep(session, row, report)
    row.facts = facts.model_dump(mode="json") if facts else None
    receipt = signer.receipt(row, message, moment) if signer else None
    session.add(StoredReport(submission_id=submission_id, body=report.to_json(), receipt=receipt, recorded_at=moment))
    session.add_all(rows_of(submission_id, report))
    return True
