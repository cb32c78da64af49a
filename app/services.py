"""What the endpoints work with, built once by `create_app`, and the typed dependencies that hand it to them."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request

from app.accounts import service as accounts
from app.broker import Broker
from app.challenges.service import Catalogue
from app.database import Database
from app.events import Follower
from app.line.dispatch import Dispatcher
from app.line.places import Places
from app.metrics import ApiMetrics
from app.models import User
from app.problems import NotSignedIn
from app.settings import ApiSettings
from app.similarity.service import Comparisons
from app.streams import Streams


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


def signed_in(request: Request, services: WithServices) -> User:
    """Who asks: by bearer token; for reading, by the web's session cookie too (no foreign page can change things)."""
    header = request.headers.get("authorization")
    if header is not None:
        scheme, _, token = header.partition(" ")
        user = accounts.authenticate(services.database, token.strip()) if scheme.lower() == "bearer" else None
    elif request.method in ("GET", "HEAD"):
        user = user_of_session(request, services)
    else:
        user = None
    if user is None:
        raise NotSignedIn(
            "Your token is missing, misspelt or revoked. Send it as 'Authorization: Bearer assay_…'; "
            "`engine login` stores it for you."
        )
    return user


def user_of_session(request: Request, services: Services) -> User | None:
    """Whoever signed in on the web in this browser; None when nobody has, or the token has been revoked since."""
    token_id = request.session.get("token_id")
    return accounts.holder_of(services.database, token_id) if isinstance(token_id, str) else None


SignedIn = Annotated[User, Depends(signed_in)]
