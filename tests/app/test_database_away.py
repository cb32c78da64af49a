"""PostgreSQL is stopped under the running service: everybody is told to try again, and nothing is lost."""

import json
import signal
from collections.abc import Iterator

import httpx
import pytest

from app.broker import BrokerDown
from app.database import DATABASE_FAULTS
from tests.app.school import SOURCE, School, make_report
from tests.app.test_recorder import recorder, wait_until_graded
from tests.patience import wait_until
from tests.postgresql_process import PostgresqlProcess

pytestmark = pytest.mark.parametrize("database_kind", ["postgresql"], indirect=True, scope="session")


@pytest.fixture
def server(postgresql: PostgresqlProcess) -> Iterator[PostgresqlProcess]:
    """May be stopped by the test; it runs again afterwards."""
    yield postgresql
    if not postgresql.is_running:
        postgresql.start()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["shut-down", "crashed"])
def test_while_it_is_away_everybody_is_told_to_try_again(
    school: School, server: PostgresqlProcess, how: signal.Signals
):
    sent = school.submit()
    client = school.client("ada")
    server.stop(how)
    for answer in (
        client.get(f"/submissions/{sent['id']}"),
        client.get("/me"),
        client.post("/submissions", files={"file": ("layers.py", SOURCE)}),
    ):
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
        assert "marked-password" not in answer.text
    ready = httpx.get(f"{school.url}/readyz")
    assert (ready.status_code, ready.json()) == (503, {"database": False, "broker": True})
    with pytest.raises((BrokerDown, *DATABASE_FAULTS)):
        school.sweeper().sweep()
    server.start()
    assert client.get(f"/submissions/{sent['id']}").json() | {"queue": None} == sent | {"queue": None}
    assert school.submit()["attempt"] == 2
    assert httpx.get(f"{school.url}/readyz").status_code == 200


def test_an_open_stream_goes_on_when_it_is_back(school: School, server: PostgresqlProcess):
    """An answer that has begun cannot become an error: the stream ends, and the client resumes it."""
    sent = school.submit()
    with school.client("ada").stream("GET", f"/submissions/{sent['id']}/events") as response:
        lines = response.iter_lines()
        assert json.loads(next(line for line in lines if line.startswith("data"))[6:]) == {"state": "queued"}
        server.stop()
        server.start()
        school.grade(sent["id"])
    assert school.watch(sent["id"])[-1].data == {"state": "graded"}


def test_a_report_that_comes_meanwhile_is_recorded_afterwards(school: School, server: PostgresqlProcess):
    first, second = school.submit(), school.submit()
    for _ in range(2):
        school.judge.take()
    with recorder(school):
        school.judge.send_graded(first["id"], make_report())
        wait_until_graded(school, first["id"])
        server.stop(signal.SIGQUIT)
        school.judge.send_graded(second["id"], make_report())
        wait_until(lambda: not school.broker.record_messages())  # until it has taken it, and cannot write
        server.start()
        wait_until_graded(school, second["id"])
