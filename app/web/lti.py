"""Coming from a learning platform. Its link opens in a window of its own: our cookie is sent in no frame, and no page
that knows somebody may be shown in one.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final
from urllib.parse import urlencode, urlsplit

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from app.accounts import sessions
from app.accounts.identities import Claims, Match, known, link_own, recognise
from app.hosts import origin_of
from app.lti import contexts
from app.lti.addresses import own_addresses
from app.lti.deep_linking import choices
from app.lti.launches import LoginRequest
from app.lti.messages import DEEP_LINK, Message
from app.lti.outgoing import host_of, hosts_of
from app.lti.roster import bring
from app.lti.schemas import KeySetView
from app.lti.service import Arrival
from app.models import LtiContext, LtiPlatform, Proof, Role
from app.problems import Forbidden, Problem
from app.services import Services, WithServices
from app.web.linking import ask_to_link
from app.web.lti_places import nobody_joins, place_of
from app.web.rendering import framable, render, see_other
from app.web.sign_in import begin_session
from app.web.visitors import PostedForm, SignedInVisitor, Visitor, find_visitor, text_of

NONCES: Final = "lti_nonces"
ACCOUNT: Final = "lti_account"
NONCES_MAX: Final = 5
FRAMES: Final = ("iframe", "frame", "embed", "object")
NOWHERE: Final = "'none'"  # where forms of a page in a frame may be sent
PARAMETERS: Final = ("iss", "login_hint", "target_link_uri", "client_id", "lti_message_hint", "lti_deployment_id")
Text = Annotated[str, Query(max_length=8000)]
Posted = Annotated[str, Form(max_length=100_000)]

router = APIRouter(prefix="/lti")


@router.get("/keys.json", name="lti_keys")
def show_keys(services: WithServices) -> KeySetView:
    """Shows our public keys, for platforms."""
    return services.lti.keys.public()


@router.get("/login", name="lti_login")
def begin_login(
    request: Request,
    services: WithServices,
    iss: Text = "",
    login_hint: Text = "",
    target_link_uri: Text = "",
    client_id: Text = "",
    lti_message_hint: Text = "",
    lti_deployment_id: Text = "",
) -> Response:
    """Sends the browser on to the platform; in a frame it first offers a window, but for choosing an assignment."""
    own = own_addresses(request, services.settings)
    asked = LoginRequest(iss, login_hint, target_link_uri, client_id, lti_message_hint, lti_deployment_id)
    login = services.lti.launches.begin(asked, origin_of(request, services.settings), own.launch_url)
    is_framed = request.headers.get("sec-fetch-dest") in FRAMES
    if is_framed and target_link_uri != own.deep_link_url:
        return framable(
            render("lti_window.html", again=f"/lti/login?{urlencode(_told(request.query_params))}"), NOWHERE
        )
    if not is_framed:
        kept = request.session.get(NONCES)
        request.session[NONCES] = [*(kept if isinstance(kept, list) else []), login.nonce][-NONCES_MAX:]
    return see_other(login.address)


@router.post("/login")
async def take_login(request: Request) -> Response:
    """Goes on as if the platform had sent a link: with a form from another site no cookie of ours comes along."""
    async with request.form(max_files=0, max_fields=20) as form:
        told = {name: text_of(form, name) for name in PARAMETERS}
    return see_other(f"/lti/login?{urlencode(_told(told))}")


def _told(values: Mapping[str, str]) -> dict[str, str]:
    return {name: values[name] for name in PARAMETERS if values.get(name)}


@router.post("/launch", name="lti_launch")
def take_launch(
    request: Request, services: WithServices, state: Posted = "", id_token: Posted = "", error: Posted = ""
) -> Response:
    """Checks the platform's message. Whoever came is signed in by the next request, which brings our cookie along."""
    if error:
        raise Forbidden(
            "Your learning platform does not say who you are: perhaps you are not signed in there any more. Sign in "
            "there, and open the link again."
        )
    ticket = services.lti.launches.receive(state, id_token, origin_of(request, services.settings))
    if ticket.message.message_type == DEEP_LINK:
        return _deep_link_page(request, services, ticket.code)
    return see_other(f"/lti/enter?{urlencode({'ticket': ticket.code})}")


def _deep_link_page(request: Request, services: Services, code: str) -> Response:
    """Signs nobody in and needs no cookie, so that it may stand in a frame, as platforms want it."""
    platform, message = services.lti.launches.peek(code)
    context = contexts.note(services.database, platform, message)
    try:
        launch = own_addresses(request, services.settings).launch_url
        found = choices(services.database, services.lti.keys, platform, context, message, launch)
        if host_of(found.return_url) not in hosts_of(platform):
            raise Forbidden("Your learning platform wants the choice sent to a host that is not its own.")
    except Forbidden as problem:
        return framable(render("lti_deep_link.html", problem=problem, found=None), NOWHERE)
    parts = urlsplit(found.return_url)
    # A browser also holds redirects after a form to the policy, and platforms redirect among their hosts.
    targets = f"https: {parts.scheme}://{parts.netloc}"
    return framable(render("lti_deep_link.html", found=found, platform=platform.name), targets)


