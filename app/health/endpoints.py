"""Liveness, readiness, metrics: outside /api/v1, without a token."""

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import BaseModel, ConfigDict

from app.services import WithServices

router = APIRouter(tags=["health"])


class Health(BaseModel):
    model_config = ConfigDict(frozen=True)

    status: str = "ok"


class Readiness(BaseModel):
    """Whether this process reaches what it needs. Without the broker uploads are still taken, but not graded."""

    model_config = ConfigDict(frozen=True)

    database: bool
    broker: bool


@router.get("/healthz")
def check_health() -> Health:
    """The process answers."""
    return Health()


@router.get("/readyz", responses={503: {"model": Readiness}})
def check_readiness(services: WithServices, response: Response) -> Readiness:
    """The process reaches the database and the broker."""
    readiness = Readiness(database=services.database.is_reachable(), broker=services.broker.is_reachable())
    if not (readiness.database and readiness.broker):
        response.status_code = 503
    return readiness


@router.get("/metrics", include_in_schema=False)
def read_metrics(services: WithServices) -> Response:
    """Prometheus text."""
    return Response(generate_latest(services.metrics.registry), media_type=CONTENT_TYPE_LATEST)
