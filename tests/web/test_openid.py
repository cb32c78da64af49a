"""Signing in through an OpenID Connect provider: a real one, a process of its own, with its own signatures."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from sqlalchemy import select

from app.models import Identity, User
from app.settings import ApiSettings
from app.web.openid import claims_of
from tests.app.conftest import open_school
from tests.app.redis_process import RedisProcess, free_port
from tests.app.school import NO_CERTIFICATES, School
from tests.patience import PATIENCE_S
from tests.web.conftest import Visit, field, visitor

ADA = {"email": "Ada@school.test", "email_verified": True, "name": "Ada L."}


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    port = free_port()
    command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port), "--require-nonce", "true"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        address = f"http://localhost:{port}"
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline and process.poll() is None:
            with suppress(httpx.TransportError):
                httpx.get(
                    f"{address}/.well-known/openid-configuration", trust_env=False, verify=NO_CERTIFICATES
                ).raise_for_status()
                break
            time.sleep(0.1)
        yield address
        process.kill()


@pytest.fixture
def settings(settings: ApiSettings, provider: str) -> ApiSettings:
    told = {"openid_issuer": provider, "openid_client_id": "assay", "openid_client_secret": "shared"}
    return ApiSettings.model_validate({**settings.model_dump(), **told, "openid_name": "Example University"})


@pytest.fixture
def school(settings: ApiSettings, redis: RedisProcess) -> Iterator[School]:
    for school in open_school(settings, redis):
        with school.database.write() as session:
            session.scalars(select(User).where(User.name == "ada")).one().email = "ada@school.test"
        yield school


def knows(provider: str, subject: str, claims: dict[str, Any]) -> None:
    httpx.put(f"{provider}/users/{subject}", json=claims, trust_env=False).raise_for_status()


def consent(visit: Visit, subject: str, path: str = "/sign-in/openid") -> str:
    """To the provider, where the person says yes; returns the address to which it sends the browser back."""
    asked = visit.get(path, follow_redirects=False)
    assert asked.status_code == 302, asked.text
    answer = httpx.post(asked.headers["location"], data={"sub": subject}, trust_env=False)
    assert answer.status_code == 302, answer.text
    return str(answer.headers["location"])


def come_back(visit: Visit, subject: str, path: str = "/sign-in/openid") -> httpx.Response:
    return visit.client.get(consent(visit, subject, path))


def sign_in(visit: Visit, subject: str, path: str = "/sign-in/openid", **proof: str) -> httpx.Response:
    """The first time, the person says that the account is theirs."""
    page = come_back(visit, subject, path)
    if page.url.path != "/sign-in/link":
        return page
    return visit.post("/sign-in/link", {**asked_on(page), **proof})


def asked_on(page: httpx.Response) -> dict[str, str]:
    """What the form of the page that asks carries."""
    return {name: field(page.text, name) for name in ("csrf", "account")}


def identities(school: School) -> list[tuple[str, str]]:
    with school.database.read() as session:
        return [(row.subject, row.user.name) for row in session.scalars(select(Identity))]


def test_whoever_is_on_a_roster_signs_in_and_comes_back_to_the_page(
    school: School, visit: Visit, provider: str
) -> None:
    knows(provider, "1815", ADA)
    page = visit.page("/sign-in?next=/challenges/mha-rope")
    assert "Sign in with Example University" in page
    response = sign_in(visit, "1815", "/sign-in/openid?next=/challenges/mha-rope")
    assert response.url.path == "/challenges/mha-rope"
    assert "ada" in response.text
    assert identities(school) == [("1815", "ada")]


def test_a_known_person_is_recognised_by_the_subject_whatever_the_address(
    school: School, visit: Visit, provider: str
) -> None:
    knows(provider, "1815", ADA)
    sign_in(visit, "1815")
    visit.client.cookies.clear()
    knows(provider, "1815", {"email": "married@school.test", "email_verified": True})
    assert sign_in(visit, "1815").url.path == "/"
    assert identities(school) == [("1815", "ada")]


def test_an_address_that_was_given_to_somebody_else_does_not_open_the_account(
    school: School, visit: Visit, provider: str
) -> None:
    knows(provider, "1815", ADA)
    sign_in(visit, "1815")
    visit.client.cookies.clear()
    knows(provider, "2015", ADA)
    assert sign_in(visit, "2015").status_code == 403
    assert identities(school) == [("1815", "ada")]


@pytest.mark.parametrize(
    "claims",
    [
        {"email": "stranger@school.test", "email_verified": True},
        {"email": "ada@school.test", "email_verified": False},
        {"email": "ada@school.test"},
        {},
    ],
    ids=["stranger", "not verified", "nothing said", "no address"],
)
def test_who_is_not_proved_to_be_on_a_roster_is_told_what_to_do(
    school: School, visit: Visit, provider: str, claims: dict[str, Any]
) -> None:
    knows(provider, "7", claims)
    response = sign_in(visit, "7")
    assert response.status_code == 403
    assert "Ask your instructor" in response.text
    assert visit.get("/").url.path == "/sign-in"
    assert identities(school) == []


def test_an_answer_that_this_browser_did_not_ask_for_is_refused(school: School, visit: Visit, provider: str) -> None:
    """Else an attacker could sign somebody in under the attacker's name, or use an answer twice."""
    knows(provider, "1815", ADA)
    address = consent(visit, "1815")
    with httpx.Client(base_url=school.url, headers={"Accept": "text/html"}, trust_env=False) as another:
        assert another.get(address).status_code == 403
    state = parse_qs(urlsplit(address).query)["state"][0]
    assert visit.get(f"/sign-in/openid/back?code=made-up&state={state}").status_code == 403
    assert visit.client.get(address).status_code == 403  # the state has been used
    assert visit.get("/").url.path == "/sign-in"


