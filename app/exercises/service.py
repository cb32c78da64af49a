"""Exercise repositories: begin with a commit, say what verifying found, switch, roll back, remove. For operators;
authors see, and roll back, what is under a namespace of theirs.
"""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload, selectinload

from app import audit
from app.courses.access import staffed_by
from app.database import Database
from app.exercises import authors, commits, fetching
from app.exercises.commits import Fetched
from app.exercises.schemas import CommitView, RegradeOffer, RepositoryList, RepositoryView
from app.models import (
    Assignment,
    CommittedExercise,
    ExerciseCommit,
    ExerciseRepository,
    Role,
    State,
    Submission,
    User,
    now,
)
from app.operations.service import refuse_all_but_operators
from grader.messages import ProvenExercise

COMMITS_SHOWN = 10


def list_all(database: Database, user: User) -> RepositoryList:
    """Returns all repositories, by namespace, and what was asked for; an author gets their own. Raises Forbidden."""
    authors.refuse_all_but_authors(database, user)
    with database.read() as session:
        own = None if user.role is Role.OPERATOR else authors.namespaces_of(session, user)
        query = select(ExerciseRepository).where(ExerciseRepository.removed_at.is_(None))
        query = query.options(selectinload(ExerciseRepository.commits).selectinload(ExerciseCommit.exercises))
        if own is not None:
            query = query.where(ExerciseRepository.namespace.in_(own))
        found = session.scalars(query.order_by(ExerciseRepository.namespace))
        return RepositoryList(
            items=[_view(session, user, row) for row in found],
            fetches=fetching.list_fetches(session, own),
            authors=authors.list_authors(session) if own is None else [],
            namespaces=sorted(own or ()),
        )


def read(database: Database, user: User, namespace: str) -> RepositoryView:
    """Returns one of them. Raises Forbidden, NotFound."""
    refuse_all_but_operators(user)
    with database.read() as session:
        return _view(session, user, commits.find(session, namespace))


def proven(database: Database, namespace: str) -> frozenset[str]:
    """Returns the digests of exercises that need no other proof under this namespace."""
    with database.read() as session:
        return commits.proven(session, namespace)


def refuse_taken(database: Database, namespace: str) -> None:
    """Raises Conflict where the namespace serves another repository already."""
    with database.read() as session:
        commits.refuse_taken(session, namespace)


def begin(database: Database, user: User, fetched: Fetched) -> bool:
    """Notes that a commit is being verified. Returns False where that was done before, and it may go live at once.
    Raises Forbidden.
    """
    refuse_all_but_operators(user)
    with database.write() as session:
        return commits.begin(session, user, fetched)


def refuse(database: Database, user: User, fetched: Fetched, reason: str) -> None:
    """Notes why a commit cannot go live. What is live stays. Raises Forbidden, NotFound."""
    refuse_all_but_operators(user)
    with database.write() as session:
        commits.refuse(session, user, fetched, reason)


def accept(
    database: Database, user: User, fetched: Fetched, exercises: Sequence[ProvenExercise], public: bytes
) -> None:
    """Notes that a commit was verified: its exercises, and what students may see of them. Raises Forbidden,
    NotFound.
    """
    refuse_all_but_operators(user)
    with database.write() as session:
        commits.accept(session, fetched, exercises, public)


def go_live(database: Database, user: User, fetched: Fetched) -> RepositoryView:
    """Switches to a commit that was verified: all of its exercises at once. Later updates come from where it did.
    Raises Forbidden, NotFound, Conflict.
    """
    refuse_all_but_operators(user)
    with database.write() as session:
        return _view(session, user, commits.switch(session, user, fetched))


def roll_back(database: Database, user: User, namespace: str) -> RepositoryView:
    """Switches to the commit that was live before. Raises Forbidden, NotFound, Conflict."""
    with database.write() as session:
        authors.refuse_strangers(session, user, namespace)
        return _view(session, user, commits.switch_back(session, user, namespace))


def remove(database: Database, user: User, namespace: str) -> None:
    """Takes the exercises away from students. Commits stay: what was submitted can be graded. Raises Forbidden,
    NotFound, and Conflict where assignments use them.
    """
    refuse_all_but_operators(user)
    with database.write() as session:
        row = commits.find(session, namespace, is_locked=True)
        commits.refuse_missing(session, user, namespace, ())
        row.live_id, row.removed_at = None, now()
        audit.note(session, user, "exercises.remove", namespace, url=row.url)


def _view(session: Session, user: User, row: ExerciseRepository) -> RepositoryView:
    before = commits.before(row)
    return RepositoryView.of(
        row,
        commits=[
            CommitView.of(
                commit,
                is_live=commit.id == row.live_id,
                exercises={exercise.slug: exercise.version for exercise in commit.exercises},
            )
            for commit in row.commits[:COMMITS_SHOWN]
        ],
        rolls_back_to=before.commit if before else None,
        regrades=_offers(session, user, row),
    )


def _offers(session: Session, user: User, row: ExerciseRepository) -> list[RegradeOffer]:
    """Assignments with a graded submission by another version than the live one, of courses whose staff this is."""
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
    if user.role is not Role.OPERATOR:
        query = query.where(Assignment.course_id.in_(staffed_by(user)))
    query = query.order_by(Assignment.id)
    return [
        RegradeOffer(course=found.course.slug, assignment=found.slug, title=found.title, challenge=found.challenge)
        for found in session.scalars(query)
    ]
