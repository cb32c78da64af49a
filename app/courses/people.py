"""Reads whom a roster may mean: accounts, and who is in the course. A few statements, however many people."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.accounts.names import address_key, name_key
from app.database import Database
from app.models import Course, Enrollment, Role, User


class Account(NamedTuple):
    """An account, as far as a roster needs it."""

    id: str
    name: str
    name_key: str
    full_name: str | None
    email: str | None
    created_by_course_id: str | None
    first_used_at: datetime | None

    @property
    def address(self) -> str | None:
        """The address by which its owner signs in through a provider."""
        said = self.email or (self.name if "@" in self.name else None)
        return address_key(said) if said else None


class Enrolled(NamedTuple):
    """A person in the course, with the details that the course gave."""

    user_id: str
    name: str
    role: Role
    full_name: str | None
    email: str | None
    section: str | None
    account_email: str | None


def enrolled_in(session: Session, course: Course) -> list[Enrolled]:
    """Returns everybody in the course, by name."""
    columns = (
        Enrollment.user_id,
        User.name,
        Enrollment.role,
        Enrollment.full_name,
        Enrollment.email,
        Enrollment.section,
        User.email,
    )
    query = select(*columns).join(User).where(Enrollment.course_id == course.id).order_by(User.name)
    return [Enrolled(*row) for row in session.execute(query)]


def full_names(database: Database, course: str, names: Collection[str]) -> dict[str, str]:
    """Returns what the course, named by its slug, calls people beside their accounts' names; whom it calls nothing
    else is left out.
    """
    query = (
        select(User.name, Enrollment.full_name)
        .join(Enrollment, Enrollment.user_id == User.id)
        .join(Course, Course.id == Enrollment.course_id)
        .where(Course.slug == course, User.name.in_(names))
    )
    with database.read() as session:
        return {name: full_name for name, full_name in session.execute(query) if full_name}


def accounts_called(session: Session, names: Collection[str], said: Collection[str], *, holding: bool) -> list[Account]:
    """Returns the accounts that have one of the names, or one of the words as a name that looks like it or as an
    address. `holding` locks them, so that other courses cannot change an address while this one decides by it.
    """
    addresses = {address_key(each) for each in said if "@" in each}
    columns = [getattr(User, name) for name in Account._fields]
    conditions = (
        User.name.in_(names),
        User.name_key.in_({name_key(each) for each in said}),
        func.lower(User.email).in_({each for each in addresses if each.isascii()}),
        User.email.in_({each for each in addresses if not each.isascii()}),
    )
    query = select(*columns).order_by(User.id)
    query = query.with_for_update() if holding else query
    found = {row.id: Account(*row) for each in conditions for row in session.execute(query.where(each))}
    return list(found.values())


def people_of_other_courses(session: Session, course: Course) -> set[str]:
    """Returns the ids of the people of this course who are in another one, too."""
    here = select(Enrollment.user_id).where(Enrollment.course_id == course.id)
    query = select(Enrollment.user_id).where(Enrollment.course_id != course.id, Enrollment.user_id.in_(here))
    return set(session.scalars(query))
