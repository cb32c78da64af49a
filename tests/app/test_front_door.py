"""By which name the server may be called, what it makes browsers promise, and what it makes of odd requests."""

import re
import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from pydantic import ValidationError

from app.models import Submission
from app.settings import ApiSettings
from tests.app.conftest import open_school
from tests.app.redis_process import RedisProcess
from tests.app.school import NO_CERTIFICATES, SOURCE, School
from tests.patience import PATIENCE_S

PUBLIC = "https://assay.example.edu"
HSTS = "strict-transport-security"


@pytest.fixture(scope="module")
def plain(shared_school: School) -> School:
    """On this machine alone: no public address."""
    return shared_school


@pytest.fixture
def public(settings: ApiSettings, redis: RedisProcess) -> Iterator[School]:
    told = {"public_url": PUBLIC, "allowed_hosts": "other.example.edu, [2001:db8::1]"}
    yield from open_school(ApiSettings.model_validate({**settings.model_dump(), **told}), redis)


def ask(school: School, path: str, **options: Any) -> httpx.Response:
    return httpx.get(f"{school.url}{path}", trust_env=False, verify=NO_CERTIFICATES, timeout=PATIENCE_S, **options)


def raw(school: School, request: str) -> bytes:
    """What the server answers to exactly these bytes, until it ends the connection or has nothing more to say."""
    address = urlsplit(school.url)
    with socket.create_connection((address.hostname or "", address.port or 0), timeout=PATIENCE_S) as connection:
        connection.sendall(request.encode("latin-1"))
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while received := connection.recv(65536):
            answer += received
    return answer


@pytest.mark.parametrize(
    "host", ["evil.test", "evil.test:80", "localhost.evil.test", "", "localhost@evil.test", "evil.test/localhost",
             "[::1", "localhost:x", "127.0.0.1.", "10.0.0.1", "127.0.0.2", "assay.example.edu"],
)  # fmt: skip
def test_a_foreign_name_is_refused(plain: School, host: str):
    for path in ("/api/v1/me", "/sign-in", "/static/style.css", "/nothing"):
        refused = ask(plain, path, headers={"Host": host})
        assert refused.status_code == 400, path
    assert "ASSAY_PUBLIC_URL" in refused.json()["detail"]
    assert host == "" or host not in refused.text


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "127.0.0.1", "127.0.0.1:1", "[::1]:8000"])
def test_this_machine_has_its_own_names(plain: School, host: str):
    assert ask(plain, "/sign-in", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["assay.example.edu", "ASSAY.example.edu:443", "other.example.edu", "[2001:db8::1]"])
def test_the_public_name_and_further_ones_are_known(public: School, host: str):
    assert ask(public, "/sign-in", headers={"Host": host}).status_code == 200
    assert ask(public, "/sign-in", headers={"Host": f"x.{host}"}).status_code == 400


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_who_looks_after_processes_may_call_them_anything(plain: School, path: str):
    assert ask(plain, path, headers={"Host": "10.1.2.3:8000"}).status_code == 200


def test_a_request_names_exactly_one_host(plain: School):
    for hosts in ("", "Host: localhost\r\nHost: evil.test\r\n"):
        answer = raw(plain, f"GET /sign-in HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 400 ")


def test_behind_https_browsers_are_kept_to_it(public: School):
    for path in ("/sign-in", "/api/v1/me", "/nothing", "/static/style.css", "/healthz"):
        assert ask(public, path).headers[HSTS] == "max-age=31536000"
    cookie = ask(public, "/sign-in").headers["set-cookie"]
    assert cookie.startswith("__Host-assay_session=")
    fields = {field.strip().lower() for field in cookie.split(";")[1:]}
    assert {"secure", "httponly", "samesite=lax", "path=/"} <= fields
    assert not any(field.startswith("domain") for field in fields)


def test_without_https_nothing_is_promised_that_cannot_be_kept(plain: School):
    answer = ask(plain, "/sign-in")
    assert HSTS not in answer.headers
    assert answer.headers["set-cookie"].startswith("assay_session=")


@pytest.mark.parametrize(
    "told",
    [
        {"public_url": "https://assay.example.edu/course"},
        {"public_url": "https://me@assay.example.edu"},
        {"public_url": "assay.example.edu"},
        {"public_url": PUBLIC, "secure_cookie": "false"},
    ],
)
def test_settings_that_contradict_each_other_are_refused(settings: ApiSettings, told: dict[str, str]):
    with pytest.raises(ValidationError):
        ApiSettings.model_validate({**settings.model_dump(), **told})


def test_settings_that_are_left_empty_are_not_set(settings: ApiSettings):
    empty = {"public_url": "", "secure_cookie": "", "allowed_hosts": ""}
    assert not ApiSettings.model_validate({**settings.model_dump(), **empty}).has_secure_cookie
    assert ApiSettings.model_validate({**settings.model_dump(), "secure_cookie": "true"}).has_secure_cookie


