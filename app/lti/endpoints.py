"""`/lti/…`: platforms, for operators; `/courses/{course}/lms…`: what a course exchanges with them."""

from http import HTTPStatus

from fastapi import APIRouter, Request

from app.courses.dependencies import MANAGERS_ONLY
from app.hosts import origin_of
from app.lti import contexts, platforms, registration
from app.lti.addresses import own_addresses
from app.lti.schemas import (
    ChangedPlatform,
    LmsView,
    NewPlatform,
    NewRegistration,
    PlatformList,
    PlatformView,
    RegistrationLink,
    RosterResult,
    SentAgain,
)
from app.models import now
from app.operations.endpoints import OPERATORS_ONLY
from app.services import SignedIn, WithServices

router = APIRouter(tags=["learning platforms"])


@router.get("/lti/platforms")
def list_platforms(request: Request, user: SignedIn, services: WithServices) -> PlatformList:
    """Registrations at learning platforms, and the addresses that their administrators need. Operators only."""
    items = platforms.list_all(services.database, user)
    return PlatformList(own=own_addresses(request, services.settings), items=items)


@router.post("/lti/platforms", status_code=HTTPStatus.CREATED, dependencies=OPERATORS_ONLY)
def add_platform(wanted: NewPlatform, user: SignedIn, services: WithServices) -> PlatformView:
    """Adds a registration. Operators only."""
    return platforms.add(services.database, user, wanted)


@router.patch("/lti/platforms/{platform}", dependencies=OPERATORS_ONLY)
def change_platform(platform: str, wanted: ChangedPlatform, user: SignedIn, services: WithServices) -> PlatformView:
    """Activates or deactivates a registration, or changes its deployments or hosts. Operators only."""
    return platforms.change(services.database, user, platform, wanted)


@router.delete("/lti/platforms/{platform}", status_code=HTTPStatus.NO_CONTENT, dependencies=OPERATORS_ONLY)
def remove_platform(platform: str, user: SignedIn, services: WithServices) -> None:
    """Removes a registration. Operators only."""
    platforms.remove(services.database, user, platform)


@router.post("/lti/registrations", status_code=HTTPStatus.CREATED, dependencies=OPERATORS_ONLY)
def begin_registration(
    wanted: NewRegistration, request: Request, user: SignedIn, services: WithServices
) -> RegistrationLink:
    """Makes a link with which the platform at one host may register itself, once, within a day. Operators only."""
    code = registration.begin(services.database, user, wanted)
    url = f"{origin_of(request, services.settings)}/lti/register/{code}"
    return RegistrationLink(url=url, host=wanted.host, expires_at=now() + registration.LIFE)


@router.post("/lti/keys", status_code=HTTPStatus.NO_CONTENT, dependencies=OPERATORS_ONLY)
def replace_keys(user: SignedIn, services: WithServices) -> None:
    """Replaces our keys at once, for when one has got into wrong hands; they are renewed by themselves. Operators
    only.
    """
    services.lti.keys.replace(user)


@router.get("/courses/{course}/lms")
def read_lms(course: str, user: SignedIn, services: WithServices) -> LmsView:
    """What the course exchanges with learning platforms: what was sent, what waits, what failed. Instructors only."""
    return contexts.overview(services.database, user, course)


@router.post("/courses/{course}/lms/{context}/scores", dependencies=MANAGERS_ONLY)
def send_scores_again(course: str, context: str, user: SignedIn, services: WithServices) -> SentAgain:
    """Sends all scores of the course again. Instructors only."""
    return SentAgain(scores=contexts.send_again(services.database, user, course, context))


@router.post("/courses/{course}/lms/{context}/roster", dependencies=MANAGERS_ONLY)
def follow_roster(course: str, context: str, user: SignedIn, services: WithServices) -> RosterResult:
    """Has the roster follow the platform's now. Instructors only."""
    told = contexts.follow_roster(services.database, services.lti.services, user, course, context)
    return RosterResult(result=told)


@router.delete("/courses/{course}/lms/{context}", status_code=HTTPStatus.NO_CONTENT, dependencies=MANAGERS_ONLY)
def disconnect(course: str, context: str, user: SignedIn, services: WithServices) -> None:
    """Ends a connection. People and submissions stay, and so do grades at the platform. Instructors only."""
    contexts.disconnect(services.database, user, course, context)
