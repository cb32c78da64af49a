"""Sending a submission in, reading it, watching it."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, File, Form, Header, Query, Request, Response, UploadFile
from fastapi.sse import EventSourceResponse, ServerSentEvent

from app.challenges.service import Entry
from app.events import Progress, follow
from app.models import State
from app.problems import UnsupportedMediaType
from app.services import SignedIn, WithServices
from app.submissions import service
from app.submissions.schemas import SubmissionPage, SubmissionView, item_of, view_of
from app.submissions.uploads import read_upload

DEFAULT_CHALLENGE = "mha-rope"
SHORT = 100  # the longest slug or name that is worth looking up

router = APIRouter(prefix="/submissions", tags=["submissions"])


def multipart_only(request: Request) -> None:
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise UnsupportedMediaType("Send the file as multipart/form-data, in a part called 'file'.")


def chosen_challenge(services: WithServices, challenge: Annotated[str, Form()] = DEFAULT_CHALLENGE) -> Entry:
    return services.catalogue.get(challenge)


@router.post("", status_code=202, dependencies=[Depends(multipart_only)], responses={200: {"model": SubmissionView}})
def submit(
    user: SignedIn,
    services: WithServices,
    entry: Annotated[Entry, Depends(chosen_challenge)],
    file: Annotated[UploadFile, File(description="the source file")],
    response: Response,
    siblings: Annotated[list[UploadFile], File(description="modules it imports, named by their path")] = [],  # noqa: B006
    idempotency_key: Annotated[str | None, Header()] = None,
) -> SubmissionView:
    """Take a submission in. The answer comes at once; the verdict follows on `links.events`.

    With an Idempotency-Key, sending the same again gives 200 and the same submission.
    """
    settings = services.settings
    upload = read_upload(file, siblings, entry.challenge.manifest.default_path, settings.siblings_max, idempotency_key)
    accepted = service.accept(services.database, user, entry, upload, settings.submissions_per_minute)
    if not accepted.is_new:
        response.status_code = 200
    elif not service.queue(services.broker, services.database, accepted.submission.id):
        services.metrics.queue_failures.inc()
    view = view_of(accepted.submission, as_staff=False)
    response.headers["Location"] = view.links.self
    return view


@router.get("")
def list_submissions(
    user: SignedIn,
    services: WithServices,
    challenge: Annotated[str | None, Query(max_length=SHORT)] = None,
    student: Annotated[str | None, Query(max_length=SHORT)] = None,
    state: State | None = None,
    cursor: Annotated[str | None, Query(max_length=SHORT)] = None,
    limit: Annotated[int, Query(ge=1, le=service.PAGE_MAX)] = 20,
) -> SubmissionPage:
    """A page of submissions, newest first: one's own, and for staff those of their courses."""
    page = service.list_page(services.database, user, service.Filter(challenge, student, state, cursor, limit))
    return SubmissionPage(items=[item_of(row) for row in page.items], next_cursor=page.next_cursor)


@router.get("/{submission_id}")
def read_submission(submission_id: str, user: SignedIn, services: WithServices) -> SubmissionView:
    """Where a submission stands, and its report once it is graded."""
    access = service.read(services.database, user, submission_id)
    return view_of(access.submission, as_staff=access.as_staff)


def watched(submission_id: str, user: SignedIn, services: WithServices) -> str:
    """Settled before the stream begins, so that an error still is a problem and not a broken stream."""
    return service.read(services.database, user, submission_id).submission.id


@router.get("/{submission_id}/events", response_class=EventSourceResponse)
async def follow_submission(
    submission_id: Annotated[str, Depends(watched)],
    services: WithServices,
    last_event_id: Annotated[str | None, Header()] = None,
) -> AsyncIterator[ServerSentEvent]:
    """`state`, each `test` as it ends, the `verdict`; ends with the last `state`. Resumes after Last-Event-ID."""

    def progress() -> Progress:
        return service.progress(services.database, submission_id)

    async for sent in follow(services.follower, submission_id, progress, last_event_id, services.settings.heartbeat_s):
        yield sent
