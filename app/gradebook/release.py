"""Releasing the grades of an assignment that holds them, and holding them again."""

from sqlalchemy.orm import Session

from app import audit
from app.assignments.service import find
from app.courses.access import manager_access
from app.database import Database
from app.models import Assignment, GradesRelease, User, now
from app.problems import Conflict


def release(database: Database, user: User, course: str, slug: str) -> Assignment:
    """Lets students see what they have earned, from now on. Released twice is released. Raises NotFound, Forbidden, and
    Conflict where nothing is held.
    """
    with database.write() as session:
        found = _holding(session, user, course, slug)
        if found.released_at is None:
            found.released_at = now()
            audit.note(session, user, "grades.release", slug, found.course)
        return found


def hold_again(database: Database, user: User, course: str, slug: str) -> Assignment:
    """Hides again what was released. Raises NotFound, Forbidden, and Conflict where nothing was to be held."""
    with database.write() as session:
        found = _holding(session, user, course, slug)
        if found.released_at is not None:
            found.released_at = None
            audit.note(session, user, "grades.hold", slug, found.course)
        return found


def _holding(session: Session, user: User, course: str, slug: str) -> Assignment:
    found = find(session, manager_access(session, user, course), slug)
    if found.grades_release is not GradesRelease.HELD:
        raise Conflict(f"{found.title!r} shows grades at once: there is nothing to release. Its settings say so.")
    return found
