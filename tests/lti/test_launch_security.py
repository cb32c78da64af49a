"""What makes a launch message wrong, one by one: each is the right one but for that."""

import hashlib
import hmac
import json
import time
from base64 import urlsafe_b64encode
from typing import Any

import httpx
import pytest
from joserfc.jwk import RSAKey
from sqlalchemy import func, select

from app.accounts import service as accounts
from app.models import Identity, LtiLaunch, User, WebSession
from tests.app.school import School
from tests.lti.own_platform import INSTRUCTOR, OwnPlatform, send
from tests.web.conftest import Visit, field

HOUR_S = 3600


@pytest.fixture
def ada(school: School, platform: OwnPlatform) -> None:
    """She has come from the platform before."""
    with school.database.write() as session:
        user = session.scalars(select(User).where(User.name == "ada")).one()
        session.add(Identity(issuer=platform.url, subject="7", user_id=user.id))


def is_refused(school: School, answer: httpx.Response, sent: object = "") -> None:
    assert answer.status_code == 403, (sent, answer.text)
    with school.database.read() as session:
        assert session.scalar(select(func.count()).select_from(WebSession)) == 0, sent


@pytest.mark.usefixtures("ada")
def test_the_right_message_signs_in(school: School, platform: OwnPlatform, visit: Visit) -> None:
    answer = platform.launch(visit)
    assert "not connected" in answer.text
    assert "ada" in visit.page("/")


WRONG = [
    {"iss": "https://other.example"},
    {"aud": "somebody-else"},
    {"aud": ["assay-there", "somebody-else"]},
    {"aud": ["assay-there", "somebody-else"], "azp": "somebody-else"},
    {"azp": "somebody-else"},
    {"aud": None},
    {"deployment_id": "third"},
    {"deployment_id": None},
    {"exp": int(time.time()) - HOUR_S},
    {"exp": None},
    {"exp": "never"},
    {"iat": int(time.time()) + HOUR_S},
    {"iat": int(time.time()) - 5 * HOUR_S},
    {"iat": None},
    {"nonce": "another"},
    {"nonce": None},
    {"sub": None},
    {"sub": ""},
    {"roles": None},
    {"version": "1.1"},
    {"version": None},
    {"message_type": "LtiSubmissionReviewRequest"},
    {"message_type": None},
    {"resource_link": None},
    {"target_link_uri": "https://other.example/lti/launch"},
    {"target_link_uri": None},
    {"message_type": "LtiDeepLinkingRequest"},
]


@pytest.mark.usefixtures("ada")
def test_a_message_that_is_wrong_in_one_thing_is_refused(school: School, platform: OwnPlatform, visit: Visit) -> None:
    for wrong in WRONG:
        is_refused(school, platform.launch(visit, **wrong), wrong)
    assert "not connected" in platform.launch(visit).text  # it was for what was wrong that they were refused


@pytest.mark.usefixtures("ada")
def test_a_site_whose_name_begins_like_ours_is_another(school: School, platform: OwnPlatform, visit: Visit) -> None:
    is_refused(school, platform.launch(visit, target_link_uri=f"{school.url}.evil.example/"))


@pytest.mark.usefixtures("ada")
def test_a_key_that_the_platform_does_not_have_proves_nothing(
    school: School, platform: OwnPlatform, visit: Visit
) -> None:
    platform.key = RSAKey.generate_key(2048, {"kid": "one"})  # called like the one that it has
    is_refused(school, platform.launch(visit))


@pytest.mark.usefixtures("ada")
def test_a_message_names_its_key(school: School, platform: OwnPlatform, visit: Visit) -> None:
    for header in ({"kid": "two"}, {"kid": None}):
        asked = platform.begin(visit)
        is_refused(school, send(visit, asked["state"], platform.sign(platform.claims(asked["nonce"]), **header)))


