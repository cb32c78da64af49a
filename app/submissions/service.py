"""Taking submissions in and finding them again. The row is committed before anything is queued."""

import math
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog
from sqlalchemy import bindparam, func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, joinedload
from sqlalchemy.orm.attributes import set_committed_value

from app.assignments.admission import choose, limit_attempts
from app.assignments.terms import PersonalTerms
from app.broker import Broker, BrokerDown
from app.challenges.service import Entry
from app.courses.access import course_of_practice
from app.database import Database
from app.events import SubmissionProgress, progress_of
from app.hunts.nearness import near_hunt
from app.hunts.service import Mending
from app.jobs.dispatch import Dispatcher
from app.jobs.transitions import new_job
from app.models import Assignment, Fix, Hunt, State, Submission, SubmissionFile, SubmissionKind, User, now
from app.problems import NotSignedIn, TooManyRequests, Unavailable
from app.queue.positions import Positions
from app.request_values import check_cursor
from app.submissions.access import Access, find, visible_to
from app.submissions.again import sent_before
from app.submissions.cancellation import make_room
from app.submissions.schemas import ITEM, queue_view
from app.submissions.uploads import Upload
from grader.messages import JobKind

PAGE_MAX: Final = 100
FULL_RETRY_S: Final = 60
INSERT_TRIES: Final = 5
SEED_BITS: Final = 63  # nobody can try them all against what a student sees; the column holds no more
logger = structlog.get_logger(part="submissions")

# Written once: at a deadline, to write them anew for each upload is a good part of its cost.
_WAITING: Final = select(func.count()).select_from(Submission).where(Submission.state == State.QUEUED)
_LATELY: Final = (
    select(Submission.created_at)
    .where(Submission.user_id == bindparam("user_id"), Submission.created_at > bindparam("since"))
    .order_by(Submission.created_at.desc())
    .limit(bindparam("most"))
)
_LAST_ATTEMPT: Final = select(func.max(Submission.attempt)).where(
    Submission.user_id == bindparam("user_id"),
    Submission.challenge == bindparam("challenge"),
    Submission.kind == bindparam("kind"),
)


@dataclass(frozen=True)
class Accepted:
    """A submission that is in the database. `is_new` is False when an Idempotency-Key found an earlier one.

    `superseded` are the student's submissions that it replaced.
    """

    submission: Submission
    is_new: bool
    superseded: tuple[str, ...] = ()


@dataclass(frozen=True)
class Filter:
    """Which submissions to list. `cursor` is what the page before gave."""

    challenge: str | None = None
    student: str | None = None
    state: State | None = None
    kind: SubmissionKind | None = None
    cursor: str | None = None
    limit: int = 20


@dataclass(frozen=True)
class Page:
    """Submissions, newest first, and where the next page begins."""

    items: list[Submission]
    next_cursor: str | None


def accept(
    database: Database,
    broker: Broker,
    user: User,
    entry: Entry,
    upload: Upload,
    per_minute: int,
    assignment: str | None = None,
    mending: Mending | None = None,
) -> Accepted:
    """Commits the submission. `assignment` is `course/slug`; without it the one due next in the only course that asks.

    A fix to a bug hunt (`mending`) is no attempt at any assignment.

    Raises Conflict (key used otherwise, not open, several courses ask, no attempts left), TooManyRequests, NotFound,
    Unprocessable, Unavailable.
    """
    moment = now()  # it has come, however long it waits now: nobody is late by what others write
    near = None if mending else near_hunt(database, user, upload.submission, entry.challenge.manifest.source.max_bytes)
    for _ in range(INSERT_TRIES):
        try:
            with database.write() as session:
                _one_at_a_time(session, user)
                before = sent_before(session, user, entry, upload, _kind(mending), assignment)
                if before is not None:
                    return Accepted(before, is_new=False)
                _limit_rate(session, user, per_minute, moment)
                counts_for = None if mending else choose(session, user, assignment, entry.slug, moment)
                older = make_room(session, broker, user, counts_for.assignment if counts_for else None)
                since = min([moment, *older.values()])  # it takes their position in the queue
                submission = _insert(session, user, entry, upload, counts_for, mending, near, moment, since)
                limit_attempts(session, user, submission)
                return Accepted(submission, is_new=True, superseded=tuple(older))
        except IntegrityError:  # two uploads of one student at the same moment: the attempt's number was taken
            continue
    raise Unavailable("Several of your uploads arrived at the same moment. Submit this one again.")


def waiting_unless_full(database: Database, queue_max: int) -> int:
    """Returns how many submissions wait, before a row is made. Raises Unavailable when the queue is full."""
    with database.read() as session:
        waiting = session.scalars(_WAITING).one()
    if waiting >= queue_max:
        raise Unavailable(
            f"{waiting} submissions are waiting to be graded, and the queue is full. Yours "
            f"was not saved: submit it again in {FULL_RETRY_S} s or later.",
            retry_after_s=FULL_RETRY_S,
        )
    return waiting


def queue(broker: Broker, dispatcher: Dispatcher, accepted: Accepted, waiting: int) -> bool:
    """Tells the student that the submission is queued, and dispatches the next, which may be this one. Behind a long
    queue it dispatches nothing: the recorder does, whenever a judge has claimed one.

    Returns False without Redis; then the sweeper dispatches it later.
    """
    submission = accepted.submission
    logger.info("submission_accepted", submission_id=submission.id, challenge=submission.challenge)
    try:
        broker.tell(submission.id, "state", {"state": State.QUEUED})
        for older in accepted.superseded:
            broker.end(older, State.SUPERSEDED)
        if waiting <= dispatcher.ahead:
            dispatcher.arrived()
    except BrokerDown as error:
        logger.warning("submission_not_queued", submission_id=submission.id, reason=str(error))
        return False
    return True


