"""Taking submissions in and finding them again. The row is committed before anything is queued."""

import math
import secrets
import time
from base64 import b64encode
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import structlog
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, joinedload

from app.broker import Broker, BrokerDown
from app.challenges.service import Entry
from app.database import Database
from app.events import Progress, progress_of
from app.identifiers import is_id
from app.metrics import Tally
from app.models import State, Submission, SubmissionFile, User, now
from app.problems import TooManyRequests, Unavailable, Unprocessable
from app.submissions.access import Access, find, visible_to
from app.submissions.uploads import Upload, same_content
from grader.messages import GradeRequest

PAGE_MAX: Final = 100
INSERT_TRIES: Final = 5
logger = structlog.get_logger(part="submissions")


@dataclass(frozen=True)
class Accepted:
    """A submission that is in the database. `is_new` is False when an Idempotency-Key brought it back."""

    submission: Submission
    is_new: bool


@dataclass(frozen=True)
class Filter:
    """Which submissions to list. `cursor` is what the page before gave."""

    challenge: str | None = None
    student: str | None = None
    state: State | None = None
    cursor: str | None = None
    limit: int = 20


@dataclass(frozen=True)
class Page:
    """Submissions, newest first, and where the next page begins."""

    items: list[Submission]
    next_cursor: str | None


def accept(database: Database, user: User, entry: Entry, upload: Upload, per_minute: int) -> Accepted:
    """Commit the submission. Raises Conflict (key used otherwise), TooManyRequests."""
    for _ in range(INSERT_TRIES):
        try:
            with database.write() as session:
                before = _same_key(session, user, entry, upload)
                if before is not None:
                    return Accepted(before, is_new=False)
                _limit_rate(session, user, per_minute)
                return Accepted(_insert(session, user, entry, upload), is_new=True)
        except IntegrityError:  # two uploads of one student at the same moment: the attempt's number was taken
            continue
    raise Unavailable("Many uploads of yours arrived at the same moment. Send this one again.")


def queue(broker: Broker, database: Database, submission_id: str) -> bool:
    """Tell the student and a judge that the submission is waiting. False without Redis: the sweeper does it later."""
    with database.read() as session:
        request = grade_request(session, submission_id)
    try:
        broker.tell(submission_id, "state", {"state": State.QUEUED})
        broker.queue(request)
    except BrokerDown as error:
        logger.warning("submission_not_queued", submission_id=submission_id, reason=str(error))
        return False
    return True


def grade_request(session: Session, submission_id: str) -> GradeRequest:
    """The message for the judge, from the row. Raises sqlalchemy's NoResultFound."""
    row = session.scalars(select(Submission).where(Submission.id == submission_id)).one()
    files = session.scalars(select(SubmissionFile).where(SubmissionFile.submission_id == submission_id))
    return GradeRequest(
        submission_id=row.id,
        challenge=row.challenge,
        main=row.main,
        files={file.path: b64encode(file.content) for file in files},
        seed=row.seed,
        queued_at=time.time(),
    )


def read(database: Database, user: User, submission_id: str) -> Access:
    """Raises NotFound."""
    with database.read() as session:
        return find(session, user, submission_id)


def list_page(database: Database, user: User, wanted: Filter) -> Page:
    """Those of the wanted submissions that this person may see. Raises Unprocessable when the cursor is not ours."""
    query = select(Submission).options(joinedload(Submission.user)).where(visible_to(user))
    if wanted.challenge is not None:
        query = query.where(Submission.challenge == wanted.challenge)
    if wanted.student is not None:
        query = query.where(Submission.user.has(User.name == wanted.student))
    if wanted.state is not None:
        query = query.where(Submission.state == wanted.state)
    if wanted.cursor is not None:
        if not is_id(wanted.cursor):
            raise Unprocessable("The cursor is not one that this server gave. Start again without it.")
        query = query.where(Submission.id < wanted.cursor)
    with database.read() as session:
        rows = list(session.scalars(query.order_by(Submission.id.desc()).limit(wanted.limit + 1)))
    items = rows[: wanted.limit]
    return Page(items, items[-1].id if len(rows) > wanted.limit else None)


def progress(database: Database, submission_id: str) -> Progress:
    """What the row alone can tell of a submission's progress."""
    with database.read() as session:
        row = session.scalars(
            select(Submission).options(joinedload(Submission.report)).where(Submission.id == submission_id)
        ).one()
    return progress_of(row)


def tallies(database: Database) -> list[Tally]:
    """How many submissions there are, for the metrics."""
    kinds = (Submission.challenge, Submission.state, Submission.verdict)
    with database.read() as session:
        rows = session.execute(select(*kinds, func.count()).group_by(*kinds)).all()
    return [Tally(challenge, state, verdict or "none", count) for challenge, state, verdict, count in rows]


def _same_key(session: Session, user: User, entry: Entry, upload: Upload) -> Submission | None:
    if upload.idempotency_key is None:
        return None
    query = select(Submission).options(joinedload(Submission.user), joinedload(Submission.report))
    before = session.scalar(
        query.where(Submission.user_id == user.id, Submission.idempotency_key == upload.idempotency_key)
    )
    if before is not None:
        same_content(upload, entry.slug, before.challenge, before.sha256)
    return before


def _limit_rate(session: Session, user: User, per_minute: int) -> None:
    moment = now()
    recent = session.scalars(
        select(Submission.created_at)
        .where(Submission.user_id == user.id, Submission.created_at > moment - timedelta(minutes=1))
        .order_by(Submission.created_at.desc())
        .limit(per_minute)
    ).all()
    if len(recent) >= per_minute:
        wait_s = math.ceil(60 - (moment - recent[-1]).total_seconds())
        raise TooManyRequests(
            f"At most {per_minute} submissions a minute are taken. Try again in {max(wait_s, 1)} s.",
            retry_after_s=max(wait_s, 1),
        )


def _insert(session: Session, user: User, entry: Entry, upload: Upload) -> Submission:
    last = session.scalar(
        select(func.max(Submission.attempt)).where(Submission.user_id == user.id, Submission.challenge == entry.slug)
    )
    moment = now()
    submission = Submission(
        user=session.merge(user, load=False),
        challenge=entry.slug,
        challenge_version=entry.challenge.version,
        attempt=(last or 0) + 1,
        idempotency_key=upload.idempotency_key,
        filename=upload.filename,
        main=upload.submission.main,
        sha256=upload.submission.sha256,
        seed=secrets.randbits(31),
        created_at=moment,
        queued_at=moment,
        report=None,
    )
    session.add(submission)
    session.flush()
    for path, content in upload.submission.files.items():
        session.add(SubmissionFile(submission_id=submission.id, path=path, content=content))
    return submission
