"""Watching a submission: the stream, resuming it, and doing without it."""

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Semaphore

import httpx
import pytest
from sqlalchemy import select

from app.accounts import service as accounts
from app.accounts import sessions
from app.accounts.erasure import erase_person
from app.models import Role, State, User
from grader.messages import events_stream
from tests.app.school import Event, School, make_report
from tests.patience import PATIENCE_S

VERDICT = {"verdict": "failed", "score": 40.0, "max_score": 100.0, "summary": "RoPE is applied to V."}


def names(events: list[Event]) -> list[str]:
    return [f"{event.event}:{event.data['state']}" if event.event == "state" else event.event for event in events]


def test_the_whole_way_is_told_in_order_while_it_happens(school: School):
    sent = school.submit()
    with ThreadPoolExecutor(1) as pool:
        watching = pool.submit(school.watch, sent["id"])
        school.broker.tell(sent["id"], "state", {"state": "running"})
        for number in (1, 2):
            school.broker.tell(sent["id"], "test", {"id": f"heads-{number}", "done": number, "total": 2})
        school.grade(sent["id"])
        events = watching.result(timeout=PATIENCE_S)
    assert names(events) == ["state:queued", "state:running", "test", "test", "verdict", "state:graded"]
    assert [event.data["done"] for event in events[2:4]] == [1, 2]
    assert events[4].data == VERDICT
    assert all(event.id for event in events[:4])  # the end may be told from the row, which is written first


def test_a_stream_resumes_after_the_last_event_seen(school: School):
    sent = school.submit()
    school.broker.tell(sent["id"], "state", {"state": "running"})
    school.grade(sent["id"])
    every = school.watch(sent["id"])
    assert all(event.id for event in every)
    assert school.watch(sent["id"], last_event_id=every[1].id) == every[2:]


@pytest.mark.parametrize("nonsense", ["x", "0", "9" * 40 + "-0", "-1-1", "1-", "$"])
def test_an_id_that_is_not_ours_begins_at_the_beginning(shared_school: School, nonsense: str):
    sent = shared_school.submit()
    shared_school.grade(sent["id"])
    assert names(shared_school.watch(sent["id"], last_event_id=nonsense))[0] == "state:queued"


BAD_ENTRIES = (
    {"data": "{}"},
    {"event": "state"},
    {"event": "state", "data": "{}"},
    {"event": "state", "data": '{"state": "x"}'},
    {"event": "state", "data": "["},
    {"event": "verdict", "data": "[]"},
    {"event": "verdict", "data": "{}"},
    {"event": "verdict", "data": '{"verdict": "x", "summary": ""}'},
    {"event": "gpu", "data": "{}"},
    {"event": "test", "data": "[" * 100_000},
    {"event": "test", "data": "7"},
    {"event": "test", "data": b"\xff"},
    {"event": "test\nevent: verdict", "data": "{}"},
    {"event": "anything", "data": "{}"},
)


def test_an_entry_that_is_no_event_ends_no_stream(school: School):
    """It had ended every stream of the submission, as often as somebody took it up again."""
    sent = school.submit()
    with school.redis.client() as redis:
        for entry in BAD_ENTRIES:
            redis.xadd(events_stream(sent["id"]), entry)
    school.grade(sent["id"])
    assert names(school.watch(sent["id"])) == ["state:queued", "verdict", "state:graded"]


def test_the_end_is_told_from_the_row_when_the_stream_is_gone(school: School):
    sent = school.submit()
    school.grade(sent["id"])
    with school.redis.client() as redis:
        redis.delete(events_stream(sent["id"]))
    events = school.watch(sent["id"])
    assert names(events) == ["verdict", "state:graded"]
    assert events[0].data == VERDICT


def test_a_verdict_is_told_once_while_the_recorder_is_between_it_and_the_state(school: School):
    sent = school.submit()
    school.grade(sent["id"])
    with school.redis.client() as redis:
        stream = events_stream(sent["id"])
        redis.xdel(stream, redis.xrevrange(stream, count=1)[0][0])
    assert names(school.watch(sent["id"])) == ["state:queued", "verdict", "state:graded"]


def test_nobody_waits_for_an_end_that_was_not_told(school: School):
    sent = school.submit()
    with ThreadPoolExecutor(1) as pool:
        watching = pool.submit(school.watch, sent["id"])
        with school.redis.client() as redis:
            school.grade(sent["id"])
            redis.delete(events_stream(sent["id"]))
        assert names(watching.result(timeout=PATIENCE_S))[-2:] == ["verdict", "state:graded"]


@pytest.mark.parametrize("state", [State.CANCELLED, State.SUPERSEDED])
def test_a_submission_that_will_not_be_graded_ends_the_stream(school: School, state: State):
    sent = school.submit()
    school.broker.tell(sent["id"], "state", {"state": state})
    assert names(school.watch(sent["id"])) == ["state:queued", f"state:{state}"]


