"""Adding one person, as a roster of one line: by the same rules, and told in the same sentences."""

from typing import Final

from sqlalchemy.orm import Session

from app import audit
from app.courses.roster import apply_rows, preview_rows
from app.courses.roster_file import BadRow, Column, RosterRow, row_of
from app.courses.schemas import NewPerson, RosterPlan
from app.database import Database
from app.models import Course, User
from app.problems import Unprocessable

COLUMNS: Final = (Column.NAME, Column.FULL_NAME, Column.EMAIL, Column.ROLE, Column.SECTION)


def add(database: Database, user: User, slug: str, wanted: NewPerson, digest: str | None = None) -> RosterPlan:
    """Does what the preview says, or what the preview with this digest said. Raises as `preview`, and Conflict and
    TooManyRequests as for a roster.
    """
    digest = digest or preview(database, user, slug, wanted).digest
    return apply_rows(database, user, slug, [_row(wanted)], digest=digest, note=_note)


def preview(database: Database, user: User, slug: str, wanted: NewPerson) -> RosterPlan:
    """Returns what would change. Raises NotFound, Forbidden, and Unprocessable for a person who cannot be added."""
    plan = preview_rows(database, user, slug, [_row(wanted)])
    if plan.refused:
        raise Unprocessable(plan.refused[0].reason)
    return plan


def _note(session: Session, user: User, course: Course, plan: RosterPlan) -> None:
    for person in plan.added:
        audit.note(session, user, "enrollment.add", person.name, course, role=person.role)
    for change in plan.changed:
        audit.note(session, user, "enrollment.change", change.name, course, **change.changes)


def _row(wanted: NewPerson) -> RosterRow | BadRow:
    return row_of(1, {column: getattr(wanted, column).strip() for column in COLUMNS})
