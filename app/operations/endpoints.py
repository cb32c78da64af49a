"""`/operations`. Operators only."""

from fastapi import APIRouter, Depends

from app.operations import service
from app.operations.schemas import Drain, Operations
from app.services import SignedIn, WithServices

router = APIRouter(prefix="/operations", tags=["operations"])


@router.get("")
def read_operations(user: SignedIn, services: WithServices) -> Operations:
    """Queues, workers with the isolation that they give, recent faults of ours."""
    return service.operations(services.database, services.broker, user)


def operators_only(user: SignedIn) -> None:
    """Before the body is looked at."""
    service.refuse_all_but_operators(user)


@router.put("/workers/{worker}/drain", status_code=204, dependencies=[Depends(operators_only)])
def drain_worker(worker: str, wanted: Drain, user: SignedIn, services: WithServices) -> None:
    """A drained worker ends what it has and takes nothing more, until it is told to. It survives a restart."""
    service.drain(services.database, services.broker, user, worker, is_drained=wanted.is_drained)
