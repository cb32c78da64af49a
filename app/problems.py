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

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict


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

    def details(self) -> ProblemDetails:
        return ProblemDetails(
            type=f"urn:assay:problem:{self.slug}",
            title=self.title,
            status=self.status,
            detail=self.detail,
            errors=self.errors or None,
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


class TooSlow(Problem):
    status, slug, title = 408, "too-slow", "The request took too long"


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
