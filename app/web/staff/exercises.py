"""Exercise repositories: what is live, what was refused and why, and the way back. For operators."""

from fastapi import APIRouter
from fastapi.responses import Response

from app.exercises import service
from app.problems import Conflict
from app.services import WithServices
from app.web.rendering import render, see_other
from app.web.visitors import PostedForm, SignedInVisitor

router = APIRouter(prefix="/operations/exercises")


@router.get("")
def show_repositories(visitor: SignedInVisitor, services: WithServices) -> Response:
    """Shows all exercise repositories."""
    found = service.list_all(services.database, visitor.user)
    return render("staff/exercises.html", visitor=visitor, found=found)


@router.post("/{namespace}/rollback")
def roll_back(namespace: str, visitor: SignedInVisitor, services: WithServices, _: PostedForm) -> Response:
    """Switches to the commit that was live before."""
    try:
        service.roll_back(services.database, visitor.user, namespace)
    except Conflict as problem:
        found = service.list_all(services.database, visitor.user)
        return render(
            "staff/exercises.html",
            status_code=problem.status,
            visitor=visitor,
            found=found,
            problem=problem.detail,
        )
    services.catalogue.refresh()
    return see_other("/operations/exercises")
