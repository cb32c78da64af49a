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
class CourseAccess:
    """A course, and the role in which somebody has access to it."""

    course: Course
    role: Role

    @property
    def is_staff(self) -> bool:
        """Whether the person may read and review."""
        return self.role is not Role.STUDENT

    @property
    def is_manager(self) -> bool:
        """Whether the person may change the course."""
        return self.role in (Role.INSTRUCTOR, Role.OPERATOR)


def access_to(session: Session, user: User, slug: str) -> CourseAccess:
    """Returns the person's access to the course. Raises NotFound for anyone not in it: they cannot even learn that it
    exists.
    """
    course = session.scalar(select(Course).where(Course.slug == slug)) if is_slug(slug) else None
    if course is not None and user.role is Role.OPERATOR:
        return CourseAccess(course, Role.OPERATOR)
    enrollment = session.get(Enrollment, (course.id, user.id)) if course else None
    if course is None or enrollment is None:
        raise NotFound(f"There is no course {slug[:64]!r}, or you are not in it.")
    return CourseAccess(course, enrollment.role)


def staff_access(session: Session, user: User, slug: str) -> CourseAccess:
    """Returns the access of staff, who may read and review. Raises NotFound for strangers, Forbidden for students."""
    access = access_to(session, user, slug)
    if not access.is_staff:
        raise Forbidden("Only the staff of the course can do this.")
    return access


def manager_access(session: Session, user: User, slug: str) -> CourseAccess:
    """Returns the person's access if they may change the course. Raises NotFound for strangers, Forbidden for students
    and assistants.
    """
    access = access_to(session, user, slug)
    if not access.is_manager:
        raise Forbidden("Only the instructors of the course can do this.")
    return access


def staffed_course(session: Session, user: User, slug: str) -> Course:
    """Returns the course of `staff_access`, and raises as it does."""
    return staff_access(session, user, slug).course


def managed_course(session: Session, user: User, slug: str) -> Course:
    """Returns the course of `manager_access`, and raises as it does."""
    return manager_access(session, user, slug).course


def archived_words(course: Course) -> str:
    """Returns why nothing is taken from the students of an archived course."""
    return f"{course.title!r} is archived: you can still read your work there, but not submit anything."


def manages(session: Session, user: User, course_id: str | None) -> bool:
    """Whether the person may change what belongs to the course; what belongs to none, only operators may."""
    if user.role is Role.OPERATOR:
        return True
    enrollment = session.get(Enrollment, (course_id, user.id)) if course_id else None
    return enrollment is not None and enrollment.role is Role.INSTRUCTOR


def staffs(session: Session, user: User, course_id: str) -> bool:
    """Whether the person is staff of the course, or an operator."""
    enrollment = session.get(Enrollment, (course_id, user.id))
    return user.role is Role.OPERATOR or (enrollment is not None and enrollment.role in STAFF)


def staffed_by(user: User) -> Select[str]:
    """Selects the ids of the courses where `user` is enrolled as staff. An operator's access to all courses is not in
    it.
    """
    return select(Enrollment.course_id).where(Enrollment.user_id == user.id, Enrollment.role.in_(STAFF))


def staffs_challenge(session: Session, user: User, challenge: str) -> bool:
    """Whether `user` is staff of a course that assigns this challenge, or an operator."""
    if user.role is Role.OPERATOR:
        return True
    asked = select(Assignment.id).where(Assignment.course_id.in_(staffed_by(user)), Assignment.challenge == challenge)
    return session.scalar(asked.limit(1)) is not None


def course_of_practice(session: Session, user: User, challenge: str, moment: datetime) -> str | None:
    """Returns the course that a submission without an assignment belongs to: of the courses where `user` is a student
    now, the one that assigns this challenge, or else the only one there is; None when it could be several. An archived
    course gets nothing any more.
    """
    studied = select(Enrollment.course_id).join(Course, Course.id == Enrollment.course_id)
    studied = studied.where(Enrollment.user_id == user.id, Enrollment.role == Role.STUDENT)
    studied = studied.where(Course.archived_at.is_(None))
    has_opened = or_(Assignment.opens_at.is_(None), Assignment.opens_at <= moment)
    asking = select(Assignment.course_id).where(Assignment.challenge == challenge, has_opened)
    courses = session.scalars(studied.where(Enrollment.course_id.in_(asking)).limit(2)).all()
    courses = courses or session.scalars(studied.limit(2)).all()
    return courses[0] if len(courses) == 1 else None


def sent_in(courses: Select[str]) -> ColumnElement[bool]:
    """A condition on submissions: they belong to these courses, even if their students have left."""
    return Submission.course_id.in_(courses)


def is_student_of(course: Course) -> ColumnElement[bool]:
    """A condition on enrolments: they are those of the course's students."""
    return and_(Enrollment.course_id == course.id, Enrollment.role == Role.STUDENT)


def sent_by_students_of(course: Course) -> ColumnElement[bool]:
    """A condition on submissions: they count in the course's figures. Staff's trials and bug hunts do not."""
    students = select(Enrollment.user_id).where(is_student_of(course))
    is_ours = Submission.course_id == course.id
    return and_(Submission.user_id.in_(students), is_ours, Submission.kind == SubmissionKind.BUILD)
