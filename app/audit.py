"""The log of what staff did. An entry is written in the transaction of what it tells: both happen, or neither."""

from typing import Any

from sqlalchemy.orm import Session

from app.models import AuditEntry, Course, User


def note(session: Session, actor: User, action: str, subject: str, course: Course | None = None, **detail: Any) -> None:
    """`action` is a noun and a verb, such as `assignment.change`; `detail` must be JSON."""
    entry = AuditEntry(
        actor=actor.name,
        action=action,
        course=course.slug if course else None,
        subject=subject[:200],
        detail=detail,
    )
    session.add(entry)
