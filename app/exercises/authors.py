"""Who may add and update exercise repositories: operators, and people to whom one of them has given a namespace."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import and_, select
from sqlalchemy.orm import Session, joinedload

from app import audit
from app.accounts.service import user_named
from app.broker import Broker
from app.database import Database
from app.exercises.schemas import AuthorView
from app.exercises.withdrawal import TAKEN_BACK, end_open, stop_verifying
from app.models import ExerciseAuthor, ExerciseFetch, FetchState, Role, User
from app.operations.service import refuse_all_but_operators
from app.problems import Forbidden, wrong
from grader.repository_addresses import RepositoryError, checked_namespace


@contextmanager
def refused_in(field: str) -> Iterator[None]:
    """Raises Unprocessable, about this field, for what no repository could have."""
    try:
        yield
    except RepositoryError as error:
        raise wrong(field, str(error)) from error


def namespaces_of(session: Session, user: User) -> frozenset[str]:
    """Returns the namespaces that were given to this person. An operator needs none."""
    return frozenset(session.scalars(select(ExerciseAuthor.namespace).where(ExerciseAuthor.user_id == user.id)))


def is_author(database: Database, user: User) -> bool:
    """Whether some namespace was given to this person."""
    with database.read() as session:
        return bool(namespaces_of(session, user))


def refuse_strangers(session: Session, user: User, namespace: str) -> None:
    """Raises Forbidden for whoever may not add or update this namespace, also where there is no such one."""
    if user.role is not Role.OPERATOR and namespace not in namespaces_of(session, user):
        raise Forbidden(
            f"You may not change exercises under the namespace {namespace[:40]!r}. "
            "An operator can give it to you, on the page Exercise repositories."
        )


def refuse_all_but_authors(database: Database, user: User) -> None:
    """Raises Forbidden for whoever may not add any exercises."""
    if user.role is not Role.OPERATOR and not is_author(database, user):
        raise Forbidden("Only operators, and those to whom an operator has given a namespace, can do this.")


def list_authors(session: Session) -> list[AuthorView]:
    """Returns everybody to whom a namespace was given, by namespace."""
    query = select(ExerciseAuthor).options(joinedload(ExerciseAuthor.user)).join(User)
    rows = session.scalars(query.order_by(ExerciseAuthor.namespace, User.name))
    return [AuthorView.of(row, name=row.user.name) for row in rows]


def give(database: Database, actor: User, namespace: str, name: str) -> None:
    """Lets a person add and update exercises under a namespace. Raises Forbidden, NotFound, Unprocessable."""
    refuse_all_but_operators(actor)
    with refused_in("namespace"):
        checked_namespace(namespace)
    with database.write() as session:
        user = user_named(session, name)
        if session.get(ExerciseAuthor, (namespace, user.id)) is None:
            session.add(ExerciseAuthor(namespace=namespace, user_id=user.id, given_by=actor.name))
            audit.note(session, actor, "exercises.give", namespace, to=user.name)


def take(database: Database, broker: Broker | None, actor: User, namespace: str, name: str) -> None:
    """Takes a namespace back: what the person has asked for and is not live yet will not be. Without a broker, a
    verifier at work on it goes on in vain. Raises Forbidden, NotFound.
    """
    withdrawn = _take(database, actor, namespace, name)
    if broker is not None:
        stop_verifying(broker, withdrawn)


def _take(database: Database, actor: User, namespace: str, name: str) -> list[str]:
    """Returns the jobs that this withdrew."""
    refuse_all_but_operators(actor)
    with database.write() as session:
        user = user_named(session, name)
        row = session.get(ExerciseAuthor, (namespace, user.id))
        if row is None:
            return []
        session.delete(row)
        audit.note(session, actor, "exercises.take", namespace, of=user.name)
        if user.role is Role.OPERATOR:
            return []
        theirs = and_(ExerciseFetch.user_id == user.id, ExerciseFetch.namespace == namespace)
        ended = end_open(session, theirs, FetchState.REFUSED, TAKEN_BACK.format(name=user.name))
        return [fetch.job_id for fetch in ended]
