"""Asking for a repository to be fetched, verified and brought live. A verifier does it, and the recorder switches."""

from datetime import timedelta
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session, joinedload

from app import audit
from app.broker import Broker
from app.database import Database
from app.exercises.authors import refuse_strangers, refused_in
from app.exercises.commits import find, refuse_taken
from app.exercises.schemas import FetchView, NewRepository
from app.exercises.withdrawal import CANCELLED, end_open, stop_verifying
from app.jobs.transitions import open_job
from app.models import (
    OPEN_FETCH_STATES,
    ExerciseCommit,
    ExerciseFetch,
    ExerciseRepository,
    FetchState,
    Role,
    User,
    now,
)
from app.problems import Conflict, NotFound, TooManyRequests
from app.rows import add_unless_there
from app.settings import ApiSettings
from grader.messages import JobKind
from grader.repository_addresses import (
    RepositoryError,
    checked_namespace,
    checked_ref,
    checked_url,
    is_local,
    namespace_of,
)

ASKED_PER_HOUR: Final = 20  # by somebody who is no operator: each commit is kept for good
HOUR: Final = timedelta(hours=1)
SHOWN_FOR: Final = timedelta(days=7)  # what was refused, for whoever looks once a week


def add(database: Database, settings: ApiSettings, user: User, wanted: NewRepository) -> FetchView:
    """Asks for a repository under a namespace of its own. Raises Forbidden, Conflict, Unprocessable."""
    url = _address(settings, user, wanted.url)
    with refused_in("namespace"):
        namespace = checked_namespace(wanted.namespace) if wanted.namespace else namespace_of(url)
    with refused_in("ref"):
        ref = checked_ref(wanted.ref)
    with database.write() as session:
        refuse_strangers(session, user, namespace)
        _lock_namespace(session, namespace, url, ref)
        refuse_taken(session, namespace)
        return _ask(session, user, namespace, url, ref)


def update(database: Database, user: User, namespace: str, ref: str | None) -> FetchView:
    """Asks for what the repository has now, from `ref` on if one is given. Raises Forbidden, NotFound, Conflict,
    Unprocessable.
    """
    with refused_in("ref"):
        checked = checked_ref(ref) if ref else None
    with database.write() as session:
        refuse_strangers(session, user, namespace)
        row = find(session, namespace, is_locked=True)
        return _ask(session, user, namespace, row.url, checked or row.ref)


def cancel(database: Database, broker: Broker, user: User, namespace: str) -> FetchView:
    """Ends what was asked for under a namespace and is not live yet. Raises Forbidden, NotFound."""
    with database.write() as session:
        refuse_strangers(session, user, namespace)
        mine = ExerciseFetch.namespace == namespace
        ended = end_open(session, mine, FetchState.CANCELLED, CANCELLED.format(name=user.name))
        if not ended:
            raise NotFound(f"Nothing is being fetched or verified under the namespace {namespace[:40]!r}.")
        audit.note(session, user, "exercises.cancel", namespace)
        view = _view(ended[-1])
    stop_verifying(broker, [fetch.job_id for fetch in ended])
    return view


def list_fetches(session: Session, namespaces: frozenset[str] | None) -> list[FetchView]:
    """Returns the newest request for each namespace that is not live, newest first, unless a commit went live since; of
    all namespaces without `namespaces`.
    """
    newest = select(func.max(ExerciseFetch.id)).group_by(ExerciseFetch.namespace)
    query = select(ExerciseFetch).options(joinedload(ExerciseFetch.user), joinedload(ExerciseFetch.job))
    later = select(ExerciseCommit.id).join(ExerciseRepository)
    later = later.where(
        ExerciseRepository.namespace == ExerciseFetch.namespace, ExerciseCommit.live_at > ExerciseFetch.ended_at
    )
    query = query.where(
        ExerciseFetch.id.in_(newest),
        ~later.exists(),
        ExerciseFetch.state != FetchState.LIVE,
        ExerciseFetch.created_at > now() - SHOWN_FOR,
    )
    if namespaces is not None:
        query = query.where(ExerciseFetch.namespace.in_(namespaces))
    return [_view(row) for row in session.scalars(query.order_by(ExerciseFetch.id.desc()))]


def _lock_namespace(session: Session, namespace: str, url: str, ref: str) -> None:
    """Lets those who ask under one namespace wait for each other, so that each sees what the one before asked for. For
    the first there is no row yet: theirs serves nothing until a commit is there.
    """
    held = select(ExerciseRepository.id).where(ExerciseRepository.namespace == namespace).with_for_update()
    row = ExerciseRepository(namespace=namespace, url=url, ref=ref, removed_at=now())
    if session.scalar(held) is None and not add_unless_there(session, row):
        session.scalar(held)


def _ask(session: Session, user: User, namespace: str, url: str, ref: str) -> FetchView:
    is_open = select(ExerciseFetch).where(
        ExerciseFetch.namespace == namespace, ExerciseFetch.state.in_(OPEN_FETCH_STATES)
    )
    if session.scalar(is_open.limit(1)) is not None:
        raise Conflict(f"{namespace} is being fetched and verified already. Wait until that has ended.")
    _limit_rate(session, user)
    job = open_job(session, JobKind.EXERCISES, None)
    row = ExerciseFetch(namespace=namespace, url=url, ref=ref, user_id=user.id, job_id=job.id)
    session.add(row)
    audit.note(session, user, "exercises.ask", namespace, url=url, ref=ref)
    session.flush()
    return _view(row)


def _limit_rate(session: Session, user: User) -> None:
    """Raises TooManyRequests."""
    mine = select(ExerciseFetch.created_at).where(ExerciseFetch.user_id == user.id)
    oldest = session.scalar(mine.order_by(ExerciseFetch.id.desc()).offset(ASKED_PER_HOUR - 1).limit(1))
    if user.role is Role.OPERATOR or oldest is None or oldest + HOUR <= now():
        return
    raise TooManyRequests(
        f"You have asked for exercises {ASKED_PER_HOUR} times within an hour, which is the limit. Wait, then ask for "
        "the newest state once.",
        retry_after_s=int((oldest + HOUR - now()).total_seconds()) + 1,
    )


def _address(settings: ApiSettings, user: User, typed: str) -> str:
    """A place on this service's own machines is for its operators, and only where a setting allows it."""
    is_allowed = settings.local_exercises and user.role is Role.OPERATOR
    with refused_in("url"):
        if is_local(typed) and not is_allowed:
            raise RepositoryError(
                "Folders and file:// addresses cannot be added here. Give an https or ssh address of a repository."
            )
        if not is_local(typed) or typed.startswith("file:"):
            return checked_url(typed)
        return checked_url(f"file://{typed}").removeprefix("file://")


def _view(row: ExerciseFetch) -> FetchView:
    fault = row.job.fault if row.state in OPEN_FETCH_STATES else None
    return FetchView.of(row, fault=fault, asked_by=row.user.name)
