"""Tokens: named, expiring, revoked one by one. And how many uploads one address may send."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from app.accounts import service as accounts
from app.addresses import origin
from app.models import Token, User
from app.settings import ApiSettings
from tests.app.conftest import open_school
from tests.app.redis_process import RedisProcess
from tests.app.school import SOURCE, School

LAYERS = {"file": ("layers.py", SOURCE)}


def soon(**span: float) -> str:
    return (datetime.now(UTC) + timedelta(**span)).isoformat()


def test_a_person_makes_names_lists_and_revokes_their_own_tokens(school: School):
    ada = school.client("ada")
    made = ada.post("/me/tokens", json={"label": "laptop", "expires_at": soon(days=1)})
    assert made.status_code == 201
    issued = made.json()
    school.tokens["laptop"] = issued.pop("token")
    assert school.client("laptop").get("/me").json()["name"] == "ada"
    first, second = ada.get("/me/tokens").json()["items"]
    assert issued["used_at"] is None
    assert second["used_at"] is not None
    assert (first["label"], second) == ("", {**issued, "used_at": second["used_at"]})
    assert ada.delete(f"/me/tokens/{second['id']}").status_code == 204
    assert school.client("laptop").get("/me").status_code == 401
    assert ada.get("/me/tokens").json()["items"] == [first]
    assert ada.delete(f"/me/tokens/{second['id']}").status_code == 404


def test_a_token_can_revoke_itself(school: School):
    ada = school.client("ada")
    school.tokens["laptop"] = ada.post("/me/tokens", json={"label": "laptop"}).json()["token"]
    assert school.client("laptop").delete("/me/tokens/current").status_code == 204
    assert school.client("laptop").get("/me").status_code == 401
    assert len(ada.get("/me/tokens").json()["items"]) == 1


def test_what_a_token_makes_ends_with_it_and_is_revoked_with_it(school: School):
    """Or whoever finds a token once makes another, and stays."""
    end = datetime.now(UTC) + timedelta(days=2)
    school.tokens["found"] = accounts.issue_token(school.database, "ada", "left in a log", end)
    child = school.client("found").post("/me/tokens", json={"label": "child"}).json()
    assert datetime.fromisoformat(child["expires_at"]) == end
    school.tokens["child"] = child["token"]
    school.tokens["grandchild"] = school.client("child").post("/me/tokens", json={"label": "its own"}).json()["token"]
    ada = school.client("ada")
    (found,) = [token for token in ada.get("/me/tokens").json()["items"] if token["label"] == "left in a log"]
    assert ada.delete(f"/me/tokens/{found['id']}").status_code == 204
    assert [school.client(name).get("/me").status_code for name in ("found", "child", "grandchild")] == [401] * 3
    assert ada.get("/me").status_code == 200


def test_an_expired_token_opens_nothing_and_says_so(school: School):
    school.tokens["old"] = accounts.issue_token(
        school.database, "ada", "old laptop", datetime(2021, 5, 6, 7, 8, tzinfo=UTC)
    )
    refused = school.client("old").get("/me")
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"] == "Bearer"
    assert "'old laptop' expired at 6 May 2021, 07:08 UTC" in refused.json()["detail"]


def test_nobody_revokes_somebody_elses(school: School):
    (token,) = school.client("bob").get("/me/tokens").json()["items"]
    for name in ("ada", "grace", "root"):
        assert school.client(name).delete(f"/me/tokens/{token['id']}").status_code == 404
    assert school.client("bob").get("/me").status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"label": " "},
        {"label": "x" * 101},
        {"label": "a\nb"},
        {"label": "x", "expires_at": "2021-01-01T00:00:00Z"},
        {"label": "x", "expires_at": "2030-01-01T00:00:00"},
        {"label": "x", "role": "operator"},
    ],
)
def test_a_token_that_makes_no_sense_is_refused(school: School, body: dict[str, str]):
    assert school.client("ada").post("/me/tokens", json=body).status_code == 422


def test_nobody_hoards_tokens(school: School):
    ada = school.client("ada")
    with school.database.write() as session:
        owner = session.query(User).filter_by(name="ada").one()
        for _ in range(49):
            accounts.add_token(session, owner, "spare")
    assert ada.post("/me/tokens", json={"label": "x"}).status_code == 409
    with school.database.write() as session:
        session.execute(update(Token).where(Token.label == "spare").values(expires_at=datetime(2021, 1, 1, tzinfo=UTC)))
    assert ada.post("/me/tokens", json={"label": "x"}).status_code == 201


@pytest.fixture
def narrow_school(settings: ApiSettings, redis: RedisProcess) -> Iterator[School]:
    yield from open_school(settings.model_copy(update={"address_uploads_per_minute": 3}), redis)


@pytest.fixture
def proxied_school(settings: ApiSettings, redis: RedisProcess) -> Iterator[School]:
    told = {"address_uploads_per_minute": 1, "trusted_proxies": "127.0.0.0/8"}
    yield from open_school(settings.model_copy(update=told), redis)


def statuses(school: School, *addresses: str) -> list[int]:
    client = school.client("ada")
    sent = [client.post("/submissions", files=LAYERS, headers={"X-Forwarded-For": address}) for address in addresses]
    return [response.status_code for response in sent]


def test_one_address_sends_only_so_many_whoever_sends(narrow_school: School):
    for name in ("ada", "bob", "ada"):
        narrow_school.submit(name)
    response = narrow_school.client("bob").post("/submissions", files=LAYERS)
    assert response.status_code == 429
    assert 1 <= int(response.headers["retry-after"]) <= 60
    assert "from one network address" in response.json()["detail"]


def test_a_forwarded_address_is_not_believed_unless_a_setting_says_so(narrow_school: School):
    assert statuses(narrow_school, "10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4") == [202, 202, 202, 429]


def test_behind_a_proxy_the_address_is_the_clients(proxied_school: School):
    assert statuses(proxied_school, "10.0.0.1", "10.0.0.2", "10.0.0.1") == [202, 202, 429]
    assert statuses(proxied_school, "10.0.0.9, 10.0.0.2") == [429], "what a client itself adds is not believed"


def test_an_ipv6_network_counts_as_one_address():
    assert origin("2001:db8:1:2:3:4:5:6") == origin("2001:db8:1:2::1") == "2001:db8:1:2::"
    assert origin("2001:db8:1:3::1") != origin("2001:db8:1:2::1")
    assert origin("::ffff:10.0.0.1") == origin("10.0.0.1") == "10.0.0.1"
    assert origin("testclient") == "testclient"


def test_proxies_must_be_networks(settings: ApiSettings):
    with pytest.raises(ValueError, match="proxy"):
        ApiSettings(**settings.model_dump() | {"trusted_proxies": "10.0.0.1, proxy"})
