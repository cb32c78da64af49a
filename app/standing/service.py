"""A person's standing: what is due and what they have reached, read at once for all their assignments."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.assignments.admission import open_for
from app.assignments.attempts import attempts_in
from app.assignments.schedule import Phase, phase_at
from app.assignments.service import all_of
from app.challenges.service import Catalogue
from app.courses.access import access_to
from app.database import Database
from app.models import Assignment, Submission, User, now
from app.questions.scores import scores_in
from app.standing.schemas import AssignmentStanding, CourseStanding
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
        return CourseStanding(
            slug=access.course.slug,
            title=access.course.title,
            time_zone=access.course.time_zone,
            role=access.role,
            assignments=_standings(session, catalogue, user, opened, moment),
            next_opens_at=min(planned, default=None),
        )


def _standings(
    session: Session, catalogue: Catalogue, user: User, assignments: Sequence[Assignment], moment: datetime
) -> list[AssignmentStanding]:
    attempts = attempts_in(session, user, assignments, moment)
    scores = scores_in(session, catalogue, user, assignments)
    last = _last_in(session, user, assignments)
    return [
        AssignmentStanding(
            course=assignment.course.slug,
            course_title=assignment.course.title,
            time_zone=assignment.course.time_zone,
            slug=assignment.slug,
            title=assignment.title,
            challenge=assignment.challenge,
            points=assignment.points,
            phase=phase_at(assignment, moment),
            due_at=assignment.due_at,
            closes_at=assignment.closes_at,
            attempts_max=assignment.attempts_max,
            attempts_used=attempts[assignment.id].used,
            attempts_left=attempts[assignment.id].left,
            next_attempt_at=attempts[assignment.id].again_at,
            score=scores[assignment.id],
            last=last.get(assignment.id),
        )
        for assignment in assignments
    ]


def _last_in(session: Session, user: User, assignments: Sequence[Assignment]) -> dict[str, SubmissionItem]:
    newest = (
        select(func.max(Submission.id))
        .where(Submission.user_id == user.id, Submission.assignment_id.in_([each.id for each in assignments]))
        .group_by(Submission.assignment_id)
    )
    rows = session.scalars(select(Submission).options(*ITEM).where(Submission.id.in_(newest)))
    return {row.assignment_id: item_of(row) for row in rows if row.assignment_id is not None}
