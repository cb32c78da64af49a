"""Sending a submission in, reading it, watching it."""

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, File, Form, Header, Query, Request, Response, UploadFile
from fastapi.concurrency import run_in_threadpool
from fastapi.sse import EventSourceResponse, ServerSentEvent

from app.assignments.admission import PRACTICE, challenge_of
from app.challenges.service import Entry
from app.events import SubmissionProgress, follow
from app.models import Feedback, Submission, User, now
from app.problems import Problem, UnsupportedMediaType
from app.questions.scores import score_beside
from app.rate import limit_uploads
from app.services import Services, SignedIn, Watching, WithServices, still_signed_in
from app.streams import guarded
from app.submissions import cancellation, service
from app.submissions.feedback import TOLD_ALL, Told, told_of
from app.submissions.intake import Accepted, Incoming, take_in
from app.submissions.schemas import SubmissionPage, SubmissionView, item_of, queue_view, view_of
from app.submissions.uploads import read_upload
from grader.report import Verdict

DEFAULT_CHALLENGE = "mha-rope"
RIGHTS_HOLD_S = 1.0  # then whoever watches a stream is asked for anew: a grading tells dozens of events a second

router = APIRouter(prefix="/submissions", tags=["submissions"])


async def multipart_only(request: Request) -> None:
    """Raises UnsupportedMediaType for a body that is not a multipart form."""
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise UnsupportedMediaType("Send the file as multipart/form-data, in a part called 'file'.")


def accepted_view(accepted: Accepted, response: Response) -> SubmissionView:
    """Returns a submission that was taken in, and has the response say where it is and if it was known already."""
    if not accepted.is_new:
        response.status_code = HTTPStatus.OK
    view = view_of(accepted.submission, as_staff=False)
    response.headers["Location"] = view.links.self
    return view


@dataclass(frozen=True)
class Purpose:
    """What an upload says that it is for. `assignment` is `course/slug`, or `practice`."""

    challenge: str | None
    assignment: str | None

    def entry(self, user: User, services: Services) -> Entry:
        """Returns the challenge. Raises NotFound, Unprocessable."""
        if self.challenge is not None:
            return services.catalogue.get(self.challenge)
        if self.assignment is None or self.assignment == PRACTICE:
            return services.catalogue.get(DEFAULT_CHALLENGE)
        return services.catalogue.get(challenge_of(services.database, user, self.assignment))


async def purpose(
    challenge: Annotated[str | None, Form(description=f"what it solves; {DEFAULT_CHALLENGE} unless told")] = None,
    assignment: Annotated[
        str | None, Form(description="course/assignment, if several courses ask; or practice")
    ] = None,
) -> Purpose:
    """Returns what the upload says that it is for, from the form."""
    return Purpose(challenge, assignment or None)


@router.post(
    "",
    status_code=HTTPStatus.ACCEPTED,
    dependencies=[Depends(multipart_only)],
    responses={HTTPStatus.OK: {"model": SubmissionView}},
)
def submit(
    user: SignedIn,
    services: WithServices,
    meant: Annotated[Purpose, Depends(purpose)],
    file: Annotated[UploadFile, File(description="the source file: Python, or a notebook (.ipynb)")],
    request: Request,
    response: Response,
    siblings: Annotated[list[UploadFile], File(description="modules it imports, named by their path")] = [],  # noqa: B006
    path: Annotated[
        str | None, Form(description="where the file lies in the student's project, as its other modules import it")
    ] = None,
    idempotency_key: Annotated[str | None, Header()] = None,
) -> SubmissionView:
    """Takes a submission. The answer comes at once; the verdict follows on `links.events`.

    With an Idempotency-Key, sending the same again gives 200 and the same submission.
    """
    limit_uploads(services.broker, services.settings, request)
    settings = services.settings
    entry = meant.entry(user, services)
    upload = read_upload(file, siblings, entry.challenge, settings.siblings_max, idempotency_key, path)
    accepted = take_in(services, Incoming(user, entry, upload, meant.assignment))
    return accepted_view(accepted, response)


@router.get("")
def list_submissions(
    user: SignedIn, services: WithServices, wanted: Annotated[service.Filter, Depends()]
) -> SubmissionPage:
    """A page of submissions, newest first: one's own, and for staff those of their courses."""
    page = service.list_page(services.database, user, wanted)
    items = [item_of(row, as_staff=row.user_id != user.id) for row in page.items]
    return SubmissionPage(items=items, next_cursor=page.next_cursor)


