"""What is new for a person: the list on the front page, and all notes that they got."""

from typing import Final

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import ValidationError

from app.identifiers import is_slug
from app.news import received, service
from app.news.schemas import Seen
from app.problems import Unprocessable
from app.services import WithServices
from app.web.rendering import render, see_other
from app.web.visitors import PostedForm, SignedInVisitor, text_of

ALL_NOTES: Final = "/notes"

router = APIRouter()


@router.get(ALL_NOTES)
def show_notes(visitor: SignedInVisitor, services: WithServices) -> Response:
    """Shows the notes that the visitor got, read and unread."""
    return render("notes.html", visitor=visitor, notes=received.list_own(services.database, visitor.user))


@router.post("/notes/{note}/read")
def mark_note_as_read(note: str, visitor: SignedInVisitor, services: WithServices, form: PostedForm) -> Response:
    """Marks a note as read, and goes back to the page where it was."""
    received.mark_read(services.database, visitor.user, note)
    challenge = text_of(form, "challenge")
    if is_slug(challenge):
        return see_other(f"/challenges/{challenge}")
    return see_other(ALL_NOTES if text_of(form, "all") else "/")


@router.post("/news/seen")
def mark_news_as_read(visitor: SignedInVisitor, services: WithServices, form: PostedForm) -> Response:
    """Marks everything as read that the page showed."""
    try:
        seen = Seen.model_validate({"until": text_of(form, "until")})
    except ValidationError as error:
        raise Unprocessable("This form is not one of ours. Go back, reload the page and try again.") from error
    service.mark_seen(services.database, visitor.user, seen.until)
    return see_other("/")
