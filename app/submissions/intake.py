"""The one way in for a submission: from the API, the web and bug hunts alike. The row is committed before anything is
queued.
"""

import math
import secrets
from dataclasses import dataclass, field
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
from app.hunts.nearness import near_hunt
from app.hunts.service import Mending
from app.jobs.dispatch import Dispatcher
from app.jobs.transitions import open_job
from app.models import Assignment, Fix, Hunt, State, Submission, SubmissionFile, SubmissionKind, User, now
from app.problems import Conflict, NotSignedIn, TooManyRequests, Unavailable
from app.services import Services
from app.submissions.cancellation import make_room
from app.submissions.schemas import ITEM
from app.submissions.uploads import Upload
from grader.messages import JobKind

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
class Incoming:
    """An upload, whose it is, and what it is for. `assignment` is `course/slug`; without it, the one due next in the
    only course that asks. A fix to a bug hunt (`mending`) is no attempt at any assignment.
    """

    user: User
    entry: Entry
    upload: Upload
    assignment: str | None = None
    mending: Mending | None = None
    at: datetime = field(default_factory=now)  # however long it waits from now on: nobody is late by what others write

    @property
    def kind(self) -> SubmissionKind:
        """Whether it is a build or a fix."""
        return SubmissionKind.HUNT if self.mending else SubmissionKind.BUILD


@dataclass(frozen=True)
class Accepted:
    """A submission that is in the database. `is_new` is False when an Idempotency-Key found an earlier one.

    `superseded` are the student's submissions that it replaced.
    """

    submission: Submission
    is_new: bool
    superseded: tuple[str, ...] = ()


def take_in(services: Services, sent: Incoming) -> Accepted:
    """Keeps the submission and sends whoever is next to the judges. Without Redis it is kept, and sent later.

    Raises Conflict (key used otherwise, not open, several courses ask, no attempts left), TooManyRequests, NotFound,
    Unprocessable, and Unavailable, also when too many wait.
    """
    waiting = _waiting_unless_full(services.database, services.settings.queue_max)
    accepted = _accept(services.database, services.broker, sent, services.settings.submissions_per_minute)
    if accepted.is_new and not _queue(services.broker, services.dispatcher, accepted, waiting):
        services.metrics.queue_failures.inc()
    return accepted


def _waiting_unless_full(database: Database, queue_max: int) -> int:
    """How many submissions wait, before a row is made. Raises Unavailable when the queue is full."""
    with database.read() as session:
        waiting = session.scalars(_WAITING).one()
    if waiting >= queue_max:
        raise Unavailable(
            f"{waiting} submissions are waiting to be graded, and the queue is full. Yours "
            f"was not saved: submit it again in {FULL_RETRY_S} s or later.",
            retry_after_s=FULL_RETRY_S,
        )
    return waiting


def _accept(database: Database, broker: Broker, sent: Incoming, per_minute: int) -> Accepted:
    max_bytes = sent.entry.challenge.manifest.source.max_bytes
    near = None if sent.mending else near_hunt(database, sent.user, sent.upload.submission, max_bytes)
    for _ in range(INSERT_TRIES):
        try:
            with database.write() as session:
                return _accept_once(session, broker, sent, near, per_minute)
        except IntegrityError:  # two uploads of one student at the same moment: the attempt's number was taken
            continue
    raise Unavailable("Several of your uploads arrived at the same moment. Submit this one again.")


def _accept_once(session: Session, broker: Broker, sent: Incoming, near: Hunt | None, per_minute: int) -> Accepted:
    _one_at_a_time(session, sent.user)
    before = _sent_before(session, sent)
    if before is not None:
        return Accepted(before, is_new=False)
    _limit_rate(session, sent, per_minute)
    terms = None
    if sent.mending is None:
        terms = choose(session, sent.user, sent.assignment, sent.entry.slug, sent.at)
    older = make_room(session, broker, sent.user, terms.assignment if terms else None)
    since = min([sent.at, *older.values()])  # it takes their position in the queue
    submission = _insert(session, sent, terms, near, since)
    limit_attempts(session, sent.user, submission)
    return Accepted(submission, is_new=True, superseded=tuple(older))


def _queue(broker: Broker, dispatcher: Dispatcher, accepted: Accepted, waiting: int) -> bool:
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


