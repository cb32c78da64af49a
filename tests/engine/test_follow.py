"""Server-sent events: parsed to the letter, resumed when they break, done without when they fail."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from engine.client import Client
from engine.config import Config
from engine.errors import Unreachable
from engine.events import HEARTBEAT, Event, EventParser
from engine.follow import Follower, Patience
from engine.progress import place_text
from engine.upload import Upload
from engine.wire.events import TestEvent
from engine.wire.submissions import QueuePosition, State
from tests.engine import papers
from tests.engine.school import TOKEN, School, Server, create_app

QUICK = Patience(reconnect_s=0.01, ask_again_s=0.01, silence_s=0.1, held_s=0.1)


class Diary:
    """A watcher that keeps what it is told."""

    def __init__(self) -> None:
        self.states: list[State] = []
        self.done: list[int] = []
        self.notices: list[str] = []
        self.places: list[QueuePosition] = []

    def place(self, place: QueuePosition) -> None:
        self.places.append(place)

    def state(self, state: State) -> None:
        if self.states[-1:] != [state]:
            self.states.append(state)

    def test(self, test: TestEvent) -> None:
        self.done.append(test.done)

    def notice(self, sentence: str) -> None:
        self.notices.append(sentence)


@pytest.fixture
def client(running: tuple[School, str], school: School, tmp_path: Path) -> Iterator[Client]:
    config = Config(tmp_path, running[1], {running[1]: TOKEN})
    with Client(config) as client:
        yield client


def submit(client: Client) -> str:
    return client.submit(Upload(Path("layers.py"), papers.ROPE_ON_V), "mha-rope").id


def test_every_test_is_told_once_in_order_although_the_stream_breaks_twice(client: Client, school: School):
    school.broken_streams = 2
    diary = Diary()
    submission = Follower(client, submit(client), diary, QUICK).run()
    assert submission.report is not None
    assert diary.done == list(range(1, 12))
    assert school.last_event_ids == [None, "2", "4"]


def test_without_any_stream_the_result_comes_by_asking(client: Client, school: School):
    school.no_streams = True
    diary = Diary()
    assert Follower(client, submit(client), diary, QUICK).run().state is State.GRADED
    assert diary.states == [State.GRADED]


def test_a_heartbeat_makes_us_ask_why_we_wait(client: Client, school: School):
    school.hold, school.waiting = True, "The grader is having trouble."
    submission = submit(client)
    heard: list[str] = []

    class Impatient(Diary):
        def notice(self, sentence: str) -> None:
            heard.append(sentence)
            school.hold = False

    assert Follower(client, submission, Impatient(), QUICK).run().state is State.GRADED
    assert {*heard} == {"The grader is having trouble."}  # told again by a second heartbeat, where one was on its way


def test_nobody_waits_for_a_result_that_is_held(client: Client, school: School):
    school.hold, school.is_held = True, True
    diary = Diary()
    assert Follower(client, submit(client), diary, QUICK).run().state is State.RUNNING


def test_what_is_being_graded_is_not_told_as_waiting_where_the_database_lags(client: Client, school: School):
    school.lags, school.place = True, {"position": 1}
    diary = Diary()
    assert Follower(client, submit(client), diary, QUICK).run().state is State.GRADED
    assert diary.states[-2:] == [State.RUNNING, State.GRADED]
    assert State.QUEUED not in diary.states[diary.states.index(State.RUNNING) :]


def test_the_place_in_line_is_told_by_events_and_by_asking(client: Client, school: School):
    school.place = {"position": 3, "estimated_start_at": None, "grading_p50_s": 0.8, "grading_p95_s": 130.0}
    diary = Diary()
    Follower(client, submit(client), diary, QUICK).run()
    assert diary.places[0].position == 3
    assert place_text(diary.places[0]) == "position 3 in the queue; grading takes 0.8 s, rarely more than 2 min"
    assert place_text(QueuePosition(grading_p50_s=18.1, grading_p95_s=18.4)) == "grading takes 18 s"
    soon = QueuePosition(position=1, estimated_start_at=datetime.now(UTC) + timedelta(seconds=20.4))
    assert place_text(soon) == "next in the queue, starts in about 20 s"
    assert place_text(QueuePosition()) == ""


def test_a_server_that_went_away_is_given_up_with_a_way_back(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr("engine.client.RETRY_DELAYS_S", ())
    school = School(no_streams=True, hold=True)
    with Server(create_app(school)) as server:
        client = Client(Config(tmp_path, server.url, {server.url: TOKEN}))
        submission = submit(client)
    diary = Diary()
    with client, pytest.raises(Unreachable) as raised:
        Follower(client, submission, diary, QUICK).run()
    assert f"engine status {submission}" in raised.value.hint
    assert "still trying" in diary.notices[0]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_events_are_the_same_however_the_bytes_are_cut(size: int):
    stream = (
        '\ufeff: hello\r\n\r\nid: 1\nevent: test\ndata: {"a":\ndata:  "\u2028é"}\n\n'
        "data\rid: 2\r\revent: lost\n\nretry: 10\nid: bad\0\ndata: x\r\n\r\ndata: unfinished"
    ).encode()
    parser = EventParser()
    events = [event for at in range(0, len(stream), size) for event in parser.feed(stream[at : at + size])]
    assert events == [
        Event(HEARTBEAT, "hello", None),
        Event("test", '{"a":\n "\u2028é"}', "1"),
        Event("message", "", "2"),
        Event("message", "x", "2"),
    ]