@pytest.mark.usefixtures("ada")
def test_a_message_does_not_choose_how_it_is_checked(school: School, platform: OwnPlatform, visit: Visit) -> None:
    """No signature at all; and the public key taken for a shared secret."""
    asked = platform.begin(visit)
    claims = platform.claims(asked["nonce"])
    said = f"{coded({'alg': 'HS256', 'kid': 'one'})}.{coded(claims)}"
    seal = hmac.new(platform.key.as_pem(private=False), said.encode(), hashlib.sha256).digest()
    shared = f"{said}.{urlsafe_b64encode(seal).rstrip(b'=').decode()}"
    unsigned = f"{coded({'alg': 'none', 'kid': 'one'})}.{coded(claims)}."
    for token in (shared, unsigned, f"{unsigned}x", "", "a.b.c", platform.sign(claims)[:-8]):
        is_refused(school, send(visit, asked["state"], token))


def coded(value: dict[str, Any]) -> str:
    return urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


@pytest.mark.usefixtures("ada")
def test_a_message_is_taken_once(school: School, platform: OwnPlatform, visit: Visit) -> None:
    asked = platform.begin(visit)
    token = platform.sign(platform.claims(asked["nonce"]))
    send(visit, asked["state"], token)
    assert send(visit, asked["state"], token).status_code == 403
    with school.database.read() as session:
        assert session.scalar(select(func.count()).select_from(LtiLaunch)) == 1


@pytest.mark.usefixtures("ada")
@pytest.mark.parametrize("state", ["", "made-up", "WyJ4IiwieSJd.aa.bb", "x" * 5000], ids=lambda state: state[:8])
def test_a_state_that_we_did_not_give_out_is_refused(
    school: School, platform: OwnPlatform, visit: Visit, state: str
) -> None:
    asked = platform.begin(visit)
    is_refused(school, send(visit, state, platform.sign(platform.claims(asked["nonce"]))))


@pytest.mark.usefixtures("ada")
def test_the_answer_to_one_sign_in_is_none_to_another(school: School, platform: OwnPlatform, visit: Visit) -> None:
    first, second = platform.begin(visit), platform.begin(visit)
    is_refused(school, send(visit, first["state"], platform.sign(platform.claims(second["nonce"]))))


def test_who_linked_their_account_with_somebodys_found_token_is_seen_and_unlinked(
    school: School, platform: OwnPlatform, visit: Visit
) -> None:
    """mallory found ada's token. ada ends all that it made, and yet mallory would still come in by the platform."""
    school.tokens["found"] = accounts.issue_token(school.database, "ada")
    visit.sign_in(school.tokens["found"])
    platform.launch(visit, sub="mallory")
    visit.post("/lti/account", {"csrf": visit.csrf("/lti/account")})
    school.client("ada").delete("/me/sessions").raise_for_status()
    platform.launch(visit, sub="mallory")
    assert "ada" in visit.page("/")
    mallorys = dict(visit.client.cookies)
    visit.client.cookies.clear()
    visit.sign_in(school.tokens["ada"])
    page = visit.page("/tokens")
    assert f"<td>{platform.url}</td>" in page
    told = {name: field(page, name) for name in ("csrf", "issuer", "subject")}
    assert told["subject"] == "mallory"
    visit.post("/identities/unlink", told)
    assert "mallory" not in visit.page("/tokens")
    visit.client.cookies.clear()
    visit.client.cookies.update(mallorys)
    assert visit.get("/").url.path == "/sign-in"
    assert platform.launch(visit, sub="mallory").status_code == 403


@pytest.mark.usefixtures("ada")
def test_nobody_unlinks_somebody_elses_account(school: School, platform: OwnPlatform, visit: Visit) -> None:
    visit.sign_in(school.tokens["bob"])
    told = {"csrf": visit.csrf("/tokens"), "issuer": platform.url, "subject": "7"}
    assert visit.post("/identities/unlink", told).status_code == 404
    with school.database.read() as session:
        assert session.scalar(select(func.count()).select_from(Identity)) == 1


