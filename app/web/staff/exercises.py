"""Exercise repositories: add and update, what is live, what was refused and why, the way back, and who else may. For
operators, and for authors what is under a namespace of theirs.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import ValidationError

from app.broker import BrokerDown
from app.exercises import authors, fetching, service
from app.exercises.schemas import NewRepository, RepositoryUpdate
from app.models import Role
from app.operations.service import refuse_all_but_operators
from app.problems import Conflict, NotFound, Problem, Unprocessable
from app.services import Services, WithServices
from app.web.field_errors import Wrong, errors_of
from app.web.rendering import render, see_other
from app.web.visitors import PostedForm, SignedInVisitor, Visitor, text_of, texts_of

HERE: Final = "/operations/exercises"
NEW: Final = ("url", "ref", "namespace")
GIVEN: Final = ("author_namespace", "person")
NOTHING_TYPED: Final[Mapping[str, str]] = {}

router = APIRouter(prefix=HERE)


@router.get("")
def show_repositories(visitor: SignedInVisitor, services: WithServices) -> Response:
    """Shows exercise repositories, and how far those are that were asked for."""
    return _page(services, visitor)


@router.post("")
def add_repository(visitor: SignedInVisitor, services: WithServices, form: PostedForm) -> Response:
    """Asks for a repository to be fetched, verified and brought live."""
    authors.refuse_all_but_authors(services.database, visitor.user)
    fields = texts_of(form, NEW)
    try:
        wanted = NewRepository.model_validate(fields | {"ref": fields["ref"] or "HEAD"})
        fetching.add(services.database, services.settings, visitor.user, wanted)
    except (ValidationError, Problem) as error:
        return _page(services, visitor, fields=fields, error=error)
    return see_other(HERE)


@router.post("/authors")
def change_authors(visitor: SignedInVisitor, services: WithServices, form: PostedForm) -> Response:
    """Gives a namespace to a person, or takes it back."""
    refuse_all_but_operators(visitor.user)
    fields = texts_of(form, GIVEN)
    asked = (visitor.user, fields["author_namespace"], fields["person"])
    try:
        if text_of(form, "do") == "take":
            authors.take(services.database, services.broker, *asked)
        else:
            authors.give(services.database, *asked)
    except Problem as error:
        return _page(services, visitor, fields=fields, error=error)
    return see_other(HERE)


@router.post("/{namespace}/update")
def update_repository(namespace: str, visitor: SignedInVisitor, services: WithServices, form: PostedForm) -> Response:
    """Asks for what the repository has now."""
    try:
        wanted = RepositoryUpdate.model_validate({"ref": text_of(form, "ref").strip() or None})
        fetching.update(services.database, visitor.user, namespace, wanted.ref)
    except (ValidationError, Conflict, Unprocessable) as error:
        return _page(services, visitor, error=error)
    return see_other(HERE)


@router.post("/{namespace}/cancel")
def cancel_request(namespace: str, visitor: SignedInVisitor, services: WithServices, _: PostedForm) -> Response:
    """Cancels what is being fetched or verified. What has ended by itself meanwhile is shown as it is."""
    with suppress(NotFound):
        fetching.cancel(services.database, services.broker, visitor.user, namespace)
    return see_other(HERE)


@router.post("/{namespace}/rollback")
def roll_back(namespace: str, visitor: SignedInVisitor, services: WithServices, _: PostedForm) -> Response:
    """Switches to the commit that was live before."""
    try:
        service.roll_back(services.database, visitor.user, namespace)
    except Conflict as problem:
        return _page(services, visitor, error=problem)
    services.catalogue.refresh()
    return see_other(HERE)


def _page(
    services: Services,
    visitor: Visitor,
    *,
    fields: Mapping[str, str] = NOTHING_TYPED,
    error: Wrong | None = None,
) -> Response:
    return render(
        "staff/exercises.html",
        visitor=visitor,
        found=service.list_all(services.database, visitor.user),
        has_verifier=_has_verifier(services),
        takes_folders=services.settings.local_exercises and visitor.user.role is Role.OPERATOR,
        fields={**dict.fromkeys((*NEW, *GIVEN), ""), **fields},
        **errors_of(error, fields).shown,
    )


def _has_verifier(services: Services) -> bool:
    """Whether one is there; nobody is told otherwise while Redis is away."""
    try:
        return services.broker.verifiers() > 0
    except BrokerDown:
        return True
