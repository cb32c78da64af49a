"""From an answer that we did not want (RFC 9457 problem+json, or not even that) to a sentence with an exit code."""

import ssl
from http import HTTPStatus
from typing import Final
from urllib.request import getproxies, proxy_bypass

import httpx
from pydantic import BaseModel, ValidationError

from engine.config import is_loopback
from engine.errors import (
    BadRequest,
    EngineError,
    NotFound,
    NotNow,
    NotSignedIn,
    ServerRefused,
    TooManyRequests,
    Unreachable,
)

_KINDS: Final[dict[int, type[ServerRefused]]] = {
    HTTPStatus.BAD_REQUEST: BadRequest,
    HTTPStatus.NOT_FOUND: NotFound,
    HTTPStatus.CONFLICT: NotNow,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: BadRequest,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: BadRequest,
    HTTPStatus.UNPROCESSABLE_ENTITY: BadRequest,
}


CHECK_PROXY: Final = (
    "Check HTTPS_PROXY and HTTP_PROXY in this shell, or add the server to NO_PROXY if it needs no proxy."
)


class Problem(BaseModel, frozen=True, extra="ignore"):
    """RFC 9457. Other members are allowed by it."""

    title: str
    detail: str = ""

    def sentence(self) -> str:
        """The detail is written for the caller; the title only names the kind of problem."""
        return self.detail or self.title


def refused(response: httpx.Response, server: str) -> EngineError:
    """The error for a response with a status outside 2xx. Its body must have been read."""
    try:
        sentence = Problem.model_validate_json(response.content).sentence()
    except ValidationError:
        return _not_ours(response, server)
    if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
        return TooManyRequests(sentence, retry_after_s(response))
    if response.status_code >= 500:
        return ServerRefused(sentence, "This is not your fault. Try again in a minute.")
    if response.status_code == HTTPStatus.UNAUTHORIZED:
        return NotSignedIn(
            f"{server} does not accept your token: it may have expired, or been revoked.",
            "Sign in again: engine login. If you have no other token, ask your instructor for one.",
        )
    return _KINDS.get(response.status_code, ServerRefused)(sentence)


def unreachable(error: httpx.RequestError, server: str) -> Unreachable:
    """Turns a broken connection into an error that says what the student can do."""
    if (broken_tls := _tls_error(error)) is not None:
        return _no_secure_connection(broken_tls, server)
    if isinstance(error, httpx.ProxyError):
        return Unreachable(f"The proxy refused the connection to {server} ({_reason(error)}).", CHECK_PROXY)
    if isinstance(error, httpx.ConnectTimeout | httpx.ReadTimeout | httpx.WriteTimeout | httpx.PoolTimeout):
        what = f"{server} did not answer in time."
    elif isinstance(error, httpx.ConnectError):
        if (proxy := _proxy_to(server)) is not None:
            return Unreachable(
                f"The proxy {proxy} on the way to {server} is not answering ({_reason(error)}).", CHECK_PROXY
            )
        what = f"No server is answering at {server} ({_reason(error)})."
    else:
        what = f"The connection to {server} broke ({_reason(error)})."
    return Unreachable(what, "Check your network and the address (`engine login --server URL`), then try again.")


def _proxy_to(server: str) -> str | None:
    """The host of the proxy on the way to the server, without the password that its address may have."""
    url, proxies = httpx.URL(server), getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    if proxy is None or is_loopback(server) or proxy_bypass(url.host):
        return None
    return httpx.URL(proxy if "://" in proxy else f"http://{proxy}").netloc.decode()


def _tls_error(error: BaseException | None) -> ssl.SSLError | None:
    """The error of TLS that is beneath, if one is."""
    while error is not None and not isinstance(error, ssl.SSLError):
        error = error.__cause__ or error.__context__
    return error


def _no_secure_connection(error: ssl.SSLError, server: str) -> Unreachable:
    if isinstance(error, ssl.SSLCertVerificationError):
        return Unreachable(
            f"The certificate of {server} can't be trusted ({error.verify_message.rstrip('.')}). Nothing was sent.",
            "Check the address and this machine's clock. If your network has a certificate authority of its own, "
            "set SSL_CERT_FILE to its certificates.",
        )
    what = (error.reason or "no reason given").replace("_", " ").lower()
    return Unreachable(
        f"No secure connection to {server} could be made ({what}). Nothing was sent.",
        "Check the address (`engine login --server URL`): a server without TLS has one that begins with http://.",
    )


def retry_after_s(response: httpx.Response) -> float:
    """Returns the seconds to wait; a date or nonsense counts as a minute."""
    text = response.headers.get("Retry-After", "")
    return float(text) if text.isdigit() else 60.0


def _not_ours(response: httpx.Response, server: str) -> EngineError:
    what = f"{server} answered {response.status_code} {response.reason_phrase}, unlike an Assay server."
    return ServerRefused(what, "Check the address (`engine login --server URL`); something else may be in between.")


def _reason(error: httpx.RequestError) -> str:
    text = str(error).strip().rstrip(".") or type(error).__name__
    return "connection refused" if "refused" in text.lower() else text
