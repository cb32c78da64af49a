"""LTI Advantage as we use it: an access token, the members of a course, columns of a gradebook, scores."""

import secrets
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from pydantic import Field, ValidationError

from app.lti.keys import KeyRing
from app.lti.messages import SERVICE, Claim, Id, Text
from app.lti.outgoing import PlatformAnswer, PlatformFault, ask, hosts_of
from app.models import Assignment, LtiPlatform

NAMES: Final = f"{SERVICE}/lti-nrps/scope/contextmembership.readonly"
COLUMNS: Final = f"{SERVICE}/lti-ags/scope/lineitem"
COLUMNS_READ: Final = f"{SERVICE}/lti-ags/scope/lineitem.readonly"
SCORES: Final = f"{SERVICE}/lti-ags/scope/score"
ALL_SCOPES: Final = (NAMES, COLUMNS, COLUMNS_READ, SCORES)
_MEMBERS: Final = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
_COLUMN: Final = "application/vnd.ims.lis.v2.lineitem+json"
_COLUMNS: Final = "application/vnd.ims.lis.v2.lineitemcontainer+json"
_SCORE: Final = "application/vnd.ims.lis.v1.score+json"
PAGES_MAX: Final = 100
ASSERTION_S: Final = 300
SPARE_S: Final = 60  # a token is not used in its last minute


class Member(Claim):
    """A person in a course at the platform."""

    user_id: Id
    roles: list[Text] = Field(default_factory=list)
    status: Text = "Active"
    name: Text | None = None
    email: Text | None = None


@dataclass(frozen=True)
class _Token:
    value: str
    until: float


class PlatformServices:
    """Asks platforms for what LTI Advantage offers. Every method raises PlatformFault. Thread-safe."""

    def __init__(self, keys: KeyRing) -> None:
        self._keys = keys
        self._lock = threading.Lock()
        self._tokens: dict[tuple[str, str], _Token] = {}

    def members(self, platform: LtiPlatform, address: str) -> Iterator[Member]:
        """Yields everybody in the course, page by page."""
        page: str | None = address
        for _ in range(PAGES_MAX):
            if page is None:
                return
            answer = self._ask(platform, NAMES, "GET", page, accept=_MEMBERS)
            listed = answer.body.get("members") if isinstance(answer.body, dict) else None
            if not isinstance(listed, list):
                raise PlatformFault("Its roster is not a list of members.")
            try:
                yield from [Member.model_validate(each) for each in listed]
            except ValidationError as error:
                raise PlatformFault("A member on its roster has no id that we can use.") from error
            page = answer.next_url
        if page is not None:
            raise PlatformFault("Its roster has no end.")

    def find_column(self, platform: LtiPlatform, address: str, assignment: Assignment) -> str | None:
        """Returns the address of the assignment's column in the gradebook; None when there is none."""
        query = _with_query(address, {"resource_id": assignment.id})
        body = self._ask(platform, COLUMNS, "GET", query, accept=_COLUMNS).body
        for item in body if isinstance(body, list) else []:
            # A platform may not know the filter.
            if isinstance(item, dict) and item.get("resourceId") == assignment.id and isinstance(item.get("id"), str):
                return str(item["id"])
        return None

    def make_column(self, platform: LtiPlatform, address: str, assignment: Assignment, points_max: float) -> str:
        """Makes a column for the assignment and returns its address."""
        column = {"label": assignment.title, "scoreMaximum": _plain(points_max), "resourceId": assignment.id}
        body = self._ask(platform, COLUMNS, "POST", address, accept=_COLUMN, kind=_COLUMN, body=column).body
        found = body.get("id") if isinstance(body, dict) else None
        if not isinstance(found, str):
            raise PlatformFault("It made a column in the gradebook and did not say where.")
        return found

    def send_score(
        self, platform: LtiPlatform, column: str, subject: str, points: float | None, points_max: float, at: datetime
    ) -> None:
        """Sends a student's points; None takes them back."""
        score: dict[str, Any] = {
            "userId": subject,
            "timestamp": at.isoformat(timespec="microseconds"),
            "activityProgress": "Initialized" if points is None else "Completed",
            "gradingProgress": "NotReady" if points is None else "FullyGraded",
        }
        if points is not None:
            score |= {"scoreGiven": _plain(points), "scoreMaximum": _plain(points_max)}
        self._ask(platform, SCORES, "POST", _below(column, "scores"), kind=_SCORE, body=score)

    def _ask(
        self,
        platform: LtiPlatform,
        scope: str,
        method: str,
        address: str,
        *,
        accept: str = "application/json",
        kind: str | None = None,
        body: Any = None,
    ) -> PlatformAnswer:
        headers = {"Authorization": f"Bearer {self._token(platform, scope)}", "Accept": accept}
        if kind is not None:
            headers["Content-Type"] = kind
        try:
            return ask(method, address, hosts_of(platform), headers=headers, body=body)
        except PlatformFault as fault:
            if fault.status == HTTPStatus.UNAUTHORIZED:  # the platform has forgotten it: the next try brings a new one
                self._forget(platform, scope)
            raise

    def _token(self, platform: LtiPlatform, scope: str) -> str:
        with self._lock:
            kept = self._tokens.get((platform.id, scope))
        if kept is not None and time.monotonic() < kept.until:
            return kept.value
        moment = int(time.time())
        assertion = {
            "iss": platform.client_id,
            "sub": platform.client_id,
            "aud": platform.token_audience or platform.token_url,
            "iat": moment - 5,
            "exp": moment + ASSERTION_S,
            "jti": secrets.token_urlsafe(24),
        }
        form = {
            "grant_type": "client_credentials",
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            "client_assertion": self._keys.sign(assertion),
            "scope": scope,
        }
        body = ask("POST", platform.token_url, hosts_of(platform), form=form).body
        value = body.get("access_token") if isinstance(body, dict) else None
        if not isinstance(value, str) or not value.isprintable() or not value.isascii():
            raise PlatformFault("It gave no access token.")
        life = body.get("expires_in")
        life_s = life if isinstance(life, int) and 0 < life <= 86_400 else 0
        with self._lock:
            self._tokens[platform.id, scope] = _Token(value, time.monotonic() + life_s - SPARE_S)
        return value

    def _forget(self, platform: LtiPlatform, scope: str) -> None:
        with self._lock:
            self._tokens.pop((platform.id, scope), None)


def _plain(points: float) -> float | int:
    """Whole points as a whole number: some platforms take no other for a maximum."""
    rounded = round(points, 2)
    return int(rounded) if rounded == int(rounded) else rounded


def _below(address: str, name: str) -> str:
    """Puts a name behind the path, before the query."""
    parts = urlsplit(address)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{name}"))


def _with_query(address: str, more: dict[str, str]) -> str:
    parts = urlsplit(address)
    return urlunsplit(parts._replace(query=urlencode([*parse_qsl(parts.query), *more.items()])))
