"""A switch that operators turn: a drained worker ends what it has and takes nothing more, until it is told to."""

from contextlib import suppress
from typing import Any

import structlog
from celery import bootsteps
from redis import Redis, RedisError

from grader.messages import DRAINED

LOOK_S = 1.0
TIMEOUT_S = 0.5  # the event loop waits for it

log = structlog.get_logger()


class Drain(bootsteps.StartStopStep):  # type: ignore[misc]  # celery is not annotated
    """A step of Celery's worker. Without Redis nothing changes: neither is anything taken then."""

    requires = ("celery.worker.components:Timer",)

    def __init__(self, worker: Any, **_options: Any) -> None:
        self._redis = Redis.from_url(
            worker.app.conf.broker_url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S
        )
        self._name = worker.hostname.partition("@")[2]
        self._queues: tuple[str, ...] = ()  # those that are not served for the time being
        self._timer: Any = None

    def start(self, worker: Any) -> None:
        self._timer = worker.timer.call_repeatedly(LOOK_S, self.look, (worker,))

    def stop(self, _worker: Any) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._redis.close()

    def look(self, worker: Any) -> None:
        """Do what the switch says, if that is not how it is already."""
        if worker.consumer.task_consumer is None:  # not connected yet
            return
        with suppress(RedisError):
            is_drained = self._name.encode() in self._redis.smembers(DRAINED)
            if is_drained and not self._queues:
                self._queues = tuple(worker.app.amqp.queues.consume_from)
                for queue in self._queues:
                    worker.consumer.cancel_task_queue(queue)
                log.warning("worker.drained", worker=self._name)
            elif self._queues and not is_drained:
                for queue in self._queues:
                    worker.consumer.add_task_queue(queue)
                self._queues = ()
                log.warning("worker.resumed", worker=self._name)
