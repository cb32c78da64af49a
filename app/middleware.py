"""What happens to every request, whatever it asks: limits of its body, security headers, one log line, the counters."""

import asyncio
import sys
import time
from collections.abc import Sequence
from http import HTTPStatus
from typing import Final

import structlog
from anyio import BrokenResourceError
from fastapi.routing import iter_route_contexts
from python_multipart.multipart import parse_options_header
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.identifiers import is_id, new_id
from app.metrics import ApiMetrics
from app.problem_responses import METHODS, response_to
from app.problems import BadRequest, TooLarge, UnsupportedMediaType

SECURITY_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}
HEAD_BYTES_MAX: Final = 32 << 10  # the address and all headers together
FIELDS_BYTES_MAX: Final = 256 << 10  # a body without files: nine thousand names of submissions to grade again
FORM_BYTES_MAX: Final = 128 << 10  # the longest answer to a question, percent by percent
TOO_SLOW: Final = "The rest of the request did not arrive in time. Send it again, over a better connection if you can"
NOT_UTF8: Final = "A form is read as UTF-8. Leave the charset out of its Content-Type, and encode its texts so."
ONLY_HTTPS: Final = {"Strict-Transport-Security": "max-age=31536000"}  # a year
logger = structlog.get_logger(part="api")


class HeadLimit:
    """Refuses requests whose address and headers are longer than any that a client of ours sends.

    The HTTP server accepts megabytes, and searching those for a boundary, a cookie or a parameter takes seconds, before
    anybody has checked who sends them.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and _head_bytes(scope) > HEAD_BYTES_MAX:
            sentence = f"The address and headers exceed the limit of {HEAD_BYTES_MAX // 1024} KiB."
            response = response_to(BadRequest(f"{sentence} Shorten them.", headers={"Connection": "close"}))
            await response(scope, receive, send)
            return
        await self.app(scope, receive, send)


def _head_bytes(scope: Scope) -> int:
    return (
        len(scope["raw_path"])
        + len(scope["query_string"])
        + sum(len(name) + len(value) for name, value in scope["headers"])
    )


class BodyLimit:
    """Refuses a body over the limit: by its declared length before a byte is read, else as soon as it is too long. Also
    refuses a body that takes too long to arrive, and a form in another encoding than UTF-8.

    Only files may have `limit_bytes`: a form that is parsed field by field costs a hundred times as much per byte.
    """

    def __init__(self, app: ASGIApp, limit_bytes: int, limit_s: float) -> None:
        self.app = app
        self.limit_bytes = limit_bytes
        self.limit_s = limit_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        kind = headers.get("content-type", "").lower()
        has_files = kind.startswith("multipart/form-data")
        if has_files and not _is_utf8(kind):
            await response_to(UnsupportedMediaType(NOT_UTF8, headers={"Connection": "close"}))(scope, receive, send)
            return
        limit = min(self.limit_bytes, _most_of(kind))
        sentence = (
            f"The request is larger than {limit // 1024} KiB, which is the limit. "
            f"Send {'only the source files that your solution needs' if has_files else 'less at a time'}."
        )
        declared = headers.get("content-length", "")
        if declared.isascii() and declared.isdigit() and int(declared[:20]) > limit:
            response = response_to(TooLarge(sentence, headers={"Connection": "close"}))
            await response(scope, receive, send)
            return
        received, is_whole = 0, False
        deadline = asyncio.get_running_loop().time() + self.limit_s

        async def receive_within_limit() -> Message:
            """Passes on what comes, up to the limit. FastAPI lets only its own kind of exception through while it reads
            a body.
            """
            nonlocal received, is_whole
            try:
                async with asyncio.timeout_at(None if is_whole else deadline):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(HTTPStatus.REQUEST_TIMEOUT, TOO_SLOW, {"Connection": "close"}) from None
            received += len(message.get("body", b""))
            is_whole = not message.get("more_body", False)
            if received > limit:
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, sentence, {"Connection": "close"})
            return message

        await self.app(scope, receive_within_limit, send)


def _is_utf8(kind: str) -> bool:
    """Whether a form's texts are UTF-8, as they are unless it says otherwise. Of the other encodings that Python knows,
    some take time with the square of a text, and some make what is no text.
    """
    _, told = parse_options_header(kind)
    return told.get(b"charset", b"utf-8") in (b"utf-8", b"utf8")


def _most_of(kind: str) -> int:
    """Bytes of a body of this content type; those with files have the limit that is set."""
    if kind.startswith("multipart/form-data"):
        return sys.maxsize
    return FORM_BYTES_MAX if kind.startswith("application/x-www-form-urlencoded") else FIELDS_BYTES_MAX


class SecurityHeaders:
    """Adds the headers that every answer carries. A page that needs another policy sets its own.

    No cache may keep private answers, whatever a library allows: FastAPI lets event streams be cached.
    """

    def __init__(self, app: ASGIApp, *, is_secure: bool) -> None:
        self.app = app
        self.headers = SECURITY_HEADERS | (ONLY_HTTPS if is_secure else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    headers.setdefault(name, value)
                if not headers["Cache-Control"].startswith("public"):
                    headers["Cache-Control"] = SECURITY_HEADERS["Cache-Control"]
            await send(message)

        await self.app(scope, receive, send_with_headers)


class RequestLog:
    """One log line and one count per request."""

    def __init__(self, app: ASGIApp, metrics: ApiMetrics) -> None:
        self.app = app
        self.metrics = metrics
        self.patterns: dict[object, str] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        self.patterns = self.patterns or patterns_of(scope["app"].routes)
        started = time.perf_counter()
        status = HTTPStatus.INTERNAL_SERVER_ERROR

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=new_id()):
            try:
                await self.app(scope, receive, send_and_note)
            except* BrokenResourceError:  # a listener hung up while an event was on its way
                logger.debug("stream_left")
            finally:
                self._note(scope, status, time.perf_counter() - started)

    def _note(self, scope: Scope, status: int, elapsed_s: float) -> None:
        route = self.patterns.get(scope.get("endpoint"), "unknown")
        method = scope["method"] if scope["method"] in METHODS else "other"
        self.metrics.requests.labels(method, route, str(status)).inc()
        self.metrics.request_seconds.labels(method, route).observe(elapsed_s)
        asked = scope.get("path_params", {}).get("submission_id", "")
        about = {"submission_id": asked} if is_id(asked) else {}  # what is none may be anything
        level = logger.debug if route in ("/healthz", "/readyz", "/metrics") else logger.info
        level(
            "request_finished",
            method=method,
            route=route,
            status=int(status),  # an enum is shown with its name
            elapsed_ms=round(elapsed_s * 1000, 1),
            **about,
        )


def patterns_of(routes: Sequence[BaseRoute]) -> dict[object, str]:
    """Returns the path pattern of each route, by its endpoint. No text from a client becomes a metric's label: each new
    one would stay in memory for as long as the process lives.
    """
    return {
        getattr(route, "endpoint", None) or getattr(route, "app", None): route.path_format or "unknown"
        for route in iter_route_contexts(routes)
    }
