"""`/operations`. Operators only."""

from http import HTTPStatus
from typing import Final

from fastapi import APIRouter, Depends

from app.operations import service
from app.operations.schemas import Drain, Operations
from app.services import SignedIn, WithServices


def _operates(user: SignedIn) -> None:
    service.refuse_all_but_operators(user)


OPERATORS_ONLY: Final = [Depends(_operates)]  # before the body is looked at
router = APIRouter(prefix="/operations", tags=["operations"])


@router.get("")
def read_operations(user: SignedIn, services: WithServices) -> Operations:
    """Queues, workers with their isolation, and recent faults. Operators only."""
    return service.operations(services.database, services.broker, user)


@router.put("/workers/{worker}/drain", status_code=HTTPStatus.NO_CONTENT, dependencies=OPERATORS_ONLY)
def drain_worker(worker: str, wanted: Drain, user: SignedIn, services: WithServices) -> None:
    """Drains a worker, or lets it take jobs again. A drained worker finishes its jobs and takes no more, also after a
    restart.
    """
    service.drain(services.database, services.broker, user, worker, is_drained=wanted.is_drained)
