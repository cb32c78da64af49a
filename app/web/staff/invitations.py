"""Inviting the people of a course: who has no way in, mails, and slips to print."""

from collections.abc import Sequence
from typing import Any, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from starlette.datastructures import FormData

from app.courses.service import refuse_all_but_managers
from app.hosts import address_for
from app.invitations import service
from app.invitations.endpoints import CODE_PAGE
from app.invitations.people import NO_WAY_IN
from app.invitations.schemas import Mailed, Slips
from app.problems import Problem, Unprocessable
from app.rate import limit_invitations
from app.services import Services, WithServices
from app.web.staff.frame import render_course
from app.web.visitors import PostedForm, SignedInVisitor, Visitor, text_of

ROWS: Final = 50  # a form has at most a hundred fields

router = APIRouter(prefix="/courses/{course}/invitations")


@router.get("")
def show_invitations(
    course: str, visitor: SignedInVisitor, services: WithServices, offset: int = Query(0, ge=0, le=100_000)
) -> Response:
    """Shows who has not signed in yet, and the ways to invite them."""
    return _page(services, visitor, course, offset=offset)


@router.post("")
def invite(
    course: str, request: Request, visitor: SignedInVisitor, services: WithServices, form: PostedForm
) -> Response:
    """Mails or prints invitations, or revokes them."""
    settings, database, user = services.settings, services.database, visitor.user
    refuse_all_but_managers(database, user, course)
    days = settings.invitation_days
    try:
        names = _names(form)
        match text_of(form, "do"):
            case "mail":
                limit_invitations(services.broker, user)
                can = settings.can_send_mail
                mailed = service.mail(database, user, course, names, can_send_mail=can, days=days)
                return _page(services, visitor, course, mailed=mailed)
            case "print":
                limit_invitations(services.broker, user)
                address = address_for(request, settings, CODE_PAGE)
                slips = service.print_slips(database, user, course, names, address=address, days=days)
                return _slips_page(services, visitor, course, slips)
            case _:
                return _revoke(services, visitor, course, names or ())
    except Problem as problem:
        return _page(services, visitor, course, error=problem)


def _revoke(services: Services, visitor: Visitor, course: str, names: Sequence[str]) -> Response:
    for name in names:
        service.revoke(services.database, visitor.user, course, name)
    return _page(services, visitor, course, revoked=list(names))


def _names(form: FormData) -> list[str] | None:
    """Who was chosen; None for everybody without a way in."""
    if text_of(form, "whom") == "everybody":
        return None
    names = [name for name in form.getlist("person") if isinstance(name, str)]
    if not names:
        raise Unprocessable("Nobody was chosen. Tick the people below, or use the buttons for everybody.")
    return names


def _page(
    services: Services,
    visitor: Visitor,
    course: str,
    *,
    offset: int = 0,
    mailed: Mailed | None = None,
    revoked: Sequence[str] = (),
    error: Problem | None = None,
) -> Response:
    can = services.settings.can_send_mail
    found = service.listed(services.database, visitor.user, course, can_send_mail=can)
    context: dict[str, Any] = {"status_code": error.status} if error else {}
    return render_course(
        "invitations.html",
        services,
        visitor,
        course,
        "people",
        found=found,
        items=found.items[offset : offset + ROWS],
        offset=offset,
        rows_max=ROWS,
        without=[each for each in found.items if each.access.way_in in NO_WAY_IN],
        mailed=mailed,
        revoked=revoked,
        error=error.detail if error else None,
        days=services.settings.invitation_days,
        **context,
    )


def _slips_page(services: Services, visitor: Visitor, course: str, slips: Slips) -> Response:
    return render_course("slips.html", services, visitor, course, "people", slips=slips)
