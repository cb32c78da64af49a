"""Exercise repositories: begin with a commit, say what verifying found, switch, roll back, remove. Operators only."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, joinedload, selectinload

from app import audit
from app.database import Database
from app.exercises.schemas import CommitView, RegradeOffer, RepositoryView
from app.models import (
    Assignment,
    CommitState,
    CommittedExercise,
    ExerciseCommit,
    ExerciseRepository,
    State,
    Submission,
    User,
    now,
)
from app.operations.service import refuse_all_but_operators
from app.problems import Conflict, NotFound

COMMITS_SHOWN = 10


@dataclass(frozen=True)
class Fetched:
    """A commit of a namespace: `url` and `ref` as they were given, and `source`, where judges fetch it."""

    namespace: str
    url: str
    ref: str
    source: str
    commit: str


def list_all(database: Database, user: User) -> list[RepositoryView]:
    """Returns all repositories, by namespace. Raises Forbidden."""
    refuse_all_but_operators(user)
    with database.read() as session:
        query = select(ExerciseRepository).where(ExerciseRepository.removed_at.is_(None))
        query = query.options(selectinload(ExerciseRepository.commits).selectinload(ExerciseCommit.exercises))
        return [_view(session, row) for row in session.scalars(query.order_by(ExerciseRepository.namespace))]


def read(database: Database, user: User, namespace: str) -> RepositoryView:
    """Returns one of them. Raises Forbidden, NotFound."""
    refuse_all_but_operators(user)
    with database.read() as session:
        return _view(session, _find(session, namespace))


def refuse_taken(database: Database, namespace: str) -> None:
    """Raises Conflict where the namespace serves another repository already."""
    with database.read() as session:
        row = session.scalar(select(ExerciseRepository).where(ExerciseRepository.namespace == namespace))
    if row is not None and row.removed_at is None and row.live_id is not None:
        raise Conflict(
            f"The namespace {namespace} is taken by {row.url}. "
            f"Choose another with --name, or `assay exercises update {namespace}`."
        )


def begin(database: Database, user: User, fetched: Fetched) -> bool:
    """Notes that a commit is being verified. Returns False where that was done before, and it may go live at once.
    Raises Forbidden.
    """
    refuse_all_but_operators(user)
    with database.write() as session:
        row = session.scalar(select(ExerciseRepository).where(ExerciseRepository.namespace == fetched.namespace))
        if row is None:
            row = ExerciseRepository(namespace=fetched.namespace, url=fetched.url, ref=fetched.ref)
            session.add(row)
            session.flush()
        if row.live_id is None:
            row.url, row.ref, row.removed_at = fetched.url, fetched.ref, None
        commit = session.scalar(_commit(row, fetched.commit))
        if commit is None:
            commit = ExerciseCommit(repository_id=row.id, commit=fetched.commit)
            session.add(commit)
        commit.url, commit.added_by = fetched.source, user.name
        if commit.state is CommitState.VERIFIED:
            return False
        commit.state, commit.reason = CommitState.VERIFYING, None
        audit.note(session, user, "exercises.fetch", fetched.namespace, url=fetched.url, commit=fetched.commit)
        return True


def refuse(database: Database, user: User, fetched: Fetched, reason: str) -> None:
    """Notes why a commit cannot go live. What is live stays. Raises Forbidden, NotFound."""
    refuse_all_but_operators(user)
    with database.write() as session:
        commit = session.scalars(_commit(_find(session, fetched.namespace), fetched.commit)).one()
        commit.state, commit.reason = CommitState.REFUSED, reason
        audit.note(session, user, "exercises.refuse", fetched.namespace, commit=fetched.commit, reason=reason[:500])


def accept(database: Database, user: User, fetched: Fetched, versions: Mapping[str, str], public: bytes) -> None:
    """Notes that a commit was verified: its exercises by slug, and what students may see of them. Raises Forbidden,
    NotFound.
    """
    refuse_all_but_operators(user)
    with database.write() as session:
        commit = session.scalars(_commit(_find(session, fetched.namespace), fetched.commit)).one()
        commit.state, commit.public = CommitState.VERIFIED, public
        commit.exercises = [CommittedExercise(slug=slug, version=version) for slug, version in versions.items()]


def go_live(database: Database, user: User, fetched: Fetched) -> RepositoryView:
    """Switches to a commit that was verified: all of its exercises at once. Later updates come from where it did.
    Raises Forbidden, NotFound, Conflict.
    """
    refuse_all_but_operators(user)
    with database.write() as session:
        row = _find(session, fetched.namespace, is_locked=True)
        commit = session.scalar(_commit(row, fetched.commit))
        if commit is None or commit.state is not CommitState.VERIFIED:
            raise Conflict(f"Commit {fetched.commit[:12]} of {fetched.namespace} has not been verified.")
        row.url, row.ref = fetched.url, fetched.ref
        _switch(session, user, row, commit, "exercises.switch")
        return _view(session, row)


def roll_back(database: Database, user: User, namespace: str) -> RepositoryView:
    """Switches to the commit that was live before. Raises Forbidden, NotFound, Conflict."""
    refuse_all_but_operators(user)
    with database.write() as session:
        row = _find(session, namespace, is_locked=True)
        before = _before(row)
        if before is None:
            raise Conflict(f"No other commit of {namespace} was live before, so there is nothing to roll back to.")
        _switch(session, user, row, before, "exercises.roll_back")
        return _view(session, row)


def remove(database: Database, user: User, namespace: str) -> None:
    """Takes the exercises away from students. Commits stay: what was submitted can be graded. Raises Forbidden,
    NotFound, and Conflict where assignments use them.
    """
    refuse_all_but_operators(user)
    with database.write() as session:
        row = _find(session, namespace, is_locked=True)
        _refuse_missing(session, namespace, frozenset())
        row.live_id, row.removed_at = None, now()
        audit.note(session, user, "exercises.remove", namespace, url=row.url)


def _switch(session: Session, user: User, row: ExerciseRepository, commit: ExerciseCommit, action: str) -> None:
    _refuse_missing(session, row.namespace, frozenset(exercise.slug for exercise in commit.exercises))
    if action == "exercises.switch" and row.live_id != commit.id:
        commit.live_at = now()
    row.live_id = commit.id
    audit.note(session, user, action, row.namespace, url=row.url, commit=commit.commit)


def _refuse_missing(session: Session, namespace: str, there: frozenset[str]) -> None:
    """An assignment must not lose its exercise."""
    query = select(Assignment).options(joinedload(Assignment.course))
    query = query.where(Assignment.challenge.startswith(f"{namespace}.", autoescape=True))
    for assignment in session.scalars(query):
        if assignment.challenge not in there:
            raise Conflict(
                f"The assignment {assignment.slug} of {assignment.course.slug} uses {assignment.challenge}, "
                "which would be gone. Change or delete the assignment first."
            )


def _find(session: Session, namespace: str, *, is_locked: bool = False) -> ExerciseRepository:
    query = select(ExerciseRepository).where(ExerciseRepository.namespace == namespace)
    row = session.scalar(query.with_for_update() if is_locked else query)
    if row is None or row.removed_at is not None:
        raise NotFound(f"There are no exercises under the namespace {namespace[:40]!r}.")
    return row


def _commit(row: ExerciseRepository, commit: str) -> Select[ExerciseCommit]:
    return select(ExerciseCommit).where(ExerciseCommit.repository_id == row.id, ExerciseCommit.commit == commit)


def _before(row: ExerciseRepository) -> ExerciseCommit | None:
    """The last commit that went live before the one that is."""
    live = next((commit for commit in row.commits if commit.id == row.live_id), None)
    if live is None or live.live_at is None:
        return None
    earlier = [commit for commit in row.commits if commit.live_at is not None and commit.live_at < live.live_at]
    return max(earlier, key=lambda commit: str(commit.live_at), default=None)


def _view(session: Session, row: ExerciseRepository) -> RepositoryView:
    before = _before(row)
    return RepositoryView(
        namespace=row.namespace,
        url=row.url,
        ref=row.ref,
        commits=[
            CommitView(
                commit=commit.commit,
                state=commit.state,
                reason=commit.reason,
                is_live=commit.id == row.live_id,
                added_by=commit.added_by,
                created_at=commit.created_at,
                live_at=commit.live_at,
                exercises={exercise.slug: exercise.version for exercise in commit.exercises},
            )
            for commit in row.commits[:COMMITS_SHOWN]
        ],
        rolls_back_to=before.commit if before else None,
        regrades=_offers(session, row),
    )


def _offers(session: Session, row: ExerciseRepository) -> list[RegradeOffer]:
    """Assignments with a graded submission by another version than the live one."""
    stale = (
        select(Submission.assignment_id)
        .join(CommittedExercise, CommittedExercise.slug == Submission.challenge)
        .where(
            CommittedExercise.commit_id == row.live_id,
            Submission.state == State.GRADED,
            Submission.challenge_version != CommittedExercise.version,
        )
    )
    query = select(Assignment).options(joinedload(Assignment.course)).where(Assignment.id.in_(stale))
    query = query.order_by(Assignment.id)
    return [
        RegradeOffer(course=found.course.slug, assignment=found.slug, title=found.title, challenge=found.challenge)
        for found in session.scalars(query)
    ]