def _one_at_a_time(session: Session, user: User) -> None:
    """A student's uploads wait for each other, so that each is counted before the next asks how many there were; and
    for whoever erases the student, after whom nothing is kept. On SQLite everybody's do. Raises NotSignedIn.
    """
    still_there = select(User.id).where(User.id == user.id, User.name == user.name)
    if session.scalar(still_there.with_for_update(key_share=True)) is None:
        raise NotSignedIn("Your account was erased, so nothing was kept of this upload.")


def _sent_before(session: Session, sent: Incoming) -> Submission | None:
    """The submission that came with this idempotency key: a network may lose an answer, and nobody is charged twice for
    that. Without an assignment, the one that it was taken for is meant.

    Raises Conflict when that upload was another one, or for something else.
    """
    key = sent.upload.idempotency_key
    if key is None:
        return None
    query = select(Submission).options(*ITEM, joinedload(Submission.report))
    before = session.scalar(query.where(Submission.user_id == sent.user.id, Submission.idempotency_key == key))
    if before is None:
        return None
    taken_for = f"{before.assignment.course.slug}/{before.assignment.slug}" if before.assignment else None
    same = (sent.entry.slug, sent.kind, sent.upload.submission.sha256, sent.assignment or taken_for)
    if same != (before.challenge, before.kind, before.sha256, taken_for):
        raise Conflict(
            "This Idempotency-Key was used for another upload or another assignment. Use a new key for new content."
        )
    return before


def _limit_rate(session: Session, sent: Incoming, per_minute: int) -> None:
    lately = {"user_id": sent.user.id, "since": sent.at - timedelta(minutes=1), "most": per_minute}
    recent = session.scalars(_LATELY, lately).all()
    if len(recent) >= per_minute:
        wait_s = math.ceil(60 - (sent.at - recent[-1]).total_seconds())
        raise TooManyRequests(
            f"The limit is {per_minute} submissions a minute. Try again in {max(wait_s, 1)} s.",
            retry_after_s=max(wait_s, 1),
        )


def _insert(
    session: Session, sent: Incoming, terms: PersonalTerms | None, near: Hunt | None, waiting_since: datetime
) -> Submission:
    upload, assignment = sent.upload, terms.assignment if terms else None
    last = session.scalar(_LAST_ATTEMPT, {"user_id": sent.user.id, "challenge": sent.entry.slug, "kind": sent.kind})
    submission = Submission(
        user_id=sent.user.id,
        assignment_id=assignment.id if assignment else None,
        course_id=_course_of(session, sent, assignment),
        near_hunt_id=near.id if near else None,
        challenge=sent.entry.slug,
        challenge_version=sent.entry.challenge.version,
        kind=sent.kind,
        attempt=(last or 0) + 1,
        idempotency_key=upload.idempotency_key,
        filename=upload.filename,
        main=upload.submission.main,
        sha256=upload.submission.sha256,
        seed=secrets.randbits(SEED_BITS),
        created_at=sent.at,
        waiting_since=waiting_since,
    )
    session.add(submission)
    session.flush()
    job = open_job(session, JobKind.SUBMISSION, submission.id, id=submission.id)
    files = upload.submission.files.items()
    rows = [{"submission_id": submission.id, "path": path, "content": content} for path, content in files]
    session.execute(insert(SubmissionFile), rows)
    fix = _fix(session, submission, sent.mending) if sent.mending else None
    # Known already: nobody need ask the database for what belongs to it.
    beside = {
        "user": sent.user, "job": job, "assignment": assignment, "report": None, "gpu_stage": None,
        "fix": fix, "near_hunt": near, "exceptions": list(terms.exceptions) if terms else [],
    }  # fmt: skip
    for name, value in beside.items():
        set_committed_value(submission, name, value)
    return submission


def _course_of(session: Session, sent: Incoming, assignment: Assignment | None) -> str | None:
    """Whose staff may see it, from now on."""
    if assignment is not None:
        return assignment.course_id
    if sent.mending is not None:
        return sent.mending.hunt.course_id
    return course_of_practice(session, sent.user, sent.entry.slug, sent.at)


def _fix(session: Session, submission: Submission, mending: Mending) -> Fix:
    fix = Fix(submission_id=submission.id, hunt=session.get_one(Hunt, mending.hunt.id), lines=mending.lines)
    session.add(fix)
    session.flush()
    return fix
