"""What stops the students of a course: what the stuck ones are stuck on, and which wrong ideas are still held."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.analytics.results import StudentResult
from app.analytics.schemas import StuckOn
from app.analytics.scope import titles_of
from app.challenges.service import Catalogue
from app.courses.access import is_student_of
from app.models import Assignment, Course, DiagnosedMisconception, Enrollment, GradedPart, PartKind, State, Submission
from app.week.schemas import HeldIdea

SHOWN_MAX: Final = 3
IDS_MAX: Final = 5000  # of submissions that are named in a statement


def stuck_on(
    session: Session, catalogue: Catalogue, assignments: Sequence[Assignment], stuck: Sequence[StudentResult]
) -> dict[str, list[StuckOn]]:
    """Returns what most of the stuck students' last submissions show, by the assignment's id: misconceptions first, and
    where none is recognised, the families and rules that fail.
    """
    last = [person.last for person in stuck[:IDS_MAX]]
    found: dict[str, list[StuckOn]] = {each.id: [] for each in assignments}
    if not last:
        return found
    titles = {each.id: titles_of(catalogue, each.challenge) for each in assignments}
    for key, title, count in _misconceptions(session, last):
        found[key].append(StuckOn(title=title, students=count))
    seen = {key for key, rows in found.items() if rows}
    for key, kind, name, count in _failing(session, last):
        if key not in seen:
            found[key].append(StuckOn(title=titles[key].of(kind, name), students=count))
    return {key: rows[:SHOWN_MAX] for key, rows in found.items()}


def ideas_held(session: Session, course: Course, assignments: Sequence[Assignment]) -> dict[str, list[HeldIdea]]:
    """Returns the misconceptions that most students' last graded submissions show, by the assignment's id."""
    students = select(Enrollment.user_id).where(is_student_of(course))
    ids = [each.id for each in assignments]
    last = (
        select(Submission.assignment_id, func.max(Submission.id).label("id"))
        .where(Submission.assignment_id.in_(ids), Submission.state == State.GRADED, Submission.user_id.in_(students))
        .group_by(Submission.assignment_id, Submission.user_id)
        .subquery()
        .c
    )
    name, count = DiagnosedMisconception.misconception, func.count()
    query = (
        select(last.assignment_id, name, func.max(DiagnosedMisconception.title), count)
        .join(DiagnosedMisconception, DiagnosedMisconception.submission_id == last.id)
        .group_by(last.assignment_id, name)
        .order_by(count.desc(), name)
    )
    found: dict[str, list[HeldIdea]] = {each: [] for each in ids}
    for key, misconception, title, people in session.execute(query):
        if len(found[key]) < SHOWN_MAX:
            found[key].append(HeldIdea(id=misconception, title=title, students=people))
    return found


def _misconceptions(session: Session, last: Sequence[str]) -> Sequence[tuple[str, str, int]]:
    found, count = DiagnosedMisconception, func.count()
    columns = (Submission.assignment_id, found.title)
    query = select(*columns, count).join(Submission, Submission.id == found.submission_id)
    query = query.where(found.submission_id.in_(last)).group_by(*columns).order_by(count.desc(), found.title)
    return [(key, title, people) for key, title, people in session.execute(query) if key]


def _failing(session: Session, last: Sequence[str]) -> Sequence[tuple[str, PartKind, str, int]]:
    count = func.count()
    columns = (Submission.assignment_id, GradedPart.kind, GradedPart.name)
    query = select(*columns, count).join(Submission, Submission.id == GradedPart.submission_id)
    query = query.where(GradedPart.submission_id.in_(last), GradedPart.passed < GradedPart.total)
    query = query.group_by(*columns).order_by(count.desc(), GradedPart.name)
    return [(key, kind, name, people) for key, kind, name, people in session.execute(query) if key]
