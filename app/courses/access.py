"""What people may see and do in a course. Decided here and nowhere else.

student      sees the assignments that have opened, and what is their own
assistant    reads and reviews: roster, submissions, analytics
instructor   manages, too: roster, assignments, regrades, exports, the audit log
operator     everything, in every course
"""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Select, and_, or_, select
from sqlalchemy.orm import Session

from app.identifiers import is_slug
from app.models import STAFF, Assignment, Course, Enrollment, Role, Submission, SubmissionKind, User
from app.problems import Forbidden, NotFound


@dataclass(frozen=True)
class Place:
    """A course, and what somebody is in it."""

    course: Course
    role: Role

    @property
    def is_staff(self) -> bool:
        return self.role is not Role.STUDENT

    @property
    def is_manager(self) -> bool:
        return self.role in (Role.INSTRUCTOR, Role.OPERATOR)


def place_in(session: Session, user: User, slug: str) -> Place:
    """Raises NotFound for whoever is not in the course: they cannot even learn that it is there."""
    course = session.scalar(select(Course).where(Course.slug == slug)) if is_slug(slug) else None
    if course is not None and user.role is Role.OPERATOR:
        return Place(course, Role.OPERATOR)
    enrollment = session.get(Enrollment, (course.id, user.id)) if course else None
    if course is None or enrollment is None:
        raise NotFound(f"There is no course {slug[:64]!r} that you belong to.")
    return Place(course, enrollment.role)


def staffed_course(session: Session, user: User, slug: str) -> Course:
    """The course, when `user` may read and review there. Raises NotFound for strangers, Forbidden for students."""
    place = place_in(session, user, slug)
    if not place.is_staff:
        raise Forbidden("This is for the staff of the course.")
    return place.course


def managed_course(session: Session, user: User, slug: str) -> Course:
    """The course, when `user` may change it. Raises NotFound for strangers, Forbidden for students and assistants."""
    place = place_in(session, user, slug)
    if not place.is_manager:
        raise Forbidden("This is for the instructors of the course.")
    return place.course


def staffed_by(user: User) -> Select[str]:
    """The courses where `user` may read everything. An operator may, in all; that is not said here."""
    return select(Enrollment.course_id).where(Enrollment.user_id == user.id, Enrollment.role.in_(STAFF))


def sent_in(courses: Select[str]) -> ColumnElement[bool]:
    """Submissions to the assignments of these courses; of those without an assignment, their people's."""
    assignments = select(Assignment.id).where(Assignment.course_id.in_(courses))
    people = select(Enrollment.user_id).where(Enrollment.course_id.in_(courses))
    return or_(
        Submission.assignment_id.in_(assignments),
        and_(Submission.assignment_id.is_(None), Submission.user_id.in_(people)),
    )


def sent_by_students_of(course: Course) -> ColumnElement[bool]:
    """What counts in a course's figures: staff's own trials do not, nor what was sent to a bug hunt."""
    students = select(Enrollment.user_id).where(Enrollment.course_id == course.id, Enrollment.role == Role.STUDENT)
    sent = sent_in(select(Course.id).where(Course.id == course.id))
    return and_(Submission.user_id.in_(students), sent, Submission.kind == SubmissionKind.BUILD)
