"""The log of what staff did. An entry is written in the transaction of what it tells: both happen, or neither."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.courses.access import managed_course
from app.database import Database
from app.models import ActorKind, AuditEntry, Course, User
from app.request_values import check_cursor
from app.rows import newest_first


def note(session: Session, actor: User, action: str, subject: str, course: Course | None = None, **detail: Any) -> None:
    """Adds an entry to the audit log. `action` is a noun and a verb, such as `assignment.change`; `detail` must be
    JSON.
    """
    entry = AuditEntry(
        actor=actor.name,
        actor_kind=ActorKind.ACCOUNT if actor.id else ActorKind.COMMAND_LINE,
        action=action,
        course=course.slug if course else None,
        subject=subject[:200],
        detail=detail,
    )
    session.add(entry)


def page(
    database: Database, user: User, course: str, cursor: str | None, limit: int
) -> tuple[Sequence[AuditEntry], str | None]:
    """Returns a page of the course's audit log, newest first, and the cursor of the next one.

    Raises NotFound, Forbidden, and Unprocessable when the cursor is not ours.
    """
    check_cursor(cursor)
    with database.read() as session:
        query = select(AuditEntry).where(AuditEntry.course == managed_course(session, user, course).slug)
        return newest_first(session, query, AuditEntry.id, cursor, limit)