def test_saying_no_at_the_provider_is_told_in_a_sentence(visit: Visit) -> None:
    visit.get("/sign-in/openid", follow_redirects=False)
    response = visit.get("/sign-in/openid/back?error=access_denied&state=x")
    assert response.status_code == 403
    assert "try again" in response.text


def test_an_address_alone_opens_no_account(school: School, visit: Visit, provider: str) -> None:
    knows(provider, "1815", ADA)
    page = come_back(visit, "1815")
    assert page.url.path == "/sign-in/link"
    assert "There is an unused account" in page.text
    assert "Demonstration course" in page.text or "demo" in page.text
    assert identities(school) == []
    assert visit.get("/").url.path == "/sign-in"
    assert visit.post("/sign-in/link", {"csrf": "guessed"}).status_code == 403
    assert identities(school) == []


def test_an_account_that_somebody_has_used_is_linked_by_its_token_only(
    school: School, visit: Visit, provider: str
) -> None:
    """However the address came to it: whoever set it might be at the provider under that address."""
    assert school.client("ada").get("/me").status_code == 200
    knows(provider, "1815", ADA)
    page = come_back(visit, "1815", "/sign-in/openid?next=/challenges/mha-rope")
    form = asked_on(page)
    assert "enter its token" in page.text
    for proof in ({}, {"token": school.tokens["bob"]}):
        refused = visit.post("/sign-in/link", {**form, **proof})
        assert refused.status_code == 403
        assert "Nothing was linked" in refused.text
    assert visit.post("/sign-in/link", {**form, "token": "assay_wrong"}).status_code == 401
    assert identities(school) == []
    linked = visit.post("/sign-in/link", {**form, "token": school.tokens["ada"]})
    assert linked.url.path == "/challenges/mha-rope"
    assert identities(school) == [("1815", "ada")]


def test_only_the_account_that_the_page_showed_is_linked(school: School, visit: Visit, provider: str) -> None:
    """The address becomes bob's between the page and the answer to it."""
    knows(provider, "1815", ADA)
    page = come_back(visit, "1815")
    with school.database.write() as session:
        people = {user.name: user for user in session.scalars(select(User))}
        people["ada"].email = None
        session.flush()
        people["bob"].email = "ada@school.test"
    answer = visit.post("/sign-in/link", asked_on(page))
    assert answer.status_code == 409
    assert "now belongs to another account" in answer.text
    assert identities(school) == []


def test_who_was_linked_meanwhile_keeps_the_account(school: School, provider: str) -> None:
    """Two people at the provider have proved one address, and both have the page before them."""
    with ExitStack() as stack:
        pages = []
        for subject in ("1815", "1816"):
            knows(provider, subject, ADA)
            visit = stack.enter_context(visitor(school))
            pages.append((visit, come_back(visit, subject)))
        told = [visit.post("/sign-in/link", asked_on(page)).status_code for visit, page in pages]
    assert told[0] == 200
    assert told[1] != 200
    assert identities(school) == [("1815", "ada")]


def test_coming_back_without_an_answer_is_no_error_of_ours(visit: Visit, provider: str) -> None:
    asked = visit.get("/sign-in/openid", follow_redirects=False)
    state = parse_qs(urlsplit(asked.headers["location"]).query)["state"][0]
    assert visit.get(f"/sign-in/openid/back?state={state}").status_code == 403


def test_an_instructor_cannot_become_somebody_by_giving_them_an_address(
    school: School, visit: Visit, provider: str
) -> None:
    files = {"file": ("roster.csv", b"name,email\nbob,grace@school.test\nroot,grace@school.test\n")}
    grace = school.client("grace")
    plan = grace.post("/courses/demo/roster/preview", files=files).json()
    grace.post("/courses/demo/roster", files=files, data={"digest": plan["digest"]}).raise_for_status()
    knows(provider, "9", {"email": "grace@school.test", "email_verified": True})
    assert sign_in(visit, "9").status_code == 403
    assert identities(school) == []


def test_an_operators_account_is_never_linked_by_a_click(school: School, visit: Visit, provider: str) -> None:
    with school.database.write() as session:
        session.scalars(select(User).where(User.name == "root")).one().email = "root@school.test"
    knows(provider, "0", {"email": "root@school.test", "email_verified": True})
    assert sign_in(visit, "0").status_code == 403
    assert identities(school) == []


