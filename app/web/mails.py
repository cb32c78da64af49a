"""What people are mailed about, and ending mails from a link in one of them, without signing in."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from app.news import choices
from app.news.schemas import MailChoices, NewsKind
from app.services import Services, WithServices
from app.web.rendering import render
from app.web.visitors import PostedForm, SignedInVisitor, Visitor, find_visitor

Code = Annotated[str, Path(max_length=100)]
ENDING: Final = "/mail/off/{code}"

router = APIRouter()


@router.get("/mail")
def show_mail(visitor: SignedInVisitor, services: WithServices) -> Response:
    """Shows what the visitor is mailed about."""
    return _page(services, visitor, choices.read(services.database, visitor.user))


@router.post("/mail")
def choose_mail(visitor: SignedInVisitor, services: WithServices, form: PostedForm) -> Response:
    """Keeps what was ticked."""
    wanted = MailChoices(not_mailed=[kind for kind in NewsKind if kind.value not in form])
    return _page(services, visitor, choices.choose(services.database, visitor.user, wanted), is_saved=True)


@router.get(ENDING)
def show_ending(code: Code, request: Request, services: WithServices) -> Response:
    """Asks whether to end the mails: programs that look at the links of a mail open this page, too."""
    choices.check(services.database, code)
    return _ending_page(request, services, is_done=False)


@router.post(ENDING)
def end_mails(code: Code, request: Request, services: WithServices) -> Response:
    """Ends the mails. Mail programs send this by themselves (RFC 8058): the code is the proof, and no form of ours."""
    choices.end_mails(services.database, code)
    return _ending_page(request, services, is_done=True)


def _page(services: Services, visitor: Visitor, chosen: MailChoices, *, is_saved: bool = False) -> Response:
    context: dict[str, Any] = {"kinds": list(NewsKind), "not_mailed": chosen.not_mailed, "is_saved": is_saved}
    return render("mail.html", visitor=visitor, can_send_mail=services.settings.can_send_mail, **context)


def _ending_page(request: Request, services: Services, *, is_done: bool) -> Response:
    return render("mail_off.html", visitor=find_visitor(request, services), is_done=is_done)
