"""What all pages of a course share: its name, who looks, which assignment, and times as a chart's labels."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import Depends, Query, Response

from app.assignments import service as assignments
from app.assignments.schemas import view_of
from app.courses.people import full_names
from app.courses.service import read
from app.database import Database
from app.models import Role, User, now
from app.services import Services, WithServices
from app.web.rendering import render
from app.web.visitors import SignedInVisitor, Visitor

Short = Annotated[str, Query(max_length=100)]
Offset = Annotated[int, Query(ge=0, le=100_000)]
DAY_S: Final = 86_400
LABELS_MAX: Final = 8
OUR_PAGES: Final = "staff"
PAGING: Final = ("cursor", "offset", "limit")


@dataclass(frozen=True)
class CourseFrame:
    """The course of a page, and who looks at it."""

    course: str
    visitor: Visitor
    services: Services

    @property
    def database(self) -> Database:
        """The database that the page reads."""
        return self.services.database

    @property
    def user(self) -> User:
        """The person who looks at the page."""
        return self.visitor.user

    @property
    def in_course(self) -> tuple[Database, User, str]:
        """What a service is asked with about the course."""
        return self.database, self.user, self.course

    def full_names(self, names: Iterable[str]) -> dict[str, str]:
        """What the course calls these people, by their accounts' names."""
        return full_names(self.database, self.course, set(names))

    def render(self, template: str, tab: str, *, status_code: int = HTTPStatus.OK, **context: Any) -> Response:
        """Renders a page of the course. The service that read its data has checked that the visitor may see it."""
        membership = next((item for item in self.visitor.staffed if item.slug == self.course), None)
        is_instructor = membership is not None and membership.role is Role.INSTRUCTOR
        found = membership or read(*self.in_course)
        return render(
            f"{OUR_PAGES}/{template}",
            status_code=status_code,
            visitor=self.visitor,
            here=self.course,
            course=self.course,
            course_title=found.title,
            zone=found.time_zone,
            is_archived=found.is_archived,
            is_manager=self.user.role is Role.OPERATOR or is_instructor,
            tab=tab,
            challenge_titles={entry.slug: entry.challenge.manifest.title for entry in self.services.catalogue},
            **context,
        )


@dataclass(frozen=True)
class AssignmentFrame(CourseFrame):
    """The assignment of a page, its course, and who looks at it."""

    assignment: str

    @property
    def in_assignment(self) -> tuple[Database, User, str, str]:
        """What a service is asked with about the assignment."""
        return *self.in_course, self.assignment

    def render(self, template: str, tab: str, *, status_code: int = HTTPStatus.OK, **context: Any) -> Response:
        """Renders a page of the assignment, which is read unless it is in the context."""
        if "assignment" not in context:
            found = assignments.read(*self.in_assignment)
            context["assignment"] = view_of(found, now())
        base = f"/courses/{self.course}/assignments/{self.assignment}"
        return super().render(template, tab, status_code=status_code, base=base, **context)


async def course_frame(course: str, visitor: SignedInVisitor, services: WithServices) -> CourseFrame:
    """Returns the frame of a course's page, as a dependency. Whether the visitor may see it, the service says."""
    return CourseFrame(course, visitor, services)


async def assignment_frame(
    course: str, assignment: str, visitor: SignedInVisitor, services: WithServices
) -> AssignmentFrame:
    """Returns the frame of an assignment's page, as a dependency."""
    return AssignmentFrame(course, visitor, services, assignment)


InCourse = Annotated[CourseFrame, Depends(course_frame)]
InAssignment = Annotated[AssignmentFrame, Depends(assignment_frame)]


def chosen_in(wanted: Any) -> dict[str, str]:
    """Returns what is chosen in a list's filter, a dataclass, as it stands in an address: not what is as usual, nor
    which page of the list is shown.
    """
    return {
        name: str(value)
        for name, value, usual in ((each.name, getattr(wanted, each.name), each.default) for each in fields(wanted))
        if value != usual and name not in PAGING
    }


def step_label(moment: datetime, step_s: int) -> str:
    """Returns the label of a step on a time axis."""
    is_midnight = moment.hour == moment.minute == 0
    return f"{moment.day} {moment:%b}" if step_s >= DAY_S or is_midnight else f"{moment.day} {moment:%b, %H:%M}"


def labelled(moments: Sequence[datetime]) -> frozenset[int]:
    """Returns which steps have a label: every nth, or the midnights where there are enough."""
    midnights = [place for place, moment in enumerate(moments) if moment.hour == 0]
    places = midnights if len(midnights) >= LABELS_MAX // 2 else list(range(len(moments)))
    return frozenset(places[:: -(-len(places) // LABELS_MAX) or 1])
