"""What people may see and do in a course. Decided here and nowhere else.

student      sees the assignments that have opened, and what is their own
assistant    reads and reviews: roster, submissions, analytics
instructor   manages, too: roster, assignments, regrades, exports, the audit log
operator     everything, in every course

What somebody sends belongs to one course, or to nobody: it is decided when it is sent, and no enrolment changes it.
"""

from dataclasses import dataclass
from datetime import datetime

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


def staffed_place(session: Session, user: User, slug: str) -> Place:
    """Where `user` may read and review. Raises NotFound for strangers, Forbidden for students."""
    place = place_in(session, user, slug)
    if not place.is_staff:
        raise Forbidden("This is for the staff of the course.")
    return place


def managed_place(session: Session, user: User, slug: str) -> Place:
    """What `user` may change. Raises NotFound for strangers, Forbidden for students and assistants."""
    place = place_in(session, user, slug)
    if not place.is_manager:
        raise Forbidden("This is for the instructors of the course.")
    return place


def staffed_course(session: Session, user: User, slug: str) -> Course:
    """The course of `staffed_place`. Raises as it does."""
    return staffed_place(session, user, slug).course


def managed_course(session: Session, user: User, slug: str) -> Course:
    """The course of `managed_place`. Raises as it does."""
    return managed_place(session, user, slug).course


def staffed_by(user: User) -> Select[str]:
    """The courses where `user` may read everything. An operator may, in all; that is not said here."""
    return select(Enrollment.course_id).where(Enrollment.user_id == user.id, Enrollment.role.in_(STAFF))


def staffs_challenge(session: Session, user: User, challenge: str) -> bool:
    """Whether `user` is staff of a course that asks for this challenge, or an operator."""
    if user.role is Role.OPERATOR:
        return True
    asked = select(Assignment.id).where(Assignment.course_id.in_(staffed_by(user)), Assignment.challenge == challenge)
    return session.scalar(asked.limit(1)) is not None


def course_of_practice(session: Session, user: User, challenge: str, moment: datetime) -> str | None:
    """Which course gets what `user` sends without an assignment: of those where they are a student now, the one that
    asks for this challenge; where none does, the only one there is. None: nobody's, as it could be several.
    """
    studied = select(Enrollment.course_id).where(Enrollment.user_id == user.id, Enrollment.role == Role.STUDENT)
    has_opened = or_(Assignment.opens_at.is_(None), Assignment.opens_at <= moment)
    asking = select(Assignment.course_id).where(Assignment.challenge == challenge, has_opened)
    courses = session.scalars(studied.where(Enrollment.course_id.in_(asking)).limit(2)).all()
    courses = courses or session.scalars(studied.limit(2)).all()
    return courses[0] if len(courses) == 1 else None


def sent_in(courses: Select[str]) -> ColumnElement[bool]:
    """Submissions that belong to these courses, also those of people who have left."""
    return Submission.course_id.in_(courses)


def is_student_of(course: Course) -> ColumnElement[bool]:
    """A condition on enrolments: those of the course's students."""
    return and_(Enrollment.course_id == course.id, Enrollment.role == Role.STUDENT)


def sent_by_students_of(course: Course) -> ColumnElement[bool]:
    """What counts in a course's figures: staff's own trials do not, nor what was sent to a bug hunt."""
    students = select(Enrollment.user_id).where(is_student_of(course))
    is_ours = Submission.course_id == course.id
    return and_(Submission.user_id.in_(students), is_ours, Submission.kind == SubmissionKind.BUILD)
