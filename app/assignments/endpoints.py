"""`/courses/{course}/assignments`."""

from http import HTTPStatus

from fastapi import APIRouter, Response

from app.assignments import service
from app.assignments.schemas import (
    AssignmentList,
    AssignmentView,
    ChangedTerms,
    NewAssignment,
    OneAssignment,
    told_score,
    view_of,
)
from app.courses.dependencies import MANAGERS_ONLY
from app.models import now
from app.questions.scores import score_of
from app.services import SignedIn, WithServices

router = APIRouter(prefix="/courses/{course}/assignments", tags=["assignments"])


@router.get("")
def list_assignments(course: str, user: SignedIn, services: WithServices) -> AssignmentList:
    """The assignments of the course, the next due first. Students see those that have opened."""
    moment = now()
    return AssignmentList(items=[view_of(row, moment) for row in service.list_all(services.database, user, course)])


@router.post("", status_code=HTTPStatus.CREATED, dependencies=MANAGERS_ONLY)
def create_assignment(
    course: str, wanted: NewAssignment, user: SignedIn, services: WithServices, response: Response
) -> AssignmentView:
    """Creates an assignment. Instructors only."""
    made = service.create(services.database, services.catalogue, user, course, wanted)
    response.headers["Location"] = f"/api/v1/courses/{course}/assignments/{made.slug}"
    return view_of(made, now())


@router.get("/{assignment}")
def read_assignment(course: str, assignment: str, user: SignedIn, services: WithServices) -> OneAssignment:
    """One assignment, with my points so far. Students see it once it has opened."""
    found = service.read(services.database, user, course, assignment)
    score = told_score(found, score_of(services.database, services.catalogue, user.id, found))
    return OneAssignment(**dict(view_of(found, now())), score=score)


@router.patch("/{assignment}", dependencies=MANAGERS_ONLY)
def change_assignment(
    course: str, assignment: str, wanted: ChangedTerms, user: SignedIn, services: WithServices
) -> AssignmentView:
    """Changes the fields that are sent, for example `due_at` for an extension, at once. Instructors only."""
    changed = service.change(services.database, services.catalogue, user, course, assignment, wanted)
    return view_of(changed, now())


@router.delete("/{assignment}", status_code=HTTPStatus.NO_CONTENT)
def remove_assignment(course: str, assignment: str, user: SignedIn, services: WithServices) -> None:
    """Removes an assignment that nobody has submitted to. Instructors only."""
    service.remove(services.database, user, course, assignment)
