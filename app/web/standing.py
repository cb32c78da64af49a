"""A course for its students: what is due, attempts left, points so far, what was sent last."""

from fastapi.responses import Response

from app.assignments.schedule import Phase
from app.models import now
from app.services import Services
from app.standing.service import course_standing
from app.web.rendering import render
from app.web.visitors import Visitor


def show_standing(services: Services, visitor: Visitor, course: str) -> Response:
    """Shows a student their standing in the course."""
    found = course_standing(services.database, services.catalogue, visitor.user, course)
    return render(
        "standing.html",
        visitor=visitor,
        here=course,
        course=found,
        is_open=[each for each in found.assignments if each.phase is Phase.OPEN],
        is_closed=[each for each in found.assignments if each.phase is Phase.CLOSED],
        moment=now(),
    )
