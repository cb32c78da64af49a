"""A person's standing: what is due and what they have reached, read at once for all their assignments."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.assignments.admission import open_for
from app.assignments.attempts import Attempts, attempts_in
from app.assignments.schedule import Phase, phase_at
from app.assignments.schemas import AssignmentScore, ExceptionSeen, told_score
from app.assignments.service import all_of
from app.assignments.terms import PersonalTerms, terms_in
from app.challenges.service import Catalogue
from app.courses.access import access_to
from app.database import Database
from app.gradebook.totals import Entry, total_of
from app.models import Assignment, Course, Submission, User, now
from app.questions.scores import scores_in
from app.standing.schemas import AssignmentStanding, CourseStanding, CourseTotal
from app.submissions.schemas import ITEM, SubmissionItem, item_of


def open_standings(database: Database, catalogue: Catalogue, user: User) -> list[AssignmentStanding]:
    """Returns a person's standing in each open assignment of their courses, the next due first, those already late
    last.
    """
    moment = now()
    with database.read() as session:
        return _standings(session, catalogue, user, open_for(session, user, moment), moment)


def course_standing(database: Database, catalogue: Catalogue, user: User, course: str) -> CourseStanding:
    """Returns a person's standing in a course. Planned assignments are left out, but for when the next opens. Raises
    NotFound.
    """
    moment = now()
    with database.read() as session:
        access = access_to(session, user, course)
        rows = all_of(session, access.course.id)
        planned = [row.opens_at for row in rows if phase_at(row, moment) is Phase.PLANNED and row.opens_at is not None]
        opened = [row for row in rows if phase_at(row, moment) is not Phase.PLANNED]
        terms = terms_in(session, user.id, opened)
        standings = _standings(session, catalogue, user, list(terms.values()), moment)
        return CourseStanding(
            slug=access.course.slug,
            title=access.course.title,
            time_zone=access.course.time_zone,
            role=access.role,
            is_archived=access.course.is_archived,
            assignments=standings,
            total=_total(access.course, standings, moment),
            next_opens_at=None if access.course.is_archived else min(planned, default=None),
        )


def _total(course: Course, standings: Sequence[AssignmentStanding], moment: datetime) -> CourseTotal:
    entries = [
        Entry(
            each.slug,
            each.score.total if each.score.is_graded else None,
            each.score.total_max,
            each.is_bonus,
            is_over=(over_at := each.due_at or each.closes_at) is not None and over_at < moment,
        )
        for each in standings
        if not each.score.is_held
    ]
    found = total_of(entries, course.drop_lowest)
    dropped = [each.slug for each in standings if each.slug in found.dropped]
    return CourseTotal(
        points=found.points, points_max=found.points_max, dropped=dropped, drop_lowest=course.drop_lowest
    )


def _standings(
    session: Session, catalogue: Catalogue, user: User, asked: Sequence[PersonalTerms], moment: datetime
) -> list[AssignmentStanding]:
    assignments = [each.assignment for each in asked]
    attempts = attempts_in(session, user, asked, moment)
    scores = scores_in(session, catalogue, user, assignments)
    last = _last_in(session, user, assignments)
    return [
        _standing(each, moment, attempts[each.assignment.id], scores[each.assignment.id], last.get(each.assignment.id))
        for each in asked
    ]


def _standing(
    terms: PersonalTerms, moment: datetime, attempts: Attempts, score: AssignmentScore, last: SubmissionItem | None
) -> AssignmentStanding:
    assignment = terms.assignment
    return AssignmentStanding.of(
        assignment,
        course=assignment.course.slug,
        course_title=assignment.course.title,
        time_zone=assignment.course.time_zone,
        phase=phase_at(terms, moment),
        due_at=terms.due_at,
        closes_at=terms.closes_at,
        exceptions=[ExceptionSeen.model_validate(each) for each in terms.exceptions],
        attempts_max=terms.attempts_max,
        attempts_used=attempts.used,
        attempts_left=attempts.left,
        next_attempt_at=attempts.again_at,
        score=told_score(assignment, score),
        last=last,
    )


def _last_in(session: Session, user: User, assignments: Sequence[Assignment]) -> dict[str, SubmissionItem]:
    newest = (
        select(func.max(Submission.id))
        .where(Submission.user_id == user.id, Submission.assignment_id.in_([each.id for each in assignments]))
        .group_by(Submission.assignment_id)
    )
    rows = session.scalars(select(Submission).options(*ITEM).where(Submission.id.in_(newest)))
    return {row.assignment_id: item_of(row, as_staff=False) for row in rows if row.assignment_id is not None}
