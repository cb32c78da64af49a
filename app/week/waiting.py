"""What waits for staff: answers to mark, and grades to release. Whatever else waits for them has its function here."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.assignments.schedule import holds_grades, is_over
from app.assignments.terms import PersonalTerms
from app.challenges.service import Catalogue
from app.courses.access import is_student_of
from app.models import Assignment, Course, Enrollment, State, Submission, TermsException, User
from app.reviews.queue import ReviewFilter, answers_in, narrowed
from app.reviews.schemas import Stand
from app.week.schemas import AnswersToReview, HeldGrades
from grader.grouping import grouped


def answers_to_review(
    session: Session, catalogue: Catalogue, user: User, course: Course, assignments: Sequence[Assignment]
) -> list[AnswersToReview]:
    """Returns how many answers nobody has marked yet, in the order of the assignments; those of practice last."""
    waiting = narrowed(answers_in(course, catalogue), ReviewFilter(state=Stand.WAITING), user)
    counts = waiting.with_only_columns(Submission.assignment_id, func.count()).group_by(Submission.assignment_id)
    found = dict(session.execute(counts).all())
    asked = [(each.id, each.slug, each.title) for each in assignments]
    return [
        AnswersToReview(assignment=slug, title=title, answers=found[key])
        for key, slug, title in [*asked, (None, None, None)]
        if found.get(key)
    ]


def held_grades(
    session: Session, course: Course, assignments: Sequence[Assignment], moment: datetime
) -> list[HeldGrades]:
    """Returns the assignments whose grades are held though they are over, where anything is graded."""
    held = [each for each in assignments if holds_grades(each) and is_over(each, moment)]
    if not held:
        return []
    ids = [each.id for each in held]
    graded = _with_result(session, course, ids)
    ends = _ends_of_exceptions(session, held)
    return [
        HeldGrades(
            assignment=each.slug,
            title=each.title,
            students=graded[each.id],
            open_until=max((end for end in ends.get(each.id, ()) if end > moment), default=None),
        )
        for each in held
        if graded.get(each.id)
    ]


def _with_result(session: Session, course: Course, ids: Sequence[str]) -> dict[str | None, int]:
    students = select(Enrollment.user_id).where(is_student_of(course))
    place = (Submission.assignment_id, Submission.user_id)
    graded = select(*place).where(Submission.assignment_id.in_(ids), Submission.state == State.GRADED)
    each = graded.where(Submission.user_id.in_(students)).group_by(*place).subquery().c
    counts = select(each.assignment_id, func.count()).group_by(each.assignment_id)
    return dict(session.execute(counts).all())


def _ends_of_exceptions(session: Session, assignments: Sequence[Assignment]) -> dict[str, list[datetime]]:
    """When the assignment is over for those who have an exception."""
    by_id = {each.id: each for each in assignments}
    rows = session.scalars(select(TermsException).where(TermsException.assignment_id.in_(by_id)))
    mine = (PersonalTerms(by_id[row.assignment_id], (row,)) for row in rows)
    return grouped((terms.assignment.id, end) for terms in mine if (end := terms.closes_at or terms.due_at) is not None)
