"""The front page, a challenge's page, and uploading from it."""

import secrets
from collections.abc import Sequence
from io import BytesIO
from pathlib import PurePosixPath
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, UploadFile
from fastapi.responses import Response
from starlette.datastructures import FormData
from starlette.datastructures import UploadFile as SentUpload

from app.assignments import admission
from app.assignments.attempts import WITHDRAWN
from app.challenges.schemas import describe
from app.challenges.service import Entry
from app.hashing import sha256_of
from app.models import Submission, SubmissionKind, now
from app.news.received import list_own
from app.news.service import news_for
from app.problems import Problem, Unprocessable
from app.rate import limit_uploads
from app.request_values import Short
from app.services import Services, WithServices
from app.standing.service import open_standings
from app.submissions import service
from app.submissions.files import SentFile, sent_files
from app.submissions.history import histories
from app.submissions.intake import Incoming, take_in
from app.submissions.schemas import item_of
from app.submissions.uploads import Upload, read_upload
from app.web.markdown import to_html
from app.web.rendering import render, see_other
from app.web.uploads import file_of, once
from app.web.visitors import PostedForm, SignedInVisitor, Visitor, text_of
from grader.report import Verdict

ATTEMPTS_SHOWN: Final = 20
ADDRESS_MAX: Final = 130  # course/assignment

router = APIRouter()


@router.get("/")
def show_home(visitor: SignedInVisitor, services: WithServices) -> Response:
    """Shows what is due in all courses, and the challenges with the visitor's history in each."""
    return render(
        "home.html",
        visitor=visitor,
        news=news_for(services.database, visitor.user),
        due=open_standings(services.database, services.catalogue, visitor.user) if visitor.studied else [],
        entries=list(services.catalogue),
        histories=histories(services.database, visitor.user),
        moment=now(),
    )


@router.get("/challenges/{slug}")
def show_challenge(
    slug: str,
    visitor: SignedInVisitor,
    services: WithServices,
    before: Short = None,
    assignment: Annotated[str | None, Query(max_length=ADDRESS_MAX)] = None,
) -> Response:
    """Shows the challenge, the upload form with the assignment that somebody came from, and the attempts so far."""
    return _challenge_page(services, visitor, services.catalogue.get(slug), before=before, meant=assignment)


@router.post("/challenges/{slug}/submissions")
def upload(slug: str, visitor: SignedInVisitor, services: WithServices, form: PostedForm, request: Request) -> Response:
    """Takes a submission and goes to its page. The same form sent twice is one submission."""
    entry, meant = services.catalogue.get(slug), text_of(form, "assignment") or None
    try:
        limit_uploads(services.broker, services.settings, request)
        sent = _read_upload(form, entry, services.settings.siblings_max, _files_before(services, visitor, form))
        accepted = take_in(services, Incoming(visitor.user, entry, sent, meant))
    except Problem as problem:
        pasted = text_of(form, "source")
        return _challenge_page(services, visitor, entry, problem=problem, pasted=pasted, meant=meant)
    return see_other(f"/submissions/{accepted.submission.id}")


def _challenge_page(
    services: Services,
    visitor: Visitor,
    entry: Entry,
    *,
    before: str | None = None,
    problem: Problem | None = None,
    pasted: str = "",
    meant: str | None = None,
) -> Response:
    wanted = service.Filter(
        entry.slug, visitor.user.name, kind=SubmissionKind.BUILD, cursor=before, limit=ATTEMPTS_SHOWN
    )
    challenge = describe(entry)
    page = service.list_page(services.database, visitor.user, wanted)
    choices = admission.choices(services.database, visitor.user, entry.slug)
    why_closed = admission.why_closed(services.database, visitor.user, meant) if meant and problem is None else None
    return render(
        "challenge.html",
        problem=problem,
        visitor=visitor,
        challenge=challenge,
        notes=list_own(services.database, visitor.user, entry.slug),
        rules=list(entry.challenge.manifest.rules.values()),
        source_bytes=entry.challenge.manifest.source.max_bytes,
        spec=to_html(challenge.spec),
        attempts=[item_of(row, as_staff=False) for row in page.items],
        next_cursor=page.next_cursor,
        choices=choices,
        is_used_up=bool(choices) and all(choice.attempts.left == 0 for choice in choices),
        may_practise=admission.may_practise(choices),
        before=before,
        pasted=pasted,
        meant=meant,
        why_closed=why_closed,
        sent_before=_sent_before(services, visitor, page.items, choices),
        nonce=secrets.token_urlsafe(16),
    )


def _sent_before(
    services: Services, visitor: Visitor, rows: Sequence[Submission], choices: Sequence[admission.Choice]
) -> str | None:
    """The digest of the last attempt's text, where the same file would cost another attempt for nothing."""
    last = next((row for row in rows if row.state not in WITHDRAWN), None)
    limited = {choice.assignment.id for choice in choices if choice.attempts.left}
    if last is None or last.assignment_id not in limited or last.verdict is Verdict.REJECTED:
        return None
    files = sent_files(services.database, visitor.user, last.id)
    return sha256_of(files[0].text.replace("\r\n", "\n")) if len(files) == 1 else None


def _files_before(services: Services, visitor: Visitor, form: FormData) -> list[SentFile]:
    """The files of the attempt that was mended on its page: the others are sent again. Raises NotFound."""
    before = text_of(form, "after")
    return sent_files(services.database, visitor.user, before) if before else []


def _read_upload(form: FormData, entry: Entry, siblings_max: int, before: Sequence[SentFile]) -> Upload:
    """Raises Unprocessable, TooLarge."""
    manifest = entry.challenge.manifest
    folder = PurePosixPath(manifest.default_path).parent
    chosen = [
        UploadFile(sibling.file, filename=str(folder / sibling.filename))
        for sibling in form.getlist("siblings")
        if isinstance(sibling, SentUpload) and sibling.filename
    ]
    kept = [UploadFile(BytesIO(file.text.encode()), filename=file.path) for file in before if not file.is_main]
    mended = next((file for file in before if file.is_main), None)
    filename = mended.name if mended else manifest.upload
    file = file_of(form, filename)
    if file is None:
        raise Unprocessable(
            f"Nothing was submitted. Choose your {manifest.upload} or paste its text, then submit again."
        )
    path = mended.path if mended and kept and not chosen else None
    return once(read_upload(file, chosen or kept, entry.challenge, siblings_max, None, path), form, "web")
