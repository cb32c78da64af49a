"""What the endpoints work with, built once by `create_app`, and the typed dependencies that hand it to them."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Any, Final

from fastapi import Depends, Request

from app.accounts import service as accounts
from app.accounts import sessions
from app.accounts.attempts import note_wrong
from app.accounts.service import SignIn
from app.addresses import origin
from app.broker import Broker
from app.challenges.service import Catalogue
from app.database import Database
from app.events import Follower
from app.gradebook.summaries import Summaries
from app.jobs.dispatch import Dispatcher
from app.lti.service import Lti
from app.metrics import ApiMetrics
from app.models import User, WebSession
from app.problems import NotSignedIn, Problem
from app.queue.positions import Positions
from app.rate import limit_writes
from app.request_slots import RequestSlots
from app.settings import ApiSettings
from app.similarity.service import Comparisons
from app.streams import Streams

READS: Final = ("GET", "HEAD")  # methods that change nothing
SESSION: Final = "session"  # where the cookie holds the session's secret
NOT_KNOWN_HERE: Final = (
    "Your token is missing, misspelt or revoked. Send it as 'Authorization: Bearer assay_…'; "
    "`engine login` stores it for you."
)


@dataclass(frozen=True)
class Services:
    """The objects that live as long as the process."""

    settings: ApiSettings
    database: Database
    broker: Broker
    follower: Follower
    streams: Streams
    request_slots: RequestSlots
    catalogue: Catalogue
    metrics: ApiMetrics
    dispatcher: Dispatcher
    positions: Positions
    comparisons: Comparisons
    summaries: Summaries
    lti: Lti
    provider: Any  # Authlib's client of the OpenID Connect provider, if there is one


async def services(request: Request) -> Services:  # waits for nothing, and so needs no thread
    """Returns the process's services, as a dependency of endpoints."""
    found = request.app.state.services
    assert isinstance(found, Services)
    return found


WithServices = Annotated[Services, Depends(services)]


def proved(request: Request, services: WithServices) -> SignIn:
    """Returns who asks: by bearer token; for reading, also by the web's session cookie (no foreign page can change
    anything).
    """
    header = request.headers.get("authorization")
    if header is not None:
        scheme, _, token = header.partition(" ")
        return prove_token(request, services, token.strip() if scheme.lower() == "bearer" else "")
    found = session_of(request, services) if request.method in READS else None
    if found is None:
        raise NotSignedIn(NOT_KNOWN_HERE)
    return SignIn(found.user, found.token_id)


Proved = Annotated[SignIn, Depends(proved)]


async def signed_in(proof: Proved, services: WithServices) -> AsyncIterator[User]:
    """Returns the person who asks, as a dependency of endpoints, once they have a slot. Raises TooManyRequests."""
    async with services.request_slots.slot(proof.user.id):
        yield proof.user


def watching(proof: Proved) -> User:
    """Returns the person who asks for a stream of events, which takes no turn: it waits more than it works."""
    return proof.user


def prove_token(request: Request, services: Services, token: str) -> SignIn:
    """Returns the token's owner. Raises NotSignedIn, or TooManyRequests after many wrong tokens or too many writes; a
    valid token that only reads always passes.
    """
    try:
        found = accounts.sign_in(services.database, token)
        if found is None:
            raise NotSignedIn(NOT_KNOWN_HERE)
    except NotSignedIn:
        address = origin(request.client.host) if request.client else "unknown"
        account = accounts.last_holder(services.database, token)
        note_wrong(services.broker, services.metrics, address, account, token)
        raise
    if request.method not in READS:
        limit_writes(services.broker, services.settings, found.user)
    return found


def session_of(request: Request, services: Services) -> WebSession | None:
    """Returns this browser's web session; None when nobody is signed in, or it has ended."""
    secret = request.session.get(SESSION)
    return sessions.find(services.database, secret) if isinstance(secret, str) else None


def still_signed_in(request: Request, services: Services) -> User | None:
    """Returns the person again while a long answer lasts; None when token or session has ended."""
    try:
        return proved(request, services).user
    except Problem:
        return None


SignedIn = Annotated[User, Depends(signed_in, scope="function")]  # until it is worked out, not until it is read
Watching = Annotated[User, Depends(watching)]
