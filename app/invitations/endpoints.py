"""`/courses/{course}/invitations`: a way in for those on the roster who have none. Instructors only."""

from http import HTTPStatus

from fastapi import APIRouter, Request

from app.courses.dependencies import MANAGERS_ONLY
from app.hosts import address_for
from app.invitations import service
from app.invitations.schemas import Invitations, Mailed, Slips, Wanted
from app.rate import limit_invitations
from app.services import SignedIn, WithServices

CODE_PAGE = "show_code"  # the route on which a code is entered
router = APIRouter(prefix="/courses/{course}/invitations", tags=["courses"], dependencies=MANAGERS_ONLY)


@router.get("")
def list_invitations(course: str, user: SignedIn, services: WithServices) -> Invitations:
    """Who has not signed in yet, and whether and how they were invited."""
    return service.listed(services.database, user, course, can_send_mail=services.settings.can_send_mail)


@router.post("/mail", status_code=HTTPStatus.ACCEPTED)
def mail_invitations(course: str, wanted: Wanted, user: SignedIn, services: WithServices) -> Mailed:
    """Sends invitations by e-mail, to the accounts' own addresses. Earlier ones of the same people end."""
    limit_invitations(services.broker, user)
    settings = services.settings
    can, days = settings.can_send_mail, settings.invitation_days
    return service.mail(services.database, user, course, wanted.people, can_send_mail=can, days=days)


@router.post("/slips")
def print_slips(course: str, wanted: Wanted, user: SignedIn, services: WithServices, request: Request) -> Slips:
    """Makes codes to hand out. They are shown this once; earlier ones of the same people open nothing more."""
    limit_invitations(services.broker, user)
    address, days = address_for(request, services.settings, CODE_PAGE), services.settings.invitation_days
    return service.print_slips(services.database, user, course, wanted.people, address=address, days=days)


@router.delete("/{name}", status_code=HTTPStatus.NO_CONTENT)
def revoke_invitation(course: str, name: str, user: SignedIn, services: WithServices) -> None:
    """Revokes a person's invitation."""
    service.revoke(services.database, user, course, name)
