"""What is asked of platforms, and what never is; our keys."""

from datetime import timedelta
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import KeySet
from pydantic import SecretStr
from sqlalchemy import select, update

from app.lti.keys import KeyRing
from app.lti.outgoing import ANSWER_BYTES_MAX, PlatformFault, ask, host_of
from app.models import LtiKey, now
from tests.app.school import School
from tests.lti.own_platform import OwnPlatform

HERE = {"localhost"}


@pytest.mark.parametrize(
    "address",
    [
        "http://lms.example/x",
        "ftp://localhost/x",
        "file:///etc/passwd",
        "https://user:secret@lms.example/",
        "https://lms.example/#x",
        "https://lms.example\\@other.example/",
        "https://lms.example:port/",
        "https:///x",
        "https://lms.example/\n",
        "localhost/x",
        "",
    ],
)
def test_an_address_that_is_not_https_and_plain_is_none(address: str) -> None:
    assert host_of(address) is None


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1/x", "https://169.254.169.254/", "https://localhost.evil.example/", "https://[", ""]
)
def test_a_host_that_is_not_the_platforms_is_never_asked(address: str) -> None:
    with pytest.raises(PlatformFault, match="not a host of this platform"):
        ask("GET", address, HERE)


def test_a_redirect_is_not_followed(platform: OwnPlatform) -> None:
    platform.answers["GET /away"] = (302, {"Location": f"{platform.url}/secret"}, {})
    platform.answers["GET /secret"] = {}
    with pytest.raises(PlatformFault, match="status 302"):
        ask("GET", f"{platform.url}/away", HERE)
    assert "GET /secret" not in platform.asked


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ((200, {}, "x" * (ANSWER_BYTES_MAX + 1)), "too long"),
        ((500, {}, {}), "status 500"),
    ],
    ids=["endless", "failing"],
)
def test_an_answer_that_cannot_be_used_is_a_fault_with_a_sentence(
    platform: OwnPlatform, answer: Any, reason: str
) -> None:
    platform.answers["GET /x"] = answer
    with pytest.raises(PlatformFault, match=reason):
        ask("GET", f"{platform.url}/x", HERE)


@pytest.fixture
def ring(school: School) -> KeyRing:
    return KeyRing(school.database, school.api_settings.secret_key)


def age(school: School, key_id: str, by: timedelta) -> None:
    with school.database.write() as session:
        session.execute(update(LtiKey).where(LtiKey.id == key_id).values(created_at=now() - by))


def signed_with(ring: KeyRing) -> str:
    keys = KeySet.import_key_set(ring.public().model_dump())
    return str(jwt.decode(ring.sign({"x": 1}), keys, algorithms=["RS256"]).header["kid"])


def test_keys_are_renewed_and_published_before_they_sign(school: School, ring: KeyRing) -> None:
    (first,) = ring.public().keys
    assert signed_with(ring) == first.kid
    age(school, first.kid, timedelta(days=91))
    published = [key.kid for key in ring.public().keys]
    assert len(published) == 2
    assert signed_with(ring) == first.kid  # platforms have not read the second yet
    second = next(each for each in published if each != first.kid)
    age(school, second, timedelta(days=2))
    assert signed_with(ring) == second
    age(school, second, timedelta(days=91))
    age(school, first.kid, timedelta(days=181))
    assert first.kid not in [key.kid for key in ring.public().keys]


def test_a_key_is_worth_nothing_without_the_secret(school: School, ring: KeyRing) -> None:
    (first,) = ring.public().keys
    with school.database.read() as session:
        assert "PRIVATE" not in session.scalars(select(LtiKey)).one().sealed
    other = KeyRing(school.database, SecretStr("another secret" * 4))
    assert first.kid not in [key.kid for key in other.public().keys]
    assert signed_with(other) != first.kid


def test_published_keys_have_no_private_part(school: School, ring: KeyRing) -> None:
    (key,) = school.client().get(f"{school.url}/lti/keys.json").json()["keys"]
    assert set(key) == {"kty", "kid", "use", "alg", "n", "e"}
