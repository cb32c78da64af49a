"""Keeps a leaderboard's measurements up to date: whoever looks at it has what is out of date measured again."""

from typing import NamedTuple

from sqlalchemy import Select, func, or_, select
from sqlalchemy.orm import Session

from app.database import Database
from app.jobs.transitions import open_job, withdraw
from app.models import Assignment, Job, LeaderboardEntry, State, Submission, SubmissionKind
from grader.messages import JobKind
from grader.report import Verdict


class Wanted(NamedTuple):
    """What is to be measured of a student: None where they have passed nothing, and with which challenge."""

    submission_id: str | None
    challenge_version: str


def passed(session: Session, assignment: Assignment, user_id: str) -> str | None:
    """Returns the id of the newest submission with which the student passed."""
    mine = _passed_in(assignment).where(Submission.user_id == user_id)
    return session.scalar(mine.with_only_columns(func.max(Submission.id)))


def refresh(database: Database, assignment: Assignment, version: str) -> None:
    """Opens a job for every entry whose measurement is not of the newest submission that passed, or of another version
    of the challenge.
    """
    query = _stale(assignment, version)
    with database.read() as session:
        jobs = [entry.job_id for entry, _ in session.execute(query)]
    if not jobs:
        return
    with database.write() as session:
        # Before their rows are locked, as whoever ends a job does.
        withdraw(session, Job.id.in_([job_id for job_id in jobs if job_id is not None]))
        for entry, submission_id in session.execute(query.with_for_update(of=LeaderboardEntry)).all():
            measure_again(session, entry, Wanted(submission_id, version))


def measure_again(session: Session, entry: LeaderboardEntry, wanted: Wanted) -> None:
    """Replaces the measurement of an entry by a job. The one that it may have had is withdrawn already."""
    entry.job_id = entry.body = entry.measured_at = entry.worker = None
    entry.submission_id, entry.challenge_version = wanted
    if wanted.submission_id is not None:
        entry.job_id = open_job(session, JobKind.MEASURE, wanted.submission_id).id


def _stale(assignment: Assignment, version: str) -> Select[LeaderboardEntry, str | None]:
    """Entries, each with what is to be measured instead."""
    columns = (Submission.user_id, func.max(Submission.id).label("id"))
    newest = _passed_in(assignment).with_only_columns(*columns).group_by(Submission.user_id).subquery()
    is_stale = or_(
        LeaderboardEntry.submission_id.is_distinct_from(newest.c.id),
        LeaderboardEntry.challenge_version.is_distinct_from(version),
    )
    return (
        select(LeaderboardEntry, newest.c.id)
        .outerjoin(newest, newest.c.user_id == LeaderboardEntry.user_id)
        .where(LeaderboardEntry.assignment_id == assignment.id, LeaderboardEntry.removed_at.is_(None), is_stale)
    )


def _passed_in(assignment: Assignment) -> Select[str]:
    """Not what counts for the grade: of equal points that is the first, so that no faster one ever would be here."""
    return select(Submission.id).where(
        Submission.assignment_id == assignment.id,
        Submission.state == State.GRADED,
        Submission.verdict == Verdict.PASSED,
        Submission.kind == SubmissionKind.BUILD,
    )
