"""The steps of a commit on its way to students, in its caller's transaction: begun, refused, accepted, switched to."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, joinedload

from app import audit
from app.courses.access import staffs
from app.models import (
    Assignment,
    CommitState,
    CommittedExercise,
    ExerciseCommit,
    ExerciseRepository,
    User,
    now,
)
from app.problems import Conflict, NotFound
from grader.messages import ProvenExercise

PROOFS_KEPT: Final = 2000  # a repository of forty exercises, fifty times


@dataclass(frozen=True)
class Fetched:
    """A commit of a namespace: `url` and `ref` as they were given, and `source`, where judges fetch it."""

    namespace: str
    url: str
    ref: str
    source: str
    commit: str


def find(session: Session, namespace: str, *, is_locked: bool = False) -> ExerciseRepository:
    """Returns the repository that the namespace serves. Raises NotFound."""
    query = select(ExerciseRepository).where(ExerciseRepository.namespace == namespace)
    row = session.scalar(query.with_for_update() if is_locked else query)
    if row is None or row.removed_at is not None:
        raise NotFound(f"There are no exercises under the namespace {namespace[:40]!r}.")
    return row


def refuse_taken(session: Session, namespace: str, url: str | None = None) -> None:
    """Raises Conflict where the namespace serves a repository already, of another `url` if one is given."""
    row = session.scalar(select(ExerciseRepository).where(ExerciseRepository.namespace == namespace))
    if row is not None and row.removed_at is None and row.live_id is not None and row.url != url:
        raise Conflict(f"The namespace {namespace} is taken by {row.url}: choose another name, or update that one.")


def proven(session: Session, namespace: str) -> frozenset[str]:
    """Returns the digests of exercises that were verified under this namespace: of its newest commits."""
    query = (
        select(CommittedExercise.digest)
        .join(ExerciseCommit, ExerciseCommit.id == CommittedExercise.commit_id)
        .join(ExerciseRepository, ExerciseRepository.id == ExerciseCommit.repository_id)
        .where(
            ExerciseRepository.namespace == namespace,
            ExerciseCommit.state == CommitState.VERIFIED,
            CommittedExercise.digest.is_not(None),
        )
        .order_by(ExerciseCommit.id.desc())
        .limit(PROOFS_KEPT)
    )
    return frozenset(digest for digest in session.scalars(query) if digest is not None)


def begin(session: Session, actor: User, fetched: Fetched) -> bool:
    """Notes that a commit is being verified. Returns False where that was done before, and it may go live at once."""
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
    commit.url, commit.added_by = fetched.source, actor.name
    if commit.state is CommitState.VERIFIED:
        return False
    commit.state, commit.reason = CommitState.VERIFYING, None
    audit.note(session, actor, "exercises.fetch", fetched.namespace, url=fetched.url, commit=fetched.commit)
    return True


def refuse(session: Session, actor: User, fetched: Fetched, reason: str) -> None:
    """Notes why a commit cannot go live. What is live stays. Raises NotFound."""
    commit = session.scalars(_commit(find(session, fetched.namespace), fetched.commit)).one()
    commit.state, commit.reason = CommitState.REFUSED, reason
    audit.note(session, actor, "exercises.refuse", fetched.namespace, commit=fetched.commit, reason=reason[:500])


def accept(session: Session, fetched: Fetched, exercises: Iterable[ProvenExercise], public: bytes) -> None:
    """Notes that a commit was verified: its exercises, and what students may see of them. Raises NotFound."""
    commit = session.scalars(_commit(find(session, fetched.namespace), fetched.commit)).one()
    commit.state, commit.public = CommitState.VERIFIED, public
    commit.exercises = [CommittedExercise(**found.model_dump()) for found in exercises]


def switch(session: Session, actor: User, fetched: Fetched) -> ExerciseRepository:
    """Switches to a commit that was verified: all of its exercises at once. Later updates come from where it did.
    Raises NotFound, Conflict.
    """
    row = find(session, fetched.namespace, is_locked=True)
    commit = session.scalar(_commit(row, fetched.commit))
    if commit is None or commit.state is not CommitState.VERIFIED:
        raise Conflict(f"Commit {fetched.commit[:12]} of {fetched.namespace} has not been verified.")
    refuse_missing(session, actor, row.namespace, [exercise.slug for exercise in commit.exercises])
    row.url, row.ref = fetched.url, fetched.ref
    if row.live_id != commit.id:
        commit.live_at = now()
    _make_live(session, actor, row, commit, "exercises.switch")
    return row


def switch_back(session: Session, actor: User, namespace: str) -> ExerciseRepository:
    """Switches to the commit that was live before. Raises NotFound, Conflict."""
    row = find(session, namespace, is_locked=True)
    earlier = before(row)
    if earlier is None:
        raise Conflict(f"No other commit of {namespace} was live before, so there is nothing to roll back to.")
    refuse_missing(session, actor, namespace, [exercise.slug for exercise in earlier.exercises])
    _make_live(session, actor, row, earlier, "exercises.roll_back")
    return row


def before(row: ExerciseRepository) -> ExerciseCommit | None:
    """Returns the last commit that went live before the one that is."""
    live = next((commit for commit in row.commits if commit.id == row.live_id), None)
    if live is None or live.live_at is None:
        return None
    earlier = [commit for commit in row.commits if commit.live_at is not None and commit.live_at < live.live_at]
    return max(earlier, key=lambda commit: str(commit.live_at), default=None)


def refuse_missing(session: Session, actor: User, namespace: str, there: Collection[str]) -> None:
    """Raises Conflict where an assignment would lose its exercise, and names it to staff of its course."""
    query = select(Assignment).options(joinedload(Assignment.course))
    query = query.where(Assignment.challenge.startswith(f"{namespace}.", autoescape=True))
    for assignment in session.scalars(query):
        if assignment.challenge in there:
            continue
        if not staffs(session, actor, assignment.course_id):
            raise Conflict(
                f"Another course has an assignment that uses {assignment.challenge}, which would be gone. Keep the "
                "exercise, or ask an operator whose it is."
            )
        raise Conflict(
            f"The assignment {assignment.slug} of {assignment.course.slug} uses {assignment.challenge}, "
            "which would be gone. Change or delete the assignment first."
        )


def _make_live(session: Session, actor: User, row: ExerciseRepository, commit: ExerciseCommit, action: str) -> None:
    row.live_id = commit.id
    audit.note(session, actor, action, row.namespace, url=row.url, commit=commit.commit)


def _commit(row: ExerciseRepository, commit: str) -> Select[ExerciseCommit]:
    return select(ExerciseCommit).where(ExerciseCommit.repository_id == row.id, ExerciseCommit.commit == commit)
