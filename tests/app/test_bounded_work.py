"""No request makes the front end work for long, whatever is sent within the limits: every route and page gets what
takes longest to read, and those that look into files get files that are hard to look into.

Counted is the processor time of the server, in a process of its own: how busy the machine is does not matter.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from fastapi.routing import iter_route_contexts

from app.main import create_app
from grader.report import Verdict
from tests.app.api_process import ApiProcess, api_process
from tests.app.conftest import api_settings
from tests.app.databases import Databases
from tests.app.redis_process import RedisProcess
from tests.app.school import NO_CERTIFICATES, School, make_report

BUDGET_S: Final = 1.0  # of processor time: a few hundredths is usual, and a busy machine doubles them
LIMIT: Final = 1 << 20  # ApiSettings.request_bytes
SIBLINGS: Final = 32
FORM: Final = "application/x-www-form-urlencoded"
PARTS: Final = "multipart/form-data; boundary=b"
SIBLING: Final = b'Content-Disposition: form-data; name="siblings"; filename='
FILE: Final = b'Content-Disposition: form-data; name="file"; filename="layers.py"\r\n'


def parts(*each: bytes) -> bytes:
    return b"".join(b"--b\r\n" + part + b"\r\n" for part in each) + b"--b--\r\n"


def filled(start: bytes, again: bytes, end: bytes, size: int) -> bytes:
    """As many repetitions as there is room for."""
    return start + again * ((size - len(start) - len(end)) // len(again)) + end


def json_bodies(size: int) -> dict[str, bytes]:
    return {
        "many keys": filled(b'{"x":1', b',"%d":1', b"}", size).replace(b"%d", b"ab"),
        "many different keys": (b"{" + b",".join(b'"%d":1' % number for number in range(size // 12)) + b"}")[:size],
        "deep": b"[" * size,
        "deep objects": b'{"a":' * (size // 5),
        "a long number": b"1" * size,
        "a long text": filled(b'{"label":"', b"x", b'","title":1}', size),
        "escapes": filled(b'{"label":"', b"\\u0061", b'"}', size),
        "answers": filled(b'{"answers":[1', b",1", b"]}", size),
        "answers of answers": filled(b'{"answers":[{"question":"heads","answer":[1', b",{}", b"]}]}", size),
    }


HEADS: Final[dict[str, dict[str, Any]]] = {
    "cookies": {"headers": {"Cookie": "a=b;" * (1 << 16)}},
    "parameters of a type": {"headers": {"Content-Type": "multipart/form-data; " + "a;" * (1 << 20)}},
    "headers": {"headers": [("a", "b")] * 5000},
    "a token": {"headers": {"Authorization": "Bearer " + "a" * 200_000}},
    "an event": {"headers": {"Last-Event-ID": "1" * 200_000}},
    "parameters": {"params": [("offset", "1"), ("search", "%")] * 2000},
    "a search": {"params": {"search": "%a" * 50, "offset": "1000000", "cursor": "z" * 100, "student": "%" * 100}},
}
BODIES: Final[dict[str, dict[str, Any]]] = {
    **{
        f"{size >> 10} KiB of JSON: {name}": {"content": body, "headers": {"Content-Type": "application/json"}}
        for size in (250 << 10, LIMIT)
        for name, body in json_bodies(size).items()
    },
    **{
        f"{size >> 10} KiB of a form: {again.decode()}": {
            "content": filled(b"csrf=a", again, b"", size),
            "headers": {"Content-Type": FORM},
        }
        for size in (250 << 10, LIMIT)
        for again in (b"&", b"&a", b"&a=b", b"%61")
    },
    **{
        f"parts: {name}": {"content": body[:LIMIT], "headers": {"Content-Type": PARTS}}
        for name, body in {
            "thousands": parts(*[SIBLING + b'"a.py"\r\n\r\nx'] * 12_000),
            "a long name": parts(SIBLING + b'"' + b"x" * 900_000 + b'"\r\n\r\n'),
            "headers": parts(FILE + b"a:b\r\n" * 150_000 + b"\r\nx"),
            "parameters": parts(b'Content-Disposition: form-data; name="file"' + b";a=b" * 200_000 + b"\r\n\r\nx"),
            "nearly boundaries": parts(FILE + b"\r\n" + b"\r\n--" * 260_000),
            "line ends": parts(FILE + b"\r\n" + b"\r" * 1_000_000),
            "nothing before": b"\r\n" * 500_000 + parts(FILE + b"\r\nx"),
        }.items()
    },
}  # fmt: skip


@dataclass
class Watched:
    """A school whose front end is watched while it works."""

    school: School
    process: ApiProcess
    too_long: list[str] = field(default_factory=list)

    def send(self, what: str, request: Callable[[], httpx.Response]) -> httpx.Response:
        """Notes what took longer than it may."""
        before = self.process.cpu_s()
        response = request()
        took_s = self.process.cpu_s() - before
        if took_s > BUDGET_S:
            self.too_long.append(f"{what}: {took_s:.2f} s, {response.status_code}")
        assert response.status_code < 500, f"{what}: {response.text[:500]}"
        return response

    def in_browser(self, name: str) -> httpx.Client:
        """Signed in on the web."""
        client = httpx.Client(base_url=self.school.url, timeout=600, trust_env=False, verify=NO_CERTIFICATES)
        self.school.clients.append(client)
        proof = re.search(r'name="csrf" value="([^"]+)"', client.get("/sign-in").text)
        assert proof is not None
        form = {"csrf": proof[1], "token": self.school.tokens[name], "next": "/"}
        assert client.post("/sign-in", data=form).status_code == 303
        return client

    def attempt(self, name: str, *files: bytes, verdict: Verdict = Verdict.FAILED) -> str:
        """The id of a graded submission of these files, the main one first."""
        siblings = [("siblings", (f"mine/m{number}.py", text)) for number, text in enumerate(files[1:])]
        sent = self.school.client(name).post("/submissions", files=[("file", ("layers.py", files[0])), *siblings])
        assert sent.status_code == 202, sent.text
        self.school.grade(sent.json()["id"], make_report(verdict))
        return str(sent.json()["id"])


@pytest.fixture(scope="module")
def one_for_all(databases: Databases, challenges_root: Path, module_redis: RedisProcess) -> Iterator[Watched]:
    with databases.migrated() as url:
        settings = api_settings(url, challenges_root, module_redis).model_copy(
            update={"submissions_per_minute": 1000, "writes_per_minute": 100_000}
        )
        with closing(School(settings, module_redis)) as school, api_process(settings) as process:
            school.add_people()
            school.url = process.url
            school.client("root").get("/openapi.json")  # written once in a process
            yield Watched(school, process)


@pytest.fixture
def watched(one_for_all: Watched) -> Watched:
    one_for_all.too_long.clear()
    return one_for_all


def routes(school: School) -> list[tuple[str, str]]:
    """Every method and path of the application, its pages included."""
    app = create_app(school.api_settings)
    app.state.services.database.close()
    app.state.services.broker.close()
    found = [(method, route.path_format) for route in iter_route_contexts(app.routes) for method in route.methods or ()]
    return sorted({(method, path) for method, path in found if method != "HEAD"})


def prepared(client: httpx.Client, method: str, address: str, options: dict[str, Any]) -> httpx.Request:
    """The headers come last: httpx would look through a type of a megabyte for what parts are parted by."""
    request = client.build_request(method, address, **{name: options[name] for name in options if name != "headers"})
    request.headers.update(options.get("headers", {}))
    return request


def test_no_route_works_long_for_what_is_sent(watched: Watched) -> None:
    school = watched.school
    submission = watched.attempt("ada", b"x = 1\n")
    known = {"course": "demo", "slug": "mha-rope", "submission_id": submission, "assignment": "none"}
    page = watched.in_browser("ada")
    clients = {True: httpx.Client(base_url=school.url, headers=school.client("root").headers, timeout=600), False: page}
    school.clients.append(clients[True])
    walked = routes(school)
    assert len(walked) > 100
    for method, path in walked:
        address = re.sub(r"{(\w+)(:\w+)?}", lambda match: known.get(match[1], "x"), path)
        client = clients[path.startswith("/api/")]
        for what, options in {**HEADS, **(BODIES if method in ("POST", "PATCH", "PUT") else {})}.items():
            request = prepared(client, method, address, options)
            watched.send(f"{method} {path} with {what}", lambda: client.send(request))  # noqa: B023
    assert watched.too_long == []


HARD: Final[dict[str, tuple[Sequence[bytes], Sequence[bytes]]]] = {
    "lines that repeat": ((b"a\n" * 1_200,), (b"a\nb\n" * 600,)),
    "siblings of lines that repeat": (
        (b"x", *[b"a\n" * 4_000] * SIBLINGS),
        (b"x", *[b"b\na\n" * 2_000] * SIBLINGS),
    ),
    "lines that all differ": (
        (b"x", *[b"".join(b"%x\n" % number for number in range(1_500))] * SIBLINGS),
        (b"x", *[b"".join(b"%x\n" % number for number in range(1_500, 0, -1))] * SIBLINGS),
    ),
    "long lines of control characters": ((b"",), ((b"\x01" * 400 + b"\n") * 650,)),
    "line ends": ((b"\n" * 260_000,), (b"\r" * 260_000,)),
    "what is not text": ((b"\xff" * 260_000,), ("\u202e" * 87_000).encode("utf-8").split(b"|")),
}  # fmt: skip


@pytest.mark.parametrize("files", HARD.values(), ids=HARD)
def test_no_pair_of_attempts_takes_long_to_show(watched: Watched, files: Any) -> None:
    page, api = watched.in_browser("ada"), watched.school.client("ada")
    for attempt in files:
        submission = watched.attempt("ada", *attempt)
    for path in ("", "/changes"):
        shown = watched.send(f"page{path}", lambda: page.get(f"/submissions/{submission}{path}"))  # noqa: B023
        assert shown.status_code == 200
    watched.send("files", lambda: api.get(f"/submissions/{submission}/files"))
    assert watched.too_long == []


@pytest.mark.parametrize(
    "source",
    ["'" + r"\'" * 32_000, "x" + " " * 65_000 + "$", "(" * 65_000, "a\nb\n" * 16_000, "-" * 65_000 + "1"],
    ids=["quotes", "blanks", "brackets", "lines", "signs"],
)
def test_no_mended_file_takes_long_to_compare(watched: Watched, source: str) -> None:
    watched.attempt("bob", b"def f(): ...\n", verdict=Verdict.PASSED)
    bob = watched.school.client("bob")
    upload = {"file": ("layers.py", source.encode())}
    sent = watched.send("a fix", lambda: bob.post("/challenges/mha-rope/hunt/fixes", files=upload))
    assert sent.status_code == 202
    assert watched.too_long == []


def test_no_roster_takes_long_to_read(watched: Watched) -> None:
    grace = watched.school.client("grace")
    rosters = {
        "lines": filled(b"name\n", b"a\n", b"", LIMIT - 1000),
        "empty lines": b"\n" * (LIMIT - 1000),
        "columns": filled(b"name", b", - ", b"", LIMIT - 1000),
        "quotes": filled(b'name\n"', b'""', b"", LIMIT - 1000),
        "cells": b"name\n" + (b"," * 100 + b"\n") * 9_000,
        "addresses": b"name,email\n" + b"".join(b"s%d,a@%s\n" % (number, b"." * 80) for number in range(4_999)),
        "blanks": b" " * (LIMIT - 1000) + b"name\n",
        "people": b"name\n" + b"".join(b"person-%d\n" % (number * 7919 % 10_007) for number in range(4_999)),
    }  # fmt: skip
    for what, content in rosters.items():
        upload = {"file": ("roster.csv", content)}
        watched.send(what, lambda: grace.post("/courses/demo/roster/preview", files=upload))  # noqa: B023
    assert watched.too_long == []
