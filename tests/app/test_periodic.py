"""Work that is done again and again: no fault ends it, and an outage is told once."""

import threading
from collections import deque

import structlog
from structlog.testing import capture_logs

from app.periodic import Periodic
from tests.patience import PATIENCE_S

TURNS = (
    ConnectionError("Redis is away\nsince then"),
    ConnectionError("Redis is away"),
    None,
    KeyError("a mistake of ours"),
    KeyError("a mistake of ours"),
    ConnectionError("Redis is away once more"),
    None,
)


def test_an_outage_is_told_once_until_it_is_over_and_a_surprise_each_time() -> None:
    faults = deque(TURNS)
    is_done = threading.Event()

    def work() -> None:
        if not faults:
            is_done.set()
        elif (fault := faults.popleft()) is not None:
            raise fault

    thread = Periodic("look", work, 0.001, structlog.get_logger(), (ConnectionError,))
    with capture_logs() as logs:
        thread.start()
        assert is_done.wait(PATIENCE_S)
        thread.stop(PATIENCE_S)
    told = [(entry["event"], entry.get("reason") or entry["exc_info"].args[0]) for entry in logs]
    away, again, mistake = "Redis is away", "Redis is away once more", "a mistake of ours"
    assert told == [("look_failed", reason) for reason in (away, mistake, mistake, again)]


def test_one_that_was_never_started_can_be_stopped() -> None:
    Periodic("look", list, 1.0, structlog.get_logger(), ()).stop()