def read(database: Database, user: User, submission_id: str) -> Access:
    """Returns a submission that the person may see. Raises NotFound."""
    with database.read() as session:
        return find(session, user, submission_id)


def list_page(database: Database, user: User, wanted: Filter) -> Page:
    """Returns a page of the submissions that fit the filter and that this person may see. Raises Unprocessable when the
    cursor is not ours.
    """
    query = select(Submission).options(*ITEM).where(visible_to(user))
    if wanted.challenge is not None:
        query = query.where(Submission.challenge == wanted.challenge)
    if wanted.student is not None:
        query = query.where(Submission.user.has(User.name == wanted.student))
    if wanted.state is not None:
        query = query.where(Submission.state == wanted.state)
    if wanted.kind is not None:
        query = query.where(Submission.kind == wanted.kind)
    check_cursor(wanted.cursor)
    if wanted.cursor is not None:
        query = query.where(Submission.id < wanted.cursor)
    with database.read() as session:
        rows = list(session.scalars(query.order_by(Submission.id.desc()).limit(wanted.limit + 1)))
    items = rows[: wanted.limit]
    return Page(items, items[-1].id if len(rows) > wanted.limit else None)


def progress(database: Database, positions: Positions, submission_id: str) -> SubmissionProgress:
    """Returns a submission's progress as its row, and the queue, tell it."""
    with database.read() as session:
        row = session.scalars(
            select(Submission)
            .options(joinedload(Submission.report), joinedload(Submission.gpu_stage))
            .where(Submission.id == submission_id)
        ).one()
    queue = queue_view(positions, row) if row.state is State.QUEUED else None
    return progress_of(row, queue.model_dump(mode="json") if queue and queue.position else None)


def _one_at_a_time(session: Session, user: User) -> None:
    """A student's uploads wait for each other, so that each is counted before the next asks how many there were; and
    for whoever erases the student, after whom nothing is kept. On SQLite everybody's do. Raises NotSignedIn.
    """
    still_there = select(User.id).where(User.id == user.id, User.name == user.name)
    if session.scalar(still_there.with_for_update(key_share=True)) is None:
        raise NotSignedIn("Your account was erased, so nothing was kept of this upload.")


def _kind(mending: Mending | None) -> SubmissionKind:
    return SubmissionKind.HUNT if mending else SubmissionKind.BUILD


def _limit_rate(session: Session, user: User, per_minute: int, moment: datetime) -> None:
    lately = {"user_id": user.id, "since": moment - timedelta(minutes=1), "most": per_minute}
    recent = session.scalars(_LATELY, lately).all()
    if len(recent) >= per_minute:
        wait_s = math.ceil(60 - (moment - recent[-1]).total_seconds())
        raise TooManyRequests(
            f"The limit is {per_minute} submissions a minute. Try again in {max(wait_s, 1)} s.",
            retry_after_s=max(wait_s, 1),
        )


def _insert(
    session: Session,
    user: User,
    entry: Entry,
    upload: Upload,
    terms: PersonalTerms | None,
    mending: Mending | None,
    near: Hunt | None,
    moment: datetime,
    since: datetime,
) -> Submission:
    kind, assignment = _kind(mending), terms.assignment if terms else None
    last = session.scalar(_LAST_ATTEMPT, {"user_id": user.id, "challenge": entry.slug, "kind": kind})
    submission = Submission(
        user_id=user.id,
        assignment_id=assignment.id if assignment else None,
        course_id=_course_of(session, user, entry, assignment, mending, moment),
        near_hunt_id=near.id if near else None,
        challenge=entry.slug,
        challenge_version=entry.challenge.version,
        kind=kind,
        attempt=(last or 0) + 1,
        idempotency_key=upload.idempotency_key,
        filename=upload.filename,
        main=upload.submission.main,
        sha256=upload.submission.sha256,
        seed=secrets.randbits(SEED_BITS),
        created_at=moment,
        waiting_since=since,
    )
    session.add(submission)
    session.flush()
    job = new_job(JobKind.SUBMISSION, submission.id, id=submission.id)
    session.add(job)
    session.flush()
    files = upload.submission.files.items()
    rows = [{"submission_id": submission.id, "path": path, "content": content} for path, content in files]
    session.execute(insert(SubmissionFile), rows)
    fix = _fix(session, submission, mending) if mending else None
    # Known already: nobody need ask the database for what belongs to it.
    beside = {
        "user": user, "job": job, "assignment": assignment, "report": None, "gpu_stage": None,
        "fix": fix, "near_hunt": near, "exceptions": list(terms.exceptions) if terms else [],
    }  # fmt: skip
    for name, value in beside.items():
        set_committed_value(submission, name, value)
    return submission


def _course_of(
    session: Session, user: User, entry: Entry, assignment: Assignment | None, mending: Mending | None, moment: datetime
) -> str | None:
    """Whose staff may see it, from now on."""
    if assignment is not None:
        return assignment.course_id
    return mending.hunt.course_id if mending else course_of_practice(session, user, entry.slug, moment)


def _fix(session: Session, submission: Submission, mending: Mending) -> Fix:
    fix = Fix(submission_id=submission.id, hunt=session.get_one(Hunt, mending.hunt.id), lines=mending.lines)
    session.add(fix)
    session.flush()
    return fix
