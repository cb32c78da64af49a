"""`/courses/{course}/notes`: what staff tell many students at once."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query

from app.courses.dependencies import STAFF_ONLY
from app.notes import service
from app.notes.schemas import AudienceView, NewNote, SentNote, SentNotes
from app.request_values import Short
from app.services import SignedIn, WithServices

router = APIRouter(prefix="/courses/{course}/notes", tags=["notes"])


@router.get("")
def list_notes(
    course: str,
    user: SignedIn,
    services: WithServices,
    cursor: Short = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> SentNotes:
    """The notes sent in the course, the newest first, and how many people got and have read each. Staff only."""
    return service.list_sent(services.database, user, course, cursor, limit)


@router.get("/audience")
def look_at_audience(
    course: str, user: SignedIn, services: WithServices, assignment: Short = None, misconception: Short = None
) -> AudienceView:
    """Who would get a note now: everybody, or those who still hold a misconception in an assignment. Staff only."""
    return service.audience(services.database, user, course, assignment, misconception)


@router.post("", status_code=HTTPStatus.CREATED, dependencies=STAFF_ONLY)
def send_note(course: str, wanted: NewNote, user: SignedIn, services: WithServices) -> SentNote:
    """Sends a note to everybody in the course, or to those who still hold a misconception. Staff only.

    Who gets it is fixed now, and nobody who gets it learns who else does. It cannot be taken back.
    """
    return service.send(services.database, user, course, wanted)