@pytest.mark.usefixtures("ada")
def test_another_browser_is_not_signed_in_by_somebodys_launch(
    school: School, platform: OwnPlatform, visit: Visit
) -> None:
    """Else an attacker could have others work under the attacker's name."""
    asked = platform.begin(visit)
    visit.client.cookies.clear()
    is_refused(school, send(visit, asked["state"], platform.sign(platform.claims(asked["nonce"]))))


@pytest.mark.usefixtures("ada")
def test_a_platform_that_is_not_active_signs_nobody_in(school: School, platform: OwnPlatform, visit: Visit) -> None:
    asked = platform.begin(visit)
    root = school.client("root")
    (item,) = root.get("/lti/platforms").json()["items"]
    root.patch(f"/lti/platforms/{item['id']}", json={"is_active": False}).raise_for_status()
    is_refused(school, send(visit, asked["state"], platform.sign(platform.claims(asked["nonce"]))))
    told = {"iss": platform.url, "login_hint": "7", "target_link_uri": f"{school.url}/lti/launch"}
    assert visit.get("/lti/login", params=told).status_code == 404


def test_a_link_to_another_site_or_from_a_stranger_leads_nowhere(
    school: School, platform: OwnPlatform, visit: Visit
) -> None:
    told = {"iss": platform.url, "login_hint": "7", "target_link_uri": f"{school.url}/lti/launch"}
    for change, status in (
        ({"iss": "https://stranger.example"}, 404),
        ({"client_id": "somebody-else"}, 404),
        ({"target_link_uri": "https://evil.example/"}, 403),
        ({"login_hint": ""}, 403),
    ):
        assert visit.get("/lti/login", params={**told, **change}, follow_redirects=False).status_code == status


def test_a_platforms_word_opens_no_account_that_waits_for_somebody(
    school: School, platform: OwnPlatform, visit: Visit
) -> None:
    """ada's account has the address, and no course that is connected made it."""
    with school.database.write() as session:
        session.scalars(select(User).where(User.name == "ada")).one().email = "ada@school.test"
    is_refused(school, platform.launch(visit))
    with school.database.read() as session:
        assert session.scalar(select(func.count()).select_from(Identity)) == 0


def test_in_a_frame_a_window_is_offered_and_no_cookie_is_set(
    school: School, platform: OwnPlatform, visit: Visit
) -> None:
    told = {"iss": platform.url, "login_hint": "7", "target_link_uri": f"{school.url}/lti/launch"}
    answer = visit.get("/lti/login", params=told, headers={"Sec-Fetch-Dest": "iframe"})
    assert 'target="_blank"' in answer.text
    assert "frame-ancestors *" in answer.headers["content-security-policy"]
    assert "set-cookie" not in answer.headers


def test_a_sign_in_begun_from_another_site_ends_nobodys_session(
    school: School, platform: OwnPlatform, visit: Visit
) -> None:
    """A form from elsewhere comes without our cookie: a new one would take the place of the session's."""
    told = {"iss": platform.url, "login_hint": "7", "target_link_uri": f"{school.url}/lti/launch"}
    with httpx.Client(base_url=school.url, trust_env=False) as bare:
        answer = bare.post("/lti/login", data=told)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/lti/login?iss=")
    assert "set-cookie" not in answer.headers


def test_a_teacher_there_is_no_teacher_here(school: School, platform: OwnPlatform, visit: Visit) -> None:
    with school.database.write() as session:
        user = session.scalars(select(User).where(User.name == "ada")).one()
        session.add(Identity(issuer=platform.url, subject="7", user_id=user.id))
    page = platform.launch(visit, roles=[INSTRUCTOR])
    assert "You are not an instructor of any course" in page.text
    to = page.url.params["to"]
    form = {"csrf": visit.csrf("/tokens"), "to": to, "course": "demo"}
    assert visit.post("/lti/continue", form).status_code == 403
