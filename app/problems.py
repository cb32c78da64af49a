"""What a caller can do wrong, and how it is told: RFC 9457 problem details, one shape for every error.

Problem                  a caller's fault, with a status, a stable type and a sentence
  BadRequest             400  the request cannot be read
  NotSignedIn            401  no token, or one that is not valid
  Forbidden              403  signed in, but this is for others
  NotFound               404  no such thing, or none that the caller may know of
  MethodNotAllowed       405  the path exists, the method does not
  Conflict               409  right in itself, but not now
  TooLarge               413  more bytes than are taken
  UnsupportedMediaType   415  another content type is needed
  Unprocessable          422  readable, but a value is wrong; `errors` says which
  TooManyRequests        429  slower, please; `Retry-After` says when
  Unavailable            503  our fault, and passing: try again
"""

from collections.abc import Sequence
from typing import Any, Final

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict
from sqlalchemy.exc import DataError, IntegrityError
from starlette.exceptions import HTTPException
from starlette.routing import Match

from app.database import DATABASE_FAULTS

MEDIA_TYPE: Final = "application/problem+json"
METHODS: Final = ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")
logger = structlog.get_logger(part="api")


class FieldError(BaseModel):
    """One value that is wrong, and where it stands."""

    model_config = ConfigDict(frozen=True)

    location: str
    message: str


class ProblemDetails(BaseModel):
    """The body of every error."""

    model_config = ConfigDict(frozen=True)

    type: str
    title: str
    status: int
    detail: str
    errors: list[FieldError] | None = None


class Problem(Exception):
    """Base of the tree. `detail` is written for the caller: what was wrong, and what to do."""

    status = 400
    slug = "bad-request"
    title = "The request cannot be read"

    def __init__(
        self, detail: str, *, errors: Sequence[FieldError] = (), headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.errors = list(errors)
        self.headers = headers or {}

    def to_response(self) -> JSONResponse:
        details = ProblemDetails(
            type=f"urn:assay:problem:{self.slug}",
            title=self.title,
            status=self.status,
            detail=self.detail,
            errors=self.errors or None,
        )
        return JSONResponse(
            details.model_dump(exclude_none=True), status_code=self.status, media_type=MEDIA_TYPE, headers=self.headers
        )


class BadRequest(Problem):
    pass


class NotSignedIn(Problem):
    status, slug, title = 401, "not-signed-in", "Sign in first"

    def __init__(self, detail: str) -> None:
        super().__init__(detail, headers={"WWW-Authenticate": "Bearer"})


class Forbidden(Problem):
    status, slug, title = 403, "forbidden", "Not for you"


class NotFound(Problem):
    status, slug, title = 404, "not-found", "Not found"


class MethodNotAllowed(Problem):
    status, slug, title = 405, "method-not-allowed", "Method not allowed"


class Conflict(Problem):
    status, slug, title = 409, "conflict", "Not possible now"


class TooLarge(Problem):
    status, slug, title = 413, "too-large", "Too large"


class UnsupportedMediaType(Problem):
    status, slug, title = 415, "unsupported-media-type", "Unsupported media type"


class Unprocessable(Problem):
    status, slug, title = 422, "invalid", "A value is not valid"


class TooManyRequests(Problem):
    status, slug, title = 429, "too-many-requests", "Too many requests"

    def __init__(self, detail: str, *, retry_after_s: int) -> None:
        super().__init__(detail, headers={"Retry-After": str(retry_after_s)})


class Unavailable(Problem):
    status, slug, title = 503, "unavailable", "Temporarily unavailable"

    def __init__(self, detail: str, *, retry_after_s: int = 5) -> None:
        super().__init__(detail, headers={"Retry-After": str(retry_after_s)})


class Internal(Problem):
    """Not raised: the answer to an exception that nobody foresaw."""

    status, slug, title = 500, "internal", "The service failed"


_BY_STATUS: Final[dict[int, type[Problem]]] = {
    problem.status: problem
    for problem in (BadRequest, Forbidden, NotFound, MethodNotAllowed, TooLarge, UnsupportedMediaType)
}
_SENTENCES: Final = {
    404: "There is nothing at this address. Check the path; the API begins with /api/v1.",
    405: "This address does not take that method; see the Allow header.",
}


def install_handlers(app: FastAPI) -> None:
    """From here on every error that leaves `app` is a problem."""
    app.add_exception_handler(Problem, _tell_problem)
    app.add_exception_handler(HTTPException, _tell_http_exception)
    app.add_exception_handler(RequestValidationError, _tell_invalid)
    for fault in DATABASE_FAULTS:
        app.add_exception_handler(fault, _tell_database_trouble)
    app.add_exception_handler(IntegrityError, _tell_clash)
    app.add_exception_handler(DataError, _tell_unstorable)
    app.add_exception_handler(Exception, _tell_internal)


async def _tell_problem(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Problem)
    return error.to_response()


async def _tell_http_exception(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    kind = _BY_STATUS.get(error.status_code, BadRequest if error.status_code < 500 else Internal)
    detail = _SENTENCES.get(error.status_code, f"{error.detail.rstrip('.')}.")
    headers = dict(error.headers or {})
    if kind is MethodNotAllowed:
        headers["Allow"] = ", ".join(_methods(request))
    return kind(detail, headers=headers).to_response()


def _methods(request: Request) -> list[str]:
    """All that this address takes: Starlette names those of one route only, and we have a route for each method."""
    asked = ({**request.scope, "method": method} for method in METHODS)
    return [
        scope["method"] for scope in asked if any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)
    ]


async def _tell_invalid(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    if any(item["type"] == "json_invalid" for item in error.errors()):
        return BadRequest("The body is not valid JSON. Send one JSON object.").to_response()
    errors = [_field_error(item) for item in error.errors()]
    detail = "; ".join(f"{item.location}: {item.message}" for item in errors[:5])
    return Unprocessable(f"{detail}.", errors=errors[:20]).to_response()


async def _tell_database_trouble(_: Request, error: Exception) -> JSONResponse:
    logger.error("database_failed", reason=str(error).partition("\n")[0])
    return Unavailable(
        "The service cannot reach its database at the moment. Nothing was lost; try again soon."
    ).to_response()


async def _tell_clash(_: Request, error: Exception) -> JSONResponse:
    logger.warning("database_clash", exc_info=error)
    return Conflict(
        "Somebody changed the same thing at the same moment. Nothing of this was done; try again."
    ).to_response()


async def _tell_unstorable(_: Request, error: Exception) -> JSONResponse:
    logger.warning("database_refused_value", exc_info=error)
    return Unprocessable("A value is too long, too large, or not a text that can be kept. Shorten it.").to_response()


async def _tell_internal(_: Request, __: Exception) -> JSONResponse:
    # The server logs the exception itself, because Starlette raises it again after this answer.
    return Internal(
        "Something went wrong on our side. It costs you no attempt; try again, then tell your instructor."
    ).to_response()


def _field_error(item: dict[str, Any]) -> FieldError:
    location = ".".join(str(part) for part in item["loc"])
    return FieldError(location=location[:200], message=str(item["msg"])[:300])