def test_every_answer_is_hardened_also_what_nobody_foresaw(public: School):
    everything = [
        ask(public, path, headers=headers)
        for path in (
            "/sign-in",
            "/api/v1/me",
            "/nothing",
            "/static/none.js",
            "/static/style.css",
            "/api/v1/openapi.json",
        )
        for headers in ({}, {"Accept": "text/html"}, {"Host": "evil.test"})
    ]
    everything.append(httpx.post(f"{public.url}/sign-in", content=b"x" * (2 << 20), trust_env=False))
    public.database.engine.dispose()
    with public.database.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE tokens RENAME TO tokens_away")
    broken = {"Authorization": f"Bearer {public.tokens['ada']}"}
    for accept in ("application/json", "text/html"):
        everything.append(ask(public, "/api/v1/me", headers={**broken, "Accept": accept}))
    assert {answer.status_code for answer in everything} >= {200, 400, 401, 404, 413}
    assert any(answer.status_code >= 500 for answer in everything)
    for answer in everything:
        assert answer.headers["x-content-type-options"] == "nosniff", answer
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert "geolocation=()" in answer.headers["permissions-policy"]
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == "no-store" or answer.url.path.startswith("/static/")
        assert HSTS in answer.headers
        assert not [name for name in answer.headers if name.startswith("access-control-")]
        assert "server" not in answer.headers or "uvicorn" in answer.headers["server"]


def test_a_missing_file_is_not_kept_for_a_year(plain: School):
    assert "max-age" not in ask(plain, "/static/none.js").headers["cache-control"]


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "CONNECT", "PROPFIND", "TRACK", "DEBUG"])
def test_other_methods_are_refused(plain: School, method: str):
    target = "localhost:80" if method == "CONNECT" else "/api/v1/me"
    answer = raw(plain, f"{method} {target} HTTP/1.1\r\nHost: localhost\r\nX-Secret: echo\r\nConnection: close\r\n\r\n")
    assert re.match(rb"HTTP/1\.1 (400|404|405) ", answer), answer[:100]
    assert b"echo" not in answer
    assert b"access-control" not in answer.lower()


def test_a_page_elsewhere_is_never_let_in(plain: School):
    headers = {"Origin": "https://evil.test", "Access-Control-Request-Method": "POST"}
    for path in ("/api/v1/me", "/sign-in", "/api/v1/submissions"):
        for method in ("GET", "OPTIONS"):
            answer = httpx.request(method, f"{plain.url}{path}", headers=headers, trust_env=False)
            assert not [name for name in answer.headers if name.startswith("access-control-")]


@pytest.mark.parametrize("header", ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"])
def test_a_method_is_what_it_says(plain: School, header: str):
    sent = plain.submit()["id"]
    client = plain.client("ada")
    client.get(f"/submissions/{sent}/cancel", headers={header: "POST"})
    client.get(f"/submissions/{sent}/cancel", params={"_method": "POST"})
    assert client.get(f"/submissions/{sent}").json()["state"] == "queued"


@pytest.mark.parametrize(
    "framing",
    [
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Content-Length: +5\r\n",
        "Content-Length: 5, 6\r\n",
        "Transfer-Encoding: identity, chunked, identity\r\n",
        "Transfer-Encoding : chunked\r\n",
        "Transfer-Encoding: xchunked\r\nContent-Length: 5\r\n",
    ],
)
def test_a_request_whose_end_is_in_doubt_smuggles_nothing(plain: School, framing: str):
    body = "0\r\n\r\nGET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    answer = raw(plain, f"POST /sign-in HTTP/1.1\r\nHost: localhost\r\n{framing}\r\n{body}")
    assert b"HTTP/1.1 200 " not in answer
    assert answer.count(b"HTTP/1.1 400 ") == 1


@pytest.mark.parametrize("path", ["/sign-in", "/api/v1/submissions"])
@pytest.mark.parametrize(
    ("charset", "is_read"),
    [("utf-8", True), ('"UTF-8"', True), ("punycode", False), ("unicode_escape", False), ("utf-16", False)],
)
def test_a_form_is_read_as_utf8_alone(plain: School, path: str, charset: str, is_read: bool):
    """Anybody can send one, and Python has encodings that read a megabyte for minutes, or \\ud800 as a letter."""
    body = b'--b\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n\\ud800\r\n--b--\r\n'
    headers = {"Content-Type": f"multipart/form-data; boundary=b; charset={charset}"}
    answer = httpx.post(f"{plain.url}{path}", content=body, headers=headers, trust_env=False)
    assert answer.status_code == (415 if not is_read else 403 if path == "/sign-in" else 401), answer.text
    assert is_read or "UTF-8" in answer.json()["detail"]


def test_signing_in_needs_a_form_of_this_browser(plain: School):
    """Else a page elsewhere could sign somebody in as somebody else."""
    told = {"token": plain.tokens["ada"], "csrf": "guessed"}
    refused = httpx.post(f"{plain.url}/sign-in", data=told, headers={"Origin": "https://evil.test"}, trust_env=False)
    assert refused.status_code == 403


def test_seeds_cannot_be_tried_one_by_one(school: School):
    """What a student is shown of a paper, and the digest in the receipt, would be something to try guesses against."""
    ids = [school.submit("bob", SOURCE + b"#" * number)["id"] for number in range(8)]
    seeds = [school.judge.take().seed for _ in ids]
    assert max(seeds).bit_length() > 57
    with school.database.read() as session:
        assert {session.get_one(Submission, each).seed for each in ids} == set(seeds)
