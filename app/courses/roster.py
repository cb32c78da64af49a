"""Changing who is in a course: first a plan that says what would change, then exactly that plan."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Final

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app import audit
from app.courses.access import managed_course
from app.courses.planning import Addition, MemberChange, Planning
from app.courses.roster_file import BadRow, RosterRow, read_roster
from app.courses.schemas import RosterPlan
from app.database import Database
from app.identifiers import new_id
from app.models import Course, Enrollment, Role, User, now
from app.problems import Conflict, TooManyRequests
from app.rows import count, hold

NEW_ACCOUNTS_PER_DAY: Final = 10_000  # of a course: two of the largest rosters
WAIT_S: Final = 3600
Note = Callable[[Session, User, Course, RosterPlan], None]  # adds what was done to the audit log


def _note(action: str, session: Session, user: User, course: Course, plan: RosterPlan) -> None:
    detail = {
        "added": [person.name for person in plan.added],
        "changed": {person.name: person.changes for person in plan.changed},
        "removed": plan.removed,
    }
    audit.note(session, user, action, course.slug, course, **detail)


_NOTE_IMPORT: Final[Note] = partial(_note, "roster.import")
_NOTE_FOLLOW: Final[Note] = partial(_note, "roster.follow")


def preview(database: Database, user: User, slug: str, content: bytes, *, remove_missing: bool) -> RosterPlan:
    """Returns what the file would change. Raises NotFound, Forbidden, Unprocessable."""
    return preview_rows(database, user, slug, read_roster(content), remove_missing=remove_missing)


def preview_rows(
    database: Database, user: User, slug: str, rows: Sequence[RosterRow | BadRow], *, remove_missing: bool = False
) -> RosterPlan:
    """Returns what rows would change. Raises NotFound, Forbidden."""
    with database.read() as session:
        course = managed_course(session, user, slug)
        return Planning(session, user, course, rows, is_final=False).plan(remove_missing=remove_missing)


def apply(
    database: Database, user: User, slug: str, content: bytes, *, remove_missing: bool, digest: str
) -> RosterPlan:
    """Applies the preview that has this digest, or nothing. Raises Conflict when the result would differ from the
    preview, and TooManyRequests when the course has made too many accounts today.
    """
    return apply_rows(database, user, slug, read_roster(content), remove_missing=remove_missing, digest=digest)


def apply_rows(
    database: Database,
    user: User,
    slug: str,
    rows: Sequence[RosterRow | BadRow],
    *,
    remove_missing: bool = False,
    digest: str,
    note: Note = _NOTE_IMPORT,
) -> RosterPlan:
    """Applies the preview of rows that has this digest, or nothing, and has it noted in the audit log. Raises as
    `apply`.
    """
    try:
        with database.write() as session:
            planning, plan = _final(session, user, slug, rows, remove_missing=remove_missing)
            if plan.digest != digest:
                raise _changed_since()
            _carry_out(planning, plan, note)
            return plan
    except IntegrityError as error:  # another course made one of these accounts at this very moment
        raise _changed_since() from error


def follow(
    session: Session, user: User, slug: str, rows: Sequence[RosterRow | BadRow], *, remove_missing: bool
) -> RosterPlan:
    """Applies what another system's roster says, by the same rules, in the caller's transaction and with the authority
    of `user`. Raises NotFound, Forbidden, TooManyRequests, and IntegrityError when another course made one of the
    accounts at this very moment.
    """
    planning, plan = _final(session, user, slug, rows, remove_missing=remove_missing)
    if plan.added or plan.changed or plan.removed:
        _carry_out(planning, plan, _NOTE_FOLLOW)
    return plan


def _final(
    session: Session, user: User, slug: str, rows: Sequence[RosterRow | BadRow], *, remove_missing: bool
) -> tuple[Planning, RosterPlan]:
    course = managed_course(session, user, slug)
    hold(session, Course.id, course.id)  # one import at a time
    planning = Planning(session, user, course, rows, is_final=True)
    return planning, planning.plan(remove_missing=remove_missing)


def _carry_out(planning: Planning, plan: RosterPlan, note: Note) -> None:
    session, user, course = planning.session, planning.actor, planning.course
    _add(session, user, course, planning.additions)
    _change(session, course, planning.changes)
    _remove(session, course, plan.removed)
    note(session, user, course, plan)


def _changed_since() -> Conflict:
    return Conflict(
        "This is not what the preview said: the file, the choice or the course has changed since. "
        "Look at a new preview, and send its digest."
    )


def _add(session: Session, user: User, course: Course, additions: list[Addition]) -> None:
    accounts = {each.name: each.account.id if each.account else new_id() for each in additions}
    made = [
        {
            "id": accounts[each.name],
            "name": each.name,
            "role": Role.STUDENT,
            "full_name": each.row.full_name,
            "email": each.row.email,
            "created_by_course_id": course.id,
        }
        for each in additions
        if each.account is None
    ]
    enrolled = [
        {
            "course_id": course.id,
            "user_id": accounts[each.name],
            "role": each.role,
            "full_name": each.row.full_name,
            "email": each.row.email,
            "section": each.row.section,
        }
        for each in additions
    ]
    if made:
        _limit_accounts(session, user, course, len(made))
        session.execute(insert(User), made)
    if enrolled:
        session.execute(insert(Enrollment), enrolled)


def _limit_accounts(session: Session, user: User, course: Course, more: int) -> None:
    made = count(session, User.created_by_course_id == course.id, User.created_at > now() - timedelta(days=1))
    if user.role is not Role.OPERATOR and made + more > NEW_ACCOUNTS_PER_DAY:
        raise TooManyRequests(
            f"A course's rosters make {NEW_ACCOUNTS_PER_DAY} new accounts a day. Go on tomorrow, or ask an operator.",
            retry_after_s=WAIT_S,
        )


def _change(session: Session, course: Course, changes: list[MemberChange]) -> None:
    enrolled = [
        {
            "course_id": course.id,
            "user_id": each.before.user_id,
            "role": each.row.role or each.before.role,
            "full_name": each.row.full_name or each.before.full_name,
            "email": each.row.email or each.before.email,
            "section": each.row.section or each.before.section,
        }
        for each in changes
    ]
    accounts = [
        {
            "id": each.account.id,
            "full_name": each.row.full_name or each.account.full_name,
            "email": each.row.email or each.account.email,
        }
        for each in changes
        if each.account
    ]
    if enrolled:
        session.execute(update(Enrollment), enrolled)
    if accounts:
        session.execute(update(User), accounts)


def _remove(session: Session, course: Course, names: list[str]) -> None:
    gone = select(User.id).where(User.name.in_(names))
    session.execute(delete(Enrollment).where(Enrollment.course_id == course.id, Enrollment.user_id.in_(gone)))
