"""One student in a course: every attempt, by assignment, and what each one showed."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.analytics.schemas import Attempt, MissingAssignment, StudentAssignment, StudentView
from app.analytics.stuck import misconceptions_shown
from app.assignments.attempts import WITHDRAWN
from app.assignments.schedule import Phase, phase_at
from app.assignments.service import all_of
from app.courses.access import staffed_course
from app.database import Database
from app.models import Course, Enrollment, GradedPart, Role, Submission, SubmissionKind, User, now
from app.problems import NotFound
from app.submissions.schemas import ITEM, item_of


def student(database: Database, user: User, slug: str, name: str) -> StudentView:
    """Returns a student's attempts, the assignments ordered by the first submission to them. Raises NotFound,
    Forbidden.
    """
    with database.read() as session:
        course = staffed_course(session, user, slug)
        person, enrollment = _person(session, course, name)
        query = (
            select(Submission)
            .options(*ITEM)
            .where(Submission.user_id == person.id, Submission.course_id == course.id)
            .where(Submission.kind == SubmissionKind.BUILD)
            .order_by(Submission.id)
        )
        rows = session.scalars(query).all()
        shown = misconceptions_shown(session, [row.id for row in rows])
        failed = _failed(session, rows)
        asked = all_of(session, course.id) if enrollment.role is Role.STUDENT else []
    moment, sent_to = now(), {row.assignment_id for row in rows if row.state not in WITHDRAWN}
    assignments: dict[str | None, list[Attempt]] = {}
    for row in rows:
        item = item_of(row, as_staff=True)
        assignments.setdefault(item.assignment, []).append(
            Attempt(**dict(item), misconceptions=shown.get(row.id, []), parts_failed=failed.get(row.id, 0))
        )
    return StudentView.of(
        enrollment,
        course=course.slug,
        name=person.name,
        nothing_submitted=[
            MissingAssignment(slug=each.slug, title=each.title)
            for each in asked
            if each.id not in sent_to and phase_at(each, moment) is not Phase.PLANNED
        ],
        assignments=[
            StudentAssignment(assignment=address, title=attempts[0].assignment_title, attempts=attempts)
            for address, attempts in assignments.items()
        ],
    )


def _person(session: Session, course: Course, name: str) -> tuple[User, Enrollment]:
    query = select(User, Enrollment).join(Enrollment).where(Enrollment.course_id == course.id, User.name == name)
    found = session.execute(query).first()
    if found is None:
        raise NotFound(f"There is no {name[:100]!r} in this course. The People page lists all names.")
    return found[0], found[1]


def _failed(session: Session, rows: Sequence[Submission]) -> dict[str, int]:
    query = (
        select(GradedPart.submission_id, func.count())
        .where(GradedPart.submission_id.in_([row.id for row in rows]), GradedPart.passed < GradedPart.total)
        .group_by(GradedPart.submission_id)
    )
    return dict(session.execute(query).all())
