"""Getting in, getting out, and what a page refuses."""

import re

import httpx
import pytest
from sqlalchemy import select, update

from app.accounts import service as accounts
from app.models import StoredReport, Token, User
from app.web.rendering import STATIC, static_url
from tests.app.school import School
from tests.web.conftest import Visit, field


@pytest.fixture(scope="module")
def school(shared_school: School) -> School:
    """One for all: these tests do not get into each other's way."""
    return shared_school


def test_who_is_not_signed_in_is_asked_to_and_comes_back_to_the_page(school: School, visit: Visit) -> None:
    asked = visit.get("/challenges/mha-rope")
    assert asked.url.path == "/sign-in"
    address = field(asked.text, "next")
    response = visit.sign_in(school.tokens["ada"], next=address)
    assert response.url.path == "/challenges/mha-rope"


@pytest.mark.parametrize(
    ("page", "back"),
    [
        ("{here}/challenges/mha-rope?as=x", "/challenges/mha-rope?as=x"),
        ("{here}/challenges/mha-rope/submissions", "/"),  # takes forms only
        ("https://elsewhere.example/challenges/mha-rope", "/"),
        ("http://[", "/"),
        ("", "/"),
    ],
)
def test_who_sends_a_form_without_a_session_comes_back_to_its_page(
    school: School, visit: Visit, page: str, back: str
) -> None:
    sent_from = {"Referer": page.format(here=school.url)}
    asked = visit.post("/challenges/mha-rope/submissions", {"csrf": visit.csrf()}, headers=sent_from)
    assert field(asked.text, "next") == back


def test_a_token_that_nobody_has_is_told_in_a_sentence(visit: Visit) -> None:
    response = visit.sign_in("assay_" + "x" * 43)
    assert response.status_code == 401
    assert "is unknown or has been revoked" in response.text
    assert visit.get("/").url.path == "/sign-in"


def test_signing_out_ends_the_session(ada: Visit) -> None:
    assert ada.get("/").url.path == "/"
    ada.post("/sign-out", {"csrf": ada.csrf("/")})
    assert ada.get("/").url.path == "/sign-in"


def test_a_revoked_token_ends_the_session(school: School, visit: Visit) -> None:
    visit.sign_in(school.tokens["bob"])
    accounts.revoke_tokens(school.database, "bob")
    assert visit.get("/").url.path == "/sign-in"


def test_the_cookie_cannot_be_read_by_scripts_and_does_not_hold_the_token(school: School, visit: Visit) -> None:
    visit.csrf()
    response = visit.post("/sign-in", {"csrf": visit.csrf(), "token": school.tokens["ada"]}, follow_redirects=False)
    cookie = response.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert school.tokens["ada"].lower() not in cookie


def test_a_cookie_that_was_changed_is_worth_nothing(school: School, ada: Visit) -> None:
    cookie = ada.client.cookies["assay_session"]
    forged = {"assay_session": cookie[:-4] + "AAAA"}
    answer = httpx.get(f"{school.url}/", cookies=forged, headers={"Accept": "text/html"}, trust_env=False)
    assert answer.status_code == 303


def test_nobody_is_sent_to_a_foreign_site(school: School, visit: Visit) -> None:
    for address in ("//evil.test", "https://evil.test", "/\\evil.test", "javascript:x", "/\tx", "//[", "//\u2100", ""):
        visit.client.cookies.clear()
        assert visit.sign_in(school.tokens["ada"], next=address).url == httpx.URL(f"{school.url}/"), address


@pytest.mark.parametrize(
    "path", ["/sign-in", "/sign-out", "/challenges/mha-rope/submissions", f"/submissions/{'0' * 26}/answers"]
)
def test_a_form_without_the_secret_of_the_session_is_refused(ada: Visit, path: str) -> None:
    for csrf in ({}, {"csrf": ""}, {"csrf": "-"}, {"csrf": "guessed"}, {"csrf": "\u00e9"}):
        response = ada.post(path, {"token": "x", **csrf})
        assert response.status_code == 403
        assert "reload the page" in response.text
    assert ada.get("/").url.path == "/"  # still signed in


def test_the_session_alone_changes_nothing_through_the_api(ada: Visit) -> None:
    response = ada.client.post("/api/v1/submissions", files={"file": ("layers.py", b"x = 1")})
    assert response.status_code == 401


