"""What is new for a student and needs no row of its own: comments, points, released grades, more time."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import TypeVarTuple

from sqlalchemy import Select, func, or_, select
from sqlalchemy.orm import Session, joinedload, selectinload

from app.assignments.schedule import HOLDING
from app.assignments.terms import terms_for
from app.models import (
    Answer,
    Assignment,
    Comment,
    Enrollment,
    Feedback,
    GradesRelease,
    HumanGrade,
    PointsOverride,
    RegradeRequest,
    Role,
    Submission,
    TermsException,
    User,
)
from app.news.schemas import NewsItem, NewsKind
from app.submissions.feedback import is_held, shown_from

Columns = TypeVarTuple("Columns")


def comments(session: Session, user: User, since: datetime, moment: datetime) -> list[NewsItem]:
    """Comments on a person's submissions that they could first read after `since`: one item for each submission."""
    keeps = or_(Assignment.feedback != Feedback.FULL, Assignment.grades_release == GradesRelease.HELD)
    query = (
        select(Comment.written_at, Submission)
        .join(Submission, Submission.id == Comment.submission_id)
        .outerjoin(Assignment, Assignment.id == Submission.assignment_id)
        .options(joinedload(Submission.assignment), joinedload(Submission.course), selectinload(Submission.exceptions))
        .where(Submission.user_id == user.id, or_(Comment.written_at > since, keeps))
    )
    told: dict[str, list[datetime]] = defaultdict(list)
    submissions = {}
    for written_at, submission in session.execute(query).unique():
        told_at = _comment_shown_from(submission, written_at, moment)
        if told_at is not None and told_at > since:
            told[submission.id].append(told_at)
            submissions[submission.id] = submission
    return [_commented(submissions[name], times) for name, times in told.items()]


def answered_requests(session: Session, user: User, since: datetime, moment: datetime) -> list[NewsItem]:
    """Returns the regrade requests that staff have answered, where grades are not held."""
    row = RegradeRequest
    query = select(Assignment, Submission, row.closed_at).join(Submission, Submission.assignment_id == Assignment.id)
    query = query.join(row, row.submission_id == Submission.id)
    query = _asked(query, user, moment).where(Submission.user_id == user.id, row.answered_by_id.is_not(None), ~HOLDING)
    items = []
    for assignment, submission, closed_at in session.execute(query):
        assert closed_at is not None  # what was answered is closed
        at = max(closed_at, assignment.released_at or closed_at)
        if at > since:
            title = f"Your regrade request for attempt {submission.attempt} at {assignment.title} is answered"
            item = _about(assignment, NewsKind.REQUEST, at, title)
            items.append(item.model_copy(update={"link": f"/submissions/{submission.id}#requests"}))
    return items


def points(session: Session, user: User, since: datetime, moment: datetime) -> list[NewsItem]:
    """Points that staff have given in place of the computed ones, or taken back, where grades are not held."""
    row = PointsOverride
    query = select(Assignment, func.max(row.given_at)).join(row, row.assignment_id == Assignment.id)
    query = _asked(query, user, moment).where(row.user_id == user.id, ~HOLDING).group_by(Assignment.id)
    items = []
    for assignment, given_at in session.execute(query):
        at = max(given_at, assignment.released_at or given_at)
        if at > since:
            items.append(_about(assignment, NewsKind.POINTS, at, f"Your points in {assignment.title} changed"))
    return items


def marked_answers(session: Session, user: User, since: datetime, moment: datetime) -> list[NewsItem]:
    """Answers in a person's own words that staff have marked, where grades are not held: one item for each assignment.
    Of two readers' marks the first counts, and no other is told.
    """
    row = HumanGrade
    query = (
        select(Assignment, func.max(Submission.id), func.count(), func.max(row.read_at))
        .join(Submission, Submission.assignment_id == Assignment.id)
        .join(Answer, Answer.submission_id == Submission.id)
        .join(row, row.answer_id == Answer.id)
    )
    query = _asked(query, user, moment).where(Submission.user_id == user.id, row.place == 1, row.read_at > since)
    items = []
    for assignment, submission_id, count, read_at in session.execute(query.where(~HOLDING).group_by(Assignment.id)):
        were = "was" if count == 1 else "were"
        at = max(read_at, assignment.released_at or read_at)
        item = _about(assignment, NewsKind.POINTS, at, f"{count} of your answers in {assignment.title} {were} marked")
        items.append(item.model_copy(update={"link": f"/submissions/{submission_id}#questions"}))
    return items


def released_grades(session: Session, user: User, since: datetime, moment: datetime) -> list[NewsItem]:
    """Assignments whose grades were held and are released."""
    is_new = Assignment.released_at > since
    query = select(Assignment).where(Assignment.grades_release == GradesRelease.HELD, is_new)
    return [
        _about(row, NewsKind.GRADES, row.released_at, f"Grades for {row.title} are released")
        for row in session.scalars(_asked(query, user, moment))
        if row.released_at is not None
    ]


def extensions(session: Session, user: User, since: datetime, moment: datetime) -> list[NewsItem]:
    """Returns what gave more time or more attempts, to the person or to their section."""
    row = TermsException
    theirs = or_(row.user_id == user.id, row.section == Enrollment.section)
    query = select(Assignment, func.max(row.given_at)).join(row, row.assignment_id == Assignment.id)
    query = _asked(query, user, moment).where(theirs, row.given_at > since).group_by(Assignment.id)
    title = "You have more time or attempts for"
    return [
        _about(assignment, NewsKind.EXTENSION, given_at, f"{title} {assignment.title}")
        for assignment, given_at in session.execute(query)
    ]


def _asked(query: Select[*Columns], user: User, moment: datetime) -> Select[*Columns]:
    """Of assignments, those that have opened, in the courses where the person is a student."""
    return (
        query.join(Enrollment, Enrollment.course_id == Assignment.course_id)
        .options(selectinload(Assignment.course))
        .where(Enrollment.user_id == user.id, Enrollment.role == Role.STUDENT)
        .where(or_(Assignment.opens_at.is_(None), Assignment.opens_at <= moment))
    )


def _comment_shown_from(submission: Submission, written_at: datetime, moment: datetime) -> datetime | None:
    terms = terms_for(submission)
    if terms is None:
        return written_at
    return None if is_held(submission) else shown_from(terms, written_at, moment)


def _commented(submission: Submission, times: Sequence[datetime]) -> NewsItem:
    many = "A new comment" if len(times) == 1 else f"{len(times)} new comments"
    about = submission.assignment.title if submission.assignment else "your practice"
    course = submission.course
    return NewsItem(
        kind=NewsKind.COMMENT,
        at=max(times),
        title=f"{many} on attempt {submission.attempt} at {about}",
        course_title=course.title if course else "Practice",
        time_zone=course.time_zone if course else "UTC",
        link=f"/submissions/{submission.id}#comments",
    )


def _about(assignment: Assignment, kind: NewsKind, at: datetime, title: str) -> NewsItem:
    return NewsItem(
        kind=kind,
        at=at,
        title=title,
        course_title=assignment.course.title,
        time_zone=assignment.course.time_zone,
        link=f"/courses/{assignment.course.slug}",
    )
