"""Liveness, readiness, metrics: outside /api/v1, without a token."""

from http import HTTPStatus

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from app.request_values import View
from app.services import WithServices

router = APIRouter(tags=["health"])


class Health(View):
    """The process is up."""

    status: str = "ok"


class Readiness(View):
    """Whether this process reaches what it needs. Without the broker uploads are still taken, but not graded."""

    database: bool
    broker: bool


@router.get("/healthz")
def check_health() -> Health:
    """Whether the process answers."""
    return Health()


@router.get("/readyz", responses={HTTPStatus.SERVICE_UNAVAILABLE: {"model": Readiness}})
def check_readiness(services: WithServices, response: Response) -> Readiness:
    """Whether the process reaches the database and the broker."""
    readiness = Readiness(database=services.database.is_reachable(), broker=services.broker.is_reachable())
    if not (readiness.database and readiness.broker):
        response.status_code = HTTPStatus.SERVICE_UNAVAILABLE
    return readiness


@router.get("/metrics", include_in_schema=False)
def read_metrics(services: WithServices) -> Response:
    """The metrics of this process, as Prometheus text."""
    return Response(generate_latest(services.metrics.registry), media_type=CONTENT_TYPE_LATEST)
