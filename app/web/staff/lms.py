"""A course and its learning platforms: what was sent, what waits, what failed. For instructors."""

from fastapi import APIRouter
from fastapi.responses import Response

from app.courses.service import refuse_all_but_managers
from app.lti import contexts
from app.problems import Unprocessable
from app.services import WithServices
from app.web.rendering import see_other
from app.web.staff.frame import Short, render_course
from app.web.visitors import PostedForm, SignedInVisitor, text_of

router = APIRouter(prefix="/courses/{course}/lms")


@router.get("")
def show_lms(course: str, visitor: SignedInVisitor, services: WithServices, done: Short = "") -> Response:
    """Shows connections, scores and the roster's last result."""
    found = contexts.overview(services.database, visitor.user, course)
    return render_course("lms.html", services, visitor, course, "lms", found=found, done=done)


@router.post("/{context}")
def change_lms(
    course: str, context: str, visitor: SignedInVisitor, services: WithServices, form: PostedForm
) -> Response:
    """Sends scores again, has the roster follow, or disconnects."""
    refuse_all_but_managers(services.database, visitor.user, course)
    match text_of(form, "do"):
        case "send":
            contexts.send_again(services.database, visitor.user, course, context)
        case "roster":
            contexts.follow_roster(services.database, services.lti.services, visitor.user, course, context)
        case "disconnect":
            contexts.disconnect(services.database, visitor.user, course, context)
        case _:
            raise Unprocessable("Choose what to do: send the scores again, update the roster, or disconnect.")
    return see_other(f"/courses/{course}/lms?done={text_of(form, 'do')}")
