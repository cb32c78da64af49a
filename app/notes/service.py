"""Sending notes. Who gets one is fixed in the transaction that sends it; students read them through `app.news`."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session, joinedload

from app import audit
from app.analytics.misconceptions import holders, title_of
from app.analytics.scope import Scope
from app.assignments.schedule import Phase, phase_at
from app.assignments.service import find
from app.courses.access import CourseAccess, is_student_of, staff_access
from app.database import Database
from app.models import Assignment, Course, Enrollment, Note, NoteKind, NoteRecipient, User, now
from app.notes.schemas import AudienceView, NewNote, Recipient, SentNote, SentNotes
from app.problems import Conflict
from app.request_values import check_cursor
from app.rows import count, hold, newest_first

NOTES_PER_DAY: Final = 40  # in one course
NOBODY: Final = "There is nobody to write to: no student's last submission shows this any more."
NO_STUDENTS: Final = "There is nobody to write to: the course has no students yet."
CHANGED: Final = "Since you looked, the list of those who get it has changed. Look at it again, then send."


@dataclass(frozen=True)
class Audience:
    """Who gets a note: everybody in the course, or those who still hold a misconception in an assignment."""

    assignment: Assignment | None
    title: str | None
    ids: Sequence[str]
    people: Sequence[Recipient]

    @property
    def version(self) -> str:
        """Changes with the people, so that nobody sends to others than they were shown."""
        return hashlib.sha256("\n".join(sorted(self.ids)).encode()).hexdigest()


def audience(
    database: Database, user: User, course: str, assignment: str | None, misconception: str | None
) -> AudienceView:
    """Returns who would get a note now. Raises NotFound, Forbidden, Conflict."""
    with database.read() as session:
        found = _audience(session, staff_access(session, user, course), assignment, misconception)
        return AudienceView(title=found.title, version=found.version, people=list(found.people))


def send(database: Database, user: User, course: str, wanted: NewNote) -> SentNote:
    """Sends a note. Raises NotFound, Forbidden, and Conflict where nobody would get it, others than were looked at, or
    too many were sent today.
    """
    with database.write() as session:
        access = staff_access(session, user, course)
        _check_room(session, access.course)
        found = _audience(session, access, wanted.assignment, wanted.misconception)
        if not found.ids:
            raise Conflict(NO_STUDENTS if wanted.misconception is None else NOBODY)
        if wanted.audience is not None and wanted.audience != found.version:
            raise Conflict(CHANGED)
        row = Note(
            course_id=access.course.id,
            assignment_id=found.assignment.id if found.assignment else None,
            kind=NoteKind.ANNOUNCEMENT if wanted.misconception is None else NoteKind.MISCONCEPTION,
            misconception=wanted.misconception,
            misconception_title=found.title,
            author_id=user.id,
            text=wanted.text,
        )
        session.add(row)
        session.flush()
        session.execute(insert(NoteRecipient), [{"note_id": row.id, "user_id": each} for each in found.ids])
        about = {"assignment": wanted.assignment, "misconception": wanted.misconception}
        detail = {name: value for name, value in about.items() if value is not None}
        audit.note(
            session, user, "note.send", row.id, access.course, **detail, recipients=len(found.ids), text=wanted.text
        )
        return _views(session, [row])[0]


def list_sent(database: Database, user: User, course: str, cursor: str | None, limit: int) -> SentNotes:
    """Returns the notes sent in the course, the newest first. Raises NotFound, Forbidden, Unprocessable."""
    check_cursor(cursor)
    with database.read() as session:
        access = staff_access(session, user, course)
        query = select(Note).options(joinedload(Note.author), joinedload(Note.assignment))
        query = query.where(Note.course_id == access.course.id)
        shown, following = newest_first(session, query, Note.id, cursor, limit)
        return SentNotes(items=_views(session, shown), next_cursor=following)


def _audience(session: Session, access: CourseAccess, slug: str | None, misconception: str | None) -> Audience:
    assignment = find(session, access, slug) if slug is not None else None
    if assignment is not None and phase_at(assignment, now()) is Phase.PLANNED:
        raise Conflict(f"{assignment.title} has not opened, so students cannot know of it. Write to the whole course.")
    title = None
    query = select(User.id, User.name, Enrollment.full_name).join(Enrollment, Enrollment.user_id == User.id)
    query = query.where(is_student_of(access.course)).order_by(User.name)
    if assignment is not None and misconception is not None:
        scope = Scope(access.course, assignment)
        title = title_of(session, scope, misconception)
        query = query.where(User.id.in_(holders(scope, misconception)))
    rows = session.execute(query).all()
    return Audience(
        assignment,
        title,
        [row.id for row in rows],
        [Recipient(name=row.name, full_name=row.full_name) for row in rows],
    )


def _check_room(session: Session, course: Course) -> None:
    """Those who write in one course wait for each other, so that each is counted before the next asks."""
    hold(session, Course.id, course.id, key_share=True)
    today = (Note.kind != NoteKind.REGRADE, Note.sent_at > now() - timedelta(days=1))
    if count(session, Note.course_id == course.id, *today) >= NOTES_PER_DAY:
        raise Conflict(f"{NOTES_PER_DAY} notes were sent in this course within a day, which is the limit.")


def _views(session: Session, rows: Sequence[Note]) -> list[SentNote]:
    ids = [row.id for row in rows]
    counted = select(NoteRecipient.note_id, func.count().label("recipients"), func.count(NoteRecipient.read_at))
    counted = counted.where(NoteRecipient.note_id.in_(ids)).group_by(NoteRecipient.note_id)
    counts = {note: (recipients, read) for note, recipients, read in session.execute(counted)}
    authors = select(Enrollment.user_id, Enrollment.full_name).where(
        Enrollment.course_id.in_({row.course_id for row in rows}),
        Enrollment.user_id.in_({row.author_id for row in rows if row.author_id}),
    )
    full_names = dict(session.execute(authors).all())
    return [_view(row, *counts.get(row.id, (0, 0)), full_names.get(row.author_id or "")) for row in rows]


def _view(row: Note, recipients: int, read: int, author_full_name: str | None) -> SentNote:
    return SentNote.of(
        row,
        assignment=row.assignment.slug if row.assignment else None,
        assignment_title=row.assignment.title if row.assignment else None,
        regrade=row.regrade_id,
        author=row.author.name if row.author else None,
        author_full_name=author_full_name,
        recipients=recipients,
        read=read,
    )
