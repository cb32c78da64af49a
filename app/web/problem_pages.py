"""Problems as pages. Whatever refuses a browser's request outside the API says so in HTML instead of JSON."""

from collections.abc import Awaitable, Callable
from typing import Final, cast
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.responses import Response
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.problem_responses import MEDIA_TYPE, NO_SUCH_METHOD, NOWHERE
from app.problems import ProblemDetails
from app.request_values import STRANGE_CURSOR
from app.web.rendering import render, see_other
from app.web.visitors import SignInFirst

API: Final = "/api/"
AGAIN: Final = "Go back to the page before, and try again from there."
_ON_PAGES: Final = {
    NOWHERE: "There is nothing at this address. Check that you have all of it.",
    NO_SUCH_METHOD: f"This address is for sending a form, not for opening. {AGAIN}",
    STRANGE_CURSOR: f"This link into a list is not whole. {AGAIN}",
}
Handler = Callable[[Request, Exception], Awaitable[Response]]


def wants_page(scope: Scope) -> bool:
    """Whether the client is a browser on a page: it asks for HTML, and the path is not the API's."""
    return not scope["path"].startswith(API) and "text/html" in Headers(scope=scope).get("accept", "")


def page_of(body: bytes) -> Response:
    """Renders a problem's JSON as a page, in words for whoever has only followed a link."""
    problem = ProblemDetails.model_validate_json(body)
    detail = _ON_PAGES.get(problem.detail, problem.detail)
    places = [error.location.split(".") for error in problem.errors or ()]
    if wrong := sorted({place[1] for place in places if place[0] == "query"}):
        detail = f"Part of this address is not valid ({', '.join(wrong)}). {AGAIN}"
    return render("problem.html", about=problem, detail=detail)


class ProblemPages:
    """Turns problem details on their way to a browser into a page with the same status and headers."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not wants_page(scope):
            await self.app(scope, receive, send)
            return
        start: Message | None = None
        body = b""

        async def send_page(message: Message) -> None:
            nonlocal start, body
            if (
                message["type"] == "http.response.start"
                and Headers(raw=message["headers"]).get("content-type") == MEDIA_TYPE
            ):
                start = message
            elif start is None:
                await send(message)
            else:
                body += message.get("body", b"")
                if not message.get("more_body", False):
                    page = page_of(body)
                    await send(_with_headers_of(page, start))
                    await send({"type": "http.response.body", "body": page.body})

        await self.app(scope, receive, send_page)


def _with_headers_of(page: Response, start: Message) -> Message:
    headers = MutableHeaders(raw=list(start["headers"]))
    headers.update(page.headers)
    headers["Vary"] = "Accept"
    return {**start, "headers": headers.raw}


def install_problem_pages(app: FastAPI) -> None:
    """Adds the pages. Call it after `install_handlers`: unexpected exceptions are answered outside all middleware, so
    their handler is wrapped.
    """
    app.add_middleware(ProblemPages)
    app.add_exception_handler(SignInFirst, _ask_to_sign_in)
    tell_internal = cast(Handler, app.exception_handlers[Exception])

    async def tell_internal_as_page(request: Request, error: Exception) -> Response:
        response = await tell_internal(request, error)
        if not wants_page(request.scope):
            return response
        page = page_of(bytes(response.body))
        page.status_code = response.status_code
        return page

    app.add_exception_handler(Exception, tell_internal_as_page)


async def _ask_to_sign_in(_: Request, error: Exception) -> Response:
    assert isinstance(error, SignInFirst)
    query = "" if error.address == "/" else f"?next={quote(error.address, safe='/')}"
    return see_other(f"/sign-in{query}")
