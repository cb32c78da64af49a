"""`/courses/{course}/assignments/{assignment}/regrades`."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Response

from app.courses.dependencies import MANAGERS_ONLY
from app.regrades import service
from app.regrades.schemas import Preview, RegradeList, RegradeView, Selection
from app.request_values import Short
from app.services import SignedIn, WithServices

router = APIRouter(prefix="/courses/{course}/assignments/{assignment}/regrades", tags=["regrades"])


@router.post(
    "",
    status_code=HTTPStatus.ACCEPTED,
    dependencies=MANAGERS_ONLY,
    responses={HTTPStatus.OK: {"model": RegradeView}},
)
def ask_for_regrade(
    course: str, assignment: str, wanted: Selection, user: SignedIn, services: WithServices, response: Response
) -> RegradeView:
    """Grades one, some or all submissions again with the challenge as it is now. Nothing changes before `apply`.

    Asking for the same while it is open gives 200 and the same regrade. Students go first. Instructors only.
    """
    view, is_new = service.ask(services.database, services.catalogue, user, course, assignment, wanted.submissions)
    response.status_code = HTTPStatus.ACCEPTED if is_new else HTTPStatus.OK
    response.headers["Location"] = f"/api/v1/courses/{course}/assignments/{assignment}/regrades/{view.id}"
    return view


@router.get("")
def list_regrades(course: str, assignment: str, user: SignedIn, services: WithServices) -> RegradeList:
    """The regrades of the assignment, the newest first. Instructors only."""
    return RegradeList(items=service.list_all(services.database, user, course, assignment))


@router.get("/{regrade}")
def preview_regrade(
    course: str,
    assignment: str,
    regrade: str,
    user: SignedIn,
    services: WithServices,
    cursor: Short = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Preview:
    """How far the regrade is, who would gain and lose, and which tests change. Instructors only."""
    return service.preview(services.database, user, course, assignment, regrade, cursor, limit)


@router.post("/{regrade}/apply")
def apply_regrade(course: str, assignment: str, regrade: str, user: SignedIn, services: WithServices) -> RegradeView:
    """Replaces the reports by the new ones, all or none; the old ones are kept. May be repeated. Instructors only."""
    return service.apply(services.database, user, course, assignment, regrade)


@router.post("/{regrade}/drop")
def drop_regrade(course: str, assignment: str, regrade: str, user: SignedIn, services: WithServices) -> RegradeView:
    """Discards the regrade; no report changes. May be repeated. Instructors only."""
    return service.drop(services.database, user, course, assignment, regrade)
