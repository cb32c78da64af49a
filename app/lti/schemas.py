"""Platforms and what is exchanged with them, as operators and instructors see it."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Final

from pydantic import AfterValidator, Field, StringConstraints

from app.lti.outgoing import ADDRESS_MAX, host_of
from app.request_values import Line, Sent, View

HOSTS_MAX: Final = 20


def _can_be_asked(address: str) -> str:
    if host_of(address) is None:
        raise ValueError("must be an address that begins with https://")
    return address


def _is_host(name: str) -> str:
    if host_of(f"https://{name}/") != name:
        raise ValueError("must be a host name alone, such as school.instructure.com")
    return name


Address = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=ADDRESS_MAX),
    AfterValidator(_can_be_asked),
]
Host = Annotated[str, StringConstraints(strip_whitespace=True, to_lower=True, max_length=253), AfterValidator(_is_host)]
Opaque = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=255, pattern=r"^[\x21-\x7e]+$")
]


class KeyView(View):
    """One of our public keys (RFC 7517)."""

    kty: str
    kid: str
    use: str
    alg: str
    n: str
    e: str


class KeySetView(View):
    """Our key set, as platforms read it."""

    keys: list[KeyView]


class NewPlatform(Sent):
    """A registration at a platform, as its administrator tells it."""

    name: Line
    issuer: Annotated[Address, StringConstraints(max_length=500)]
    client_id: Opaque
    authorization_url: Address
    token_url: Address
    keyset_url: Address
    token_audience: Annotated[Opaque | None, Field(description="unless it is the token address")] = None
    service_hosts: list[Host] = Field([], max_length=HOSTS_MAX, description="further hosts of its services")
    deployment_ids: list[Opaque] = Field([], max_length=HOSTS_MAX)


class ChangedPlatform(Sent):
    """What an operator changes of a registration. What is left out stays."""

    is_active: bool | None = None
    service_hosts: Annotated[list[Host] | None, Field(max_length=HOSTS_MAX)] = None
    deployment_ids: Annotated[list[Opaque] | None, Field(max_length=500)] = None


class NewRegistration(Sent):
    """The host of a platform that may register itself."""

    host: Host


class RegistrationLink(View):
    """A link with which a platform registers itself, once. It is told once."""

    url: str
    host: str
    expires_at: datetime


class PlatformView(View):
    """A registration at a platform."""

    id: str
    name: str
    issuer: str
    client_id: str
    authorization_url: str
    token_url: str
    keyset_url: str
    token_audience: str | None
    service_hosts: list[str]
    deployment_ids: list[str]
    is_active: bool
    contexts: int = Field(description="courses at the platform that are connected with one here")


class OwnAddresses(View):
    """What a platform's administrator enters there."""

    login_url: str
    launch_url: str
    deep_link_url: str
    keyset_url: str


class PlatformList(View):
    """All registrations, and our own addresses."""

    own: OwnAddresses
    items: list[PlatformView]


class Delivery(StrEnum):
    """Whether a platform has a student's newest points."""

    SENT = "sent"
    WAITING = "waiting"
    FAILING = "failing"


class ScoreView(View):
    """A student's points in an assignment, and whether the platform has them."""

    assignment: str
    assignment_title: str
    student: str
    full_name: str | None
    points: float | None
    points_max: float
    delivery: Delivery
    tries: int
    sent_at: datetime | None
    next_try_at: datetime | None
    error: str | None


class ContextView(View):
    """A course at a platform that is connected with one here."""

    id: str
    platform: str
    title: str
    linked_by: str | None
    has_roster: bool
    has_grades: bool
    roster_at: datetime | None
    roster_result: str | None
    sent: int
    waiting: int
    failing: int
    scores: list[ScoreView] = Field(description="what is not sent yet first, then the newest; at most 500")


class LmsView(View):
    """What a course exchanges with learning platforms."""

    course: str
    contexts: list[ContextView]
    unlinked: list[str] = Field(description="students who have never opened the course from the platform")


class SentAgain(View):
    """How many scores are sent again."""

    scores: int


class RosterResult(View):
    """What came of following the platform's roster."""

    result: str
