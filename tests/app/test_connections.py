"""Clients that never come to an end: the real server process, hundreds of half-open connections, and everybody else."""

import os
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from app.accounts import service as accounts
from app.database import Database
from app.models import Role
from tests.app.api_process import ApiProcess, api_process
from tests.app.conftest import api_settings
from tests.app.redis_process import RedisProcess, free_port
from tests.app.school import NO_CERTIFICATES
from tests.patience import PATIENCE_S, wait_until

ROOT = Path(__file__).parents[2]
MANY = 150  # of each kind
TIMES = {"HEAD_TIMEOUT_S": "2", "BODY_TIMEOUT_S": "2", "ANSWER_TIMEOUT_S": "2"}
BODY_GRACE_S = 5.0


@pytest.fixture(scope="module")
def server(
    sqlite_databases: object, challenges_root: Path, module_redis: RedisProcess
) -> Iterator[tuple[str, int, str]]:
    """Its host and port, and the token of a student."""
    with sqlite_databases.migrated() as url:  # type: ignore[attr-defined]
        database = Database(url)
        accounts.create_user(database, "ada", Role.STUDENT)
        token = accounts.issue_token(database, "ada")
        database.close()
        with running(url, challenges_root, module_redis) as port:
            yield "127.0.0.1", port, token


@contextmanager
def running(url: str, challenges_root: Path, redis: RedisProcess, **told: str) -> Iterator[int]:
    """`assay api`, until it has been asked to stop."""
    port = free_port()
    told = {
        "DATABASE_URL": url,
        "REDIS_URL": redis.url,
        "SECRET_KEY": "s" * 40,
        "CHALLENGES_ROOT": str(challenges_root),
        **TIMES,
        **told,
    }
    environment = {**os.environ, **{f"ASSAY_{name}": value for name, value in told.items()}}
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "assay", "api", "--port", str(port)], env=environment, cwd=ROOT
    )
    try:
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                httpx.get(f"http://127.0.0.1:{port}/healthz", trust_env=False, verify=NO_CERTIFICATES)
            except httpx.TransportError:
                assert process.poll() is None, "the server did not start"
                assert time.monotonic() < deadline
                time.sleep(0.05)
            else:
                break
        yield port
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE_S)


def connect(server: tuple[str, int, str], data: bytes = b"") -> socket.socket:
    connection = socket.create_connection(server[:2], timeout=PATIENCE_S)
    connection.sendall(data)
    return connection


def ended(connection: socket.socket) -> bytes:
    """What the server says before it ends the connection. Fails when it does not."""
    said = b""
    try:
        while received := connection.recv(65536):
            said += received
    except ConnectionResetError:
        pass
    return said


def is_established(local: int, remote: int) -> bool:
    """Whether the kernel has a connection from one port of this machine to another, which has not ended."""
    rows = [line.split()[1:4] for line in Path("/proc/net/tcp").read_text().splitlines()]
    return any(
        (here[-5:], there[-5:], state) == (f":{local:04X}", f":{remote:04X}", "01") for here, there, state in rows
    )


def upload_head(token: str, length: int = 1000) -> bytes:
    return (
        "POST /api/v1/submissions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=x\r\n"
        f"Authorization: Bearer {token}\r\nContent-Length: {length}\r\n\r\n"
    ).encode()


def test_hundreds_of_half_open_connections_hold_up_nobody_and_end(server: tuple[str, int, str]) -> None:
    host, port, token = server
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    half = {
        "silent": b"",
        "half a line": b"GET /healthz HT",
        "half a head": b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: a",
        "half a body": upload_head(token) + b"--x\r\n",
    }
    with ExitStack() as stack:
        connections = {
            kind: [stack.enter_context(connect(server, data)) for _ in range(MANY)] for kind, data in half.items()
        }
        client = stack.enter_context(
            httpx.Client(base_url=f"http://{host}:{port}", trust_env=False, timeout=PATIENCE_S)
        )
        assert client.get("/healthz").status_code == 200
        sent = client.post(
            "/api/v1/submissions",
            files={"file": ("layers.py", b"x = 1\n")},
            headers={"Authorization": f"Bearer {token}"},
        )
        assert sent.status_code == 202
        for kind, opened in connections.items():
            for connection in opened:
                said = ended(connection)
                assert said.startswith(b"HTTP/1.1 408 "), kind
                if kind == "half a body":
                    assert b"urn:assay:problem:too-slow" in said
                    assert b"connection: close" in said.lower()


