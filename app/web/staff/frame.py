"""What all pages of a course share: its name, who looks, which assignment, and times as a chart's labels."""

from collections.abc import Sequence
from datetime import datetime
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import Query, Response

from app.assignments import service as assignments
from app.assignments.schemas import AssignmentView, view_of
from app.courses.service import read
from app.models import Role, now
from app.services import Services
from app.web.rendering import render
from app.web.visitors import Visitor

Short = Annotated[str, Query(max_length=100)]
DAY_S: Final = 86_400
LABELS_MAX: Final = 8
OUR_PAGES: Final = "staff"


def render_course(
    template: str,
    services: Services,
    visitor: Visitor,
    course: str,
    tab: str,
    *,
    status_code: int = HTTPStatus.OK,
    **context: Any,
) -> Response:
    """Renders a page of the course. The service that read its data has checked that the visitor may see it."""
    membership = next((item for item in visitor.staffed if item.slug == course), None)
    is_manager = visitor.user.role is Role.OPERATOR or (membership is not None and membership.role is Role.INSTRUCTOR)
    found = membership or read(services.database, visitor.user, course)
    return render(
        f"{OUR_PAGES}/{template}",
        status_code=status_code,
        visitor=visitor,
        here=course,
        course=course,
        course_title=found.title,
        zone=found.time_zone,
        is_manager=is_manager,
        tab=tab,
        challenge_titles={entry.slug: entry.challenge.manifest.title for entry in services.catalogue},
        **context,
    )


def assignment_of(services: Services, visitor: Visitor, course: str, assignment: str) -> AssignmentView:
    """Returns what the assignment's pages show of it."""
    return view_of(assignments.read(services.database, visitor.user, course, assignment), now())


def render_assignment(
    template: str,
    services: Services,
    visitor: Visitor,
    assignment: AssignmentView,
    tab: str,
    *,
    status_code: int = HTTPStatus.OK,
    **context: Any,
) -> Response:
    """Renders a page of one assignment."""
    return render_course(
        template,
        services,
        visitor,
        assignment.course,
        tab,
        status_code=status_code,
        assignment=assignment,
        base=f"/courses/{assignment.course}/assignments/{assignment.slug}",
        **context,
    )


def step_label(moment: datetime, step_s: int) -> str:
    """Returns the label of a step on a time axis."""
    is_midnight = moment.hour == moment.minute == 0
    return f"{moment.day} {moment:%b}" if step_s >= DAY_S or is_midnight else f"{moment.day} {moment:%b, %H:%M}"


def labelled(moments: Sequence[datetime]) -> frozenset[int]:
    """Returns which steps have a label: every nth, or the midnights where there are enough."""
    midnights = [place for place, moment in enumerate(moments) if moment.hour == 0]
    places = midnights if len(midnights) >= LABELS_MAX // 2 else list(range(len(moments)))
    return frozenset(places[:: -(-len(places) // LABELS_MAX) or 1])
