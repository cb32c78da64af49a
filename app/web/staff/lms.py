"""A course and its learning platforms: what was sent, what waits, what failed. For instructors."""

from fastapi import APIRouter
from fastapi.responses import Response

from app.courses.service import refuse_all_but_managers
from app.lti import contexts
from app.problems import Unprocessable
from app.web.rendering import see_other
from app.web.staff.frame import InCourse, Short
from app.web.visitors import PostedForm, text_of

router = APIRouter(prefix="/courses/{course}/lms")


@router.get("")
def show_lms(here: InCourse, done: Short = "") -> Response:
    """Shows connections, scores and the roster's last result."""
    found = contexts.overview(*here.in_course)
    return here.render("lms.html", "lms", found=found, done=done)


@router.post("/{context}")
def change_lms(context: str, here: InCourse, form: PostedForm) -> Response:
    """Sends scores again, has the roster follow, or disconnects."""
    refuse_all_but_managers(*here.in_course)
    match text_of(form, "do"):
        case "send":
            contexts.send_again(*here.in_course, context)
        case "roster":
            contexts.follow_roster(here.database, here.services.lti.services, here.user, here.course, context)
        case "disconnect":
            contexts.disconnect(*here.in_course, context)
        case _:
            raise Unprocessable("Choose what to do: send the scores again, update the roster, or disconnect.")
    return see_other(f"/courses/{here.course}/lms?done={text_of(form, 'do')}")
