"""Changing who is in a course: first a plan that says what would change, then exactly that plan."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app import audit
from app.accounts.service import is_name
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
            user = User(name=person.name, role=Role.STUDENT, full_name=person.full_name, email=person.email)
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
        self._by_email = _by_email(self.session, [row.email for row in good if row.email])
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
        self._lines |= dict.fromkeys({name, *row.said}, row.line)
        if user is None:
            self.added.append(_addition(row, name, is_new=True))
        elif user.id not in self._enrolled:
            self._keep_details(row, user)
            self.added.append(_addition(row, name, is_new=False))
        else:
            self._change(row, user)

    def _objection(self, row: Row, name: str, user: User | None) -> str | None:
        before = next((self._lines[said] for said in {name, *row.said} if said in self._lines), None)
        if before is not None:
            return f"Line {before} says something of this person already."
        if user is None and not is_name(name):
            return f"{name[:100]!r} cannot be a name. Use up to 100 letters, digits, spaces and . _ @ + -"
        owner = self._by_email.get(row.email or "")
        if owner is not None and (user is None or owner.id != user.id):
            return f"{row.email!r} belongs to another account. Use that account's name, or leave the address out."
        if user is not None and user.id == self.actor.id and row.role not in (None, self._enrolled.get(user.id)):
            return "You cannot change your own role."
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
        """An account that others rely on, too, is not one course's to change: its address may be its way in."""
        return self.actor.role is Role.OPERATOR or (user.role is Role.STUDENT and user.id not in self._elsewhere)

    def _keep_details(self, row: Row, user: User) -> None:
        if _different_details(row, user):
            self.kept.append(
                KeptDetails(
                    line=row.line,
                    name=user.name,
                    reason="Full name and e-mail address stay as they are: the account is not this course's alone.",
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
            user.name for user in self.session.scalars(students) if not self._named & {user.name, _lower(user.email)}
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


def _different_details(row: Row, user: User) -> Changes:
    """What the file does not say stays."""
    pairs = {name: (getattr(user, name), getattr(row, name)) for name in DETAILS}
    return {name: (old, new) for name, (old, new) in pairs.items() if new is not None and new != old}


def _by_name(session: Session, names: Sequence[str]) -> dict[str, User]:
    return {user.name: user for user in session.scalars(select(User).where(User.name.in_(names)))}


def _by_email(session: Session, emails: Sequence[str]) -> dict[str, User]:
    found = session.scalars(select(User).where(func.lower(User.email).in_(emails)))
    return {_lower(user.email): user for user in found}


def _lower(email: str | None) -> str:
    return (email or "").lower()
