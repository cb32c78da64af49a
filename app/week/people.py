"""Who has not begun in each of a course's assignments: a number of statements that does not grow with them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import CTE, func, or_, select
from sqlalchemy.orm import Session

from app.assignments.attempts import WITHDRAWN
from app.courses.access import is_student_of
from app.models import Assignment, Course, Enrollment, Submission, User
from app.week.schemas import Named

SHOWN_MAX: Final = 10  # of each list of people


@dataclass(frozen=True)
class NotStarted:
    """Who has not begun, by the assignment's id: how many, and the first of those who are searched for."""

    count: Mapping[str, int]
    shown: Mapping[str, Sequence[Named]]


def students_in(session: Session, course: Course) -> int:
    """Counts the students of a course."""
    return session.scalar(select(func.count()).select_from(Enrollment).where(is_student_of(course))) or 0


def not_started(
    session: Session, course: Course, students: int, assignments: Sequence[Assignment], search: str
) -> NotStarted:
    """Returns who has sent nothing that counts, in each of these assignments. `students` is how many there are."""
    ids = [each.id for each in assignments]
    started = _started(course, ids)
    counts = select(started.c.assignment_id, func.count()).group_by(started.c.assignment_id)
    begun: dict[str | None, int] = dict(session.execute(counts).all())
    return NotStarted({each: students - begun.get(each, 0) for each in ids}, _named(session, course, ids, search))


def _started(course: Course, ids: Sequence[str]) -> CTE:
    place = (Submission.assignment_id, Submission.user_id)
    students = select(Enrollment.user_id).where(is_student_of(course))
    sent = select(*place).where(Submission.assignment_id.in_(ids), Submission.state.not_in(WITHDRAWN))
    return sent.where(Submission.user_id.in_(students)).group_by(*place).cte("started")


def _named(session: Session, course: Course, ids: Sequence[str], search: str) -> dict[str, list[Named]]:
    """The first SHOWN_MAX of each assignment, by name."""
    started = _started(course, ids)
    place = func.row_number().over(partition_by=Assignment.id, order_by=User.name).label("place")
    missing = (
        select(Assignment.id, User.name, Enrollment.full_name, place)
        .select_from(Enrollment)
        .join(User, User.id == Enrollment.user_id)
        .join(Assignment, Assignment.course_id == Enrollment.course_id)
        .outerjoin(started, (started.c.assignment_id == Assignment.id) & (started.c.user_id == User.id))
        .where(is_student_of(course), Assignment.id.in_(ids), started.c.user_id.is_(None))
    )
    if search:
        called = (column.icontains(search, autoescape=True) for column in (User.name, Enrollment.full_name))
        missing = missing.where(or_(*called))
    rows = missing.subquery().c
    found: dict[str, list[Named]] = {each: [] for each in ids}
    query = select(rows.id, rows.name, rows.full_name).where(rows.place <= SHOWN_MAX).order_by(rows.name)
    for key, name, full_name in session.execute(query):
        found[key].append(Named(student=name, full_name=full_name))
    return found
