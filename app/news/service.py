"""One list of what is new for a student. All but the notes is derived from rows that are there anyway."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy.orm import Session

from app.database import Database
from app.models import NoteKind, Reader, User, now
from app.news.derived import answered_requests, comments, extensions, marked_answers, points, released_grades
from app.news.received import mark, unread
from app.news.schemas import NewsItem, NewsKind, ReceivedNote
from app.rows import add_unless_there

WINDOW: Final = timedelta(days=30)  # what is older is new to nobody
ITEMS_MAX: Final = 50


def news_for(database: Database, user: User) -> list[NewsItem]:
    """Returns what is new for a person, the newest first."""
    with database.read() as session:
        return news_in(session, user)


def news_in(session: Session, user: User) -> list[NewsItem]:
    """Returns what is new for a person, in the caller's transaction."""
    reader, moment = session.get(Reader, user.id), now()
    since = moment - WINDOW
    if reader is not None and reader.seen_until is not None:
        since = max(since, reader.seen_until)
    items = [_item(note) for note in unread(session, user)]
    for kind in (comments, answered_requests, points, marked_answers, released_grades, extensions):
        items += kind(session, user, since, moment)
    return sorted(items, key=lambda item: item.at, reverse=True)[:ITEMS_MAX]


def mark_seen(database: Database, user: User, until: datetime) -> None:
    """Marks everything as read that was new up to this moment."""
    until = min(until, now())
    with database.write() as session:
        mark(session, user, [note.id for note in unread(session, user) if note.shown_from <= until])
        reader = reader_of(session, user)
        if reader.seen_until is None or reader.seen_until < until:
            reader.seen_until = until


def reader_of(session: Session, user: User) -> Reader:
    """Returns what is kept of a person as a reader, locked; made when it is first needed."""
    found = session.get(Reader, user.id, with_for_update=True)
    if found is None:
        add_unless_there(session, Reader(user_id=user.id))
        found = session.get_one(Reader, user.id, with_for_update=True)
    return found


def _item(note: ReceivedNote) -> NewsItem:
    if note.kind is NoteKind.REGRADE:
        kind, title = NewsKind.REGRADE, f"A regrade changed your result in {note.assignment_title}"
    elif note.assignment_title is not None:
        kind, title = NewsKind.NOTE, f"A note about {note.assignment_title}"
    else:
        kind, title = NewsKind.NOTE, "A note from your course"
    return NewsItem(
        kind=kind,
        at=note.shown_from,
        title=title,
        course_title=note.course_title,
        time_zone=note.time_zone,
        link=f"/notes#note-{note.id}",
        note=note,
    )
