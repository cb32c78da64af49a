"""How many event streams are open at a time, how long they live, and who may no longer listen."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from sqlalchemy import delete

from app.accounts import service as accounts
from app.models import Enrollment
from app.settings import ApiSettings
from tests.app.conftest import open_school
from tests.app.redis_process import RedisProcess
from tests.app.school import School
from tests.patience import wait_until


@pytest.fixture
def crowded(settings: ApiSettings, redis: RedisProcess) -> Iterator[School]:
    """Two streams a person, three in all."""
    told = {"streams_per_person": 2, "streams_max": 3}
    yield from open_school(settings.model_copy(update=told), redis)


@pytest.fixture
def hasty(settings: ApiSettings, redis: RedisProcess) -> Iterator[School]:
    """Streams that live for a second."""
    yield from open_school(settings.model_copy(update={"stream_life_s": 1.0}), redis)


def listen(stack: ExitStack, school: School, name: str, submission_id: str) -> Iterator[str]:
    """The lines of a stream that has begun, and stays open until the stack is left."""
    path = f"/submissions/{submission_id}/events"
    response = stack.enter_context(school.client(name).stream("GET", path))
    assert response.status_code == 200
    lines: Any = response.iter_lines()
    next(lines)
    stack.callback(lines.close)  # whoever lets go of it has closed the stream
    return lines  # type: ignore[no-any-return]


def asked(school: School, name: str, submission_id: str) -> httpx.Response:
    """What a further stream is answered with; of one that begins, nothing is read."""
    with school.client(name).stream("GET", f"/submissions/{submission_id}/events") as response:
        if response.status_code != 200:
            response.read()
        return response


def test_one_person_has_so_many_streams_and_gets_the_verdict_all_the_same(crowded: School):
    school = crowded
    sent = school.submit()["id"]
    with ExitStack() as stack:
        for _ in range(2):
            listen(stack, school, "ada", sent)
        refused = asked(school, "ada", sent)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "5")
        assert "You are already watching 2 submissions" in refused.json()["detail"]
        assert refused.headers["content-type"] == "application/problem+json"
        assert asked(school, "bob", school.submit("bob")["id"]).status_code == 200
        school.grade(sent)
        assert school.client("ada").get(f"/submissions/{sent}").json()["state"] == "graded"


def test_there_are_so_many_streams_in_all(crowded: School):
    school = crowded
    ids = {name: school.submit(name)["id"] for name in ("ada", "bob")}
    with ExitStack() as stack:
        for name in ("ada", "ada", "bob"):
            listen(stack, school, name, ids[name])
        refused = asked(school, "bob", ids["bob"])
        assert (refused.status_code, "Too many people" in refused.json()["detail"]) == (429, True)


def test_a_place_is_free_again_however_its_stream_has_ended(crowded: School):
    school = crowded
    sent, graded = school.submit()["id"], school.submit()["id"]
    school.grade(graded)
    for _ in range(3):
        school.watch(graded)  # ended by the server
    client = school.client("ada")
    for _ in range(3):
        assert client.get(f"/submissions/{'0' * 26}/events").status_code == 404
    with ExitStack() as stack:
        for _ in range(2):
            listen(stack, school, "ada", sent)
        assert asked(school, "ada", sent).status_code == 429
    # Both were ended by the client, which the server learns when it next says something.
    wait_until(lambda: asked(school, "ada", sent).status_code == 200)


def test_a_revoked_token_ends_its_streams(school: School):
    sent = school.submit()["id"]
    with ExitStack() as stack:
        lines = listen(stack, school, "ada", sent)
        accounts.revoke_tokens(school.database, "ada")
        assert "graded" not in "".join(lines)  # it ends by itself, long before the client's patience does
    assert school.client("ada").get(f"/submissions/{sent}/events").status_code == 401


def test_who_is_no_longer_staff_hears_no_more(school: School):
    sent = school.submit()["id"]
    with ExitStack() as stack:
        lines = listen(stack, school, "grace", sent)
        with school.database.write() as session:
            grace = next(user for user in accounts.list_users(school.database) if user.name == "grace")
            session.execute(delete(Enrollment).where(Enrollment.user_id == grace.id))
        assert "graded" not in "".join(lines)
    assert school.client("grace").get(f"/submissions/{sent}/events").status_code == 404


def test_a_stream_does_not_live_for_ever_and_the_next_goes_on_where_it_ended(hasty: School):
    school = hasty
    sent = school.submit()["id"]
    school.broker.tell(sent, "state", {"state": "running"})
    heard = school.watch(sent)
    assert [event.data for event in heard if event.event == "state"] == [{"state": "queued"}, {"state": "running"}]
    last = next(event.id for event in reversed(heard) if event.id)
    school.grade(sent)
    assert [event.event for event in school.watch(sent, last_event_id=last)] == ["verdict", "state"]


def test_no_cache_keeps_a_stream(school: School):
    sent = school.submit()["id"]
    school.grade(sent)
    response = school.client("ada").get(f"/submissions/{sent}/events")
    assert response.headers.get_list("cache-control") == ["no-store"]
    assert response.headers["x-accel-buffering"] == "no"
