"""The recorder's part: opens a stage with the verdict, sends it, takes what judges tell of it, finds what is lost."""

from base64 import b64encode
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy import ColumnElement, and_, func, or_, select, update
from sqlalchemy.orm import Session

from app.broker import Broker, BrokerDown
from app.database import Database
from app.line.missing import Missing, Sent
from app.line.transitions import applies_to, pause
from app.models import GpuStage, Submission, SubmissionFile, SubmissionKind, now
from app.settings import RecorderSettings
from grader.gpu_report import GpuState
from grader.messages import GRADE_GPU_QUEUE, GpuRequest, GpuTold, Graded, gpu_job_of
from grader.report import Verdict

LOST = "its judge was lost"
OPEN_STATES = (GpuState.WAITING, GpuState.RUNNING)
logger = structlog.get_logger(part="gpu")


@dataclass(frozen=True)
class Job(Sent):
    """A stage that was given to judges."""

    submission: str
    state: GpuState
    requeues: int


class GpuStages:
    """Every method may be called again, by several processes: conditional updates let one of them win."""

    def __init__(self, settings: RecorderSettings, database: Database, broker: Broker) -> None:
        self._settings = settings
        self._database = database
        self._broker = broker
        self._missing: Missing[Job] = Missing(broker, settings.lost_after_s)

    def first_state(self, message: Graded) -> GpuState | None:
        """What the stage of a submission begins with; None where there is nothing to put to a card."""
        if not message.has_gpu_stage or message.report.verdict is not Verdict.PASSED:
            return None
        return GpuState.WAITING if self._settings.gpu_expected or self._is_somebody_there() else GpuState.NOT_RUN

    @staticmethod
    def begin(session: Session, submission: Submission, state: GpuState | None) -> None:
        """With the verdict, in the same transaction. A bug hunt's file is not the student's own work."""
        if state is not None and submission.kind is SubmissionKind.BUILD:
            session.add(GpuStage(submission_id=submission.id, state=state))

    def tell(self, submission_id: str) -> None:
        """Whoever watches learns how the stage stands; nothing where there is none. Raises BrokerDown."""
        with self._database.read() as session:
            stage = session.get(GpuStage, submission_id)
        if stage is not None:
            self._broker.tell(submission_id, "gpu", {"state": stage.state})

    def sweep(self) -> int:
        """Put back what is lost, send what is next; returns how many were lost. Raises BrokerDown."""
        lost = self._missing.lost(self._sent())
        for job in lost:
            self._put_back(job.submission, job.state, job.requeues, LOST)
        self.send()
        return len(lost)

    def send(self) -> None:
        """As many as may wait in Redis, the oldest first. Raises BrokerDown."""
        with self._database.read() as session:
            sent = session.scalar(select(func.count()).select_from(GpuStage).where(_is_waiting_in_redis())) or 0
            query = (
                select(GpuStage.submission_id)
                .where(_is_due(now()))
                .order_by(GpuStage.submission_id)
                .limit(max(0, self._settings.queue_ahead - sent))
            )
            chosen = session.scalars(query).all()
        for submission_id in chosen:
            self._send(submission_id)

    def record(self, message: GpuTold) -> None:
        """That it began, its report, or that the service failed on it. The first report counts."""
        if message.fault is not None:
            logger.error("gpu_stage_failed", submission_id=message.submission_id, reason=message.fault)
            self._fault(message.submission_id, message.fault)
        elif message.report is None:
            self._change(
                message.submission_id,
                (GpuState.WAITING,),
                state=GpuState.RUNNING,
                started_at=now(),
                worker=message.worker[:255],
                fault=None,
            )
        else:
            report = message.report
            state = GpuState.DONE if report.is_right else GpuState.FAILED
            body = report.model_dump_json()
            self._change(message.submission_id, OPEN_STATES, state=state, ended_at=now(), body=body, fault=None)

    def _is_somebody_there(self) -> bool:
        try:
            return self._broker.gpu_judges() > 0
        except BrokerDown:
            return False

    def _sent(self) -> list[Job]:
        was_sent = and_(_is_waiting_in_redis(), GpuStage.queued_at < self._missing.sent_before)
        query = select(GpuStage).where(or_(GpuStage.state == GpuState.RUNNING, was_sent))
        with self._database.read() as session:
            return [_job(row) for row in session.scalars(query)]

    def _send(self, submission_id: str) -> None:
        moment = now()
        with self._database.write() as session:
            mine = update(GpuStage).where(GpuStage.submission_id == submission_id, _is_due(moment))
            if not applies_to(session, mine.values(queued_at=moment)):
                return
            request = _request(session, submission_id)
        try:
            self._broker.gpu(request, moment.timestamp())
        except BrokerDown:
            with self._database.write() as session:
                mine = update(GpuStage).where(GpuStage.submission_id == submission_id, GpuStage.queued_at == moment)
                session.execute(mine.values(queued_at=None))
            raise

    def _fault(self, submission_id: str, reason: str) -> None:
        with self._database.read() as session:
            row = session.get(GpuStage, submission_id)
        if row is not None and row.state.is_open:
            self._put_back(submission_id, row.state, row.requeues, reason)

    def _put_back(self, submission_id: str, state: GpuState, requeues: int, reason: str) -> None:
        """Again, later each time, until it has failed too often: then it was not run, by our fault."""
        is_given_up = requeues >= self._settings.requeues_max
        self._change(
            submission_id,
            (state,),
            GpuStage.requeues == requeues,
            state=GpuState.NOT_RUN if is_given_up else GpuState.WAITING,
            queued_at=None,
            started_at=None,
            requeues=requeues + 1,
            requeue_at=now() + pause(self._settings, requeues),
            fault=reason,
        )
        if is_given_up:
            logger.error("gpu_stage_given_up", submission_id=submission_id, reason=reason)

    def _change(
        self, submission_id: str, seen: tuple[GpuState, ...], *also: ColumnElement[bool], **values: Any
    ) -> None:
        """If it still is what was seen; and whoever watches learns it."""
        mine = update(GpuStage).where(GpuStage.submission_id == submission_id, GpuStage.state.in_(seen), *also)
        with self._database.write() as session:
            is_changed = applies_to(session, mine.values(**values))
        if not is_changed:
            return
        try:
            self.tell(submission_id)
        except BrokerDown as error:  # those who watch find it in the row
            logger.warning("gpu_state_not_told", submission_id=submission_id, reason=str(error))


def _is_waiting_in_redis() -> ColumnElement[bool]:
    return and_(GpuStage.state == GpuState.WAITING, GpuStage.queued_at.is_not(None))


def _is_due(moment: datetime) -> ColumnElement[bool]:
    is_in_time = or_(GpuStage.requeue_at.is_(None), GpuStage.requeue_at <= moment)
    return and_(GpuStage.state == GpuState.WAITING, GpuStage.queued_at.is_(None), is_in_time)


def _job(row: GpuStage) -> Job:
    return Job(
        job=gpu_job_of(row.submission_id),
        queue=GRADE_GPU_QUEUE,
        queued_at=row.queued_at if row.state is GpuState.WAITING else None,
        submission=row.submission_id,
        state=row.state,
        requeues=row.requeues,
    )


def _request(session: Session, submission_id: str) -> GpuRequest:
    row = session.get_one(Submission, submission_id)
    files = session.scalars(select(SubmissionFile).where(SubmissionFile.submission_id == submission_id))
    return GpuRequest(
        submission_id=row.id,
        challenge=row.challenge,
        main=row.main,
        files={file.path: b64encode(file.content) for file in files},
        seed=row.seed,
    )
