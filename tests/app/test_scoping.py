"""Who may call what, and open which page: as everybody, on one student's things in one course.

The policy is in two tables, scoping_calls.txt and scoping_pages.txt, a line for each call of the OpenAPI document and
for each page, with the status that everybody gets. One that is missing there makes these tests fail.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute

from app.accounts import service as accounts
from app.settings import ApiSettings
from app.web.install import add_pages
from tests.app import scoped
from tests.app.conftest import api_settings, open_school
from tests.app.databases import Databases
from tests.app.redis_process import RedisProcess
from tests.app.school import School
from tests.app.scoped import OWN_COURSE, PEOPLE, Row, Things, read_table

METHODS: Final = {"get", "post", "put", "patch", "delete"}
CALLS: Final = read_table(Path(__file__).parent / "scoping_calls.txt")
PAGES: Final = read_table(Path(__file__).parent / "scoping_pages.txt")
TO_SIGN_IN: Final = "in"  # sent to the form, instead of an answer
OUTSIDE: Final = ("/healthz", "/readyz")
Ask = Callable[[str, Things], httpx.Response]


@dataclass(frozen=True)
class World:
    """The school, and what is ada's before anything is tried: calls that change nothing get that."""

    school: School
    lasting: Things

    @contextmanager
    def things(self, row: Row, person: str, shared: Things | None) -> Iterator[Things]:
        """New ones for who may change them, so that nobody finds them changed."""
        if row.method == "GET" or (shared is not None and row.cells[person][0] not in "23"):
            yield self.lasting if row.method == "GET" or shared is None else shared
            return
        made = scoped.make_things(self.school, self.lasting.practice, self.lasting.fix)
        yield made
        scoped.throw_away(self.school, made)


@pytest.fixture(scope="module")
def world(databases: Databases, challenges_root: Path, module_redis: RedisProcess) -> Iterator[World]:
    with databases.migrated() as url:
        settings = api_settings(url, challenges_root, module_redis)
        unlimited = [name for name in ApiSettings.model_fields if name.endswith("_per_minute")]
        for school in open_school(settings.model_copy(update=dict.fromkeys(unlimited, 10_000)), module_redis):
            practice, fix = scoped.people_the_school(school)
            lasting = scoped.make_things(school, practice, fix)
            scoped.bring_ada_in(school)
            yield World(school, lasting)


@pytest.fixture(scope="module")
def browsers(world: World) -> Iterator[dict[str, httpx.Client]]:
    with ExitStack() as stack:
        yield {person: stack.enter_context(scoped.browser(world.school, person)) for person in PEOPLE}


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
    row = CALLS[name]
    got = dict(everybody(world, row, lambda one, it: call(world, row, it, one)))
    assert got == row.cells


@pytest.mark.parametrize("name", PAGES)
def test_everybody_gets_from_a_page_what_the_table_says_and_nothing_that_is_not_theirs(
    world: World, browsers: dict[str, httpx.Client], name: str
):
    row = PAGES[name]
    got = dict(everybody(world, row, lambda one, it: visit(world, browsers, row, it, one)))
    assert got == row.cells


@pytest.mark.parametrize("name", [name for name in CALLS if "{course}" in name])
def test_through_ones_own_course_no_call_reaches_into_another(world: World, name: str):
    for person, course in OWN_COURSE.items():
        reaches_nothing(world, CALLS[name], person, call(world, CALLS[name], world.lasting, person, course))


@pytest.mark.parametrize("name", [name for name in PAGES if "{course}" in name])
def test_through_ones_own_course_no_page_reaches_into_another(
    world: World, browsers: dict[str, httpx.Client], name: str
):
    for person, course in OWN_COURSE.items():
        response = visit(world, browsers, PAGES[name], world.lasting, person, course)
        reaches_nothing(world, PAGES[name], person, response)


def reaches_nothing(world: World, row: Row, person: str, response: httpx.Response) -> None:
    assert response.status_code < 500
    if any(part in row.path for part in ("{assignment}", "{review}", "{context}", "/changes")):
        assert response.status_code in (403, 404)
    assert_nothing_is_shown(world.lasting, person, response)


def everybody(world: World, row: Row, ask: Ask) -> Iterator[tuple[str, str]]:
    """Who gets what. Those who may not change anything all try it on the same things."""
    shared = (
        None if row.method == "GET" else scoped.make_things(world.school, world.lasting.practice, world.lasting.fix)
    )
    for person in PEOPLE:
        with world.things(row, person, shared) as things:
            response = ask(person, things)
            assert_nothing_is_shown(things, person, response)
            yield person, told(response)
    if shared is not None:
        scoped.throw_away(world.school, shared)


def told(response: httpx.Response) -> str:
    is_sent_away = response.is_redirect and response.headers["location"].startswith("/sign-in")
    return TO_SIGN_IN if is_sent_away else str(response.status_code)


def call(world: World, row: Row, things: Things, person: str, course: str = "demo") -> httpx.Response:
    path = scoped.filled(row.path, things, row.what, course)
    base = world.school.url if path in OUTSIDE else f"{world.school.url}/api/v1"
    sent = scoped.SENT[row.name](things) if row.name in scoped.SENT else in_taken(row, things)
    client = world.school.client(None if person == "anon" else person)
    if path == "/me/tokens/current" and person != "anon":  # ends the token
        client.headers["Authorization"] = f"Bearer {accounts.issue_token(world.school.database, person)}"
    return client.request(row.method, f"{base}{path}", **sent)


def visit(
    world: World, browsers: dict[str, httpx.Client], row: Row, things: Things, person: str, course: str = "demo"
) -> httpx.Response:
    path = scoped.filled(row.path, things, row.what, course)
    sent = scoped.FORMS[row.name](things) if row.name in scoped.FORMS else {}
    with ExitStack() as stack:
        client, ends_all = browsers[person], path == "/sessions/end"
        if path.startswith("/sign-") or ends_all:  # ends the session
            client = stack.enter_context(scoped.browser(world.school, person))
        if row.method == "POST":
            sent["data"] = {**sent.get("data", {}), "csrf": scoped.csrf(client, "/tokens")}
        response = client.request(row.method, path, **sent)
        if ends_all:
            scoped.come_back(browsers[person], world.school, person)
        return response


def in_taken(row: Row, things: Things) -> dict[str, Any]:
    """Figures and exports are of one assignment."""
    wants_one = any(part in row.path for part in ("/analytics/", "/similarity", "/export/"))
    return {"params": {"assignment": things.taken}} if wants_one and "{student}" not in row.path else {}


def assert_nothing_is_shown(things: Things, person: str, response: httpx.Response) -> None:
    shown = [secret for secret in things.hidden_from(person) if secret in response.text]
    asked = [secret for secret in shown if secret in str(response.request.url)]  # what one has said oneself
    assert set(shown) == set(asked), f"{person} is shown {shown}: {response.text}"