def test_without_redis_the_states_still_come(fragile_school: School):
    school = fragile_school
    sent = school.submit()
    school.redis.kill()
    with ThreadPoolExecutor(1) as pool:
        heard = threading.Event()
        watching = pool.submit(school.watch, sent["id"], hear=lambda event: event.event == "queue" and heard.set())
        assert heard.wait(PATIENCE_S)
        school.grade(sent["id"])
        assert names(watching.result(timeout=PATIENCE_S)) == ["state:queued", "queue", "verdict", "state:graded"]


def test_a_redis_that_comes_back_is_used_again(fragile_school: School):
    school = fragile_school
    sent = school.submit()
    school.redis.kill()
    with ThreadPoolExecutor(1) as pool:
        heard = threading.Event()
        watching = pool.submit(school.watch, sent["id"], hear=lambda event: event.event == "queue" and heard.set())
        assert heard.wait(PATIENCE_S)
        school.redis.start()
        school.broker.tell(sent["id"], "test", {"id": "heads-1"})
        school.grade(sent["id"])
        assert names(watching.result(timeout=PATIENCE_S)) == [
            "state:queued",
            "queue",
            "test",
            "verdict",
            "state:graded",
        ]


def test_a_silent_stream_says_that_it_is_still_there(school: School):
    sent = school.submit()
    lines: list[str] = []

    def listen() -> None:
        with school.client("ada").stream("GET", f"/submissions/{sent['id']}/events") as response:
            for line in response.iter_lines():
                lines.append(line)
                if line.startswith(":"):
                    return

    thread = threading.Thread(target=listen)
    thread.start()
    thread.join(timeout=PATIENCE_S)
    assert lines[-1] == ": still here"


def test_a_stream_lives_a_day(school: School):
    sent = school.submit()
    with school.redis.client() as redis:
        assert 80_000 < redis.ttl(events_stream(sent["id"])) <= 86_400


def test_many_may_watch_at_once(school: School):
    sent = school.submit()
    first_events = Semaphore(0)
    with ThreadPoolExecutor(20) as pool:
        watching = [
            pool.submit(
                school.watch,
                sent["id"],
                hear=lambda event: event.data == {"state": "queued"} and first_events.release(),
            )
            for _ in range(20)
        ]
        assert all(first_events.acquire(timeout=PATIENCE_S) for _ in watching)
        assert httpx.get(f"{school.url}/healthz").status_code == 200
        school.grade(sent["id"], make_report())
        assert all(names(each.result(timeout=PATIENCE_S))[-1] == "state:graded" for each in watching)


def test_what_is_sent_is_json_on_one_line(school: School):
    sent = school.submit()
    school.broker.tell(sent["id"], "test", {"title": "line\nbreak: é"})
    school.grade(sent["id"])
    assert school.watch(sent["id"])[1].data == json.loads('{"title": "line\\nbreak: é"}')


def end_the_token(school: School) -> None:
    accounts.revoke_tokens(school.database, "grace")


def take_the_role_away(school: School) -> None:
    accounts.enroll(school.database, "grace", "demo", Role.STUDENT)


def erase(school: School) -> None:
    erase_person(school.database, "grace", accounts.console())


@pytest.mark.parametrize("end", [end_the_token, take_the_role_away, erase])
def test_a_stream_ends_when_who_watches_may_no_longer_see_it(school: School, end: Callable[[School], None]):
    sent = school.submit()
    with ThreadPoolExecutor(1) as pool:
        began = threading.Event()
        watching = pool.submit(school.watch, sent["id"], "grace", None, lambda _: began.set())
        assert began.wait(PATIENCE_S)
        end(school)
        events = watching.result(timeout=PATIENCE_S)
        school.broker.tell(sent["id"], "state", {"state": "running"})
    assert "running" not in str(events)


def test_the_stream_of_a_page_ends_with_its_session(school: School):
    sent = school.submit()
    with school.database.read() as session:
        ada = session.scalars(select(User).where(User.name == "ada")).one()
    with httpx.Client(base_url=school.url, headers={"Accept": "text/html"}, trust_env=False) as browser:
        csrf = browser.get("/sign-in").text.partition('name="csrf" value="')[2].partition('"')[0]
        browser.post("/sign-in", data={"csrf": csrf, "token": school.tokens["ada"]})
        with browser.stream("GET", f"/api/v1/submissions/{sent['id']}/events", timeout=PATIENCE_S) as response:
            lines = response.iter_lines()
            assert next(lines)
            (signed_in,) = sessions.list_own(school.database, ada)
            sessions.end_own(school.database, ada, signed_in.id)
            assert "state:graded" not in list(lines)  # it ends, without the submission's having ended
