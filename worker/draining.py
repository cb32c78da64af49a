"""A switch that operators turn: a drained worker ends what it has and takes nothing more, until it is told to."""

from contextlib import suppress
from typing import Any

import structlog
from redis import RedisError

from grader.messages import DRAINED
from worker.quick_redis import RepeatedOnRedis

LOOK_S = 1.0

log = structlog.get_logger()


class Drain(RepeatedOnRedis):
    """Without Redis nothing changes: neither is anything taken then."""

    every_s = LOOK_S

    def __init__(self, worker: Any, **options: Any) -> None:
        super().__init__(worker, **options)
        self._name = worker.hostname.partition("@")[2]
        self._queues: tuple[str, ...] = ()  # those that are not served for the time being

    def beat(self, worker: Any) -> None:
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
