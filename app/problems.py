"""What a caller can do wrong, and how it is told: RFC 9457 problem details, one shape for every error.

Problem                  a caller's fault, with a status, a stable type and a sentence
  BadRequest             400  the request cannot be read
  NotSignedIn            401  no token, or one that is not valid
  Forbidden              403  signed in, but this is for others
  NotFound               404  no such thing, or none that the caller may know of
  MethodNotAllowed       405  the path exists, the method does not
  TooSlow                408  the request did not come to its end in time
  Conflict               409  right in itself, but not now
  TooLarge               413  more bytes than are taken
  UnsupportedMediaType   415  another content type is needed
  Unprocessable          422  readable, but a value is wrong; `errors` says which
  TooManyRequests        429  slower, please; `Retry-After` says when
  Unavailable            503  our fault, and passing: try again

How they are answered stands in `problem_responses`: what is not served over HTTP needs none of that.
"""

from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Self

from pydantic import BaseModel


class FieldError(BaseModel, frozen=True):
    """A value that is wrong, and its place in the request."""

    location: str
    message: str

    @classmethod
    def of(cls, item: Mapping[str, Any], message: str = "") -> Self:
        """Makes one of what pydantic found, in its own words unless there is a `message`."""
        return cls(location=".".join(map(str, item["loc"])) or "body", message=message or item["msg"])


def in_one_sentence(errors: Iterable[FieldError]) -> str:
    """Tells several values that are wrong."""
    return "; ".join(f"{item.location}: {item.message}" for item in errors) + "."


class ProblemDetails(BaseModel, frozen=True):
    """The body of every error."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[FieldError] | None = None


class Problem(Exception):
    """Base of the exceptions that become error responses. `detail` is for the caller: what was
    wrong, and what to do.
    """

    status = HTTPStatus.BAD_REQUEST
    slug = "bad-request"
    title = "The request could not be read"

    def __init__(
        self, detail: str, *, errors: Sequence[FieldError] = (), headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.errors = list(errors)
        self.headers = headers or {}

    def details(self) -> ProblemDetails:
        """Returns the body of the response."""
        return ProblemDetails(
            type=f"urn:assay:problem:{self.slug}",
            title=self.title,
            status=self.status,
            detail=self.detail,
            errors=self.errors or None,
        )


class BadRequest(Problem):
    """The request cannot be parsed (400)."""


class NotSignedIn(Problem):
    """The caller must sign in (401)."""

    status, slug, title = HTTPStatus.UNAUTHORIZED, "not-signed-in", "Sign in first"

    def __init__(self, detail: str) -> None:
        super().__init__(detail, headers={"WWW-Authenticate": "Bearer"})


class Forbidden(Problem):
    """The caller may not do this (403)."""

    status, slug, title = HTTPStatus.FORBIDDEN, "forbidden", "Not allowed"


class NotFound(Problem):
    """There is no such thing, or the caller may not know of it (404)."""

    status, slug, title = HTTPStatus.NOT_FOUND, "not-found", "Not found"


class MethodNotAllowed(Problem):
    """The path does not take this method (405)."""

    status, slug, title = HTTPStatus.METHOD_NOT_ALLOWED, "method-not-allowed", "Method not allowed"


class TooSlow(Problem):
    """The request took too long to arrive (408)."""

    status, slug, title = HTTPStatus.REQUEST_TIMEOUT, "too-slow", "The request took too long"


class Conflict(Problem):
    """The state of things does not allow this now (409)."""

    status, slug, title = HTTPStatus.CONFLICT, "conflict", "Not possible now"


class TooLarge(Problem):
    """The request is too large (413)."""

    status, slug, title = HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large", "Too large"


class UnsupportedMediaType(Problem):
    """The body has a type that is not taken (415)."""

    status, slug, title = HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", "Unsupported media type"


class Unprocessable(Problem):
    """A value is not valid (422)."""

    status, slug, title = HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", "A value is not valid"


class TooManyRequests(Problem):
    """The caller must wait before the next request (429)."""

    status, slug, title = HTTPStatus.TOO_MANY_REQUESTS, "too-many-requests", "Too many requests"

    def __init__(self, detail: str, *, retry_after_s: int) -> None:
        super().__init__(detail, headers={"Retry-After": str(retry_after_s)})


class Unavailable(Problem):
    """The service cannot do this for the moment (503)."""

    status, slug, title = HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", "Temporarily unavailable"

    def __init__(self, detail: str, *, retry_after_s: int = 5) -> None:
        super().__init__(detail, headers={"Retry-After": str(retry_after_s)})


class Internal(Problem):
    """The answer to an unexpected exception (500). Never raised."""

    status, slug, title = HTTPStatus.INTERNAL_SERVER_ERROR, "internal", "The service failed"


def wrong(field: str, sentence: str) -> Unprocessable:
    """Returns what to raise for a field that cannot be used, with its sentence."""
    return Unprocessable(sentence, errors=[FieldError(location=field, message=sentence)])
