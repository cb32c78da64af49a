"""Archiving a course that is over, and bringing it back. What an archived course refuses is said where it is asked for:
an assignment in it is closed (`app.assignments.schedule`).
"""

from datetime import datetime

from app import audit
from app.courses.access import managed_course
from app.database import Database
from app.models import Course, User, now


def archive(database: Database, user: User, slug: str) -> Course:
    """Makes a course read-only for its students. Archived twice is archived. Raises NotFound, Forbidden."""
    return _set(database, user, slug, now())


def bring_back(database: Database, user: User, slug: str) -> Course:
    """Opens a course again, with the terms that it has. Raises NotFound, Forbidden."""
    return _set(database, user, slug, None)


def _set(database: Database, user: User, slug: str, archived_at: datetime | None) -> Course:
    with database.write() as session:
        course = managed_course(session, user, slug)
        if course.is_archived != (archived_at is not None):
            course.archived_at = archived_at
            audit.note(session, user, "course.archive" if archived_at else "course.bring_back", slug, course)
        return course
