"""Who has not begun in each of a course's assignments: one statement for all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import CTE, Select, case, func, literal, or_, select
from sqlalchemy.orm import Session

from app.assignments.attempts import WITHDRAWN
from app.courses.access import is_student_of
from app.models import Assignment, Course, Enrollment, Submission, User
from app.week.schemas import Named

SHOWN_MAX: Final = 10  # of each list of people


@dataclass(frozen=True)
class NotStarted:
    """Who has not begun an assignment: how many, and the first of those who are searched for."""

    count: int = 0
    shown: Sequence[Named] = ()


def not_started(
    session: Session, course: Course, assignments: Sequence[Assignment], search: str
) -> Mapping[str, NotStarted]:
    """Returns who has sent nothing that counts, by the assignment's id; nothing where everybody has."""
    ids = [each.id for each in assignments]
    rows = _missing(course, ids, search).subquery().c
    query = (
        select(rows.id, rows.name, rows.full_name, rows.is_wanted, rows.count)
        .where(rows.place <= SHOWN_MAX)
        .order_by(rows.name)
    )
    found: dict[str, list[Named]] = {}
    counts: dict[str, int] = {}
    for key, name, full_name, is_wanted, count in session.execute(query):
        counts[key] = count
        if is_wanted:
            found.setdefault(key, []).append(Named(student=name, full_name=full_name))
    return {key: NotStarted(count, found.get(key, [])) for key, count in counts.items()}


def _missing(course: Course, ids: Sequence[str], search: str) -> Select[Any]:
    """Each student with each assignment that they have not begun, and their place in it: those who are searched for
    come first, by name.
    """
    called = (column.icontains(search, autoescape=True) for column in (User.name, Enrollment.full_name))
    is_wanted = case((or_(*called), 1), else_=0) if search else literal(1)
    place = func.row_number().over(partition_by=Assignment.id, order_by=(is_wanted.desc(), User.name))
    started = _started(ids)
    return (
        select(
            Assignment.id,
            User.name,
            Enrollment.full_name,
            is_wanted.label("is_wanted"),
            func.count().over(partition_by=Assignment.id).label("count"),
            place.label("place"),
        )
        .select_from(Enrollment)
        .join(User, User.id == Enrollment.user_id)
        .join(Assignment, Assignment.course_id == Enrollment.course_id)
        .outerjoin(started, (started.c.assignment_id == Assignment.id) & (started.c.user_id == User.id))
        .where(is_student_of(course), Assignment.id.in_(ids), started.c.user_id.is_(None))
    )


def _started(ids: Sequence[str]) -> CTE:
    place = (Submission.assignment_id, Submission.user_id)
    sent = select(*place).where(Submission.assignment_id.in_(ids), Submission.state.not_in(WITHDRAWN))
    return sent.group_by(*place).cte("started")
