"""Every error has one shape, the right status and a sentence. One table of everything a caller can do wrong."""

import socket
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.app.redis_process import RedisProcess
from tests.app.school import SOURCE, School
from tests.patience import PATIENCE_S


@pytest.fixture(scope="module")
def school(shared_school: School) -> School:
    """One for all: nothing here is meant to change anything."""
    return shared_school


LAYERS = {"file": ("layers.py", SOURCE)}


def assert_problem(response: httpx.Response, status: int) -> dict[str, Any]:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = response.json()
    assert set(problem) in ({"type", "title", "status", "detail"}, {"type", "title", "status", "detail", "errors"})
    assert problem["type"].startswith("urn:assay:problem:")
    assert problem["status"] == status
    assert problem["detail"].endswith((".", "+", "-"))
    return problem


@pytest.mark.parametrize(
    ("status", "method", "path", "options"),
    [
        (404, "GET", "/nothing", {}),
        (404, "GET", "/submissions/unknown", {}),
        (404, "GET", "/submissions/%00", {}),
        (404, "GET", "/submissions/" + "0" * 26, {}),
        (404, "GET", "/submissions/" + "0" * 26 + "/events", {}),
        (404, "GET", "/challenges/unknown", {}),
        (404, "GET", "/challenges/..%2f..%2fetc/starter", {}),
        (404, "GET", "/courses/unknown/analytics", {}),
        (403, "GET", "/courses/demo/analytics", {}),
        (403, "GET", "/courses/demo/roster", {}),
        (405, "DELETE", "/me", {}),
        (405, "PUT", "/submissions", {}),
        (415, "POST", "/submissions", {"json": {"file": "x"}}),
        (415, "POST", "/submissions", {"data": {"file": "x"}}),
        (415, "POST", "/submissions", {"content": b"x = 1"}),
        (422, "POST", "/submissions", {"files": {"other": ("layers.py", b"")}}),
        (422, "POST", "/submissions", {"files": {"file": (None, b"x = 1")}}),
        (422, "POST", "/submissions", {"files": {"file": ("\u200b\u202e", b"x = 1")}}),
        (404, "POST", "/submissions", {"files": LAYERS, "data": {"challenge": "unknown"}}),
        (404, "POST", "/submissions", {"files": LAYERS, "data": {"challenge": "\x00"}}),
        (422, "POST", "/submissions", {"files": LAYERS, "headers": {"Idempotency-Key": "x" * 201}}),
        (422, "POST", "/submissions", {"files": LAYERS, "headers": {"Idempotency-Key": "with space"}}),
        (400, "POST", "/submissions", {"content": b"x", "headers": {"Content-Type": "multipart/form-data"}}),
        (
            400,
            "POST",
            "/submissions",
            {"content": b"x", "headers": {"Content-Type": "multipart/form-data; boundary=b"}},
        ),
        (422, "GET", "/submissions?limit=0", {}),
        (422, "GET", "/submissions?limit=1000", {}),
        (422, "GET", "/submissions?limit=x", {}),
        (422, "GET", "/submissions?state=lost", {}),
        (422, "GET", "/submissions?cursor=x", {}),
        (422, "GET", "/submissions?student=" + "x" * 200, {}),
    ],
)
def test_a_mistake_gets_its_problem(school: School, status: int, method: str, path: str, options: dict[str, Any]):
    assert_problem(school.client("ada").request(method, path, **options), status)


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd.py", "../x.py", "a/../b.py", "a/./b.py", "a//b.py", "x.txt", "x", ".py", "a\\b.py", "a b.py",
        "1.py", "é/\x00.py", "a/" * 120 + "x.py", "cs336_basics/layers.py",
    ],
)  # fmt: skip
def test_a_sibling_needs_a_proper_path(school: School, path: str):
    files = [("file", ("layers.py", SOURCE)), ("siblings", (path, b"x = 1"))]
    assert_problem(school.client("ada").post("/submissions", files=files), 422)


def test_too_many_siblings_are_refused(school: School):
    files = [("file", ("layers.py", SOURCE)), *(("siblings", (f"a/m{i}.py", b"")) for i in range(33))]
    assert_problem(school.client("ada").post("/submissions", files=files), 422)


def test_thousands_of_parts_are_refused(school: School):
    files = [("file", ("layers.py", SOURCE)), *((f"f{i}", (None, b"")) for i in range(3000))]
    assert_problem(school.client("ada").post("/submissions", files=files), 400)


def test_a_file_part_without_a_name_for_the_file_is_refused(school: School):
    body = (
        b"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\"\r\n\r\nx = 1\r\n--b--\r\n"
    )  # fmt: skip
    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    assert_problem(school.client("ada").post("/submissions", content=body, headers=headers), 422)


def test_too_large_a_body_is_refused_by_its_length(school: School):
    response = school.client("ada").post("/submissions", files={"file": ("layers.py", b"x" * (1 << 20))})
    assert "1024 KiB" in assert_problem(response, 413)["detail"]


def test_too_large_a_body_is_refused_while_it_comes(school: School):
    address = urlsplit(school.url)
    request = (
        "POST /api/v1/submissions HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n"
        f"Authorization: Bearer {school.tokens['ada']}\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n"
    )
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="layers.py"\r\n\r\n'
    with socket.create_connection((address.hostname or "", address.port or 0), timeout=PATIENCE_S) as connection:
        connection.sendall(request.encode() + f"{len(head):x}\r\n".encode() + head + b"\r\n")
        for _ in range(18):  # the body never ends, but the answer must come
            connection.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n")
        answer = connection.recv(65536)
    assert answer.startswith(b"HTTP/1.1 413")
    assert b"application/problem+json" in answer


@pytest.mark.parametrize(("kind", "limit"), [("application/json", 256), ("application/x-www-form-urlencoded", 128)])
def test_a_body_without_files_has_a_smaller_limit(school: School, kind: str, limit: int):
    response = school.client("ada").post("/me/tokens", content=b"a" * (300 << 10), headers={"Content-Type": kind})
    assert f"{limit} KiB" in assert_problem(response, 413)["detail"]


@pytest.mark.parametrize(
    "options",
    [
        {"headers": {"Cookie": "a=b;" * 10_000}},
        {"headers": [("a", "b")] * 20_000},
        {"params": {"search": "a" * 40_000}},
    ],
    ids=["cookies", "headers", "address"],
)
def test_headers_and_an_address_have_a_limit_together(school: School, options: dict[str, Any]):
    assert "32 KiB" in assert_problem(school.client("ada").get("/me", **options), 400)["detail"]


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer x", "Bearer assay_wrong", "Basic YTpi", "Bearer ü"])
def test_without_a_valid_token_nothing_is_shown(school: School, redis: RedisProcess, header: str | None):
    headers = {} if header is None else {"Authorization": header.encode("latin-1")}
    for path in ("/me", "/challenges", "/submissions", "/courses/demo/analytics"):
        response = school.client().get(path, headers=headers)
        assert_problem(response, 401)
        assert response.headers["www-authenticate"] == "Bearer"
    assert_problem(school.client().post("/submissions", files=LAYERS, headers=headers), 401)


def test_a_session_cookie_that_is_not_ours_is_nobody(school: School):
    assert_problem(school.client().get("/me", headers={"Cookie": "assay_session=eyJ0b2tlbl9pZCI6IngifQ==.x.y"}), 401)


def test_every_answer_carries_the_security_headers(school: School):
    for response in (school.client("ada").get("/me"), school.client().get("/me"), httpx.get(f"{school.url}/healthz")):
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["x-frame-options"] == "DENY"
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert response.headers["cache-control"] == "no-store"