@router.get("/enter")
def enter(request: Request, services: WithServices, ticket: Text = "") -> Response:
    """Signs the person in who began the launch in this browser, or asks whose account is theirs."""
    platform, message = services.lti.launches.redeem(ticket, request.session.get(NONCES))
    context = contexts.note(services.database, platform, message)
    claims = Claims.of(message.iss, message.sub, message.email, message.name)
    address = _address(services, message, context)
    user = known(services.database, claims)
    if user is not None:
        begin_session(request, services, user, Proof.PROVIDER)
        return see_other(address)
    visitor = find_visitor(request, services)
    if visitor is not None:
        kept = {"issuer": claims.issuer, "subject": claims.subject, "name": claims.name or claims.email}
        request.session[ACCOUNT] = {**kept, "platform": platform.name, "next": address}
        return see_other("/lti/account")
    _require_match(services, platform, claims, context, message)
    ask_to_link(request, claims, address, platform.name)
    return see_other("/sign-in/link")


def _address(services: Services, message: Message, context: LtiContext | None) -> str:
    arrival = Arrival(
        issuer=message.iss,
        subject=message.sub,
        is_instructor=message.is_instructor,
        context=context.id if context else None,
        assignment=message.assignment_id,
    )
    return f"/lti/continue?{urlencode({'to': services.lti.seal(arrival)})}"


def _require_match(
    services: Services,
    platform: LtiPlatform,
    claims: Claims,
    context: LtiContext | None,
    message: Message,
) -> None:
    """Raises Forbidden unless an account waits for the person's address. The platform's word is good for the course
    that is connected with it, and opens no account that waits for somebody in another.
    """
    if context is not None and claims.email is not None and message.is_learner:
        bring(services.database, context, claims.name, claims.email)
    try:
        found = recognise(services.database, claims, may_create=False)
    except Forbidden as problem:
        if context is not None and context.course is not None and context.course.is_archived:
            raise Forbidden(nobody_joins(context.course)) from problem
        raise Forbidden(
            f"Nobody here is linked with your account at {platform.name} yet, and no account waits for its address. If "
            "you have an account here, sign in with its token, then open the link at your learning platform again. If "
            "not, ask your instructor to put you on the roster with that address."
        ) from problem
    assert isinstance(found, Match)
    is_of_the_course = context is not None and found.user.created_by_course_id == context.course_id is not None
    if not found.needs_token and not (is_of_the_course and len(found.courses) == 1):
        raise Forbidden(
            "An account waits for your address, but not for this course alone. Sign in to it once in another way, then "
            "open the link at your learning platform again. If you have no token of it, ask your instructor."
        )


@router.get("/account")
def show_account(request: Request, visitor: SignedInVisitor) -> Response:
    """Asks whoever is signed in whether they are the person at the platform."""
    return render("lti_account.html", visitor=visitor, kept=_kept(request))


@router.post("/account")
def link_account(request: Request, visitor: SignedInVisitor, services: WithServices, _: PostedForm) -> Response:
    """Links the account of whoever is signed in."""
    kept = _kept(request)
    try:
        if not sessions.is_recent(visitor.session):
            raise Forbidden("You signed in more than an hour ago. Sign out, sign in again, and open the link again.")
        link_own(services.database, Claims(kept["issuer"], kept["subject"]), visitor.user)
    except Problem as problem:
        return render("lti_account.html", problem=problem, visitor=visitor, kept=kept)
    del request.session[ACCOUNT]
    return see_other(kept["next"])


def _kept(request: Request) -> dict[str, Any]:
    kept = request.session.get(ACCOUNT)
    if not isinstance(kept, dict):
        raise Forbidden("This was done already. Go back to your learning platform and open the link again.")
    return kept


@router.get("/continue")
def go_on(visitor: SignedInVisitor, services: WithServices, to: Text = "") -> Response:
    """Leads to the assignment or course; asks an instructor first which course it is, where nobody has said so yet."""
    arrival = services.lti.unseal(to, visitor.user)
    context = contexts.find(services.database, arrival.context) if arrival.context else None
    if context is None:
        return see_other("/")
    if context.course is not None:
        return see_other(place_of(services, visitor.user, context, arrival.assignment))
    if not arrival.is_instructor:
        raise Forbidden(
            "Your course is not connected with one on Assay yet. Ask your instructor to open Assay from it once."
        )
    return _connect_page(visitor, context, to)


@router.post("/continue")
def connect(visitor: SignedInVisitor, services: WithServices, form: PostedForm) -> Response:
    """Connects the course at the platform with the one that was chosen."""
    to = text_of(form, "to")
    arrival = services.lti.unseal(to, visitor.user)
    context = contexts.find(services.database, arrival.context) if arrival.context else None
    if context is None or not arrival.is_instructor:
        raise Forbidden("Only an instructor of the course at your learning platform can connect it.")
    try:
        course = contexts.connect(services.database, visitor.user, context.id, text_of(form, "course"))
    except Problem as problem:
        return _connect_page(visitor, context, to, problem)
    return see_other(f"/courses/{course.slug}/lms")


def _connect_page(visitor: Visitor, context: LtiContext, to: str, problem: Problem | None = None) -> Response:
    managed = [course for course in visitor.staffed if course.role is Role.INSTRUCTOR]
    return render(
        "lti_connect.html",
        problem=problem,
        visitor=visitor,
        title=context.title or context.context_id,
        platform=context.platform.name,
        courses=[course for course in managed if not course.is_archived],
        has_archived=bool(managed),
        to=to,
    )
