"""How a problem is answered, and what else fails under a request: each is told as a problem."""

from http import HTTPStatus
from typing import Any, Final

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DataError, IntegrityError
from starlette.exceptions import HTTPException
from starlette.routing import Match

from app.database import DATABASE_FAULTS
from app.problems import (
    BadRequest,
    Conflict,
    FieldError,
    Forbidden,
    Internal,
    MethodNotAllowed,
    NotFound,
    Problem,
    TooLarge,
    TooSlow,
    Unavailable,
    Unprocessable,
    UnsupportedMediaType,
    in_one_sentence,
)

MEDIA_TYPE: Final = "application/problem+json"
ERRORS_TOLD: Final = 20  # of a hundred thousand
METHODS: Final = ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")
logger = structlog.get_logger(part="api")
_BY_STATUS: Final[dict[int, type[Problem]]] = {
    problem.status: problem
    for problem in (BadRequest, Forbidden, NotFound, MethodNotAllowed, TooSlow, TooLarge, UnsupportedMediaType)
}
NOWHERE: Final = "There is nothing at this address. Check the path; the API begins with /api/v1."
NO_SUCH_METHOD: Final = "This address does not accept that method; see the Allow header."
_SENTENCES: Final[dict[int, str]] = {HTTPStatus.NOT_FOUND: NOWHERE, HTTPStatus.METHOD_NOT_ALLOWED: NO_SUCH_METHOD}


def response_to(problem: Problem) -> JSONResponse:
    """Returns the response for a problem."""
    return JSONResponse(
        problem.details().model_dump(exclude_none=True),
        status_code=problem.status,
        media_type=MEDIA_TYPE,
        headers=problem.headers,
    )


def install_handlers(app: FastAPI) -> None:
    """Makes every error that leaves `app` a problem (RFC 9457)."""
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
    return response_to(error)


async def _tell_http_exception(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    kind = _BY_STATUS.get(error.status_code, BadRequest if error.status_code < 500 else Internal)
    detail = _SENTENCES.get(error.status_code, f"{error.detail.rstrip('.')}.")
    headers = dict(error.headers or {})
    if kind is MethodNotAllowed:
        # Starlette names those of one route only, and we have a route for each method.
        headers["Allow"] = ", ".join(each for each in METHODS if is_taken(request, each, request.scope["path"]))
    return response_to(kind(detail, headers=headers))


def is_taken(request: Request, method: str, path: str) -> bool:
    """Whether we have a route for this method at this address."""
    scope = {**request.scope, "method": method, "path": path}
    return any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)


async def _tell_invalid(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    if any(item["type"] == "json_invalid" for item in error.errors()):
        return response_to(BadRequest("The body is not valid JSON. Send one JSON object."))
    errors = [_field_error(item) for item in error.errors()[:ERRORS_TOLD]]
    return response_to(Unprocessable(in_one_sentence(errors[:5]), errors=errors))


async def _tell_database_trouble(_: Request, error: Exception) -> JSONResponse:
    logger.error("database_failed", reason=str(error).partition("\n")[0])
    return response_to(
        Unavailable("The service cannot reach its database at the moment. Nothing is lost; try again soon.")
    )


async def _tell_clash(_: Request, error: Exception) -> JSONResponse:
    logger.warning("database_clash", exc_info=error)
    return response_to(
        Conflict("Someone else changed the same thing at the same moment. Your change was not saved; try again.")
    )


async def _tell_unstorable(_: Request, error: Exception) -> JSONResponse:
    logger.warning("database_refused_value", exc_info=error)
    return response_to(
        Unprocessable("A value is too long, too large, or contains text that cannot be stored. Shorten it.")
    )


async def _tell_internal(_: Request, __: Exception) -> JSONResponse:
    # The server logs the exception itself, because Starlette raises it again after this answer.
    return response_to(
        Internal(
            "Something went wrong on our side. It costs you no attempt. Try again, and if it keeps "
            "happening, tell your instructor."
        )
    )


def _field_error(item: dict[str, Any]) -> FieldError:
    location = ".".join(str(part) for part in item["loc"])
    return FieldError(location=location[:200], message=str(item["msg"])[:300])
