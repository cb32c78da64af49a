"""Making courses: new ones, and copies for another term with every date moved along."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy import select
from sqlalchemy.orm import Session

from app import audit
from app.assignments.schemas import terms_of
from app.assignments.service import all_of
from app.courses.access import managed_course
from app.courses.schemas import ChangedCourse, CourseCopy, NewCourse
from app.database import Database
from app.models import Assignment, Course, Enrollment, Role, User
from app.problems import Conflict, FieldError, Forbidden
from app.rows import add_unless_there
from app.time_zones import moved, weeks_between

MOMENTS: Final = ("opens_at", "due_at", "closes_at")


@dataclass(frozen=True)
class MovedAssignment:
    """An assignment of a copy, with its times."""

    source: Assignment
    opens_at: datetime | None
    due_at: datetime | None
    closes_at: datetime | None


def may_create(database: Database, user: User, *, by_instructors: bool) -> bool:
    """Whether the person may create courses: operators, and where a setting allows it whoever instructs a course."""
    with database.read() as session:
        return _may_create(session, user, by_instructors=by_instructors)


def refuse_all_but_creators(database: Database, user: User, *, by_instructors: bool) -> None:
    """Raises Forbidden for those who may not create courses."""
    with database.read() as session:
        _refuse_others(session, user, by_instructors=by_instructors)


def create(database: Database, user: User, wanted: NewCourse, *, by_instructors: bool = False) -> Course:
    """Creates a course. Whoever is no operator instructs it. Raises Forbidden, and Conflict when the slug is taken."""
    with database.write() as session:
        _refuse_others(session, user, by_instructors=by_instructors)
        course = add_course(session, user, wanted)
        _put_in_charge(session, user, course)
        return course


def add_course(session: Session, user: User, wanted: NewCourse) -> Course:
    """Adds a course in the caller's transaction. Raises Conflict when the slug is taken."""
    course = Course(slug=wanted.slug, title=wanted.title, time_zone=wanted.time_zone)
    if not add_unless_there(session, course):
        raise Conflict(
            f"There is a course {wanted.slug!r} already. Choose another URL name.",
            errors=[FieldError(location="slug", message="This name is taken. Choose another one.")],
        )
    audit.note(session, user, "course.create", course.slug, course, title=course.title, time_zone=course.time_zone)
    return course


def read(database: Database, user: User, slug: str) -> Course:
    """Returns a course to those who may change it. Raises NotFound, Forbidden."""
    with database.read() as session:
        return managed_course(session, user, slug)


def change(database: Database, user: User, slug: str, wanted: ChangedCourse) -> Course:
    """Changes a course's title or time zone. No date moves: it is only shown in the other zone. Raises NotFound,
    Forbidden.
    """
    with database.write() as session:
        course = managed_course(session, user, slug)
        given = {name: value for name, value in dict(wanted).items() if value is not None}
        changes = {name: [getattr(course, name), value] for name, value in given.items()}
        changes = {name: pair for name, pair in changes.items() if pair[0] != pair[1]}
        for name, (_, value) in changes.items():
            setattr(course, name, value)
        if changes:
            audit.note(session, user, "course.change", slug, course, **changes)
        return course


def plan_copy(database: Database, user: User, slug: str, wanted: CourseCopy) -> list[MovedAssignment]:
    """Returns the assignments that a copy would have. Raises NotFound, Forbidden."""
    with database.read() as session:
        return _moved(session, managed_course(session, user, slug), wanted)


def copy(database: Database, user: User, slug: str, wanted: CourseCopy, *, by_instructors: bool = False) -> Course:
    """Creates a course like another one: its instructors, and its assignments with their dates moved by whole weeks.
    Nobody else is taken along. Raises NotFound, Forbidden, and Conflict when the slug is taken.
    """
    with database.write() as session:
        source = managed_course(session, user, slug)
        _refuse_others(session, user, by_instructors=by_instructors)
        made = add_course(session, user, wanted)
        made.drop_lowest = source.drop_lowest
        _take_instructors_along(session, source, made)
        _put_in_charge(session, user, made)
        copies = _moved(session, source, wanted)
        for each in copies:
            times = {name: getattr(each, name) for name in MOMENTS}
            session.add(Assignment(course=made, slug=each.source.slug, **{**dict(terms_of(each.source)), **times}))
        starts_on = wanted.starts_on.isoformat()
        audit.note(session, user, "course.copy", made.slug, made, of=slug, starts_on=starts_on, assignments=len(copies))
        return made


def first_of(database: Database, user: User, slug: str) -> date | None:
    """Returns the first date of the course's assignments. Raises NotFound, Forbidden."""
    with database.read() as session:
        course = managed_course(session, user, slug)
        return _first_date(all_of(session, course.id), course.time_zone)


def _first_date(assignments: list[Assignment], zone: str) -> date | None:
    moments = [moment for row in assignments for name in MOMENTS if (moment := getattr(row, name)) is not None]
    return min((moment.astimezone(ZoneInfo(zone)).date() for moment in moments), default=None)


def _moved(session: Session, source: Course, wanted: CourseCopy) -> list[MovedAssignment]:
    rows = all_of(session, source.id)
    first = _first_date(rows, source.time_zone)
    weeks = weeks_between(first, wanted.starts_on) if first else 0

    def move(moment: datetime | None) -> datetime | None:
        return moved(moment, weeks, source.time_zone, wanted.time_zone)

    return [MovedAssignment(row, move(row.opens_at), move(row.due_at), move(row.closes_at)) for row in rows]


def _may_create(session: Session, user: User, *, by_instructors: bool) -> bool:
    if user.role is Role.OPERATOR:
        return True
    instructs = select(Enrollment.course_id).where(Enrollment.user_id == user.id, Enrollment.role == Role.INSTRUCTOR)
    return by_instructors and session.scalar(instructs.limit(1)) is not None


def _refuse_others(session: Session, user: User, *, by_instructors: bool) -> None:
    if not _may_create(session, user, by_instructors=by_instructors):
        whom = "operators and instructors" if by_instructors else "operators"
        raise Forbidden(f"Courses are created by the {whom} of this service. Ask one of them.")


def _put_in_charge(session: Session, user: User, course: Course) -> None:
    if user.role is not Role.OPERATOR:
        session.merge(Enrollment(course_id=course.id, user_id=user.id, role=Role.INSTRUCTOR))


def _take_instructors_along(session: Session, source: Course, made: Course) -> None:
    query = select(Enrollment).where(Enrollment.course_id == source.id, Enrollment.role == Role.INSTRUCTOR)
    for row in session.scalars(query):
        session.add(
            Enrollment(course_id=made.id, user_id=row.user_id, role=row.role, full_name=row.full_name, email=row.email)
        )
    session.flush()
