"""`/challenges/{slug}/hunt`."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, File, Header, Request, Response, UploadFile

from app.hunts import service
from app.hunts.schemas import HuntView, hunt_view
from app.rate import limit_uploads
from app.services import SignedIn, WithServices
from app.submissions.endpoints import accepted_view, multipart_only
from app.submissions.intake import Incoming, take_in
from app.submissions.schemas import SubmissionView
from app.submissions.uploads import read_upload

router = APIRouter(prefix="/challenges/{slug}/hunt", tags=["hunts"])


@router.get("")
def read_hunt(slug: str, user: SignedIn, services: WithServices) -> HuntView:
    """A solution with one bug in it, and its symptoms: this student's own, drawn when first asked for.

    For students whose own build has passed, and for staff.
    """
    entry = services.catalogue.get(slug)
    return hunt_view(entry, service.current(services.database, entry, user))


@router.post("/next", status_code=HTTPStatus.CREATED)
def draw_next(slug: str, user: SignedIn, services: WithServices) -> HuntView:
    """Draws the next bug, once the last is solved: in a solution of another style, as long as there is one."""
    entry = services.catalogue.get(slug)
    return hunt_view(entry, service.draw_next(services.database, entry, user))


@router.post(
    "/fixes",
    status_code=HTTPStatus.ACCEPTED,
    dependencies=[Depends(multipart_only)],
    responses={HTTPStatus.OK: {"model": SubmissionView}},
)
def submit_fix(
    slug: str,
    user: SignedIn,
    services: WithServices,
    file: Annotated[UploadFile, File(description="the mended file")],
    request: Request,
    response: Response,
    idempotency_key: Annotated[str | None, Header()] = None,
) -> SubmissionView:
    """Submits the mended file. It is graded like any submission; `hunt` says whether the bug is found."""
    limit_uploads(services.broker, services.settings, request)
    entry = services.catalogue.get(slug)
    upload = read_upload(file, [], entry.challenge, 0, idempotency_key)
    mending = service.mending(services.database, entry, user, upload)
    accepted = take_in(services, Incoming(user, entry, upload, mending=mending))
    return accepted_view(accepted, response)