@router.get("/{submission_id}")
def read_submission(
    submission_id: str,
    user: SignedIn,
    services: WithServices,
    as_student: Annotated[bool, Query(description="for staff: no more of the report than its student sees")] = False,
) -> SubmissionView:
    """The state of a submission, and its report once it is graded."""
    access = service.read(services.database, user, submission_id)
    return whole_view(services, access.submission, as_staff=access.as_staff and not as_student)


def whole_view(services: Services, submission: Submission, *, as_staff: bool) -> SubmissionView:
    """Returns the submission with its place in the queue, and with what its assignment is worth so far."""
    return view_of(
        submission,
        as_staff=as_staff,
        queue=queue_view(services.positions, submission, as_staff=as_staff),
        score=score_beside(services.database, services.catalogue, submission),
    )


@router.post("/{submission_id}/cancel")
def cancel_submission(submission_id: str, user: SignedIn, services: WithServices) -> SubmissionView:
    """Cancels a submission that no judge has begun. It is not graded, and costs no attempt."""
    access = cancellation.cancel(services.database, services.broker, user, submission_id)
    return view_of(access.submission, as_staff=access.as_staff)


class Until(StrEnum):
    """When the event stream ends."""

    STATE = "state"
    GPU = "gpu"


@dataclass(frozen=True)
class Watched:
    """A submission that is watched, and how much of it the watcher is told."""

    id: str
    told: Told


async def stream_slot(user: Watching, services: WithServices) -> AsyncIterator[None]:
    """Holds a slot for streams while the stream lasts. Raises TooManyRequests."""
    with services.streams.slot(user.id):
        yield


def watched(submission_id: str, user: Watching, services: WithServices) -> Watched:
    """Checks access before the stream begins, so that an error is still a problem and not a broken stream."""
    access = service.read(services.database, user, submission_id)
    return Watched(access.submission.id, TOLD_ALL if access.as_staff else told_of(access.submission, now()))


def may_still_watch(request: Request, submission: Watched, services: Services) -> bool:
    """Whether the watcher's token, session and role still allow the stream to go on."""
    user = still_signed_in(request, services)
    try:
        return user is not None and watched(submission.id, user, services) == submission
    except Problem:
        return False


@router.get("/{submission_id}/events", response_class=EventSourceResponse, dependencies=[Depends(stream_slot)])
async def follow_submission(
    request: Request,
    submission: Annotated[Watched, Depends(watched)],
    services: WithServices,
    last_event_id: Annotated[str | None, Header()] = None,
    until: Annotated[
        Until, Query(description="gpu: go on until the GPU stage, if there is one, is over")
    ] = Until.STATE,
) -> AsyncIterator[ServerSentEvent]:
    """Events: `queue` when the queue position changes, `state`, each `test` as it ends, the `verdict`, the `gpu` stage;
    the last `state` ends the stream. Resumes after Last-Event-ID.
    """

    is_held = submission.told.is_held

    def progress() -> SubmissionProgress:
        return service.progress(services.database, services.positions, submission.id, is_held=is_held)

    def may_go_on() -> bool:
        return may_still_watch(request, submission, services)

    until_gpu = until is Until.GPU and not is_held  # only what passed has such a stage
    beat_s = services.settings.heartbeat_s
    follower = None if is_held else services.follower  # the judge's own events come when it is done
    events = follow(follower, submission.id, progress, last_event_id, beat_s, until_gpu=until_gpu)
    async for sent in guarded(events, may_go_on, RIGHTS_HOLD_S, services.settings.stream_life_s):
        if sent.event == "verdict" and not await run_in_threadpool(may_go_on):
            return  # what was found changes what is told: a new stream tells it
        shown = _event_for_student(sent, submission.told)
        if shown is not None:
            yield shown


def _event_for_student(event: ServerSentEvent, told: Told) -> ServerSentEvent | None:
    """Returns the event without what the student's view leaves out; None when nothing remains."""
    if told.is_held and event.event in ("test", "verdict", "gpu"):
        return None
    if event.event == "test":
        return None if told.feedback is Feedback.VERDICT else event
    return _with_summary(event, told.summaries) if event.event == "verdict" else event


def _with_summary(event: ServerSentEvent, summaries: Mapping[Verdict, str]) -> ServerSentEvent:
    data: dict[str, Any] = event.data if event.raw_data is None else json.loads(event.raw_data)
    summary = summaries.get(Verdict(data["verdict"]), data["summary"])
    return ServerSentEvent(event="verdict", data={**data, "summary": summary}, id=event.id)
