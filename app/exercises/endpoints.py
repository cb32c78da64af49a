"""`/operations/exercises`. For operators, and for authors what is under a namespace of theirs."""

from http import HTTPStatus

from fastapi import APIRouter, Depends

from app.exercises import authors, fetching, service
from app.exercises.schemas import FetchView, NewRepository, RepositoryList, RepositoryUpdate, RepositoryView
from app.operations.endpoints import OPERATORS_ONLY
from app.services import SignedIn, WithServices

router = APIRouter(prefix="/operations/exercises", tags=["operations"])


def authors_only(user: SignedIn, services: WithServices) -> None:
    """Refuses all but operators and authors, before the body is looked at."""
    authors.refuse_all_but_authors(services.database, user)


@router.get("")
def list_exercise_repositories(user: SignedIn, services: WithServices) -> RepositoryList:
    """Exercise repositories with the commits that were fetched: live, being verified, refused and why. Operators, and
    authors for their own namespaces.
    """
    return service.list_all(services.database, user)


@router.post("", status_code=HTTPStatus.ACCEPTED, dependencies=[Depends(authors_only)])
def add_exercises(wanted: NewRepository, user: SignedIn, services: WithServices) -> FetchView:
    """Adds a repository: a verifier fetches and verifies it, and then it goes live. `GET /operations/exercises` tells
    how far it is. Operators, and authors under their own namespaces.
    """
    return fetching.add(services.database, services.settings, user, wanted)


@router.post("/{namespace}/update", status_code=HTTPStatus.ACCEPTED, dependencies=[Depends(authors_only)])
def update_exercises(namespace: str, wanted: RepositoryUpdate, user: SignedIn, services: WithServices) -> FetchView:
    """Fetches what the repository has now, verifies what has changed, and switches to it. Operators, and authors of
    the namespace.
    """
    return fetching.update(services.database, user, namespace, wanted.ref)


@router.post("/{namespace}/cancel", dependencies=[Depends(authors_only)])
def cancel_exercises(namespace: str, user: SignedIn, services: WithServices) -> FetchView:
    """Cancels what is being fetched or verified; what is live stays live. Operators, and authors of the namespace."""
    return fetching.cancel(services.database, services.broker, user, namespace)


@router.post("/{namespace}/rollback", dependencies=[Depends(authors_only)])
def roll_back_exercises(namespace: str, user: SignedIn, services: WithServices) -> RepositoryView:
    """Switches to the commit that was live before, all of its exercises at once. Operators, and authors of the
    namespace.
    """
    view = service.roll_back(services.database, user, namespace)
    services.catalogue.refresh()
    return view


@router.put("/{namespace}/authors/{name}", status_code=HTTPStatus.NO_CONTENT, dependencies=OPERATORS_ONLY)
def give_namespace(namespace: str, name: str, user: SignedIn, services: WithServices) -> None:
    """Lets a person add and update exercises under a namespace; their code runs in judges then. Operators only."""
    authors.give(services.database, user, namespace, name)


@router.delete("/{namespace}/authors/{name}", status_code=HTTPStatus.NO_CONTENT, dependencies=OPERATORS_ONLY)
def take_namespace(namespace: str, name: str, user: SignedIn, services: WithServices) -> None:
    """Takes a namespace back from a person. What is live stays live. Operators only."""
    authors.take(services.database, services.broker, user, namespace, name)
