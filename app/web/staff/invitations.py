"""Inviting the people of a course: who has no way in, mails, and slips to print."""

from collections.abc import Sequence
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.datastructures import FormData

from app.courses.service import refuse_all_but_managers
from app.hosts import address_for, is_for_this_machine_alone
from app.invitations import service
from app.invitations.endpoints import CODE_PAGE
from app.invitations.people import NO_WAY_IN
from app.invitations.schemas import Mailed
from app.problems import Problem, Unprocessable
from app.rate import limit_invitations
from app.web.staff.frame import CourseFrame, InCourse, Offset
from app.web.visitors import PostedForm, all_of, text_of

ROWS: Final = 50  # a form has at most a hundred fields

router = APIRouter(prefix="/courses/{course}/invitations")


@router.get("")
def show_invitations(here: InCourse, offset: Offset = 0) -> Response:
    """Shows who has not signed in yet, and the ways to invite them."""
    return _page(here, offset=offset)


@router.post("")
def invite(request: Request, here: InCourse, form: PostedForm) -> Response:
    """Mails or prints invitations, or revokes them."""
    settings = here.services.settings
    refuse_all_but_managers(*here.in_course)
    days = settings.invitation_days
    try:
        names = _names(form)
        match text_of(form, "do"):
            case "mail":
                limit_invitations(here.services.broker, here.user)
                can = settings.can_send_mail
                mailed = service.mail(*here.in_course, names, can_send_mail=can, days=days)
                return _page(here, mailed=mailed)
            case "print":
                limit_invitations(here.services.broker, here.user)
                address = address_for(request, settings, CODE_PAGE)
                slips = service.print_slips(*here.in_course, names, address=address, days=days)
                is_local = is_for_this_machine_alone(slips.address)
                return here.render("slips.html", "people", slips=slips, is_local=is_local)
            case _:
                return _revoke(here, names or ())
    except Problem as problem:
        return _page(here, problem=problem)


def _revoke(here: CourseFrame, names: Sequence[str]) -> Response:
    for name in names:
        service.revoke(*here.in_course, name)
    return _page(here, revoked=list(names))


def _names(form: FormData) -> list[str] | None:
    """Who was chosen; None for everybody without a way in."""
    if text_of(form, "whom") == "everybody":
        return None
    names = all_of(form, "person")
    if not names:
        raise Unprocessable("Nobody was chosen. Tick the people below, or use the buttons for everybody.")
    return names


def _page(
    here: CourseFrame,
    *,
    offset: int = 0,
    mailed: Mailed | None = None,
    revoked: Sequence[str] = (),
    problem: Problem | None = None,
) -> Response:
    can = here.services.settings.can_send_mail
    found = service.listed(*here.in_course, can_send_mail=can)
    return here.render(
        "invitations.html",
        "people",
        found=found,
        items=found.items[offset : offset + ROWS],
        offset=offset,
        rows_max=ROWS,
        without=[each for each in found.items if each.access.way_in in NO_WAY_IN],
        mailed=mailed,
        revoked=revoked,
        full_names=here.full_names([*revoked, *(each.name for each in (mailed.refused if mailed else ()))]),
        days=here.services.settings.invitation_days,
        problem=problem,
    )
