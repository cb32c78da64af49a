"""Who may call what, and open which page: as everybody, on one student's things in one course.

The policy is in two tables, scoping_calls.txt and scoping_pages.txt, a line for each call of the OpenAPI document and
for each page, with the status that everybody gets. One that is missing there makes these tests fail.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute

from app.settings import ApiSettings
from app.web.install import add_pages
from tests.app import scoped
from tests.app.conftest import api_settings, open_school
from tests.app.databases import Databases
from tests.app.redis_process import RedisProcess
from tests.app.rows import Rows
from tests.app.school import School
from tests.app.scoped import OWN_COURSE, PEOPLE, Row, Things, read_table

METHODS: Final = {"get", "post", "put", "patch", "delete"}
CALLS: Final = read_table(Path(__file__).parent / "scoping_calls.txt")
PAGES: Final = read_table(Path(__file__).parent / "scoping_pages.txt")
TO_SIGN_IN: Final = "in"  # sent to the form, instead of an answer
OUTSIDE: Final = ("/healthz", "/readyz")
Ask = Callable[["World", Row, str, str], httpx.Response]


@dataclass(frozen=True)
class World:
    """The school, what is ada's in it, everybody's browser and client; and all rows before anything is tried."""

    school: School
    things: Things
    browsers: Mapping[str, httpx.Client]
    clients: Mapping[str, httpx.Client]
    rows: Rows

    def undo(self) -> None:
        """So that nobody finds what another has changed."""
        self.rows.put_into(self.school.database)
        self.school.broker.reopen(self.things.waiting)
        self.school.broker.allow_withdrawal(self.things.waiting)


@pytest.fixture(scope="module")
def world(databases: Databases, challenges_root: Path, module_redis: RedisProcess) -> Iterator[World]:
    with databases.migrated() as url, ExitStack() as stack:
        settings = api_settings(url, challenges_root, module_redis)
        unlimited = [name for name in ApiSettings.model_fields if name.endswith("_per_minute")]
        for school in open_school(settings.model_copy(update=dict.fromkeys(unlimited, 10_000)), module_redis):
            practice, fix = scoped.people_the_school(school)
            things = scoped.make_things(school, practice, fix)
            scoped.bring_ada_in(school)
            browsers = {person: stack.enter_context(scoped.browser(school, person)) for person in PEOPLE}
            clients = {person: school.client(None if person == "anon" else person) for person in PEOPLE}
            yield World(school, things, browsers, clients, Rows.of(school.database))


def test_every_call_is_in_the_table(world: World):
    """One that is missing: say in scoping_calls.txt who gets what. One too many: it is gone."""
    paths = world.school.client().get("/openapi.json").json()["paths"]
    there_are = {
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, calls in paths.items()
        for method in METHODS & calls.keys()
    }
    assert there_are == {row.name for row in CALLS.values()}


def test_every_page_is_in_the_table():
    routes = APIRouter()
    add_pages(routes)
    there_are = {f"{method} {route.path}" for route in routes_of(routes) for method in route.methods - {"HEAD"}}
    assert there_are == {row.name for row in PAGES.values()}


def routes_of(router: APIRouter) -> Iterator[APIRoute]:
    """Also of the routers that were put into this one."""
    for route in router.routes:
        if isinstance(route, APIRoute):
            yield route
        elif isinstance(inner := getattr(route, "original_router", None), APIRouter):
            yield from routes_of(inner)


@pytest.mark.parametrize("name", CALLS)
def test_everybody_gets_from_a_call_what_the_table_says_and_nothing_that_is_not_theirs(world: World, name: str):
    assert dict(everybody(world, CALLS[name], call)) == CALLS[name].cells


@pytest.mark.parametrize("name", PAGES)
def test_everybody_gets_from_a_page_what_the_table_says_and_nothing_that_is_not_theirs(world: World, name: str):
    assert dict(everybody(world, PAGES[name], visit)) == PAGES[name].cells


@pytest.mark.parametrize("name", [name for name in CALLS if "{course}" in name])
def test_through_ones_own_course_no_call_reaches_into_another(world: World, name: str):
    reaches_nothing(world, CALLS[name], call)


@pytest.mark.parametrize("name", [name for name in PAGES if "{course}" in name])
def test_through_ones_own_course_no_page_reaches_into_another(world: World, name: str):
    reaches_nothing(world, PAGES[name], visit)


def reaches_nothing(world: World, row: Row, ask: Ask) -> None:
    for person, course in OWN_COURSE.items():
        response = asked(world, row, ask, person, course)
        assert response.status_code < 500
        if any(part in row.path for part in ("{assignment}", "{review}", "{context}", "/changes")):
            assert response.status_code in (403, 404)


def everybody(world: World, row: Row, ask: Ask) -> Iterator[tuple[str, str]]:
    """Who gets what."""
    for person in PEOPLE:
        yield person, told(asked(world, row, ask, person))


def asked(world: World, row: Row, ask: Ask, person: str, course: str = "demo") -> httpx.Response:
    response = ask(world, row, person, course)
    if row.method != "GET" and response.status_code < 400:
        world.undo()
    assert_nothing_is_shown(world.things, person, response)
    return response


def told(response: httpx.Response) -> str:
    is_sent_away = response.is_redirect and response.headers["location"].startswith("/sign-in")
    return TO_SIGN_IN if is_sent_away else str(response.status_code)


def call(world: World, row: Row, person: str, course: str) -> httpx.Response:
    path = scoped.filled(row.path, world.things, row.what, course)
    base = world.school.url if path in OUTSIDE else f"{world.school.url}/api/v1"
    sent = scoped.SENT[row.name](world.things) if row.name in scoped.SENT else in_taken(row, world.things)
    return world.clients[person].request(row.method, f"{base}{path}", **sent)


def visit(world: World, row: Row, person: str, course: str) -> httpx.Response:
    path = scoped.filled(row.path, world.things, row.what, course)
    sent = scoped.FORMS[row.name](world.things) if row.name in scoped.FORMS else {}
    with ExitStack() as stack:
        client = world.browsers[person]
        if path.startswith("/sign-") or path == "/sessions/end":  # this browser forgets who it is
            client = stack.enter_context(scoped.browser(world.school, person))
        if row.method == "POST":
            sent["data"] = {**sent.get("data", {}), "csrf": scoped.csrf(client, "/tokens")}
        return client.request(row.method, path, **sent)


def in_taken(row: Row, things: Things) -> dict[str, Any]:
    """Figures and exports are of one assignment."""
    wants_one = any(part in row.path for part in ("/analytics/", "/similarity", "/export/"))
    return {"params": {"assignment": things.taken}} if wants_one and "{student}" not in row.path else {}


def assert_nothing_is_shown(things: Things, person: str, response: httpx.Response) -> None:
    shown = [secret for secret in things.hidden_from(person) if secret in response.text]
    asked = [secret for secret in shown if secret in str(response.request.url)]  # what one has said oneself
    assert set(shown) == set(asked), f"{person} is shown {shown}: {response.text}"
