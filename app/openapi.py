"""The OpenAPI document, made to say what is true of errors: they are problems, of a content type of their own."""

from typing import Any, Final

from fastapi import FastAPI
from starlette.types import ASGIApp

from app.middleware import SecurityHeaders
from app.problem_responses import MEDIA_TYPE
from app.problems import ProblemDetails

PROBLEMS: Final[dict[int | str, dict[str, Any]]] = {
    "4XX": {"model": ProblemDetails, "description": "what was wrong, and what to do"},
    "503": {
        "model": ProblemDetails,
        "description": "the service cannot do it now; `Retry-After` says when to try again",
    },
}


class DocumentedApp(FastAPI):
    """A FastAPI application whose OpenAPI document gives problems their own content type."""

    is_secure = False

    def build_middleware_stack(self) -> ASGIApp:
        """Wraps everything, since unexpected exceptions are answered outside all middleware that FastAPI is given."""
        return SecurityHeaders(super().build_middleware_stack(), is_secure=self.is_secure)

    def openapi(self) -> dict[str, Any]:
        """Returns the OpenAPI document, with problems as `application/problem+json`."""
        document = super().openapi()
        for path in document["paths"].values():
            for operation in path.values():
                for status in PROBLEMS.keys() & operation["responses"].keys():
                    response = operation["responses"][status]
                    response["content"] = {MEDIA_TYPE: next(iter(response["content"].values()))}
        return document
