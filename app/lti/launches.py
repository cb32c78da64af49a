"""From a platform's link to a person who is signed in: login, launch, and the ticket between the two.

The platform's message comes as a form from another site, and our cookie does not (SameSite=Lax). So the launch only
checks the message and gives out a ticket; the browser, sent on with it, shows by its cookie that it began the login.
"""

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlencode

from itsdangerous import BadSignature, URLSafeTimedSerializer
from pydantic import SecretStr
from sqlalchemy import delete, select
from sqlalchemy.orm import Session, selectinload

from app.database import Database
from app.hashing import sha256_of
from app.lti.messages import Message, PlatformKeys, is_ours, read_message
from app.models import LtiLaunch, LtiPlatform, now
from app.problems import Forbidden, NotFound
from app.rows import add_unless_there

PATIENCE_S: Final = 600
REMEMBERED: Final = timedelta(hours=3)  # for longer than a message is valid
STATE_LENGTH_MAX: Final = 1000
HINT_LENGTH_MAX: Final = 8000  # some platforms put a whole token there
TOO_LATE: Final = (
    "This launch took too long, or it was used already. Go back to your learning platform and open the link again."
)


@dataclass(frozen=True)
class LoginRequest:
    """What a platform sends when somebody follows a link there (OpenID Connect third-party initiated login)."""

    issuer: str
    login_hint: str
    target_link_uri: str
    client_id: str = ""
    message_hint: str = ""
    deployment_id: str = ""


@dataclass(frozen=True)
class Login:
    """Where the browser goes to prove who it is, and the nonce that this browser must remember."""

    address: str
    nonce: str


@dataclass(frozen=True)
class Ticket:
    """What a launch gives out, and the message that it stands for."""

    code: str
    message: Message


class Launches:
    """Logins and launches of this server, whose address is `origin`."""

    def __init__(self, database: Database, secret: SecretStr, keys: PlatformKeys) -> None:
        self._database = database
        self._keys = keys
        self._states = URLSafeTimedSerializer(secret.get_secret_value(), salt="assay-lti-state")

    def begin(self, request: LoginRequest, origin: str, launch_url: str) -> Login:
        """Returns where to send the browser. Raises NotFound for a platform that is not registered, Forbidden for a
        target that is not ours.
        """
        with self._database.read() as session:
            platform = _registered(session, request.issuer, request.client_id, request.deployment_id)
        if not is_ours(request.target_link_uri, origin):
            raise Forbidden("That link leads to another site. Ask whoever set up the link at your learning platform.")
        if not request.login_hint or len(request.login_hint) + len(request.message_hint) > HINT_LENGTH_MAX:
            raise Forbidden("Your learning platform did not say who you are. Go back to it and open the link again.")
        nonce = secrets.token_urlsafe(32)
        question = {
            "scope": "openid",
            "response_type": "id_token",
            "response_mode": "form_post",
            "prompt": "none",
            "client_id": platform.client_id,
            "redirect_uri": launch_url,
            "login_hint": request.login_hint,
            "state": self._states.dumps([platform.id, nonce]),
            "nonce": nonce,
        }
        if request.message_hint:
            question["lti_message_hint"] = request.message_hint
        joint = "&" if "?" in platform.authorization_url else "?"
        return Login(f"{platform.authorization_url}{joint}{urlencode(question)}", nonce)

    def receive(self, state: str, token: str, origin: str) -> Ticket:
        """Checks a platform's answer. Raises Forbidden when it does not prove true or was used before, Unavailable
        when the platform's keys cannot be read.
        """
        platform_id, nonce = self._open(state)
        with self._database.read() as session:
            platform = session.get(LtiPlatform, platform_id, options=[selectinload(LtiPlatform.deployments)])
        if platform is None or not platform.is_active:
            raise Forbidden(TOO_LATE)
        message = read_message(self._keys, platform, token, nonce, origin)
        code = secrets.token_urlsafe(32)
        row = LtiLaunch(
            nonce=nonce,
            ticket_sha256=sha256_of(code),
            platform_id=platform.id,
            message=message.model_dump_json(by_alias=True),
            expires_at=now() + timedelta(seconds=PATIENCE_S),
        )
        with self._database.write() as session:
            if not add_unless_there(session, row):
                raise Forbidden(TOO_LATE)
        return Ticket(code, message)

    def redeem(self, code: str, nonces: Any) -> tuple[LtiPlatform, Message]:
        """Returns the launch of this ticket, once, to the browser that remembers its nonce. Raises Forbidden."""
        with self._database.write() as session:
            row = _waiting(session, code, is_held=True)
            if row is None or not isinstance(nonces, list) or row.nonce not in nonces:
                raise Forbidden(
                    "This browser did not begin the launch, or does not keep cookies. Go back to your learning "
                    "platform and open the link again, in a new window if it offers that."
                )
            row.used_at = now()
            return row.platform, Message.model_validate_json(row.message)

    def peek(self, code: str) -> tuple[LtiPlatform, Message]:
        """Returns the launch of this ticket, as often as asked in its time: it signs nobody in. Raises Forbidden."""
        with self._database.read() as session:
            row = _waiting(session, code)
            if row is None:
                raise Forbidden(TOO_LATE)
            return row.platform, Message.model_validate_json(row.message)

    def _open(self, state: str) -> tuple[str, str]:
        try:
            if not state or len(state) > STATE_LENGTH_MAX:
                raise Forbidden(TOO_LATE)
            platform_id, nonce = self._states.loads(state, max_age=PATIENCE_S)
        except BadSignature as error:
            raise Forbidden(TOO_LATE) from error
        return platform_id, nonce


def forget_old(database: Database) -> None:
    """Deletes launches whose nonces could not be used again anyway: they hold names and addresses."""
    is_old = LtiLaunch.expires_at < now() - REMEMBERED
    with database.read() as session:
        if session.scalar(select(LtiLaunch.nonce).where(is_old).limit(1)) is None:
            return
    with database.write() as session:
        session.execute(delete(LtiLaunch).where(is_old))


def _waiting(session: Session, code: str, *, is_held: bool = False) -> LtiLaunch | None:
    mine = (LtiLaunch.ticket_sha256 == sha256_of(code), LtiLaunch.used_at.is_(None), LtiLaunch.expires_at > now())
    query = select(LtiLaunch).where(*mine)
    row = session.scalar(query.with_for_update() if is_held else query)
    return row if row is not None and row.platform.is_active else None


def _registered(session: Session, issuer: str, client_id: str, deployment_id: str) -> LtiPlatform:
    """Where the platform does not say the client id, its only registration, or the one with this deployment."""
    query = select(LtiPlatform).options(selectinload(LtiPlatform.deployments))
    query = query.where(LtiPlatform.issuer == issuer, LtiPlatform.is_active)
    found = session.scalars(query.where(LtiPlatform.client_id == client_id) if client_id else query).all()
    if len(found) > 1 and deployment_id:
        found = [one for one in found if deployment_id in {each.deployment_id for each in one.deployments}]
    if len(found) != 1:
        raise NotFound(
            "Your learning platform is not registered here, or not activated. Ask whoever runs this server to add it."
        )
    return found[0]
