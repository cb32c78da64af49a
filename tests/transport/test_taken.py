"""What is left of a message, whether our programs send it or not. The worst of them are put to the real recorder, in
`tests/app/test_forged_messages.py`.
"""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.app.redis_process import RedisProcess
from tests.transport.test_internals import NEXT_QUEUE, redis, send  # noqa: F401
from transport.internals import list_of
from transport.taken import LATER_MAX, plain

HOUR = timedelta(hours=1)


@pytest.fixture
def sent(redis: RedisProcess) -> dict[str, Any]:  # noqa: F811
    """A message as Celery writes it."""
    send(redis, 1, priority=6)
    with redis.client() as client:
        return json.loads(client.lindex(list_of(NEXT_QUEUE, 6), -1))


def test_what_our_programs_send_is_left(sent: dict[str, Any]) -> None:
    sent["headers"]["assay_mine"] = 7
    taken = plain(sent, NEXT_QUEUE)
    assert taken["body"] == sent["body"]
    assert taken["headers"].items() >= {"task": "some.task", "id": sent["headers"]["id"], "assay_mine": 7}.items()
    assert (taken["properties"]["priority"], taken["headers"]["eta"]) == (6, None)


def test_a_message_is_of_the_queue_in_which_it_lay_and_of_no_other(sent: dict[str, Any]) -> None:
    sent["properties"]["delivery_info"] = {"exchange": "x", "routing_key": "another"}
    taken = plain(sent, NEXT_QUEUE)
    assert taken["properties"]["delivery_info"] == {"exchange": "", "routing_key": NEXT_QUEUE}
    assert taken["properties"]["delivery_tag"] != sent["properties"]["delivery_tag"]


def test_what_is_left_is_plain(sent: dict[str, Any]) -> None:
    """It is read once more when it was restored."""
    once = plain(sent, NEXT_QUEUE)
    twice = plain(json.loads(json.dumps(once)), NEXT_QUEUE)
    assert once["headers"] == twice["headers"]
    assert once["body"] == twice["body"]


def test_nothing_is_put_off_for_long(sent: dict[str, Any]) -> None:
    moment = datetime.now(UTC)
    sent["headers"]["eta"] = (moment + HOUR).isoformat()
    assert datetime.fromisoformat(plain(sent, NEXT_QUEUE)["headers"]["eta"]) <= datetime.now(UTC) + LATER_MAX
    soon = (moment + timedelta(seconds=2)).isoformat()
    sent["headers"]["eta"] = soon
    assert plain(sent, NEXT_QUEUE)["headers"]["eta"] == soon


def test_nothing_that_celery_acts_on_is_left(sent: dict[str, Any]) -> None:
    acted_on = {"chain": [1], "errbacks": [1], "timelimit": [1, 1], "expires": "x", "compression": "gzip", "stamps": {}}
    sent["headers"] |= acted_on
    assert not acted_on.keys() & plain(sent, NEXT_QUEUE)["headers"].keys()
