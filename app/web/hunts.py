"""The bug hunt's page: what is seen of the bug, the file to mend, and the way to send it."""

import secrets
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.datastructures import FormData

from app.challenges.service import Entry
from app.hunts import service
from app.hunts.schemas import hunt_view
from app.models import SubmissionKind
from app.problems import Problem, Unprocessable
from app.rate import limit_uploads
from app.services import Services, WithServices
from app.submissions.intake import Incoming, take_in
from app.submissions.schemas import item_of
from app.submissions.service import Filter, list_page
from app.submissions.uploads import Upload, read_upload
from app.web.rendering import render, see_other
from app.web.source import lines_of
from app.web.uploads import file_of, once
from app.web.visitors import PostedForm, SignedInVisitor, Visitor, text_of

TRIES_SHOWN: Final = 10

router = APIRouter(prefix="/challenges/{slug}/hunt")


@router.get("")
def show_hunt(slug: str, visitor: SignedInVisitor, services: WithServices) -> Response:
    """Shows the visitor's own hunt, drawn at the first look."""
    return _page(services, visitor, services.catalogue.get(slug))


@router.get("/file")
def download(slug: str, visitor: SignedInVisitor, services: WithServices) -> Response:
    """Sends the file as it was handed out."""
    entry = services.catalogue.get(slug)
    hunt = service.current(services.database, entry, visitor.user).hunt
    disposition = f'attachment; filename="{entry.challenge.manifest.upload}"'
    return Response(hunt.source, media_type="text/x-python", headers={"Content-Disposition": disposition})


@router.post("/fixes")
def submit_fix(
    slug: str, visitor: SignedInVisitor, services: WithServices, form: PostedForm, request: Request
) -> Response:
    """Takes a fix and goes to its page. The same form sent twice is one submission."""
    entry = services.catalogue.get(slug)
    try:
        limit_uploads(services.broker, services.settings, request)
        fix = _read(form, entry)
        mended = service.mending(services.database, entry, visitor.user, fix)
        accepted = take_in(services, Incoming(visitor.user, entry, fix, mending=mended))
    except Problem as problem:
        return _page(services, visitor, entry, problem, text_of(form, "source"))
    return see_other(f"/submissions/{accepted.submission.id}")


@router.post("/next")
def draw_next(slug: str, visitor: SignedInVisitor, services: WithServices, _: PostedForm) -> Response:
    """Draws the next hunt, once the last is solved."""
    service.draw_next(services.database, services.catalogue.get(slug), visitor.user)
    return see_other(f"/challenges/{slug}/hunt")


def _page(
    services: Services, visitor: Visitor, entry: Entry, problem: Problem | None = None, typed: str = ""
) -> Response:
    hunt = hunt_view(entry, service.current(services.database, entry, visitor.user))
    wanted = Filter(entry.slug, visitor.user.name, kind=SubmissionKind.HUNT, limit=TRIES_SHOWN)
    return render(
        "hunt.html",
        problem=problem,
        visitor=visitor,
        hunt=hunt,
        manifest=entry.challenge.manifest,
        lines=lines_of(hunt.source, set()),
        tries=[item_of(row, as_staff=False) for row in list_page(services.database, visitor.user, wanted).items],
        typed=typed or hunt.source,
        nonce=secrets.token_urlsafe(16),
    )


def _read(form: FormData, entry: Entry) -> Upload:
    """Raises Unprocessable, TooLarge."""
    upload = entry.challenge.manifest.upload
    file = file_of(form, upload)
    if file is None:
        raise Unprocessable(
            f"Nothing was submitted. Fix the file on this page or choose your {upload}, then submit again."
        )
    return once(read_upload(file, [], entry.challenge, 0, None), form, "hunt")
