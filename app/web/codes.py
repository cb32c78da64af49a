"""The page on which a code is entered: an invitation's, or a sign-in link's. The code stands behind the # of a link, so
that it reaches no log, no Referer and no preview; only the form sends it.
"""

from fastapi import APIRouter, Request
from fastapi.responses import Response

from app.accounts import links
from app.accounts.attempts import note_wrong
from app.addresses import origin
from app.hosts import origin_of
from app.invitations import accepting
from app.invitations.accepting import Opened, Opening
from app.models import Proof
from app.problems import NotFound, Problem
from app.services import Services, WithServices
from app.web.rendering import render, see_other
from app.web.sign_in import begin_session
from app.web.visitors import PostedForm, csrf_token, find_visitor, text_of

router = APIRouter(prefix="/code")


@router.get("", name="show_code")
def show_code(request: Request) -> Response:
    """Shows the form for a code; a script fills it from the link."""
    return _page(request)


@router.post("")
def use_code(request: Request, services: WithServices, form: PostedForm) -> Response:
    """Signs in by a link; asks whether an invitation's account is theirs, and then opens it."""
    code = text_of(form, "code").strip()
    try:
        user = links.redeem(services.database, code)
        if user is not None:
            begin_session(request, services, user, Proof.LINK)
            return see_other("/")
        if text_of(form, "do") != "open":
            return _page(request, code, opening=accepting.look(services.database, code))
        opened = accepting.accept(services.database, code, services.settings.token_days_max)
    except NotFound as problem:
        return _page(request, code, problem=counted_as_wrong(request, services, code, problem))
    except Problem as problem:
        return _page(request, code, problem=problem)
    begin_session(request, services, opened.user, Proof.TOKEN, opened.token.row.id)
    return _welcome(request, services, opened)


def counted_as_wrong(request: Request, services: Services, code: str, problem: Problem) -> Problem:
    """Counts a wrong code as a wrong token, so that nobody tries them by the thousand; returns the problem to tell."""
    address = origin(request.client.host) if request.client else "unknown"
    try:
        note_wrong(services.broker, services.metrics, address, None, code)
    except Problem as slowed:
        return slowed
    return problem


def _page(request: Request, code: str = "", opening: Opening | None = None, problem: Problem | None = None) -> Response:
    return render(
        "code.html",
        problem=problem,
        csrf=csrf_token(request),
        code=code,
        opening=opening,
    )


def _welcome(request: Request, services: Services, opened: Opened) -> Response:
    settings = services.settings
    return render(
        "invited.html",
        visitor=find_visitor(request, services),
        course=opened.course,
        token=opened.token,
        provider=settings.openid_name if settings.openid_issuer else None,
        server=origin_of(request, settings),
    )