@pytest.mark.parametrize(
    "email", ["\u212aate@school.test", "kate\u200b@school.test", "k" * 300 + "@school.test"], ids=ascii
)
def test_an_address_that_only_looks_like_another_is_nobodys(
    school: School, visit: Visit, provider: str, email: str
) -> None:
    with school.database.write() as session:
        session.scalars(select(User).where(User.name == "bob")).one().email = "kate@school.test"
    knows(provider, "7", {"email": email, "email_verified": True})
    assert sign_in(visit, "7").status_code == 403
    assert identities(school) == []


def test_signing_out_ends_the_session_in_a_copied_cookie_too(visit: Visit, provider: str) -> None:
    knows(provider, "1815", ADA)
    sign_in(visit, "1815")
    copied = visit.client.cookies["assay_session"]
    visit.post("/sign-out", {"csrf": visit.csrf("/")})
    visit.client.cookies.clear()
    visit.client.cookies.set("assay_session", copied)
    assert visit.get("/").url.path == "/sign-in"


def test_a_new_person_gets_an_account_where_that_is_allowed(
    settings: ApiSettings, redis: RedisProcess, provider: str
) -> None:
    open_to_all = settings.model_copy(update={"openid_creates_users": True})
    knows(provider, "9", {"email": "new@school.test", "email_verified": True, "name": "New One"})
    for school in open_school(open_to_all, redis):
        with visitor(school) as visit:
            assert sign_in(visit, "9").url.path == "/"
        assert identities(school) == [("9", "new@school.test")]


@pytest.mark.parametrize(
    ("subject", "claims"),
    [
        ("ada", {}),
        ("ADA", {}),
        ("..", {}),
        ("../ada", {}),
        ("x\u202ey", {}),
        ("s" * 300, {}),
        ("8", {"email": "bob@school.test", "email_verified": True}),
    ],
    ids=ascii,
)
def test_nobody_gets_an_account_by_a_name_that_is_taken_or_is_none(
    settings: ApiSettings, redis: RedisProcess, provider: str, subject: str, claims: dict[str, Any]
) -> None:
    open_to_all = settings.model_copy(update={"openid_creates_users": True})
    if claims:
        knows(provider, subject, claims)
    for school in open_school(open_to_all, redis):
        with school.database.write() as session:
            session.scalars(select(User).where(User.name == "bob")).one().email = "bob@school.test"
        with visitor(school) as visit:
            page = come_back(visit, subject)
            assert page.status_code == 403 or page.url.path == "/sign-in/link"
        assert identities(school) == []


def test_a_name_that_would_disturb_a_page_is_left_out(
    settings: ApiSettings, redis: RedisProcess, provider: str
) -> None:
    open_to_all = settings.model_copy(update={"openid_creates_users": True})
    knows(provider, "10", {"email": "ten@school.test", "email_verified": True, "name": "Ten\u202egnp"})
    for school in open_school(open_to_all, redis):
        with visitor(school) as visit:
            assert sign_in(visit, "10").url.path == "/"
        with school.database.read() as session:
            assert session.scalars(select(User).where(User.name == "ten@school.test")).one().full_name is None


def test_a_provider_that_does_not_answer_is_no_error_of_ours(settings: ApiSettings, redis: RedisProcess) -> None:
    nobody = ApiSettings.model_validate({**settings.model_dump(), "openid_issuer": "http://localhost:9"})
    for school in open_school(nobody, redis):
        response = httpx.get(f"{school.url}/sign-in/openid", headers={"Accept": "text/html"}, trust_env=False)
        assert response.status_code == 503
        assert "Try again in a minute" in response.text


def test_an_issuer_needs_a_client_id_and_https(settings: ApiSettings) -> None:
    told = settings.model_dump()
    with pytest.raises(ValueError, match="ASSAY_OPENID_CLIENT_ID"):
        ApiSettings.model_validate({**told, "openid_client_id": ""})
    with pytest.raises(ValueError, match="https"):
        ApiSettings.model_validate({**told, "openid_issuer": "http://school.test"})


def test_the_provider_is_told_the_public_address_whatever_a_request_calls_us(
    settings: ApiSettings, redis: RedisProcess
) -> None:
    public = settings.model_dump() | {"public_url": "https://assay.example.edu", "allowed_hosts": "other.example.edu"}
    for school in open_school(ApiSettings.model_validate(public), redis):
        for host in ("assay.example.edu", "other.example.edu", "localhost"):
            asked = httpx.get(f"{school.url}/sign-in/openid", headers={"Host": host}, trust_env=False)
            told = parse_qs(urlsplit(asked.headers["location"]).query)
            assert told["redirect_uri"] == ["https://assay.example.edu/sign-in/openid/back"]


@pytest.mark.parametrize("subject", ["", " ", "a\ud800", "a\n", "x" * 300, 7, None], ids=repr)
def test_a_subject_that_cannot_be_kept_or_is_none_signs_nobody_in(subject: Any) -> None:
    told = {"iss": "https://provider.test", "sub": subject, "email": "ada@school.test", "email_verified": True}
    with pytest.raises(ValueError, match="printable"):
        claims_of(told)
