"""A platform that registers itself, with an operator's link."""

from typing import Any

import httpx
import pytest

from app.lti.registration import TOOL
from tests.app.school import School
from tests.lti.own_platform import OwnPlatform
from tests.web.conftest import Visit


@pytest.fixture
def stranger(school: School) -> Any:
    """A platform that is not registered, with a configuration of its own."""
    with OwnPlatform.served(school.url) as made:
        made.answers["GET /configuration"] = configuration(made.url)
        made.answers["POST /register"] = {"client_id": "given", TOOL: {"deployment_id": "first"}}
        yield made


def configuration(url: str, **changes: str) -> dict[str, str]:
    right = {
        "issuer": url,
        "authorization_endpoint": f"{url}/authorize",
        "token_endpoint": f"{url}/token",
        "jwks_uri": f"{url}/keys",
        "registration_endpoint": f"{url}/register",
    }
    return {**right, **changes}


def link(school: School, host: str = "localhost") -> str:
    made = school.client("root").post("/lti/registrations", json={"host": host})
    assert made.status_code == 201, made.text
    return str(made.json()["url"])


def follow(visit: Visit, address: str, configuration_url: str) -> httpx.Response:
    told = {"openid_configuration": configuration_url, "registration_token": "secret"}
    page = visit.get(address, params=told)
    assert "Register" in page.text
    return visit.post(address, told)


def platforms(school: School) -> list[dict[str, Any]]:
    items = school.client("root").get("/lti/platforms").json()["items"]
    assert isinstance(items, list)
    return items


def test_it_is_entered_and_does_nothing_until_an_operator_has_looked(
    school: School, visit: Visit, stranger: OwnPlatform
) -> None:
    page = follow(visit, link(school), f"{stranger.url}/configuration")
    assert "Assay is registered" in page.text
    (item,) = platforms(school)
    assert (item["issuer"], item["client_id"], item["deployment_ids"]) == (stranger.url, "given", ["first"])
    assert not item["is_active"]
    told = {"iss": stranger.url, "login_hint": "7", "target_link_uri": f"{school.url}/lti/launch"}
    assert visit.get("/lti/login", params=told, follow_redirects=False).status_code == 404
    school.client("root").patch(f"/lti/platforms/{item['id']}", json={"is_active": True}).raise_for_status()
    assert visit.get("/lti/login", params=told, follow_redirects=False).status_code == 303


def test_a_link_is_good_once(school: School, visit: Visit, stranger: OwnPlatform) -> None:
    address = link(school)
    follow(visit, address, f"{stranger.url}/configuration")
    assert visit.post(address, {"openid_configuration": f"{stranger.url}/configuration"}).status_code == 403
    assert len(platforms(school)) == 1


def test_no_other_host_is_asked_than_the_one_that_the_operator_named(
    school: School, visit: Visit, stranger: OwnPlatform
) -> None:
    answer = follow(visit, link(school, "lms.example"), f"{stranger.url}/configuration")
    assert answer.status_code == 422
    assert stranger.asked == []
    assert platforms(school) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"issuer": "https://canvas.instructure.com"},
        {"registration_endpoint": "http://127.0.0.1:1/register"},
        {"token_endpoint": "http://inside.example/token"},
        {"jwks_uri": "file:///etc/passwd"},
    ],
    ids=str,
)
def test_nobody_speaks_for_somebody_elses_platform(
    school: School, visit: Visit, stranger: OwnPlatform, changes: dict[str, str]
) -> None:
    stranger.answers["GET /configuration"] = configuration(stranger.url, **changes)
    answer = follow(visit, link(school), f"{stranger.url}/configuration")
    assert answer.status_code == 422
    assert "Ask an operator for a new link" in answer.text
    assert "POST /register" not in stranger.asked
    assert platforms(school) == []


def test_the_same_registration_comes_once(school: School, visit: Visit, stranger: OwnPlatform) -> None:
    follow(visit, link(school), f"{stranger.url}/configuration")
    assert follow(visit, link(school), f"{stranger.url}/configuration").status_code == 409
    assert len(platforms(school)) == 1
