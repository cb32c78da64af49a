"""Grading a submission again, as a job: behind every student, beside the report that holds."""

from typing import Any

import structlog
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from app.jobs.kind import Event, Kind, Office
from app.models import OPEN_JOB_STATES, Job, Regrade, RegradedSubmission, RegradeState, Submission, now
from app.submissions.job import grade_request
from grader.messages import Graded, GradeRequest, JobKind

logger = structlog.get_logger(part="regrades")


class RegradeJobs(Kind):
    """Jobs that grade a submission again. Dropping a regrade withdraws its jobs."""

    name = JobKind.REGRADE

    def request(self, session: Session, job: Job) -> GradeRequest | None:
        return grade_request(session, job, _wanted(session, job))

    def given_up(self, session: Session, job: Job) -> list[Event]:
        """Marks the regrade as complete if this was its last job; the submission keeps its report."""
        _note_if_complete(session, _item(session, job).regrade_id)
        return []

    def refusal(self, session: Session, job: Job, result: Any) -> str | None:
        """Refuses the result of a judge that has another version of the challenge."""
        wanted = _wanted(session, job)
        found = result.report.challenge.version
        return None if found == wanted else f"a judge has version {found}, not {wanted}"

    def record(self, session: Session, office: Office, job: Job, result: Graded) -> list[Event]:
        """Stores the new report beside the current one, until the regrade is applied."""
        item, report = _item(session, job), result.report
        submission = session.get_one(Submission, job.submission_id)
        item.verdict, item.score, item.body = report.verdict, report.score, report.to_json()
        item.receipt = office.signer.receipt(submission, result, now(), item.regrade_id) if office.signer else None
        _note_if_complete(session, item.regrade_id)
        return []


def _item(session: Session, job: Job) -> RegradedSubmission:
    return session.scalars(select(RegradedSubmission).where(RegradedSubmission.job_id == job.id)).one()


def _wanted(session: Session, job: Job) -> str:
    """The version of the challenge that the regrade is by."""
    return session.get_one(Regrade, _item(session, job).regrade_id).challenge_version


def _note_if_complete(session: Session, regrade_id: str) -> None:
    """With the regrade locked: of two jobs that end at one moment, the second sees that the first has."""
    session.get_one(Regrade, regrade_id, with_for_update=True)
    theirs = select(Job.id).join(RegradedSubmission, RegradedSubmission.job_id == Job.id)
    is_open = theirs.where(RegradedSubmission.regrade_id == regrade_id, Job.state.in_(OPEN_JOB_STATES))
    if session.scalar(is_open.limit(1)) is not None:
        return
    grading = update(Regrade).where(Regrade.id == regrade_id, Regrade.state == RegradeState.GRADING)
    session.execute(grading.values(state=RegradeState.READY))
    logger.info("regrade_ready", regrade=regrade_id)
