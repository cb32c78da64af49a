"""What happens to every request, whatever it asks: limits of its body, security headers, one log line, the counters."""

import asyncio
import time
from typing import Final

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.identifiers import is_id, new_id
from app.metrics import ApiMetrics
from app.problem_responses import response_to
from app.problems import TooLarge

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
TOO_SLOW: Final = "The rest of the request did not come in time. Send it again, on a better line if you can"
ONLY_HTTPS: Final = {"Strict-Transport-Security": "max-age=31536000"}  # a year
logger = structlog.get_logger(part="api")


class BodyLimit:
    """Refuses a body over the limit: by its declared length before a byte is read, else as soon as it is too long. And
    one that does not come to its end in time.
    """

    def __init__(self, app: ASGIApp, limit_bytes: int, limit_s: float) -> None:
        self.app = app
        self.limit_bytes = limit_bytes
        self.limit_s = limit_s
        self.sentence = (
            f"The request is larger than {limit_bytes // 1024} KiB, which is the most that is taken. "
            "Send only the source files that your solution needs."
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        declared = Headers(scope=scope).get("content-length", "")
        if declared.isascii() and declared.isdigit() and int(declared[:20]) > self.limit_bytes:
            response = response_to(TooLarge(self.sentence, headers={"Connection": "close"}))
            await response(scope, receive, send)
            return
        received, is_whole = 0, False
        deadline = asyncio.get_running_loop().time() + self.limit_s

        async def receive_within_limit() -> Message:
            """FastAPI lets only its own kind of exception through while it reads a body."""
            nonlocal received, is_whole
            try:
                async with asyncio.timeout_at(None if is_whole else deadline):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, TOO_SLOW, {"Connection": "close"}) from None
            received += len(message.get("body", b""))
            is_whole = not message.get("more_body", False)
            if received > self.limit_bytes:
                raise HTTPException(413, self.sentence, {"Connection": "close"})
            return message

        await self.app(scope, receive_within_limit, send)


class SecurityHeaders:
    """Adds the headers that every answer carries. A page that needs another policy sets its own."""

    def __init__(self, app: ASGIApp, *, is_secure: bool) -> None:
        self.app = app
        self.headers = SECURITY_HEADERS | (ONLY_HTTPS if is_secure else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers)


class RequestLog:
    """One log line and one count per request."""

    def __init__(self, app: ASGIApp, metrics: ApiMetrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()
        status = 500

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=new_id()):
            try:
                await self.app(scope, receive, send_and_note)
            finally:
                self._note(scope, status, time.perf_counter() - started)

    def _note(self, scope: Scope, status: int, elapsed_s: float) -> None:
        route = _pattern(scope)
        self.metrics.requests.labels(scope["method"], route, str(status)).inc()
        self.metrics.request_seconds.labels(scope["method"], route).observe(elapsed_s)
        asked = scope.get("path_params", {}).get("submission_id", "")
        about = {"submission_id": asked} if is_id(asked) else {}  # what is none may be anything
        level = logger.debug if route in ("/healthz", "/readyz", "/metrics") else logger.info
        level(
            "request_finished",
            method=scope["method"],
            route=route,
            status=status,
            elapsed_ms=round(elapsed_s * 1000, 1),
            **about,
        )


def _pattern(scope: Scope) -> str:
    """The path with its parameters' names instead of their values: a label must not grow with the rows."""
    if "endpoint" not in scope:
        return "unknown"
    path: str = scope["path"]
    for name, value in scope.get("path_params", {}).items():
        path = path.replace(f"/{value}", f"/{{{name}}}", 1)
    return path
