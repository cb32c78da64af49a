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
from app.web.field_errors import NO_ERRORS, FieldErrors, errors_of
from app.web.rendering import see_other
from app.web.staff.frame import CourseFrame, InCourse, Short
from app.web.visitors import PostedForm, text_of

ROWS: Final = 20
NAMES_SHOWN: Final = 300
FIELDS: Final = {"assignment": "", "misconception": "", "text": "", "audience": ""}
WHOLE_COURSE: Final = "The whole course"

router = APIRouter(prefix="/courses/{course}/notes")


@router.get("")
def show_notes(here: InCourse, before: Short = "") -> Response:
    """Shows the notes sent in the course, and how many have read them."""
    found = service.list_sent(*here.in_course, before or None, ROWS)
    return here.render("notes.html", "notes", found=found, before=before)


@router.get("/new")
def show_form(here: InCourse, assignment: Short = "", misconception: Short = "") -> Response:
    """Shows who would get a note, and the form."""
    fields = FIELDS | {"assignment": assignment, "misconception": misconception}
    return _form(here, fields)


@router.post("/new")
def send(here: InCourse, form: PostedForm) -> Response:
    """Sends a note to those who were shown."""
    fields = {name: text_of(form, name) for name in FIELDS}
    refuse_all_but_staff(*here.in_course)
    try:
        wanted = NewNote.model_validate(
            {name: value or None for name, value in fields.items()} | {"text": fields["text"]}
        )
        sent = service.send(*here.in_course, wanted)
    except (ValidationError, Unprocessable, Conflict) as error:
        return _form(here, fields, errors_of(error, fields))
    return see_other(f"/courses/{here.course}/notes#note-{sent.id}")


def _form(here: CourseFrame, fields: dict[str, str], errors: FieldErrors = NO_ERRORS) -> Response:
    misconception = fields["misconception"] or None
    about = fields["assignment"] if misconception else None  # of an announcement, it changes nothing about who gets it
    found = service.audience(*here.in_course, about or None, misconception)
    moment = now()
    opened = [each for each in list_all(*here.in_course) if phase_at(each, moment) is not Phase.PLANNED]
    return here.render(
        "new_note.html",
        "notes",
        status_code=errors.status,
        found=found,
        fields=fields | {"audience": found.version},
        errors=errors,
        about=next((each for each in opened if each.slug == fields["assignment"]), None),
        choices={"": WHOLE_COURSE, **{each.slug: each.title for each in opened}},
        names_shown=NAMES_SHOWN,
    )
