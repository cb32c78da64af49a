"""Giving a student or a section more time or more attempts, before or after an assignment was due."""

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app import audit
from app.assignments.service import find
from app.courses.access import manager_access, staff_access
from app.database import Database
from app.gradebook.people import known_section, student_named
from app.gradebook.schemas import ExceptionView, NewException
from app.models import Assignment, Enrollment, TermsException, User
from app.problems import Conflict, NotFound, wrong
from app.rows import row_with
from app.time_zones import in_zone


def list_all(database: Database, user: User, course: str, slug: str, student: str | None = None) -> list[ExceptionView]:
    """Returns the exceptions of an assignment, or those that hold for one student, the newest first. Raises NotFound,
    Forbidden.
    """
    with database.read() as session:
        access = staff_access(session, user, course)
        found = _views(session, find(session, access, slug))
        if student is None:
            return found
        section = session.scalar(
            select(Enrollment.section).join(User).where(Enrollment.course == access.course, User.name == student)
        )
        return [each for each in found if each.student == student or (section and each.section == section)]


def give(database: Database, user: User, course: str, slug: str, wanted: NewException) -> ExceptionView:
    """Gives an exception, in place of the one that the student or the section had. Raises NotFound, Forbidden,
    Unprocessable, and Conflict when somebody else does the same at this moment.
    """
    try:
        with database.write() as session:
            access = manager_access(session, user, course)
            assignment = find(session, access, slug)
            _check(assignment, wanted)
            person = student_named(session, access.course, wanted.student) if wanted.student else None
            section = known_section(session, access.course, wanted.section) if wanted.section else None
            who = (TermsException.user_id == person.id) if person else (TermsException.section == section)
            session.execute(delete(TermsException).where(TermsException.assignment_id == assignment.id, who))
            given = TermsException(
                assignment_id=assignment.id,
                user_id=person.id if person else None,
                section=section,
                given_by=user.name,
                **wanted.model_dump(exclude={"student", "section"}),
            )
            session.add(given)
            session.flush()
            audit.note(
                session, user, "exception.give", slug, access.course,
                **wanted.model_dump(mode="json", exclude_none=True),
            )  # fmt: skip
            return next(each for each in _views(session, assignment) if each.id == given.id)
    except IntegrityError as error:
        raise Conflict(
            "Somebody else gave an exception at the same moment. Look at it, and send yours again."
        ) from error


def withdraw(database: Database, user: User, course: str, slug: str, exception_id: str) -> None:
    """Takes an exception back. Raises NotFound, Forbidden."""
    with database.write() as session:
        access = manager_access(session, user, course)
        assignment = find(session, access, slug)
        row = row_with(session, TermsException, exception_id)
        if row is None or row.assignment_id != assignment.id:
            raise NotFound("The assignment has no such exception. The list of exceptions has those that there are.")
        person = session.get_one(User, row.user_id).name if row.user_id else None
        whom = {"student": person} if person else {"section": row.section}
        audit.note(session, user, "exception.withdraw", slug, access.course, **whom, reason=row.reason)
        session.delete(row)


def _check(assignment: Assignment, wanted: NewException) -> None:
    """Raises Unprocessable for what would give nothing."""
    zone = assignment.course.time_zone
    own = {"due_at": assignment.due_at, "closes_at": assignment.closes_at}
    ends = {"due_at": "is never due, so nothing is late", "closes_at": "never closes"}
    for name, moment in own.items():
        given = getattr(wanted, name)
        if given is not None and moment is None:
            raise wrong(name, f"{assignment.title!r} {ends[name]}: leave this out.")
        if given is not None and moment is not None and given <= moment:
            raise wrong(name, f"This must be later than the assignment's own time, {in_zone(moment, zone)}.")
    if wanted.extra_attempts and assignment.attempts_max is None:
        raise wrong("extra_attempts", f"{assignment.title!r} takes any number of attempts: leave this out.")


def _views(session: Session, assignment: Assignment) -> list[ExceptionView]:
    query = (
        select(TermsException, User.name, Enrollment.full_name)
        .outerjoin(User, User.id == TermsException.user_id)
        .outerjoin(Enrollment, (Enrollment.user_id == User.id) & (Enrollment.course_id == assignment.course_id))
        .where(TermsException.assignment_id == assignment.id)
        .order_by(TermsException.id.desc())
    )
    return [view_of_exception(row, name, full_name) for row, name, full_name in session.execute(query)]


def view_of_exception(row: TermsException, name: str | None, full_name: str | None) -> ExceptionView:
    """Returns the view of an exception; the names are its student's, where it is for one."""
    if row.user_id is None:
        name = full_name = None
    return ExceptionView.of(row, student=name, full_name=full_name)
