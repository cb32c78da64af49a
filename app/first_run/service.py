"""Sets an installation up: all of it in one transaction, by whoever holds the code of the first run."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from app import audit
from app.accounts import links
from app.accounts.service import NewToken, add_token, add_user, console
from app.assignments.schemas import NewAssignment
from app.assignments.service import add as add_assignment
from app.challenges.service import Catalogue
from app.courses.creation import add_course
from app.courses.schemas import NewCourse
from app.database import Database
from app.first_run.schemas import Beginning
from app.models import Course, Enrollment, Role, User, now
from app.problems import Conflict, FieldError


@dataclass(frozen=True)
class Begun:
    """What the first run made. The tokens can be shown this once."""

    operator: User
    operator_token: NewToken
    course: Course
    assignment: str
    student: User | None
    student_token: NewToken | None


def begin(database: Database, catalogue: Catalogue, code: str, wanted: Beginning, token_days: int) -> Begun:
    """Uses the code up and makes everything that was asked for, or nothing. Raises Forbidden for a wrong code; Conflict
    when there is an operator, or a name is taken; Unprocessable when there is no such challenge.
    """
    expires_at = now() + timedelta(days=token_days)
    with database.write() as session:
        links.claim(session, code)
        operator = _named(lambda: add_user(session, wanted.operator, Role.OPERATOR), "operator")
        audit.note(session, console(), "user.create", operator.name, role=Role.OPERATOR)
        course = add_course(
            session, operator, NewCourse(slug=wanted.slug, title=wanted.title, time_zone=wanted.time_zone)
        )
        session.add(Enrollment(course_id=course.id, user_id=operator.id, role=Role.INSTRUCTOR))
        terms = NewAssignment(slug="first", title=wanted.challenge, challenge=wanted.challenge, due_at=wanted.due_at)
        assignment = add_assignment(session, catalogue, operator, course, terms)
        assignment.title = catalogue.get(wanted.challenge).challenge.manifest.title
        token, student, student_token = add_token(session, operator, "first run", expires_at), None, None
        if wanted.student is not None:
            name = wanted.student
            student = _named(lambda: add_user(session, name, Role.STUDENT), "student")
            session.add(Enrollment(course_id=course.id, user_id=student.id, role=Role.STUDENT))
            student_token = add_token(session, student, "first run", expires_at)
            audit.note(session, operator, "enrollment.add", student.name, course, role=Role.STUDENT)
        return Begun(operator, token, course, assignment.title, student, student_token)


def _named(add: Callable[[], User], field: str) -> User:
    """Tells beside the field that a name is taken."""
    try:
        return add()
    except Conflict as problem:
        raise Conflict(problem.detail, errors=[FieldError(location=field, message=problem.detail)]) from problem
