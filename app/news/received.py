"""The notes that a person got, as far as they may see them now."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import Select, select, update
from sqlalchemy.orm import Session, joinedload

from app.assignments.schedule import Phase, holds_grades, phase_at
from app.assignments.terms import PersonalTerms, terms_in
from app.database import Database
from app.identifiers import is_id
from app.models import Enrollment, Note, NoteKind, NoteRecipient, RegradedSubmission, Submission, User, now
from app.news.schemas import ChangedResult, ReceivedNote
from app.problems import NotFound
from app.submissions.feedback import shown_from
from grader.grouping import grouped

NOTES_MAX: Final = 100


def list_own(database: Database, user: User, challenge: str | None = None) -> list[ReceivedNote]:
    """Returns the newest notes that a person got and may see, of all courses or about a challenge's assignments."""
    with database.read() as session:
        return [note for note in own_notes(session, user) if challenge is None or note.challenge == challenge]


def own_notes(session: Session, user: User) -> list[ReceivedNote]:
    """Returns the newest notes that a person got and may see."""
    return received(session, user, _of(user))


def unread(session: Session, user: User) -> list[ReceivedNote]:
    """Returns the notes that a person has not read, the newest first."""
    return received(session, user, _of(user).where(NoteRecipient.read_at.is_(None)))


def mark_read(database: Database, user: User, note: str) -> None:
    """Marks a note as read; one that is read stays as it is. Raises NotFound, also for one that is not shown yet."""
    with database.write() as session:
        query = _of(user).where(Note.id == note)
        if not is_id(note) or not received(session, user, query):
            raise NotFound("There is no such note, or it was not sent to you.")
        mark(session, user, [note])


def mark(session: Session, user: User, notes: Sequence[str]) -> None:
    """Marks notes as read in the caller's transaction."""
    mine = (NoteRecipient.user_id == user.id, NoteRecipient.note_id.in_(notes), NoteRecipient.read_at.is_(None))
    session.execute(update(NoteRecipient).where(*mine).values(read_at=now()))


def received(session: Session, user: User, query: Select[Note, datetime | None]) -> list[ReceivedNote]:
    """Returns what the query selects of a person's notes, without those that they may not see yet."""
    rows = session.execute(query).all()
    if not rows:
        return []
    moment = now()
    assignments = {note.assignment.id: note.assignment for note, _ in rows if note.assignment}
    terms = terms_in(session, user.id, list(assignments.values()))
    shown = [
        (note, read_at, told_at)
        for note, read_at in rows
        if (told_at := _shown_from(note, terms.get(note.assignment_id or ""), moment)) is not None
    ]
    results = _results(session, user, [note for note, *_ in shown])
    names = _full_names(session, [note for note, *_ in shown])
    return [_view(note, read_at, told_at, results, names) for note, read_at, told_at in shown]


def _of(user: User) -> Select[Note, datetime | None]:
    """Of the courses that the person is in now."""
    return (
        select(Note, NoteRecipient.read_at)
        .join(NoteRecipient, NoteRecipient.note_id == Note.id)
        .join(Enrollment, (Enrollment.course_id == Note.course_id) & (Enrollment.user_id == NoteRecipient.user_id))
        .options(joinedload(Note.course), joinedload(Note.assignment), joinedload(Note.author))
        .where(NoteRecipient.user_id == user.id)
        .order_by(Note.id.desc())
        .limit(NOTES_MAX)
    )


def _shown_from(note: Note, terms: PersonalTerms | None, moment: datetime) -> datetime | None:
    """That a note reached somebody may tell what they got wrong: so it keeps to what results tell."""
    if terms is None:
        return note.sent_at
    if phase_at(terms, moment) is Phase.PLANNED:
        return None
    match note.kind:
        case NoteKind.ANNOUNCEMENT:
            return note.sent_at
        case NoteKind.REGRADE:
            return None if holds_grades(terms.assignment) else note.sent_at
        case NoteKind.MISCONCEPTION:
            return shown_from(terms, note.sent_at, moment)


def _results(session: Session, user: User, notes: Sequence[Note]) -> dict[str, list[ChangedResult]]:
    """By regrade, what it has changed for this person."""
    item = RegradedSubmission
    query = (
        select(item, Submission.attempt)
        .join(Submission, Submission.id == item.submission_id)
        .where(item.regrade_id.in_([note.regrade_id for note in notes if note.regrade_id]))
        .where(Submission.user_id == user.id, item.has_changed())
        .order_by(Submission.attempt)
    )
    return grouped(
        (row.regrade_id, ChangedResult.of(row, submission=row.submission_id, attempt=attempt))
        for row, attempt in session.execute(query)
    )


def _full_names(session: Session, notes: Sequence[Note]) -> dict[tuple[str, str | None], str | None]:
    """What courses call the authors."""
    columns = (Enrollment.course_id, Enrollment.user_id, Enrollment.full_name)
    query = select(*columns).where(
        Enrollment.course_id.in_({note.course_id for note in notes}),
        Enrollment.user_id.in_({note.author_id for note in notes if note.author_id}),
    )
    return {(course, person): full_name for course, person, full_name in session.execute(query)}


def _view(
    note: Note,
    read_at: datetime | None,
    told_at: datetime,
    results: dict[str, list[ChangedResult]],
    names: dict[tuple[str, str | None], str | None],
) -> ReceivedNote:
    return ReceivedNote.of(
        note,
        course=note.course.slug,
        course_title=note.course.title,
        time_zone=note.course.time_zone,
        assignment=note.assignment.slug if note.assignment else None,
        assignment_title=note.assignment.title if note.assignment else None,
        challenge=note.assignment.challenge if note.assignment else None,
        results=results.get(note.regrade_id or "", []),
        author=note.author.name if note.author else None,
        author_full_name=names.get((note.course_id, note.author_id)),
        shown_from=told_at,
        read_at=read_at,
    )
