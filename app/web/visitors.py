"""Who is looking at a page, and the proof that a form comes from one of our pages."""

import hmac
import secrets
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import urlsplit

from fastapi import Depends, Request
from starlette.datastructures import FormData

from app.accounts import service as accounts
from app.accounts.service import Membership
from app.models import Role, User, WebSession
from app.problem_responses import is_taken
from app.problems import Forbidden
from app.rate import limit_writes
from app.services import READS, Services, WithServices, session_of

FILES_MAX: Final = 40
FIELDS_MAX: Final = 100
FIELD_BYTES_MAX: Final = 1 << 20  # a pasted source; the request's own limit is smaller or equal


class SignInFirst(Exception):
    """Raised when nobody is signed in. The browser is sent to the sign-in form, and then back to `address`."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


@dataclass(frozen=True)
class Visitor:
    """A signed-in person, with what the frame of every page shows."""

    user: User
    session: WebSession
    staffed: tuple[Membership, ...]
    studied: tuple[Membership, ...]
    csrf: str
    is_author: bool  # of exercises, under some namespace


def find_visitor(request: Request, services: Services) -> Visitor | None:
    """Returns who is signed in with this browser; None for nobody."""
    session = session_of(request, services)
    if session is None:
        return None
    courses = accounts.memberships(services.database, session.user)
    staffed = tuple(course for course in courses if course.role is not Role.STUDENT)
    studied = tuple(course for course in courses if course.role is Role.STUDENT)
    return Visitor(session.user, session, staffed, studied, csrf_token(request), session.is_author)


def visitor(request: Request, services: WithServices) -> Visitor:
    """Returns who is signed in with this browser. Raises SignInFirst, TooManyRequests."""
    found = find_visitor(request, services)
    if found is None:
        raise SignInFirst(address_of(request))
    if request.method not in READS:
        limit_writes(services.broker, services.settings, found.user)
    return found


async def with_slot(found: Annotated[Visitor, Depends(visitor)], services: WithServices) -> AsyncIterator[Visitor]:
    """Returns who is signed in, once they have a slot. Raises as `visitor`."""
    async with services.request_slots.slot(found.user.id):
        yield found


def address_of(request: Request) -> str:
    """Returns where to come back to after signing in: this page, or the page whose form was sent, with its drafts."""
    if request.method == "GET":
        return _with_query(request.url.path, request.url.query)
    try:
        page = urlsplit(request.headers.get("referer", ""))
    except ValueError:  # it names a host, and that none could have
        return "/"
    # What a refused form shows stands at an address that only takes forms.
    is_ours = page.netloc == request.url.netloc and is_taken(request, "GET", page.path)
    return _with_query(page.path, page.query) if is_ours else "/"


def _with_query(path: str, query: str) -> str:
    return f"{path}?{query}" if query else path


def csrf_token(request: Request) -> str:
    """Returns the secret of this session that every form carries, made when first needed."""
    token = request.session.get("csrf")
    if not isinstance(token, str):
        token = secrets.token_urlsafe(32)
        request.session["csrf"] = token
    return token


async def posted_form(request: Request) -> AsyncIterator[FormData]:
    """Returns the form that was sent. Raises Forbidden when it does not carry the session's secret."""
    async with request.form(max_files=FILES_MAX, max_fields=FIELDS_MAX, max_part_size=FIELD_BYTES_MAX) as form:
        if not hmac.compare_digest(text_of(form, "csrf").encode(), csrf_token(request).encode()):
            raise Forbidden(
                "This form has expired, or it came from another site. Go back, reload the page and send it again."
            )
        yield form


def text_of(form: FormData, name: str) -> str:
    """Returns a field of a form as text; empty when it is missing or a file."""
    value = form.get(name)
    return value if isinstance(value, str) else ""


def texts_of(form: FormData, names: Iterable[str]) -> dict[str, str]:
    """Returns fields of a form as text, without the space around it."""
    return {name: text_of(form, name).strip() for name in names}


def all_of(form: FormData, name: str) -> list[str]:
    """Returns each text that was sent under this name: what was ticked, or chosen in a list."""
    return [text for text in form.getlist(name) if isinstance(text, str)]


SignedInVisitor = Annotated[Visitor, Depends(with_slot, scope="function")]
# Also where nothing in the form is read: it proves that it comes from one of our pages.
PostedForm = Annotated[FormData, Depends(posted_form)]
