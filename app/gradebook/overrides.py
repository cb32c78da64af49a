"""Putting points in place of the computed ones, with a reason. Each is a row of its own; the newest holds."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from app import audit
from app.assignments.counting import StudentAssignment, overrides_in
from app.assignments.service import find
from app.courses.access import manager_access, staff_access
from app.database import Database
from app.gradebook.people import student_named
from app.gradebook.schemas import NewOverride, OverrideView
from app.models import Assignment, Enrollment, PointsOverride, User
from app.problems import Conflict
from app.rows import hold


def history(database: Database, user: User, course: str, slug: str, student: str | None = None) -> list[OverrideView]:
    """Returns all overrides in an assignment, or a student's, the newest first. Raises NotFound, Forbidden."""
    with database.read() as session:
        found = views_in(session, find(session, staff_access(session, user, course), slug))
        return [each for each in found if student in (None, each.student)]


def give(database: Database, user: User, course: str, slug: str, wanted: NewOverride) -> OverrideView:
    """Gives a student these points, or withdraws the override that holds. Raises NotFound, Forbidden, Unprocessable,
    and Conflict where there is nothing to withdraw.
    """
    with database.write() as session:
        access = manager_access(session, user, course)
        assignment = find(session, access, slug)
        person = student_named(session, access.course, wanted.student)
        hold(session, User.id, person.id, key_share=True)  # one at a time
        before = overrides_in(session, [assignment], [person.id]).get(StudentAssignment(person.id, assignment.id))
        if wanted.points is None and before is None:
            raise Conflict("This student's points are computed already: there is no override to withdraw.")
        given = PointsOverride(
            assignment_id=assignment.id,
            user_id=person.id,
            points=wanted.points,
            reason=wanted.reason,
            given_by=user.name,
        )
        session.add(given)
        session.flush()
        action = "override.withdraw" if wanted.points is None else "override.give"
        audit.note(
            session, user, action, slug, access.course,
            student=person.name, points=[before.points if before else None, wanted.points], reason=wanted.reason,
        )  # fmt: skip
        return next(each for each in views_in(session, assignment) if each.id == given.id)


def views_in(session: Session, assignment: Assignment, student: str | None = None) -> list[OverrideView]:
    """Returns all overrides in an assignment, or those of the student with this id, the newest first."""
    query = (
        select(PointsOverride, User.name, Enrollment.full_name)
        .join(User, User.id == PointsOverride.user_id)
        .outerjoin(Enrollment, (Enrollment.user_id == User.id) & (Enrollment.course_id == assignment.course_id))
        .where(PointsOverride.assignment_id == assignment.id)
        .order_by(PointsOverride.id.desc())
    )
    if student is not None:
        query = query.where(PointsOverride.user_id == student)
    found, seen = [], set()
    for row, name, full_name in session.execute(query):
        holds = row.points is not None and row.user_id not in seen
        found.append(OverrideView.of(row, student=name, full_name=full_name, holds=holds))
        seen.add(row.user_id)
    return found
