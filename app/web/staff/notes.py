"""Notes to many students: what was sent, and sending one after a look at who gets it."""

from typing import Final

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import ValidationError

from app.assignments.schedule import Phase, phase_at
from app.assignments.service import list_all
from app.courses.service import refuse_all_but_staff
from app.models import now
from app.notes import service
from app.notes.schemas import NewNote
from app.problems import Conflict, Unprocessable
from app.services import Services, WithServices
from app.web.field_errors import NO_ERRORS, FieldErrors, errors_of
from app.web.rendering import see_other
from app.web.staff.frame import Short, render_course
from app.web.visitors import PostedForm, SignedInVisitor, Visitor, text_of

ROWS: Final = 20
NAMES_SHOWN: Final = 300
FIELDS: Final = {"assignment": "", "misconception": "", "text": "", "audience": ""}
WHOLE_COURSE: Final = "The whole course"

router = APIRouter(prefix="/courses/{course}/notes")


@router.get("")
def show_notes(course: str, visitor: SignedInVisitor, services: WithServices, before: Short = "") -> Response:
    """Shows the notes sent in the course, and how many have read them."""
    found = service.list_sent(services.database, visitor.user, course, before or None, ROWS)
    return render_course("notes.html", services, visitor, course, "notes", found=found, before=before)


@router.get("/new")
def show_form(
    course: str, visitor: SignedInVisitor, services: WithServices, assignment: Short = "", misconception: Short = ""
) -> Response:
    """Shows who would get a note, and the form."""
    fields = FIELDS | {"assignment": assignment, "misconception": misconception}
    return _form(services, visitor, course, fields)


@router.post("/new")
def send(course: str, visitor: SignedInVisitor, services: WithServices, form: PostedForm) -> Response:
    """Sends a note to those who were shown."""
    fields = {name: text_of(form, name) for name in FIELDS}
    refuse_all_but_staff(services.database, visitor.user, course)
    try:
        wanted = NewNote.model_validate(
            {name: value or None for name, value in fields.items()} | {"text": fields["text"]}
        )
        sent = service.send(services.database, visitor.user, course, wanted)
    except (ValidationError, Unprocessable, Conflict) as error:
        return _form(services, visitor, course, fields, errors_of(error, fields))
    return see_other(f"/courses/{course}/notes#note-{sent.id}")


def _form(
    services: Services, visitor: Visitor, course: str, fields: dict[str, str], errors: FieldErrors = NO_ERRORS
) -> Response:
    misconception = fields["misconception"] or None
    about = fields["assignment"] if misconception else None  # of an announcement, it changes nothing about who gets it
    found = service.audience(services.database, visitor.user, course, about or None, misconception)
    moment = now()
    opened = [
        each
        for each in list_all(services.database, visitor.user, course)
        if phase_at(each, moment) is not Phase.PLANNED
    ]
    return render_course(
        "new_note.html",
        services,
        visitor,
        course,
        "notes",
        status_code=errors.status,
        found=found,
        fields=fields | {"audience": found.version},
        errors=errors,
        about=next((each for each in opened if each.slug == fields["assignment"]), None),
        choices={"": WHOLE_COURSE, **{each.slug: each.title for each in opened}},
        names_shown=NAMES_SHOWN,
    )
