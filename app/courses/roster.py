"""Changing who is in a course: first a plan that says what would change, then exactly that plan."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import delete, func, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app import audit
from app.accounts.names import NOT_A_NAME, address_key, is_name, name_key
from app.courses.access import managed_course
from app.courses.roster_file import BadRow, Row, read_roster
from app.courses.schemas import AddedPerson, ChangedPerson, KeptDetails, RefusedLine, RosterPlan
from app.database import Database
from app.models import Course, Enrollment, Role, User
from app.problems import Conflict

DETAILS: Final = ("full_name", "email")
Changes = dict[str, tuple[str | None, str | None]]


def preview(database: Database, user: User, slug: str, content: bytes, *, remove_missing: bool) -> RosterPlan:
    """What the file would change. Raises NotFound, Forbidden, Unprocessable."""
    rows = read_roster(content)
    with database.read() as session:
        return _Planning(session, user, managed_course(session, user, slug), rows).plan(remove_missing=remove_missing)


def apply(
    database: Database, user: User, slug: str, content: bytes, *, remove_missing: bool, digest: str
) -> RosterPlan:
    """Do what the preview with that digest said, or nothing. Raises Conflict when it would be something else now."""
    rows = read_roster(content)
    try:
        with database.write() as session:
            course = managed_course(session, user, slug)
            session.execute(select(Course.id).where(Course.id == course.id).with_for_update())  # one import at a time
            plan = _Planning(session, user, course, rows).plan(remove_missing=remove_missing)
            if plan.digest != digest:
                raise _changed_since()
            _carry_out(session, course, plan)
            audit.note(session, user, "roster.import", slug, course, **_summary(plan))
            return plan
    except IntegrityError as error:  # another course made one of these accounts at this very moment
        raise _changed_since() from error


def _summary(plan: RosterPlan) -> dict[str, Any]:
    return {
        "added": [person.name for person in plan.added],
        "changed": {person.name: person.changes for person in plan.changed},
        "removed": plan.removed,
    }


def _changed_since() -> Conflict:
    return Conflict(
        "This is not what the preview said: the file, the choice or the course has changed since. "
        "Look at a new preview, and send its digest."
    )


def _carry_out(session: Session, course: Course, plan: RosterPlan) -> None:
    names = [person.name for person in plan.added] + [person.name for person in plan.changed]
    users = _by_name(session, names)
    for person in plan.added:
        user = users.get(person.name)
        if user is None:
            user = User(
                name=person.name,
                role=Role.STUDENT,
                full_name=person.full_name,
                email=person.email,
                created_by_course_id=course.id,
            )
            session.add(user)
        session.add(Enrollment(course=course, user=user, role=person.role))
    for changed in plan.changed:
        user = users[changed.name]
        for name, (_, new) in changed.changes.items():
            target = session.get_one(Enrollment, (course.id, user.id)) if name == "role" else user
            setattr(target, name, Role(new) if name == "role" and new else new)
    gone = select(User.id).where(User.name.in_(plan.removed))
    session.execute(delete(Enrollment).where(Enrollment.course_id == course.id, Enrollment.user_id.in_(gone)))


@dataclass
class _Planning:
    """Goes through a file once. Reads, and changes nothing."""

    session: Session
    actor: User
    course: Course
    rows: Sequence[Row | BadRow]
    added: list[AddedPerson] = field(default_factory=list)
    changed: list[ChangedPerson] = field(default_factory=list)
    kept: list[KeptDetails] = field(default_factory=list)
    refused: list[RefusedLine] = field(default_factory=list)
    unchanged: int = 0

    def plan(self, *, remove_missing: bool) -> RosterPlan:
        good = [row for row in self.rows if isinstance(row, Row)]
        self._by_name = _by_name(self.session, [row.name or row.email or "" for row in good])
        self._by_email = _by_email(
            self.session, [row.email for row in good if row.email] + [address_key(row.name) for row in good if row.name]
        )
        self._by_key = _by_key(self.session, [said for row in good for said in row.said])
        self._enrolled = self._enrollments()
        self._elsewhere = self._people_of_other_courses()
        self._lines: dict[str, int] = {}
        self._named: set[str] = set()
        for row in self.rows:
            self._named |= row.said
            if isinstance(row, BadRow):
                self._refuse(row.line, row.reason)
            else:
                self._consider(row)
        plan = RosterPlan(
            course=self.course.slug,
            digest="",
            added=self.added,
            changed=self.changed,
            removed=self._missing() if remove_missing else [],
            kept=self.kept,
            refused=self.refused,
            unchanged=self.unchanged,
        )
        return plan.model_copy(update={"digest": hashlib.sha256(plan.model_dump_json().encode()).hexdigest()})

    def _consider(self, row: Row) -> None:
        name = row.name or row.email or ""
        user = self._by_name.get(name) if row.name else self._by_email.get(name) or self._by_name.get(name)
        name = user.name if user else name
        reason = self._objection(row, name, user)
        if reason is not None:
            self._refuse(row.line, reason)
            return
        self._lines |= dict.fromkeys(_keys(row, name), row.line)
        if user is None:
            self.added.append(_addition(row, name, is_new=True))
        elif user.id not in self._enrolled:
            self._keep_details(row, user)
            self.added.append(_addition(row, name, is_new=False))
        else:
            self._change(row, user)

    def _objection(self, row: Row, name: str, user: User | None) -> str | None:
        before = next((self._lines[key] for key in _keys(row, name) if key in self._lines), None)
        if before is not None:
            return f"Line {before} says something of this person already."
        if user is not None and user.id == self.actor.id and row.role not in (None, self._enrolled.get(user.id)):
            return "You cannot change your own role."
        return self._address_objection(row, user) or (self._name_objection(row, name) if user is None else None)

    def _name_objection(self, row: Row, name: str) -> str | None:
        """Of a new account. Its name is taken for an address where one is asked for: it must not be somebody else's."""
        if not is_name(name):
            return f"{name[:100]!r} {NOT_A_NAME}."
        if name_key(name) in self._by_key:
            return f"The name {name!r} is an existing account's but for its capitals or characters. Use exactly that."
        if address_key(name) in self._by_email:
            return f"{name!r} is another account's address. Put it into the column email, or choose another name."
        if "@" in name and row.email not in (None, address_key(name)):
            return f"The name {name!r} is an address, but not this person's. Choose another name, or leave it out."
        return None

    def _address_objection(self, row: Row, user: User | None) -> str | None:
        """Whoever has the address of an account may ask for that account, so it must be clear whose it is."""
        if row.email is None:
            return None
        holders = (self._by_email.get(row.email), self._by_key.get(name_key(row.email)))
        if any(holder is not None and (user is None or holder.id != user.id) for holder in holders):
            return f"{row.email!r} belongs to another account. Use that account's name, or leave the address out."
        is_stranger = user is not None and user.id not in self._enrolled
        if user is not None and is_stranger and user.email and address_key(user.email) != row.email:
            return (
                "The account of that name has another address: it may be somebody else's. Choose another name for this "
                "person; or, if you are sure who it is, leave the address out."
            )
        return None

    def _change(self, row: Row, user: User) -> None:
        role = self._enrolled[user.id]
        changes: Changes = {"role": (role, row.role)} if row.role not in (None, role) else {}
        if self._may_change_details_of(user):
            changes |= _different_details(row, user)
        else:
            self._keep_details(row, user)
        if changes:
            self.changed.append(ChangedPerson(line=row.line, name=user.name, changes=changes))
        else:
            self.unchanged += 1

    def _may_change_details_of(self, user: User) -> bool:
        """An account's address may be its way in: a course has a say only while the account is the course's alone, and
        nobody has ever used it.
        """
        is_ours = user.created_by_course_id == self.course.id and user.id not in self._elsewhere
        return self.actor.role is Role.OPERATOR or (is_ours and user.first_used_at is None)

    def _keep_details(self, row: Row, user: User) -> None:
        if _different_details(row, user):
            self.kept.append(
                KeptDetails(
                    line=row.line,
                    name=user.name,
                    reason="This does not change the full name and e-mail address: the account is in use, or this "
                    "course did not make it.",
                )
            )

    def _refuse(self, line: int, reason: str) -> None:
        self.refused.append(RefusedLine(line=line, reason=reason))

    def _missing(self) -> list[str]:
        """Students whom no line names. Staff are never removed: what a platform exports often has students alone."""
        students = (
            select(User)
            .join(Enrollment)
            .where(Enrollment.course_id == self.course.id, Enrollment.role == Role.STUDENT)
            .order_by(User.name)
        )
        return [
            user.name
            for user in self.session.scalars(students)
            if not self._named & {user.name, address_key(user.email or "")}
        ]

    def _enrollments(self) -> dict[str, Role]:
        query = select(Enrollment.user_id, Enrollment.role).where(Enrollment.course_id == self.course.id)
        return dict(self.session.execute(query).all())

    def _people_of_other_courses(self) -> set[str]:
        here = select(Enrollment.user_id).where(Enrollment.course_id == self.course.id)
        query = select(Enrollment.user_id).where(Enrollment.course_id != self.course.id, Enrollment.user_id.in_(here))
        return set(self.session.scalars(query))