def test_a_head_that_comes_byte_by_byte_ends_too(server: tuple[str, int, str]) -> None:
    with connect(server, b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n") as connection:
        for _ in range(100):  # each byte is younger than the limit
            try:
                connection.sendall(b"X-A: b\r\n")
            except OSError:
                break
            time.sleep(0.2)
        else:
            raise AssertionError("it was heard out")


def test_a_body_that_nobody_reads_any_more_ends_too(server: tuple[str, int, str]) -> None:
    """Whoever was refused early could go on sending for ever."""
    with connect(server, upload_head("wrong", 900_000)) as connection:
        began = time.monotonic()
        while time.monotonic() - began < PATIENCE_S:
            try:
                connection.sendall(b"x")
            except OSError:
                break
            time.sleep(0.2)
        else:
            raise AssertionError("it was heard out")


@pytest.mark.parametrize("stray", [b"", b"\r\n", b"\r\n\r\n"])
def test_a_connection_that_rests_between_requests_ends(server: tuple[str, int, str], stray: bytes) -> None:
    with connect(server, b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") as connection:
        assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")
        connection.sendall(stray)
        ended(connection)


def test_an_answer_that_nobody_reads_ends(server: tuple[str, int, str]) -> None:
    ask = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(PATIENCE_S)
        connection.connect(server[:2])
        connection.sendall(ask * 200)
        ends = connection.getpeername()[1], connection.getsockname()[1]
        assert is_established(*ends)
        wait_until(lambda: not is_established(*ends), lambda: "the server held on to it")
        whole = len(
            httpx.get(f"http://127.0.0.1:{server[1]}/api/v1/openapi.json", trust_env=False, timeout=PATIENCE_S).content
        )
        assert len(ended(connection)) < 200 * whole


def test_a_slow_client_that_reads_gets_all_of_it(server: tuple[str, int, str]) -> None:
    with connect(server, b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n") as slow:
        said = b""
        while received := slow.recv(8192):
            said += received
            time.sleep(0.01)
    head, _, body = said.partition(b"\r\n\r\n")
    assert f"content-length: {len(body)}".encode() in head.lower()


ENDLESS = {
    "a header": b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: ",
    "an address": b"GET /healthz?",
    "the second of two requests": b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /healthz HTTP/1.1\r\nX-Long: ",
    "what follows a body": b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"1\r\nx\r\n0\r\nX-Long: ",
}
ENOUGH = 32 << 20


@pytest.fixture(scope="module")
def patient(sqlite_databases: object, challenges_root: Path, module_redis: RedisProcess) -> Iterator[ApiProcess]:
    """It has time enough for any head: only its length can end it."""
    with sqlite_databases.migrated() as url:  # type: ignore[attr-defined]
        settings = api_settings(url, challenges_root, module_redis)
        with api_process(settings.model_copy(update={"head_timeout_s": 60.0})) as process:
            yield process


@pytest.mark.parametrize("beginning", ENDLESS.values(), ids=ENDLESS)
def test_a_head_that_never_ends_is_not_kept(patient: ApiProcess, beginning: bytes) -> None:
    before = patient.peak_bytes()
    with socket.create_connection(("127.0.0.1", int(patient.url.rpartition(":")[2])), timeout=PATIENCE_S) as connection:
        connection.sendall(beginning)
        sent = 0
        try:
            while sent < ENOUGH:
                sent += connection.send(b"a" * 65536)
        except OSError:  # it was ended
            pass
        httpx.get(f"{patient.url}/healthz", trust_env=False).raise_for_status()
        assert patient.peak_bytes() - before < ENOUGH // 2


def test_whoever_sends_too_long_a_head_is_told_so(patient: ApiProcess) -> None:
    with socket.create_connection(("127.0.0.1", int(patient.url.rpartition(":")[2])), timeout=PATIENCE_S) as connection:
        connection.sendall(ENDLESS["a header"] + b"a" * (1 << 20))
        assert connection.recv(65536).startswith(b"HTTP/1.1 431 ")


def test_the_bytes_of_a_body_and_of_requests_before_do_not_count(server: tuple[str, int, str]) -> None:
    upload = httpx.Request("POST", "http://x/", files={"file": ("layers.py", b"x = 1\n" * 30_000)})
    body = upload.read()
    ask = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    head = upload_head(server[2], len(body)).replace(b"boundary=x", upload.headers["content-type"].encode()[20:])
    with connect(server, ask * 3000) as connection:
        said = b""
        while said.count(b'{"status":"ok"}') < 3000:  # the body too: it may come after its head
            said += connection.recv(1 << 20)
        connection.sendall(head + body)
        assert connection.recv(65536).startswith(b"HTTP/1.1 202 ")


CHUNKED = b"POST /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n"
STRAY = {
    "what is no chunk": b"ZZZ\r\n",
    "an endless extension of a chunk": b"4;" + b"x" * 300_000,
    "an endless trailer": b"0\r\nX-Long: " + b"x" * 300_000,
    "nothing": b"",
}


@pytest.mark.parametrize("stray", STRAY.values(), ids=STRAY)
@pytest.mark.parametrize("is_late", [True, False], ids=["after the answer", "at once"])
def test_a_request_whose_body_breaks_off_has_one_answer(
    server: tuple[str, int, str], is_late: bool, stray: bytes
) -> None:
    """Whoever sends on is cut off, and may lose the one answer by that: there never is a second one."""
    with connect(server, CHUNKED if is_late else b"") as connection:
        if is_late:
            assert connection.recv(65536).startswith(b"HTTP/1.1 4")
        with suppress(OSError):
            connection.sendall(stray if is_late else CHUNKED + stray)
        further = ended(connection).count(b"HTTP/1.1 ")
    assert further == 0 if is_late else further <= 1


def test_what_cannot_be_read_is_not_answered_amid_the_answer_to_what_came_before(server: tuple[str, int, str]) -> None:
    ask = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with connect(server, ask + b"no request\r\n\r\n") as connection:
        assert not ended(connection).startswith(b"HTTP/1.1 400 ")
    with connect(server, b"no request\r\n\r\n") as connection:
        assert ended(connection).startswith(b"HTTP/1.1 400 ")
