"""Reads from the rows which submissions wait, and whose were dispatched last."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session

from app.assignments.terms import class_terms
from app.jobs.transitions import is_due
from app.models import Assignment, Enrollment, Job, JobState, Submission
from app.queue.order import LastDispatched, Waiting, fair_order
from grader.messages import JobKind

REMEMBERED: Final = timedelta(minutes=10)


def queued_ids(session: Session, moment: datetime) -> list[str]:
    """Returns the ids of the submissions that wait, in the order in which they are to be dispatched."""
    enrolled = and_(Enrollment.course_id == Assignment.course_id, Enrollment.user_id == Submission.user_id)
    query = (
        select(
            Submission.id, Submission.user_id, Submission.assignment_id, Enrollment.section, Submission.waiting_since
        )
        .join(Job, Job.id == Submission.id)
        .outerjoin(Assignment)
        .outerjoin(Enrollment, enrolled)
        .where(Job.kind == JobKind.SUBMISSION, is_due(moment))
    )
    rows = session.execute(query).all()
    if len(rows) <= 1:
        return [row.id for row in rows]
    due = select(Assignment).where(Assignment.id.in_({row.assignment_id for row in rows if row.assignment_id}))
    terms = class_terms(session, session.scalars(due).all())
    waiting = [
        Waiting(submission, user, of_all.assignment.course_id, of_all.of(user, section).due_at, since)
        if (of_all := terms.get(assignment or ""))
        else Waiting(submission, user, None, None, since)
        for submission, user, assignment, section, since in rows
    ]
    oldest = min(item.since for item in waiting)
    return fair_order(waiting, _last_dispatched(session, max(oldest, moment - REMEMBERED)), moment)


def dispatched_ids(session: Session) -> list[str]:
    """Returns the ids of the submissions that were dispatched and that no judge has begun, the oldest first."""
    dispatched = select(Job.id).where(Job.kind == JobKind.SUBMISSION, Job.state == JobState.DISPATCHED)
    return list(session.scalars(dispatched.order_by(Job.dispatched_at)))


def _last_dispatched(session: Session, since: datetime) -> LastDispatched:
    """Leaves out what was dispatched before `since`: nobody was waiting behind it, so it costs nobody anything."""
    query = (
        select(Submission.user_id, Assignment.course_id, func.max(Job.dispatched_at))
        .join(Job, Job.id == Submission.id)
        .outerjoin(Assignment)
        .where(Job.kind == JobKind.SUBMISSION, Job.dispatched_at >= since)
        .group_by(Submission.user_id, Assignment.course_id)
    )
    students: dict[tuple[str | None, str], datetime] = {}
    courses: dict[str | None, datetime] = {}
    for student, course, dispatched in session.execute(query):
        assert dispatched is not None  # the condition is on it
        students[course, student] = dispatched
        courses[course] = max(dispatched, courses.get(course, dispatched))
    return LastDispatched(students, courses)
