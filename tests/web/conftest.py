"""The school of tests/app, visited with a browser: one that only speaks HTTP, and a real Chromium."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from typing import Any

import httpx
import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from tests.app.conftest import (
    _logging,
    api_settings,
    challenges_root,
    database_kind,
    database_url,
    databases,
    module_redis,
    open_school,
    postgresql,
    postgresql_databases,
    redis,
    session_redis,
    settings,
    shared_school,
    sqlite_databases,
)
from tests.app.school import NO_CERTIFICATES, School
from tests.patience import PATIENCE_S

__all__ = [
    "_logging",
    "api_settings",
    "challenges_root",
    "database_kind",
    "database_url",
    "databases",
    "module_redis",
    "postgresql",
    "postgresql_databases",
    "redis",
    "session_redis",
    "settings",
    "shared_school",
    "sqlite_databases",
]


@pytest.fixture
def school(settings: Any, redis: Any) -> Iterator[School]:
    yield from open_school(settings, redis)


@dataclass
class Visit:
    """A browser without JavaScript, by hand: cookies, forms, redirects."""

    client: httpx.Client

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.client.get(path, **options)

    def page(self, path: str) -> str:
        response = self.get(path)
        assert response.status_code == 200, response.text
        return response.text

    def csrf(self, path: str = "/sign-in") -> str:
        return field(self.get(path).text, "csrf")

    def sign_in(self, token: str, **fields: str) -> httpx.Response:
        return self.post("/sign-in", {"csrf": self.csrf(), "token": token, **fields})

    def post(self, path: str, data: dict[str, Any], **options: Any) -> httpx.Response:
        return self.client.post(path, data=data, **options)

    def upload(
        self, source: bytes, filename: str = "layers.py", assignment: str = "", **options: Any
    ) -> httpx.Response:
        page = "/challenges/mha-rope"
        text = self.page(page)
        data = {"csrf": field(text, "csrf"), "nonce": field(text, "nonce"), "assignment": assignment}
        return self.post(f"{page}/submissions", data, files=[("file", (filename, source))], **options)


def field(html: str, name: str) -> str:
    """The value of the first field of that name."""
    found = re.search(rf'name="{name}" value="([^"]*)"', html)
    assert found, html
    return unescape(found[1])


@contextmanager
def visitor(school: School, **headers: str) -> Iterator[Visit]:
    with httpx.Client(
        base_url=school.url,
        headers={"Accept": "text/html", **headers},
        follow_redirects=True,
        timeout=PATIENCE_S,
        trust_env=False,
        verify=NO_CERTIFICATES,
    ) as client:
        yield Visit(client)


@pytest.fixture
def visit(school: School) -> Iterator[Visit]:
    with visitor(school) as visit:
        yield visit


@contextmanager
def counted_queries() -> Iterator[list[str]]:
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if "exercise_repositories" not in statement:  # looked at once a second, whatever is asked
            statements.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    yield statements
    event.remove(Engine, "before_cursor_execute", note)


@pytest.fixture
def ada(school: School, visit: Visit) -> Visit:
    visit.sign_in(school.tokens["ada"])
    return visit


@pytest.fixture
def grace(school: School, visit: Visit) -> Visit:
    visit.sign_in(school.tokens["grace"])
    return visit
