"""Queues, workers, recent faults, and the switch that drains a worker. For operators."""

from fastapi import APIRouter
from fastapi.responses import Response

from app.operations import service
from app.services import WithServices
from app.web.rendering import render, see_other
from app.web.visitors import PostedForm, SignedInVisitor, text_of

router = APIRouter(prefix="/operations")


@router.get("")
def show_operations(visitor: SignedInVisitor, services: WithServices) -> Response:
    """Shows the state of the service."""
    found = service.operations(services.database, services.broker, visitor.user)
    return render("staff/operations.html", visitor=visitor, found=found)


@router.post("/drain")
def drain(visitor: SignedInVisitor, services: WithServices, form: PostedForm) -> Response:
    """Drains a worker, or lets it take jobs again."""
    is_drained = text_of(form, "do") == "drain"
    service.drain(services.database, services.broker, visitor.user, text_of(form, "worker"), is_drained=is_drained)
    return see_other("/operations")
