"""Puts the reports of a regrade in the place of those that held, which are kept. Part of the caller's transaction."""

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.models import (
    DiagnosedMisconception,
    EarlierReport,
    GradedPart,
    Regrade,
    RegradedSubmission,
    StoredReport,
    Submission,
    now,
)
from app.report_rows import rows_of
from grader.report import Report

BATCH = 100  # reports in memory at a time


def replace_reports(session: Session, regrade: Regrade) -> None:
    """Replaces the reports by the regrade's. Submissions that could not be graded again keep theirs."""
    query = select(RegradedSubmission).where(
        RegradedSubmission.regrade_id == regrade.id, RegradedSubmission.body.is_not(None)
    )
    for batch in session.scalars(query.execution_options(yield_per=BATCH)).partitions():
        for item in batch:
            _replace(session, item)
        session.flush()


def body_before(session: Session, item: RegradedSubmission) -> str:
    """Returns the report that was current before this regrade, whether it was applied or not."""
    kept = session.scalar(
        select(EarlierReport.body).where(
            EarlierReport.regrade_id == item.regrade_id, EarlierReport.submission_id == item.submission_id
        )
    )
    return kept or session.get_one(StoredReport, item.submission_id).body


def _replace(session: Session, item: RegradedSubmission) -> None:
    stored = session.get_one(StoredReport, item.submission_id)
    report = Report.model_validate_json(item.body or "")
    session.add(
        EarlierReport(
            submission_id=stored.submission_id,
            regrade_id=item.regrade_id,
            body=stored.body,
            receipt=stored.receipt,
            recorded_at=stored.recorded_at,
        )
    )
    stored.body, stored.receipt, stored.recorded_at = report.to_json(), item.receipt, now()
    submission = session.get_one(Submission, item.submission_id)
    submission.verdict, submission.score, submission.max_score = report.verdict, report.score, report.max_score
    submission.challenge_version = report.challenge.version
    for table in (DiagnosedMisconception, GradedPart):
        session.execute(delete(table).where(table.submission_id == item.submission_id))
    session.add_all(rows_of(item.submission_id, report))
