"""A launch message: who it is from, whether it proves true, and what it says. Everything in it is a stranger's word
until `read_message` has returned it.
"""

import threading
import time
from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, TypeGuard

import structlog
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import RSAKey
from pydantic import BaseModel, Field, StringConstraints, ValidationError

from app.lti.keys import ALGORITHM
from app.lti.outgoing import PlatformFault, ask, hosts_of
from app.models import LtiPlatform
from app.problems import Forbidden, Unavailable

LEEWAY_S: Final = 60
AGE_MAX_S: Final = 3600
TOKEN_LENGTH_MAX: Final = 64 << 10
KEYS_MAX: Final = 50
KEYS_KEPT_S: Final = 600
KEYS_READ_EVERY_S: Final = 30  # at most, whatever key ids messages name
CLAIM: Final = "https://purl.imsglobal.org/spec/lti/claim"
SERVICE: Final = "https://purl.imsglobal.org/spec"
RESOURCE: Final = "LtiResourceLinkRequest"
DEEP_LINK: Final = "LtiDeepLinkingRequest"
MEMBERSHIP: Final = "http://purl.imsglobal.org/vocab/lis/v2/membership"
LEARNER: Final = f"{MEMBERSHIP}#Learner"
INSTRUCTOR: Final = f"{MEMBERSHIP}#Instructor"
# Roles within the course at the platform; those in the whole institution say nothing of a course.
_INSTRUCTORS: Final = frozenset({INSTRUCTOR, "Instructor"})
_LEARNERS: Final = frozenset({LEARNER, "Learner"})
logger = structlog.get_logger(part="lti")

Id = Annotated[
    str, StringConstraints(min_length=1, max_length=255, pattern=r"^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$")
]
Text = Annotated[str, StringConstraints(max_length=2000)]
Url = Annotated[str, StringConstraints(min_length=1, max_length=1000, pattern=r"^[\x21-\x7e]+$")]


class Claim(BaseModel, frozen=True, extra="ignore", populate_by_name=True):
    """Base of what a message says. Platforms may say more than we read."""


class ContextClaim(Claim):
    """The course at the platform."""

    id: Id
    title: Text = ""
    label: Text = ""


class ResourceLinkClaim(Claim):
    """The link in the platform's course."""

    id: Id


class GradesClaim(Claim):
    """Where grades go (Assignment and Grade Services)."""

    scope: list[Text] = []
    lineitems: Url | None = None
    lineitem: Url | None = None


class NamesClaim(Claim):
    """Where the roster is (Names and Role Provisioning Services)."""

    context_memberships_url: Url


class DeepLinkClaim(Claim):
    """How the choice of an assignment is sent back."""

    deep_link_return_url: Url
    accept_types: list[Text]
    data: Annotated[str, StringConstraints(max_length=20_000)] | None = None


class Message(Claim):
    """A launch message that proved true."""

    iss: Annotated[str, StringConstraints(min_length=1, max_length=500)]
    sub: Id
    nonce: Text
    name: Text | None = None
    email: Text | None = None
    message_type: Literal["LtiResourceLinkRequest", "LtiDeepLinkingRequest"] = Field(alias=f"{CLAIM}/message_type")
    version: Literal["1.3.0"] = Field(alias=f"{CLAIM}/version")
    deployment_id: Id = Field(alias=f"{CLAIM}/deployment_id")
    target_link_uri: Url | None = Field(default=None, alias=f"{CLAIM}/target_link_uri")
    roles: Annotated[list[Text], Field(max_length=100)] = Field(alias=f"{CLAIM}/roles")
    context: ContextClaim | None = Field(default=None, alias=f"{CLAIM}/context")
    resource_link: ResourceLinkClaim | None = Field(default=None, alias=f"{CLAIM}/resource_link")
    custom: dict[str, Any] | None = Field(default=None, alias=f"{CLAIM}/custom")
    grades: GradesClaim | None = Field(default=None, alias=f"{SERVICE}/lti-ags/claim/endpoint")
    names: NamesClaim | None = Field(default=None, alias=f"{SERVICE}/lti-nrps/claim/namesroleservice")
    deep_link: DeepLinkClaim | None = Field(default=None, alias=f"{SERVICE}/lti-dl/claim/deep_linking_settings")

    @property
    def is_instructor(self) -> bool:
        """Whether the person teaches the course at the platform."""
        return bool(_INSTRUCTORS & set(self.roles))

    @property
    def is_learner(self) -> bool:
        """Whether the person studies the course at the platform."""
        return is_learner(self.roles)

    @property
    def assignment_id(self) -> str | None:
        """The assignment that the link was made for, if an instructor chose one."""
        found = (self.custom or {}).get("assignment")
        return found if isinstance(found, str) else None


def is_learner(roles: list[str]) -> bool:
    """Whether these roles are those of a student."""
    return bool(_LEARNERS & set(roles)) and not _INSTRUCTORS & set(roles)


