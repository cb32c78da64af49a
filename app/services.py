"""What the endpoints work with, built once by `create_app`, and the typed dependencies that hand it to them."""

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
from app.line.dispatch import Dispatcher
from app.line.places import Places
from app.metrics import ApiMetrics
from app.models import User, WebSession
from app.problems import NotSignedIn, Problem
from app.rate import limit_writes
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
    """Everything that lives as long as the process."""

    settings: ApiSettings
    database: Database
    broker: Broker
    follower: Follower
    streams: Streams
    catalogue: Catalogue
    metrics: ApiMetrics
    dispatcher: Dispatcher
    places: Places
    comparisons: Comparisons
    provider: Any  # Authlib's client of the OpenID Connect provider, if there is one


async def services(request: Request) -> Services:  # waits for nothing, and so needs no thread
    found = request.app.state.services
    assert isinstance(found, Services)
    return found


WithServices = Annotated[Services, Depends(services)]


def proved(request: Request, services: WithServices) -> SignIn:
    """Who asks: by bearer token; for reading, by the web's session cookie too (no foreign page can change things)."""
    header = request.headers.get("authorization")
    if header is not None:
        scheme, _, token = header.partition(" ")
        return prove_token(request, services, token.strip() if scheme.lower() == "bearer" else "")
    found = session_of(request, services) if request.method in READS else None
    if found is None:
        raise NotSignedIn(NOT_KNOWN_HERE)
    return SignIn(found.user, found.token_id)


Proved = Annotated[SignIn, Depends(proved)]


def signed_in(proof: Proved) -> User:
    return proof.user


def prove_token(request: Request, services: Services, token: str) -> SignIn:
    """Whose token it is. Raises NotSignedIn, or TooManyRequests after many wrong ones or too much that was written; a
    right one that only reads always passes.
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
    """The session of whoever signed in on the web in this browser; None when nobody has, or it has ended."""
    secret = request.session.get(SESSION)
    return sessions.find(services.database, secret) if isinstance(secret, str) else None


def still_signed_in(request: Request, services: Services) -> User | None:
    """The same person as at first, asked anew while an answer lasts; None when token or session has ended."""
    try:
        return proved(request, services).user
    except Problem:
        return None


SignedIn = Annotated[User, Depends(signed_in)]