def _addition(row: Row, name: str, *, is_new: bool) -> AddedPerson:
    return AddedPerson(
        line=row.line,
        name=name,
        role=row.role or Role.STUDENT,
        full_name=row.full_name if is_new else None,
        email=row.email if is_new else None,
        is_new_account=is_new,
    )


def _keys(row: Row, name: str) -> set[str]:
    """By which a line is about the same person as another."""
    return {name_key(name), *filter(None, (row.email,))}


def _different_details(row: Row, user: User) -> Changes:
    """What the file does not say stays."""
    pairs = {name: (getattr(user, name), getattr(row, name)) for name in DETAILS}
    return {name: (old, new) for name, (old, new) in pairs.items() if new is not None and new != old}


def _by_name(session: Session, names: Sequence[str]) -> dict[str, User]:
    return {user.name: user for user in session.scalars(select(User).where(User.name.in_(names)))}


def _by_email(session: Session, emails: Sequence[str]) -> dict[str, User]:
    found = session.scalars(select(User).where(or_(User.email.in_(emails), func.lower(User.email).in_(emails))))
    return {address_key(user.email or ""): user for user in found}


def _by_key(session: Session, names: Sequence[str]) -> dict[str, User]:
    keys = [name_key(name) for name in names]
    return {user.name_key: user for user in session.scalars(select(User).where(User.name_key.in_(keys)))}
