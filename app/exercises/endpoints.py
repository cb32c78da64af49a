"""`/operations/exercises`. Operators only."""

from fastapi import APIRouter, Depends

from app.exercises import service
from app.exercises.schemas import RepositoryList, RepositoryView
from app.operations.endpoints import operators_only
from app.services import SignedIn, WithServices

router = APIRouter(prefix="/operations/exercises", tags=["operations"])


@router.get("")
def list_exercise_repositories(user: SignedIn, services: WithServices) -> RepositoryList:
    """Exercise repositories with the commits that were fetched: live, being verified, refused and why. Operators
    only.
    """
    return RepositoryList(items=service.list_all(services.database, user))


@router.post("/{namespace}/rollback", dependencies=[Depends(operators_only)])
def roll_back_exercises(namespace: str, user: SignedIn, services: WithServices) -> RepositoryView:
    """Switches to the commit that was live before, all of its exercises at once. Operators only."""
    view = service.roll_back(services.database, user, namespace)
    services.catalogue.refresh()
    return view
