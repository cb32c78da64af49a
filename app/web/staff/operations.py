"""Queues, workers, recent faults, and the switch that drains a worker. For operators."""

from typing import Final

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from app.operations import service
from app.services import WithServices
from app.web.rendering import render
from app.web.visitors import PostedForm, SignedInVisitor, text_of

SEE_OTHER: Final = 303

router = APIRouter(prefix="/operations")


@router.get("")
def show_operations(visitor: SignedInVisitor, services: WithServices) -> Response:
    found = service.operations(services.database, services.broker, visitor.user)
    return render("staff/operations.html", visitor=visitor, found=found)


@router.post("/drain")
def drain(visitor: SignedInVisitor, services: WithServices, form: PostedForm) -> Response:
    is_drained = text_of(form, "do") == "drain"
    service.drain(services.database, services.broker, visitor.user, text_of(form, "worker"), is_drained=is_drained)
    return RedirectResponse("/operations", SEE_OTHER)
