"""`/me/news` and `/me/notes`."""

from http import HTTPStatus

from fastapi import APIRouter

from app.news import received, service
from app.news.schemas import News, ReceivedNotes, Seen
from app.services import SignedIn, WithServices

router = APIRouter(prefix="/me", tags=["news"])


@router.get("/news")
def read_news(user: SignedIn, services: WithServices) -> News:
    """What is new for me: unread notes, comments, changed points, released grades, regrades, more time or attempts."""
    return News(items=service.news_for(services.database, user))


@router.post("/news/seen", status_code=HTTPStatus.NO_CONTENT)
def mark_news_as_read(seen: Seen, user: SignedIn, services: WithServices) -> None:
    """Marks everything as read that was new up to a moment, notes too."""
    service.mark_seen(services.database, user, seen.until)


@router.get("/notes")
def list_own_notes(user: SignedIn, services: WithServices) -> ReceivedNotes:
    """The newest notes that I got, read and unread."""
    return ReceivedNotes(items=received.list_own(services.database, user))


@router.post("/notes/{note}/read", status_code=HTTPStatus.NO_CONTENT)
def mark_note_as_read(note: str, user: SignedIn, services: WithServices) -> None:
    """Marks a note as read. May be repeated."""
    received.mark_read(services.database, user, note)
