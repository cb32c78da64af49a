"""What `transport.internals` says of Celery and kombu, put to the installed versions with a real Redis."""

import json
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from celery.worker import state
from kombu import Connection

from tests.app.redis_process import RedisProcess, running_redis
from transport.internals import VERSIONS, LettingGo, headers_of, list_of, own_books, received
from transport.programs import consumer, sender

NEXT_QUEUE = "things"


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisProcess]:
    with running_redis(tmp_path) as process:
        yield process


def send(redis: RedisProcess, number: int, priority: int = 0) -> None:
    with sender("sender", redis.url, {}) as celery:
        celery.send_task(
            "some.task", kwargs={"number": number}, queue=NEXT_QUEUE, priority=priority, headers={"mine": number}
        )


def test_the_installed_versions_are_those_that_were_looked_at() -> None:
    assert {name: version(name).rpartition(".")[0] for name in VERSIONS} == VERSIONS


@pytest.mark.parametrize("priority", [0, 9])
def test_a_message_waits_in_the_list_of_its_priority_behind_earlier_ones(redis: RedisProcess, priority: int) -> None:
    for number in (1, 2):
        send(redis, number, priority)
    with redis.client() as client:
        waiting = client.lrange(list_of(NEXT_QUEUE, priority), 0, -1)
    assert [headers_of(message)["mine"] for message in waiting] == [2, 1]
    with sender("taker", redis.url, {}) as celery, celery.connection() as connection:
        taken = connection.SimpleQueue(NEXT_QUEUE).get(timeout=5)
    assert taken.headers["mine"] == 1


def test_a_message_without_headers_has_none() -> None:
    assert headers_of(b"{}") == headers_of(json.dumps({"headers": None}).encode()) == {}


def test_what_was_taken_is_kept_in_books_of_ones_own(redis: RedisProcess) -> None:
    send(redis, 1)
    with consumer("taker", redis.url, 60, own_books("mine")) as celery, celery.connection() as connection:
        connection.SimpleQueue(NEXT_QUEUE).get(timeout=5)
        with redis.client() as client:
            assert (client.hlen("mine"), client.zcard("mine_index"), client.exists("unacked")) == (1, 1, 0)
        assert connection.default_channel.unacked_mutex_key == "mine_mutex"


class Reserved:
    """A task that a worker has received."""

    def __init__(self, **arguments: object) -> None:
        self.id, self.kwargs = str(arguments), arguments


def test_what_a_worker_has_received_is_known_until_it_is_done() -> None:
    task = Reserved(request=7)
    state.task_reserved(task)
    assert received() == [{"request": 7}]
    state.task_ready(task)
    assert received() == []


def test_a_message_is_let_go_also_when_redis_never_hears_so(redis: RedisProcess) -> None:
    send(redis, 1)
    with Connection(redis.url) as connection:
        channel: Any = connection.channel()
        channel.basic_qos(0, 1)
        taken = connection.SimpleQueue(NEXT_QUEUE, channel=channel).get(timeout=5)
        assert not channel.qos.can_consume()
        request: Any = object.__new__(LettingGo)
        request._message = taken
        redis.kill()
        request._let_go()
        assert channel.qos.can_consume()
