"""Dynamic registration: a platform enters us, and we it. An operator begins it, for one host; nothing is asked of any
other, and the platform does nothing until an operator has looked at what it said.
"""

import secrets
from datetime import timedelta
from typing import Annotated, Any, Final

from pydantic import BaseModel, StringConstraints, ValidationError
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app import audit
from app.database import Database
from app.hashing import sha256_of
from app.lti import platforms
from app.lti.advantage import ALL_SCOPES
from app.lti.keys import ALGORITHM
from app.lti.messages import DEEP_LINK, RESOURCE
from app.lti.outgoing import PlatformFault, ask, host_of
from app.lti.schemas import Address, NewPlatform, NewRegistration, Opaque, OwnAddresses, PlatformView
from app.models import LtiRegistration, User, now
from app.operations.service import refuse_all_but_operators
from app.problems import Forbidden, Unprocessable

LIFE: Final = timedelta(days=1)
TOKEN_LENGTH_MAX: Final = 8000
TOOL: Final = "https://purl.imsglobal.org/spec/lti-tool-configuration"


class PlatformConfiguration(BaseModel, frozen=True, extra="ignore"):
    """What a platform says of itself (OpenID Provider configuration)."""

    issuer: Annotated[Address, StringConstraints(max_length=500)]
    authorization_endpoint: Address
    token_endpoint: Address
    jwks_uri: Address
    registration_endpoint: Address
    authorization_server: Opaque | None = None


class Registered(BaseModel, frozen=True, extra="ignore"):
    """What a platform answers to a registration."""

    client_id: Opaque


def begin(database: Database, user: User, wanted: NewRegistration) -> str:
    """Returns the code of a link with which the platform at this host may register itself, once. Raises Forbidden."""
    refuse_all_but_operators(user)
    code = secrets.token_urlsafe(32)
    with database.write() as session:
        session.execute(delete(LtiRegistration).where(LtiRegistration.expires_at < now()))
        row = LtiRegistration(sha256=sha256_of(code), host=wanted.host, created_by_id=user.id, expires_at=now() + LIFE)
        session.add(row)
        audit.note(session, user, "lti.registration_begin", wanted.host)
    return code


def expected_host(database: Database, code: str) -> str:
    """Returns the host for which the link was made. Raises Forbidden when there is no such link any more."""
    with database.read() as session:
        return _open(session, code).host


def complete(database: Database, code: str, configuration_url: str, token: str, own: OwnAddresses) -> PlatformView:
    """Registers us at the platform and the platform here. Raises Forbidden, Unprocessable when the platform's answers
    cannot be used, Conflict when it is registered already.
    """
    if len(token) > TOKEN_LENGTH_MAX or not token.isascii() or not token.isprintable():
        raise Unprocessable("The platform's registration token is not one. Start the registration there again.")
    with database.write() as session:  # a second attempt with the link finds it gone
        row = _open(session, code, is_held=True)
        host, by = row.host, row.created_by
        session.delete(row)
    try:
        told = _configuration(configuration_url, host)
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
        answer = ask("POST", told.registration_endpoint, {host}, headers=headers, body=_about_us(own)).body
        client_id = Registered.model_validate(answer).client_id
        wanted = _registration_of(told, answer, client_id, host)
    except PlatformFault as fault:
        raise Unprocessable(f"The platform could not be registered. {fault.sentence} {AGAIN}") from fault
    except ValidationError as error:
        parts = ", ".join(sorted({".".join(map(str, item["loc"])) for item in error.errors()}))
        raise Unprocessable(f"The platform's answer cannot be used: {parts[:200]}. {AGAIN}") from error
    return platforms.add(database, by, wanted, is_active=False)


AGAIN: Final = "Nothing was changed here. Ask an operator for a new link before you try again."


def _configuration(address: str, host: str) -> PlatformConfiguration:
    """The issuer must be on the host from which its configuration comes: nobody speaks for somebody else's platform."""
    told = PlatformConfiguration.model_validate(ask("GET", address, {host}).body)
    if host_of(told.issuer) != host or host_of(told.registration_endpoint) != host:
        raise PlatformFault(f"It says that it is somebody else than {host}.")
    return told


def _registration_of(told: PlatformConfiguration, answer: Any, client_id: str, host: str) -> NewPlatform:
    ours = answer.get(TOOL)
    deployment = ours.get("deployment_id") if isinstance(ours, dict) else None
    return NewPlatform(
        name=host,
        issuer=told.issuer,
        client_id=client_id,
        authorization_url=told.authorization_endpoint,
        token_url=told.token_endpoint,
        keyset_url=told.jwks_uri,
        token_audience=told.authorization_server,
        deployment_ids=[deployment] if isinstance(deployment, str) and deployment else [],
    )


def _about_us(own: OwnAddresses) -> dict[str, Any]:
    domain = own.launch_url.split("/")[2]
    return {
        "application_type": "web",
        "response_types": ["id_token"],
        "grant_types": ["implicit", "client_credentials"],
        "initiate_login_uri": own.login_url,
        "redirect_uris": [own.launch_url],
        "client_name": "Assay",
        "jwks_uri": own.keyset_url,
        "id_token_signed_response_alg": ALGORITHM,
        "token_endpoint_auth_method": "private_key_jwt",
        "scope": " ".join(ALL_SCOPES),
        TOOL: {
            "domain": domain,
            "target_link_uri": own.launch_url,
            "claims": ["iss", "sub", "name", "email"],
            "custom_parameters": {},
            "messages": [
                {"type": RESOURCE, "target_link_uri": own.launch_url},
                {"type": DEEP_LINK, "target_link_uri": own.deep_link_url, "label": "Assay"},
            ],
        },
    }


def _open(session: Session, code: str, *, is_held: bool = False) -> LtiRegistration:
    query = select(LtiRegistration).where(LtiRegistration.sha256 == sha256_of(code), LtiRegistration.expires_at > now())
    row = session.scalar(query.with_for_update() if is_held else query)
    if row is None:
        raise Forbidden("This registration link was used already, or it is older than a day. Ask an operator for one.")
    return row
