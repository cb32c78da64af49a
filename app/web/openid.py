"""Signing in through an OpenID Connect provider. Authlib does the protocol; what it proves becomes a session here."""

from typing import Annotated, Any, Final

import structlog
from authlib.integrations.base_client import OAuthError
from authlib.integrations.starlette_client import OAuth
from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response
from httpx2 import HTTPError
from joserfc.errors import JoseError

from app.accounts.identities import Claims, Match, recognise
from app.addresses import origin
from app.hosts import address_for
from app.models import Proof
from app.problems import Forbidden, NotFound, Unavailable
from app.services import Services, WithServices
from app.settings import ApiSettings
from app.web.linking import ask_to_link
from app.web.rendering import see_other
from app.web.sign_in import begin_session, local_address

NEXT: Final = "after_openid"
CLIENT: Final = "provider"
ISSUER_MAX: Final = 500
SUBJECT_MAX: Final = 255
logger = structlog.get_logger(part="openid")

router = APIRouter()


def provider_of(settings: ApiSettings) -> Any:
    """Returns Authlib's client for the configured provider. Does not connect."""
    oauth = OAuth()
    secret = settings.openid_client_secret
    return oauth.register(
        CLIENT,
        client_id=settings.openid_client_id,
        client_secret=secret.get_secret_value() if secret else None,
        server_metadata_url=f"{str(settings.openid_issuer).rstrip('/')}/.well-known/openid-configuration",
        client_kwargs={"scope": "openid email profile", "code_challenge_method": "S256", "timeout": 10},
    )


@router.get("/sign-in/openid", name="go_to_provider")
async def go_to_provider(
    request: Request, services: WithServices, next_: Annotated[str, Query(alias="next")] = "/"
) -> Response:
    """Redirects to the provider; state, nonce and verifier are kept in the session."""
    provider = _provider(services)
    request.session[NEXT] = local_address(next_)
    try:
        answer: Response = await provider.authorize_redirect(
            request, address_for(request, services.settings, "come_back")
        )
    except (HTTPError, OAuthError, KeyError, RuntimeError, ValueError) as error:
        raise _unreachable(error) from error
    return answer


@router.get("/sign-in/openid/back", name="come_back")
async def come_back(request: Request, services: WithServices) -> Response:
    """Takes the provider's answer, a proof or a refusal, and begins a new session."""
    provider = _provider(services)
    address = local_address(str(request.session.get(NEXT, "/")))
    if not {"code", "error"} & request.query_params.keys():
        raise Forbidden(
            "That is not a valid answer from the sign-in provider. Go back to the sign-in page and try again."
        )
    try:
        token = await provider.authorize_access_token(request)
        claims = claims_of(token["userinfo"])
    except OAuthError as error:
        logger.info("openid_refused", reason=error.error, address=_address(request))
        raise Forbidden(
            "Signing in there failed or took too long. Go back to the sign-in page and try again."
        ) from error
    except (JoseError, KeyError, ValueError) as error:
        logger.warning("openid_unproved", reason=f"{type(error).__name__}: {error}", address=_address(request))
        raise Forbidden("The provider's answer does not prove who you are. Go back and try again.") from error
    except (HTTPError, RuntimeError) as error:
        raise _unreachable(error) from error
    return await run_in_threadpool(_begin, request, services, claims, address)


def _begin(request: Request, services: Services, claims: Claims, address: str) -> Response:
    found = recognise(services.database, claims, may_create=services.settings.openid_creates_users)
    if isinstance(found, Match):
        ask_to_link(request, claims, address, services.settings.openid_name)
        return see_other("/sign-in/link")
    begin_session(request, services, found, Proof.PROVIDER)
    return see_other(address)


def _provider(services: Services) -> Any:
    if services.provider is None:
        raise NotFound("This server has no OpenID Connect provider. Sign in with your token.")
    return services.provider


def claims_of(told: dict[str, Any]) -> Claims:
    """Returns the provider's claims. Raises KeyError when a required claim is missing, ValueError when it cannot be
    kept.
    """
    issuer, subject = told["iss"], told["sub"]
    if not (_can_be_kept(issuer, ISSUER_MAX) and _can_be_kept(subject, SUBJECT_MAX)):
        raise ValueError("iss and sub must be short printable texts")
    verified = told.get("email_verified") in (True, "true")  # some providers send a text
    name = told.get("name") or told.get("preferred_username")
    return Claims.of(issuer, subject, told.get("email") if verified else None, name)


def _address(request: Request) -> str | None:
    return origin(request.client.host) if request.client else None


def _can_be_kept(value: object, length_max: int) -> bool:
    return isinstance(value, str) and 0 < len(value) <= length_max and value.isprintable() and value == value.strip()


def _unreachable(error: Exception) -> Unavailable:
    logger.error("openid_unreachable", reason=f"{type(error).__name__}: {error}")
    return Unavailable("Your institution's sign-in service is not responding. Try again in a minute.")