class PlatformKeys:
    """The key sets of platforms, kept for some minutes. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[float, dict[str, RSAKey]]] = {}

    def find(self, platform: LtiPlatform, key_id: str) -> RSAKey | None:
        """Returns the platform's key of this id; None when it has none. A key that is not known yet is looked for
        again, but not for each message. Raises PlatformFault.
        """
        with self._lock:
            read_at, keys = self._kept.get(platform.keyset_url, (float("-inf"), {}))
        age_s = self._clock() - read_at
        if age_s > KEYS_KEPT_S or (key_id not in keys and age_s > KEYS_READ_EVERY_S):
            keys = _keys_in(ask("GET", platform.keyset_url, hosts_of(platform)).body)
            with self._lock:
                self._kept[platform.keyset_url] = (self._clock(), keys)
        return keys.get(key_id)


def _keys_in(body: Any) -> dict[str, RSAKey]:
    """RSA keys of at least 2048 bits; a platform may have others, for others."""
    found: dict[str, RSAKey] = {}
    listed = body.get("keys") if isinstance(body, dict) else None
    for item in listed[:KEYS_MAX] if isinstance(listed, list) else []:
        if not (isinstance(item, dict) and item.get("kty") == "RSA" and isinstance(item.get("kid"), str)):
            continue
        try:
            key = RSAKey.import_key({name: item[name] for name in ("kty", "n", "e", "kid") if name in item})
        except (JoseError, ValueError, TypeError, KeyError):
            continue
        if key.public_key.key_size >= 2048:
            found[item["kid"]] = key
    return found


def read_message(keys: PlatformKeys, platform: LtiPlatform, token: str, nonce: str, origin: str) -> Message:
    """Returns what the token says, once it is proved to be this platform's, meant for us, and the answer to the login
    with this nonce. `origin` is our own.

    Raises Forbidden when anything of that is not so, Unavailable when the platform's keys cannot be read.
    """
    try:
        claims = _proved(keys, platform, token)
        _check(claims, platform, nonce)
        message = Message.model_validate(claims)
        _check_message(message, platform, origin)
    except PlatformFault as fault:
        logger.error("lti_keys_unreachable", platform=platform.name, reason=fault.sentence)
        raise Unavailable(
            "Your learning platform's keys cannot be read at the moment. Try again in a minute."
        ) from fault
    except (JoseError, ValidationError, ValueError, TypeError, RecursionError) as error:
        reason = _reason(error)
        logger.warning("lti_launch_refused", platform=platform.name, reason=reason)
        raise Forbidden(
            f"What your learning platform sent cannot be trusted: {reason}. Go back to it and open the link again. "
            "If that does not help, tell whoever runs this server."
        ) from error
    return message


def _reason(error: Exception) -> str:
    """One sentence that quotes nothing of the message."""
    if isinstance(error, ValidationError):
        where = ", ".join(sorted({str(item["loc"][0]).rpartition("/")[2] for item in error.errors() if item["loc"]}))
        return f"these parts are missing or wrong: {where}"
    if isinstance(error, Untrue):
        return str(error)
    return "its signature or form is wrong"


class Untrue(ValueError):
    """Raised when a message is not what it should be; with a few words that may be shown."""


def _proved(keys: PlatformKeys, platform: LtiPlatform, token: str) -> dict[str, Any]:
    if not token or len(token) > TOKEN_LENGTH_MAX:
        raise Untrue("it has no message, or too long a one")
    found: list[RSAKey] = []

    def key_for(header: Any) -> RSAKey:
        key_id = header.headers().get("kid")
        key = keys.find(platform, key_id) if isinstance(key_id, str) else None
        if key is None:
            raise Untrue("it is signed with a key that the platform does not have")
        found.append(key)
        return key

    # The algorithm is ours to say, never the message's.
    return dict(jwt.decode(token, key_for, algorithms=[ALGORITHM]).claims)


def _check(claims: dict[str, Any], platform: LtiPlatform, nonce: str) -> None:
    moment, issued, expires = time.time(), claims.get("iat"), claims.get("exp")
    if not (_is_time(issued) and _is_time(expires)):
        raise Untrue("it does not say when it was made and until when it is valid")
    told = claims.get("aud")
    audience = told if isinstance(told, list) else [told]
    if claims.get("iss") != platform.issuer:
        raise Untrue("it is from another platform")
    if platform.client_id not in audience:
        raise Untrue("it is meant for another tool")
    if (len(audience) > 1 or "azp" in claims) and claims.get("azp") != platform.client_id:
        raise Untrue("it was made for another tool")
    if expires < moment - LEEWAY_S:
        raise Untrue("it has expired")
    if issued > moment + LEEWAY_S or issued < moment - AGE_MAX_S:
        raise Untrue("it was not made just now")
    if claims.get("nonce") != nonce:
        raise Untrue("it does not answer the sign-in that this browser began")


def _is_time(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e11


def _check_message(message: Message, platform: LtiPlatform, origin: str) -> None:
    if message.deployment_id not in {each.deployment_id for each in platform.deployments}:
        raise Untrue(
            f"its deployment {message.deployment_id!r} is not one that this server knows, and an operator has to add it"
        )
    if message.target_link_uri is None and message.message_type == RESOURCE:
        raise Untrue("it does not say where it leads")
    if message.target_link_uri is not None and not is_ours(message.target_link_uri, origin):
        raise Untrue("it leads to another site")
    if message.message_type == RESOURCE and message.resource_link is None:
        raise Untrue("it does not say which link was followed")
    if message.message_type == DEEP_LINK and message.deep_link is None:
        raise Untrue("it does not say where the choice is to be sent")


def is_ours(address: str, origin: str) -> bool:
    """Whether an address is one of this server's, whose own is `origin`."""
    return address == origin or address.startswith(f"{origin}/")
