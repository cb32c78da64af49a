"""Sending a submission in, reading it, watching it."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Depends, File, Form, Header, Query, Request, Response, UploadFile
from fastapi.concurrency import run_in_threadpool
from fastapi.sse import EventSourceResponse, ServerSentEvent

from app.assignments.admission import challenge_of
from app.challenges.service import Entry
from app.events import Progress, follow
from app.models import State, SubmissionKind, User, now
from app.problems import Problem, UnsupportedMediaType
from app.questions.scores import score_beside
from app.rate import limit_uploads
from app.services import Services, SignedIn, WithServices, still_signed_in
from app.streams import guarded
from app.submissions import service, taking_back
from app.submissions.feedback import TOLD_ALL, Told, event_for_student, told_of
from app.submissions.schemas import SubmissionPage, SubmissionView, item_of, queue_view, view_of
from app.submissions.uploads import read_upload

DEFAULT_CHALLENGE = "mha-rope"
RIGHTS_HOLD_S = 1.0  # then whoever watches a stream is asked for anew: a grading tells dozens of events a second
SHORT = 100  # the longest slug or name that is worth looking up

router = APIRouter(prefix="/submissions", tags=["submissions"])


async def multipart_only(request: Request) -> None:
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise UnsupportedMediaType("Send the file as multipart/form-data, in a part called 'file'.")


@dataclass(frozen=True)
class Purpose:
    """What an upload is meant for, as far as it says. `assignment` is `course/slug`."""

    challenge: str | None
    assignment: str | None

    def entry(self, user: User, services: Services) -> Entry:
        """The challenge. Raises NotFound, Unprocessable."""
        if self.challenge is not None:
            return services.catalogue.get(self.challenge)
        of = challenge_of(services.database, user, self.assignment) if self.assignment else DEFAULT_CHALLENGE
        return services.catalogue.get(of)


async def purpose(
    challenge: Annotated[str | None, Form(description=f"what it solves; {DEFAULT_CHALLENGE} unless told")] = None,
    assignment: Annotated[str | None, Form(description="course/assignment; required if several courses ask")] = None,
) -> Purpose:
    return Purpose(challenge, assignment or None)


@router.post("", status_code=202, dependencies=[Depends(multipart_only)], responses={200: {"model": SubmissionView}})
def submit(
    user: SignedIn,
    services: WithServices,
    meant: Annotated[Purpose, Depends(purpose)],
    file: Annotated[UploadFile, File(description="the source file")],
    request: Request,
    response: Response,
    siblings: Annotated[list[UploadFile], File(description="modules it imports, named by their path")] = [],  # noqa: B006
    idempotency_key: Annotated[str | None, Header()] = None,
) -> SubmissionView:
    """Take a submission in. The answer comes at once; the verdict follows on `links.events`.

    With an Idempotency-Key, sending the same again gives 200 and the same submission.
    """
    limit_uploads(services.broker, services.settings, request)
    settings = services.settings
    entry = meant.entry(user, services)
    upload = read_upload(file, siblings, entry.challenge, settings.siblings_max, idempotency_key)
    waiting = service.waiting_unless_full(services.database, settings.queue_max)
    accepted = service.accept(
        services.database, services.broker, user, entry, upload, settings.submissions_per_minute, meant.assignment
    )
    if not accepted.is_new:
        response.status_code = 200
    elif not service.queue(services.broker, services.dispatcher, accepted, waiting):
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
    kind: SubmissionKind | None = None,
    cursor: Annotated[str | None, Query(max_length=SHORT)] = None,
    limit: Annotated[int, Query(ge=1, le=service.PAGE_MAX)] = 20,
) -> SubmissionPage:
    """A page of submissions, newest first: one's own, and for staff those of their courses."""
    page = service.list_page(services.database, user, service.Filter(challenge, student, state, kind, cursor, limit))
    return SubmissionPage(items=[item_of(row) for row in page.items], next_cursor=page.next_cursor)


@router.get("/{submission_id}")
def read_submission(
    submission_id: str,
    user: SignedIn,
    services: WithServices,
    as_student: Annotated[bool, Query(description="for staff: no more of the report than its student sees")] = False,
) -> SubmissionView:
    """Where a submission stands, and its report once it is graded."""
    access = service.read(services.database, user, submission_id)
    return view_of(
        access.submission,
        as_staff=access.as_staff and not as_student,
        queue=queue_view(services.places, access.submission),
        score=score_beside(services.database, services.catalogue, access.submission),
    )


@router.post("/{submission_id}/cancel")
def cancel_submission(submission_id: str, user: SignedIn, services: WithServices) -> SubmissionView:
    """Take back what no judge has taken yet. It is not graded, and costs no attempt."""
    access = taking_back.cancel(services.database, services.broker, user, submission_id)
    return view_of(access.submission, as_staff=access.as_staff)


class Until(StrEnum):
    """How long events are followed."""

    STATE = "state"
    GPU = "gpu"


@dataclass(frozen=True)
class Watched:
    """A submission, and how much whoever watches it is told."""

    id: str
    told: Told


async def place(user: SignedIn, services: WithServices) -> AsyncIterator[None]:
    """One of the places for streams, for as long as the stream lasts. Raises TooManyRequests."""
    with services.streams.place(user.id):
        yield


def watched(submission_id: str, user: SignedIn, services: WithServices) -> Watched:
    """Settled before the stream begins, so that an error still is a problem and not a broken stream."""
    access = service.read(services.database, user, submission_id)
    return Watched(access.submission.id, TOLD_ALL if access.as_staff else told_of(access.submission, now()))


def may_still_watch(request: Request, submission: Watched, services: Services) -> bool:
    """Whether a token or session that was ended, or a role that was taken away, does not end the stream."""
    user = still_signed_in(request, services)
    try:
        return user is not None and watched(submission.id, user, services) == submission
    except Problem:
        return False


@router.get("/{submission_id}/events", response_class=EventSourceResponse, dependencies=[Depends(place)])
async def follow_submission(
    request: Request,
    submission: Annotated[Watched, Depends(watched)],
    services: WithServices,
    last_event_id: Annotated[str | None, Header()] = None,
    until: Annotated[
        Until, Query(description="gpu: go on until the GPU stage, if there is one, is over")
    ] = Until.STATE,
) -> AsyncIterator[ServerSentEvent]:
    """`queue` when the place in line changes, `state`, each `test` as it ends, the `verdict`, how the `gpu` stage
    stands; ends with the last `state`. Resumes after Last-Event-ID.
    """

    def progress() -> Progress:
        return service.progress(services.database, services.places, submission.id)

    def may_go_on() -> bool:
        return may_still_watch(request, submission, services)

    beat_s = services.settings.heartbeat_s
    events = follow(services.follower, submission.id, progress, last_event_id, beat_s, until_gpu=until is Until.GPU)
    async for sent in guarded(events, may_go_on, RIGHTS_HOLD_S, services.settings.stream_life_s):
        if sent.event == "verdict" and not await run_in_threadpool(may_go_on):
            return  # what was found changes what is told: a new stream tells it
        shown = event_for_student(sent, submission.told)
        if shown is not None:
            yield shown