def test_every_page_forbids_what_is_foreign_or_inline(school: School, ada: Visit) -> None:
    for path in ("/", "/challenges/mha-rope", "/nowhere"):
        response = ada.get(path)
        policy = response.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in policy
        assert " style=" not in response.text
        assert "http://" not in response.text.replace(school.url, "").replace("http://www.w3.org", "")


def test_problems_are_pages_for_browsers_and_json_for_programs(school: School, ada: Visit) -> None:
    page = ada.get("/nowhere")
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert ada.get("/nowhere", headers={"Accept": "*/*"}).headers["content-type"] == "application/problem+json"
    assert ada.get("/api/v1/nowhere").headers["content-type"] == "application/problem+json"
    assert ada.get("/challenges/none").status_code == 404


def test_a_request_that_is_too_large_is_told_on_a_page(ada: Visit) -> None:
    response = ada.upload(b"#" * (1 << 20))
    assert response.status_code == 413
    assert "text/html" in response.headers["content-type"]


def test_our_own_failure_is_a_page_too(school: School, ada: Visit) -> None:
    submission_id = school.submit()["id"]
    school.grade(submission_id)
    with school.database.write() as session:
        session.execute(update(StoredReport).values(body="{}"))
    response = ada.get(f"/submissions/{submission_id}")
    assert response.status_code == 500
    assert "costs you no attempt" in response.text
    assert "style-src 'self'" in response.headers["content-security-policy"]


def test_our_own_files_are_found_and_may_be_kept_under_the_address_of_their_version(ada: Visit) -> None:
    assert "immutable" in ada.get(static_url("style.css")).headers["cache-control"]
    for address in ("/static/style.css", "/static/style.css?v=other"):
        assert ada.get(address).headers["cache-control"] == "public, no-cache"
    assert ada.get("/static/none.css").status_code == 404
    assert ada.get("/static/../rendering.py").status_code == 404


def test_our_own_files_come_compressed_to_who_takes_it(ada: Visit) -> None:
    plain, small = (ada.get(static_url("editor.js"), headers={"Accept-Encoding": how}) for how in ("identity", "gzip"))
    assert small.text == plain.text == (STATIC / "editor.js").read_text("utf-8")
    assert "content-encoding" not in plain.headers
    assert small.headers["content-encoding"] == "gzip"
    assert int(small.headers["content-length"]) < 140 << 10, "load no more than that on a phone"
    again = ada.get("/static/editor.js", headers={"If-None-Match": small.headers["etag"]})
    assert again.status_code == 304


def test_a_token_made_on_the_web_opens_the_api_until_it_is_revoked(school: School, ada: Visit) -> None:
    csrf = ada.csrf("/tokens")
    page = ada.post("/tokens", {"csrf": csrf, "label": "my laptop", "days": "30"}).text
    (token,) = re.findall(r"<code>(assay_[^<]+)</code>", page)
    headers = {"Authorization": f"Bearer {token}"}
    assert httpx.get(f"{school.url}/api/v1/me", headers=headers, trust_env=False).json()["name"] == "ada"
    assert token not in ada.page("/tokens")
    (address,) = re.findall(r"<td>my laptop</td>.*?action=\"(/tokens/[^\"]+/revoke)\"", page, re.DOTALL)
    assert ada.post(address, {"csrf": csrf}).url.path == "/tokens"
    assert httpx.get(f"{school.url}/api/v1/me", headers=headers, trust_env=False).status_code == 401
    assert "<td>my laptop</td>" not in ada.page("/tokens")


def test_a_token_for_ever_is_not_made_on_the_web(ada: Visit) -> None:
    response = ada.post("/tokens", {"csrf": ada.csrf("/tokens"), "label": "x", "days": "9999"})
    assert response.status_code == 422
    assert "30, 180, 365" in response.text


def test_nobody_revokes_the_tokens_of_others(school: School, ada: Visit) -> None:
    with school.database.read() as session:
        token_id = session.scalars(select(Token.id).join(User).where(User.name == "grace")).first()
    assert ada.post(f"/tokens/{token_id}/revoke", {"csrf": ada.csrf("/tokens")}).status_code == 404
