"""Grading a submission, as a job: in the fair order, with the report written down once."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog
from sqlalchemy import update
from sqlalchemy.orm import Session

from app.gpu.job import open_gpu_stage
from app.hunts.solving import note_same_mistake, note_solved
from app.jobs.dispatch import work_of
from app.jobs.kind import Event, Kind, Office
from app.models import OPEN_STATES, Job, State, StoredReport, Submission, SubmissionKind, now
from app.questions.asked import facts_to_keep
from app.queue.waiting import queued_ids
from app.report_rows import rows_of, verdict_of
from grader.messages import Graded, GradeRequest, JobKind

logger = structlog.get_logger(part="recorder")


class SubmissionJobs(Kind):
    """Jobs that grade submissions. The state of the submission is what its student sees of the job's."""

    name = JobKind.SUBMISSION
    opens = (JobKind.GPU,)

    def next(self, session: Session, room: int, moment: datetime) -> Sequence[str]:
        return queued_ids(session, moment)[:room]

    def request(self, session: Session, job: Job) -> GradeRequest | None:
        return grade_request(session, job)

    def started(self, session: Session, job: Job) -> list[Event]:
        _set_state(session, job, State.RUNNING)
        return []  # its judge has told so

    def requeued(self, session: Session, job: Job) -> list[Event]:
        return _set_state(session, job, State.QUEUED)

    def given_up(self, session: Session, job: Job) -> list[Event]:
        return _set_state(session, job, State.CANCELLED)

    def record(self, session: Session, office: Office, job: Job, result: Graded) -> list[Event]:
        """Stores the report, its receipt and its rows, and opens the GPU stage if there is one."""
        moment, report = now(), result.report
        row = session.get_one(Submission, job.submission_id)
        row.state, row.graded_at = State.GRADED, moment
        row.verdict, row.score, row.max_score = report.verdict, report.score, report.max_score
        job.started_at = job.started_at or moment - timedelta(seconds=report.timings.total_s)
        stored = StoredReport(submission_id=row.id, body=report.to_json(), recorded_at=moment)
        session.add(stored)
        told: list[Event] = [("verdict", verdict_of(report)), ("state", {"state": State.GRADED})]
        if row.kind is SubmissionKind.HUNT:  # not the student's own work: no proof of anything, and in no figures
            note_solved(row, moment)
            return told
        note_same_mistake(session, row, report)
        facts = facts_to_keep(session, row, report)
        row.facts = facts.model_dump(mode="json") if facts else None
        stored.receipt = office.signer.receipt(row, result, moment) if office.signer else None
        session.add_all(rows_of(row.id, report))
        return [told[0], *open_gpu_stage(session, office, row, result), told[1]]

    def noted(self, session: Session, office: Office, job: Job, result: Graded) -> None:
        row, report = session.get_one(Submission, job.submission_id), result.report
        elapsed_s = ((row.graded_at or now()) - row.created_at).total_seconds()
        office.metrics.reports.labels(row.challenge, report.verdict).inc()
        office.metrics.graded_seconds.labels(row.challenge).observe(elapsed_s)
        waited_s = ((job.started_at or row.created_at) - row.created_at).total_seconds()
        office.metrics.note_phases(waited_s, report.timings.total_s, report.timings.sandbox_s)
        logger.info("report_recorded", submission_id=row.id, verdict=report.verdict, elapsed_s=round(elapsed_s, 3))


def grade_request(session: Session, job: Job, version: str | None = None) -> GradeRequest:
    """Returns the message for the judge, for a regrade too: that is by another version than the submission's own."""
    row = session.get_one(Submission, job.submission_id)
    is_regrade = job.kind is JobKind.REGRADE
    return GradeRequest(
        job=job.id,
        kind=JobKind.REGRADE if is_regrade else JobKind.SUBMISSION,
        sent_as=row.filename,
        seed=row.seed,
        queued_at=(now() if is_regrade else row.created_at).timestamp(),
        **work_of(session, row, version or row.challenge_version),
    )


def _set_state(session: Session, job: Job, state: State) -> list[Event]:
    theirs = update(Submission).where(Submission.id == job.submission_id, Submission.state.in_(OPEN_STATES))
    session.execute(theirs.values(state=state))
    return [("state", {"state": state})]
