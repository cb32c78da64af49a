"""What a roster file would change. Reads, in a number of statements that does not grow with the file, and changes
nothing.

A course learns nothing of an account that it did not make: a line that says only an address is told back by that
address, and what the course calls people stands in its own enrolments.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy.orm import Session

from app.accounts.names import NOT_A_NAME, address_key, is_name, name_key
from app.courses.people import Account, Enrolled, accounts_called, enrolled_in, people_of_other_courses
from app.courses.roster_file import BadRow, RosterRow
from app.courses.schemas import AddedPerson, ChangedPerson, KeptDetails, RefusedLine, RosterPlan
from app.models import STAFF, Course, Role, User

DETAILS: Final = ("full_name", "email")  # of the account too, where it is the course's
Changes = dict[str, tuple[str | None, str | None]]
KEPT: Final = (
    "This course will use these details. The account keeps its own full name and e-mail address: it is in use, or this "
    "course did not make it."
)


@dataclass(frozen=True)
class Addition:
    """A roster line about a person who is not in the course. Without an account, one is created."""

    row: RosterRow
    name: str
    account: Account | None

    @property
    def role(self) -> Role:
        """The role in which the person is enrolled."""
        return self.row.role or Role.STUDENT


@dataclass(frozen=True)
class MemberChange:
    """A roster line about a person in the course. `account` is theirs where the course may change it, too."""

    row: RosterRow
    before: Enrolled
    account: Account | None


@dataclass
class Planning:
    """Plans what a roster file changes. Goes through the file once."""

    session: Session
    actor: User
    course: Course
    rows: Sequence[RosterRow | BadRow]
    is_final: bool  # in the transaction that will do it
    additions: list[Addition] = field(default_factory=list)
    changes: list[MemberChange] = field(default_factory=list)
    added: list[AddedPerson] = field(default_factory=list)
    changed: list[ChangedPerson] = field(default_factory=list)
    kept: list[KeptDetails] = field(default_factory=list)
    refused: list[RefusedLine] = field(default_factory=list)
    unchanged: int = 0

    def plan(self, *, remove_missing: bool) -> RosterPlan:
        """Returns the plan. With `remove_missing`, students whom the file does not name are removed."""
        self._read()
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

    def _read(self) -> None:
        enrolled = enrolled_in(self.session, self.course)
        self._enrolled = {person.user_id: person for person in enrolled}
        here = {person.email: person.name for person in enrolled if person.email}
        good = [row for row in self.rows if isinstance(row, RosterRow)]
        said = {each for row in good for each in row.said}
        names = {row.name or row.email or "" for row in good} | {here[each] for each in said if each in here}
        accounts = accounts_called(self.session, names, said, holding=self.is_final)
        self._by_name = {account.name: account for account in accounts}
        self._by_key = {account.name_key: account for account in accounts}
        self._by_email = {address_key(account.email): account for account in accounts if account.email}
        self._here = {email: self._by_name[name] for email, name in here.items() if email in said}
        self._elsewhere = people_of_other_courses(self.session, self.course)

    def _consider(self, row: RosterRow) -> None:
        account = self._meant(row)
        name = account.name if account else row.name or row.email or ""
        reason = self._objection(row, name, account)
        if reason is not None:
            self._refuse(row.line, reason)
            return
        self._lines |= dict.fromkeys(_keys(row, name), row.line)
        enrolled = self._enrolled.get(account.id) if account else None
        if account is None or enrolled is None:
            self._add(Addition(row, name, account))
        else:
            self._change(row, account, enrolled)

    def _meant(self, row: RosterRow) -> Account | None:
        """By name; else by the address that this course has of somebody, that an account has, or that is a name."""
        if row.name:
            return self._by_name.get(row.name)
        email = row.email or ""
        return self._here.get(email) or self._by_email.get(email) or self._by_name.get(email)

    def _objection(self, row: RosterRow, name: str, account: Account | None) -> str | None:
        before = next((self._lines[key] for key in _keys(row, name) if key in self._lines), None)
        if before is not None:
            return f"This is a duplicate of line {before}."
        role = self._role_of(account)
        if account is not None and account.id == self.actor.id and row.role not in (None, role):
            return "You cannot change your own role."
        if account is None:
            return self._address_objection(row, account) or self._name_objection(row, name)
        if row.role in STAFF and row.role != role and not self._is_sure_of(row, account):
            return (
                f"An account of that name exists, and this course did not make it: it may be somebody else's. To make "
                f"this person {row.role} here, give the e-mail address of the account with it, or ask an "
                "operator to do it."
            )
        return self._address_objection(row, account)

    def _role_of(self, account: Account | None) -> Role | None:
        enrolled = self._enrolled.get(account.id) if account else None
        return enrolled.role if enrolled else None

    def _is_sure_of(self, row: RosterRow, account: Account) -> bool:
        """Whether it is clear whose account it is, so that it may be given a role of the staff. Anybody who manages a
        course may have taken the name; an account's address is its owner's.
        """
        is_known = account.id in self._enrolled and account.created_by_course_id is None
        is_ours = account.created_by_course_id == self.course.id
        is_proved = row.email is not None and row.email == account.address
        return self.actor.role is Role.OPERATOR or is_ours or is_known or is_proved

    def _name_objection(self, row: RosterRow, name: str) -> str | None:
        """Of a new account. Its name is taken for an address where one is asked for: it must not be somebody else's."""
        if not is_name(name):
            return f"{name[:100]!r} {NOT_A_NAME}."
        if name_key(name) in self._by_key:
            return f"The name {name!r} is an existing account's but for its capitals or characters. Use exactly that."
        if address_key(name) in self._by_email:
            return f"{name!r} is another account's address. Give it as the e-mail address, or choose another name."
        if "@" in name and row.email not in (None, address_key(name)):
            return f"The name {name!r} is an address, but not this person's. Choose another name, or leave it out."
        return None

    def _address_objection(self, row: RosterRow, account: Account | None) -> str | None:
        """Whoever has the address of an account may ask for that account, so it must be clear whose it is."""
        if row.email is None:
            return None
        holders = [found.get(key) for found, key in self._holders(row.email)]
        if any(holder is not None and (account is None or holder.id != account.id) for holder in holders):
            return f"{row.email!r} belongs to another account. Use that account's name, or leave the address out."
        is_stranger = account is not None and account.id not in self._enrolled
        if account is not None and is_stranger and account.email and address_key(account.email) != row.email:
            return (
                "The account of that name has another address: it may be somebody else's. Choose another name for this "
                "person; or, if you are sure who it is, leave the address out."
            )
        return None

    def _holders(self, email: str) -> list[tuple[dict[str, Account], str]]:
        return [(self._here, email), (self._by_email, email), (self._by_key, name_key(email))]

    def _add(self, addition: Addition) -> None:
        row, account = addition.row, addition.account
        is_told = row.name is not None or self.actor.role is Role.OPERATOR
        self.additions.append(addition)
        self.added.append(
            AddedPerson.of(
                row,
                name=addition.name if is_told else row.email or "",
                role=addition.role,
                is_new_account=account is None if is_told else None,
            )
        )
        if account is not None and is_told:
            self._note_kept(row, account)

    def _change(self, row: RosterRow, account: Account, before: Enrolled) -> None:
        is_ours = self._may_change(row, account)
        changes = _different(row, before, (*DETAILS, "section")) | (
            _different(row, account, DETAILS) if is_ours else {}
        )
        if row.role not in (None, before.role):
            changes = {"role": (before.role, row.role)} | changes
        if not changes:
            self.unchanged += 1
            return
        self.changes.append(MemberChange(row, before, account if is_ours else None))
        self.changed.append(ChangedPerson(line=row.line, name=account.name, changes=changes))
        if not is_ours:
            self._note_kept(row, account)

    def _may_change(self, row: RosterRow, account: Account) -> bool:
        """An account's address may be its way in: a course has a say only while the account is the course's alone, and
        nobody has ever used it. An account that is called by an address has no other.
        """
        is_ours = account.created_by_course_id == self.course.id and account.id not in self._elsewhere
        is_address = "@" in account.name and row.email not in (None, address_key(account.name))
        is_free = is_ours and account.first_used_at is None and not is_address
        return self.actor.role is Role.OPERATOR or is_free

    def _note_kept(self, row: RosterRow, account: Account) -> None:
        if row.full_name or row.email:
            self.kept.append(KeptDetails(line=row.line, name=account.name, reason=KEPT))

    def _refuse(self, line: int, reason: str) -> None:
        self.refused.append(RefusedLine(line=line, reason=reason))

    def _missing(self) -> list[str]:
        """Students whom no line names. Staff are never removed: what a platform exports often has students alone."""
        return [
            person.name
            for person in self._enrolled.values()
            if person.role is Role.STUDENT
            and not self._named & {person.name, person.email, address_key(person.account_email or "")}
        ]


def _keys(row: RosterRow, name: str) -> set[str]:
    """By which a line is about the same person as another."""
    return {name_key(name), *filter(None, (row.email,))}


def _different(row: RosterRow, before: Enrolled | Account, names: Sequence[str]) -> Changes:
    """What the file does not say stays."""
    pairs = {name: (getattr(before, name), getattr(row, name)) for name in names}
    return {name: (old, new) for name, (old, new) in pairs.items() if new is not None and new != old}
