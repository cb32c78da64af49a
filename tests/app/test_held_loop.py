"""While one request is being read and refused, all others wait: nothing that a student can send holds the front end's
event loop for long.

Counted is the processor time of the loop's steps: how busy the machine is does not matter.
"""

import asyncio
import gc
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from app.settings import ApiSettings
from tests.app.conftest import api_settings
from tests.app.databases import Databases
from tests.app.redis_process import RedisProcess
from tests.app.school import School, serve
from tests.app.test_bounded_work import BODIES, filled, json_bodies

BUDGET_S: Final = 0.1
FIELDS: Final = 255 << 10  # what a body without files may have
WRONG: Final = b'{"question":"heads","answer":[' + b",".join([b"{}"] * 64) + b"]}"
STUFFED: Final = b'{"question":"heads","answer":1,' + b",".join(b'"%d":1' % number for number in range(1200)) + b"}"
ANSWERS: Final = {
    "keys": b"{" + b",".join(b'"%x":0' % number for number in range(FIELDS // 9)) + b"}",
    "answers with keys": filled(b'{"answers":[' + STUFFED, b"," + STUFFED, b"]}", FIELDS),
    "a few keys each": b'{"answers":[' + b",".join([b'{"question":"heads","answer":1,"a":1}'] * 100) + b"]}",
    "answers with wrong lists": b'{"answers":[' + b",".join([WRONG] * 100) + b"]}",
    "small objects": filled(b'{"answers":[{}', b",{}", b"]}", FIELDS),
    "selected": filled(b'{"submissions":[1', b",1", b"]}", FIELDS),
    **json_bodies(FIELDS),
}
PUNYCODE: Final = b'--b\r\nContent-Disposition: form-data; name="x"\r\n\r\na-%b\r\n--b--\r\n' % (b"b" * 1_000_000)
REQUESTS: Final[dict[str, dict[str, Any]]] = {
    **{
        f"JSON: {name}": {"content": body, "headers": {"Content-Type": "application/json"}}
        for name, body in ANSWERS.items()
    },
    "a form in an encoding that takes time with the square": {
        "content": PUNYCODE,
        "headers": {"Content-Type": "multipart/form-data; boundary=b; charset=punycode"},
    },
    **{name: options for name, options in BODIES.items() if not name.startswith("1024")},
}
PATHS: Final = (
    *("/submissions/x/answers", "/me/tokens", "/courses/demo/assignments", "/courses/demo/assignments/a/regrades"),
    *("/submissions", "/challenges/mha-rope/hunt/fixes", "/courses/demo/roster"),
)


class Clock:
    """How long each step of the server's event loop worked."""

    def __init__(self) -> None:
        self.thread: int | None = None
        self.steps: list[float] = []

    def forget(self) -> None:
        self.steps.clear()

    @property
    def total_s(self) -> float:
        return sum(self.steps)


@pytest.fixture(scope="module")
def clock() -> Iterator[Clock]:
    clock, test = Clock(), threading.current_thread()
    run = asyncio.Handle._run

    def timed(handle: asyncio.Handle) -> None:
        began = time.thread_time()
        run(handle)
        if threading.current_thread() is not test:
            clock.steps.append(time.thread_time() - began)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio.Handle, "_run", timed)
        yield clock


@pytest.fixture(scope="module")
def school(clock: Clock, databases: Databases, challenges_root: Path, module_redis: RedisProcess) -> Iterator[School]:
    with databases.migrated() as url:
        settings = api_settings(url, challenges_root, module_redis).model_copy(update={"writes_per_minute": 10_000})
        with closing(School(settings, module_redis)) as school, serve(settings, loop="asyncio") as school.url:
            school.add_people()
            for path in PATHS:  # what is done once in a process
                school.client("ada").post(path, json={})
            gc.collect()
            gc.freeze()  # or each look for garbage before a request would go through all that a thousand tests left
            yield school


@pytest.mark.parametrize("options", REQUESTS.values(), ids=REQUESTS)
def test_no_body_holds_the_loop(school: School, clock: Clock, options: dict[str, Any]) -> None:
    client = school.client("ada")
    for path in PATHS:
        held_s = []
        for _ in range(3):  # the least of them: a neighbour on the processor's caches costs, too
            gc.collect()
            clock.forget()
            answer = client.post(path, **options)
            assert answer.status_code < 500, answer.text
            held_s.append(clock.total_s)
        assert min(held_s) < BUDGET_S, f"{path}: {held_s}"


def test_a_body_with_more_fields_than_there_are_is_told_those_that_there_are(school: School) -> None:
    body = {f"field-{number}": number for number in range(100)}
    told = school.client("ada").post("/me/tokens", json=body)
    assert told.status_code == 422
    assert "accepts only these fields: label, expires_at" in told.json()["detail"]
    assert len(told.json()["errors"]) == 1


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/courses/demo/assignments"),
        ("PATCH", "/courses/demo/assignments/a"),
        ("POST", "/courses/demo/assignments/a/regrades"),
        ("POST", "/courses/demo/reviews/a"),
        ("POST", "/courses/demo/roster"),
        ("POST", "/courses/demo/roster/preview"),
        ("PUT", "/operations/workers/a/drain"),
    ],
)
def test_whoever_may_not_write_is_told_so_and_not_how(school: School, method: str, path: str) -> None:
    assert school.client("ada").request(method, path, json={"wrong": 1}).status_code == 403
    if path.startswith("/courses"):
        elsewhere = path.replace("/demo/", "/another/")
        assert school.client("grace").request(method, elsewhere, json={"wrong": 1}).status_code == 404


def test_what_one_person_sends_and_changes_is_limited_whatever_it_is(
    settings: ApiSettings, redis: RedisProcess
) -> None:
    settings = settings.model_copy(update={"writes_per_minute": 5})
    with closing(School(settings, redis)) as school, serve(settings) as school.url:
        school.add_people()
        ada = school.client("ada")
        writes = [("DELETE", "/me/tokens/x"), ("POST", "/me/tokens"), ("PATCH", "/courses/demo/assignments/x")]
        told = [ada.request(*writes[number % 3], json={}).status_code for number in range(6)]
        assert told[:5] == [404, 422, 403, 404, 422]
        assert told[5] == 429
        assert 0 < int(ada.delete("/me/tokens/x").headers["retry-after"]) <= 60
        assert ada.get("/me").status_code == 200
        assert school.client("bob").post("/me/tokens", json={"label": "laptop"}).status_code == 201
        with httpx.Client(base_url=school.url, trust_env=False) as page:
            csrf = page.get("/sign-in").text.partition('name="csrf" value="')[2].partition('"')[0]
            signed = page.post("/sign-in", data={"csrf": csrf, "token": school.tokens["ada"]})
            assert signed.status_code == 429  # pages and calls are counted together
