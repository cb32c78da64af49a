"""One person's requests wait for each other, so that nobody else waits for them."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Semaphore

import pytest
from fastapi.dependencies.models import Dependant

from app.challenges.service import Catalogue
from app.main import create_app
from app.problems import TooManyRequests
from app.request_slots import AT_ONCE, UNDER_WAY_MAX, RequestSlots
from app.services import signed_in
from app.web.visitors import with_slot
from tests.app.school import School
from tests.app.scoped import browser
from tests.app.test_scoping import routes_of
from tests.patience import PATIENCE_S

THREADS = 40  # of the process, in which requests are worked on


def test_one_person_may_take_no_more_turns_than_so_many() -> None:
    async def attend() -> None:
        slots, gate, begun = RequestSlots(), asyncio.Event(), list[str]()

        async def ask(person: str) -> None:
            async with slots.slot(person):
                begun.append(person)
                await gate.wait()

        asked = [asyncio.create_task(ask("ada")) for _ in range(UNDER_WAY_MAX)]
        await asyncio.sleep(0)
        with pytest.raises(TooManyRequests):
            await ask("ada")
        asked.append(asyncio.create_task(ask("bob")))
        await asyncio.sleep(0)
        assert begun == ["ada"] * AT_ONCE + ["bob"]
        asked[AT_ONCE].cancel()  # one that waits is gone, and takes nobody's turn along
        gate.set()
        await asyncio.gather(*asked, return_exceptions=True)
        assert begun.count("ada") == UNDER_WAY_MAX - 1
        await ask("ada")

    with ThreadPoolExecutor(1) as aside:  # where a browser was opened before, Playwright's loop runs in this thread
        aside.submit(asyncio.run, attend()).result()


@pytest.mark.parametrize("path", ["/api/v1/challenges", "/"])
def test_nobody_waits_for_somebodys_many_slow_requests(
    school: School, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    gate, entered = Event(), Semaphore(0)

    def slow(self: Catalogue) -> Iterator[object]:
        entered.release()
        gate.wait(PATIENCE_S)
        return iter(())

    monkeypatch.setattr(Catalogue, "__iter__", slow)
    with browser(school, "ada") as visit, ThreadPoolExecutor(THREADS + 5) as pool:
        answers = [pool.submit(visit.get, path) for _ in range(THREADS + 5)]
        for _ in range(AT_ONCE):
            assert entered.acquire(timeout=PATIENCE_S)
        try:
            assert school.client("bob").get("/courses", timeout=10).status_code == 200
            assert not entered.acquire(timeout=0.2)
        finally:
            gate.set()
        assert {answer.result().status_code for answer in answers} == {200}


def test_no_request_takes_two_turns(school: School) -> None:
    """Four that each hold one and wait for another would wait for ever."""
    taking = {
        route.path: [call for call in calls_of(route.dependant) if call in (signed_in, with_slot)]
        for route in routes_of(create_app(school.api_settings).router)
    }
    assert sum(map(bool, taking.values())) > 100
    assert not [path for path, taken in taking.items() if len(set(taken)) > 1]


def calls_of(dependant: Dependant) -> Iterator[object]:
    """All that is called before an endpoint, and the endpoint."""
    yield dependant.call
    for inner in dependant.dependencies:
        yield from calls_of(inner)
