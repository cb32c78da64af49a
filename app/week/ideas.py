"""What stops the students of a course: what the stuck ones are stuck on, and which wrong ideas are still held."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Executable, func, null, select, union_all
from sqlalchemy.orm import Session

from app.analytics.results import StudentResult
from app.analytics.schemas import StuckOn
from app.analytics.scope import titles_of
from app.challenges.service import Catalogue
from app.courses.access import is_student_of
from app.models import Assignment, Course, DiagnosedMisconception, Enrollment, GradedPart, State, Submission
from app.week.schemas import HeldIdea

SHOWN_MAX: Final = 3
IDS_MAX: Final = 5000  # of submissions that are named in a statement


def stuck_on(
    session: Session, catalogue: Catalogue, assignments: Sequence[Assignment], stuck: Sequence[StudentResult]
) -> dict[str, list[StuckOn]]:
    """Returns what most of the stuck students' last submissions show, by the assignment's id: misconceptions, and where
    none is recognised, the families and rules that fail.
    """
    recognised: dict[str, list[StuckOn]] = {each.id: [] for each in assignments}
    failing: dict[str, list[StuckOn]] = {each.id: [] for each in assignments}
    titles = {each.id: titles_of(catalogue, each.challenge) for each in assignments}
    for key, kind, name, count in session.execute(_causes([person.last for person in stuck[:IDS_MAX]])):
        if kind is None:
            recognised[key].append(StuckOn(title=name, students=count))
        elif titles[key].bars(kind, name):
            failing[key].append(StuckOn(title=titles[key].of(kind, name), students=count))
    return {key: (recognised[key] or failing[key])[:SHOWN_MAX] for key in recognised}


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


def _causes(last: Sequence[str]) -> Executable:
    """What these submissions show and fail, the most common first: of a misconception its title, without a kind."""
    found, count = DiagnosedMisconception, func.count().label("students")
    shown = (
        select(Submission.assignment_id, null().label("kind"), found.title.label("name"), count)
        .join(Submission, Submission.id == found.submission_id)
        .where(found.submission_id.in_(last))
        .group_by(Submission.assignment_id, found.title)
    )
    failed = (
        select(Submission.assignment_id, GradedPart.kind.label("kind"), GradedPart.name.label("name"), count)
        .join(Submission, Submission.id == GradedPart.submission_id)
        .where(GradedPart.submission_id.in_(last), GradedPart.passed < GradedPart.total)
        .group_by(Submission.assignment_id, GradedPart.kind, GradedPart.name)
    )
    both = union_all(failed, shown).subquery().c
    return select(both.assignment_id, both.kind, both.name, both.students).order_by(both.students.desc(), both.name)
