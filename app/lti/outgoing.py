"""What we ask of platforms over HTTP: only hosts that belong to the registration, over HTTPS, bounded in time and size,
and no redirect is followed.
"""

import json
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import httpx

from app.models import LtiPlatform
from app.settings import LOCAL_HOSTS

TIMEOUT_S: Final = 10.0
ANSWER_BYTES_MAX: Final = 4 << 20  # a page of a roster
ADDRESS_MAX: Final = 1000


class PlatformFault(Exception):
    """Raised when a platform cannot be asked, or does not answer as it should; with a sentence for staff."""

    def __init__(self, sentence: str, status: int | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status


@dataclass(frozen=True)
class PlatformAnswer:
    """A platform's answer: JSON, and where the next page is."""

    body: Any
    next_url: str | None


def host_of(address: str) -> str | None:
    """Returns the host of an address that may be asked: https, or this machine itself; None for any other."""
    if len(address) > ADDRESS_MAX or not address.isprintable() or "\\" in address or " " in address:
        return None
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port  # which may be no number
    except ValueError:
        return None
    if not host or parts.username is not None or parts.password is not None or parts.fragment:
        return None
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and host in LOCAL_HOSTS)
    return host if is_safe else None


def hosts_of(platform: LtiPlatform) -> frozenset[str]:
    """Returns the hosts that belong to a registration."""
    addresses = (platform.issuer, platform.authorization_url, platform.token_url, platform.keyset_url)
    return frozenset({*filter(None, map(host_of, addresses)), *platform.service_hosts})


def ask(
    method: str,
    address: str,
    hosts: Collection[str],
    *,
    headers: Mapping[str, str] | None = None,
    form: Mapping[str, str] | None = None,
    body: Any = None,
) -> PlatformAnswer:
    """Asks a platform. Raises PlatformFault."""
    host = host_of(address)
    if host is None or host not in hosts:
        raise PlatformFault(
            f"{(host or 'Its address')[:200]} is not a host of this platform. "
            "An operator can add it to the platform's hosts."
        )
    content = None if body is None else json.dumps(body).encode()
    deadline, received = time.monotonic() + TIMEOUT_S, b""
    try:
        with (
            httpx.Client(timeout=TIMEOUT_S, follow_redirects=False, trust_env=host not in LOCAL_HOSTS) as client,
            client.stream(method, address, headers=dict(headers or {}), data=form, content=content) as response,
        ):
            for chunk in response.iter_bytes():
                received += chunk
                if len(received) > ANSWER_BYTES_MAX or time.monotonic() > deadline:
                    raise PlatformFault("The platform's answer is too long, or takes too long.")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise PlatformFault(f"The platform cannot be reached ({type(error).__name__}).") from error
    if not response.is_success:
        raise PlatformFault(f"The platform answered with status {response.status_code}.", response.status_code)
    return PlatformAnswer(_json(received), response.links.get("next", {}).get("url"))


def _json(content: bytes) -> Any:
    if not content.strip():
        return None
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise PlatformFault("The platform's answer is not JSON.") from error
