"""`/me/news` and `/me/notes`."""

from http import HTTPStatus

from fastapi import APIRouter

from app.news import choices, received, service
from app.news.schemas import MailChoices, News, ReceivedNotes, Seen
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


@router.get("/mail")
def read_mail_choices(user: SignedIn, services: WithServices) -> MailChoices:
    """What I am not mailed about. At most one mail a day tells what is new and unread."""
    return choices.read(services.database, user)


@router.put("/mail")
def choose_mail(wanted: MailChoices, user: SignedIn, services: WithServices) -> MailChoices:
    """Chooses what I am not mailed about."""
    return choices.choose(services.database, user, wanted)
