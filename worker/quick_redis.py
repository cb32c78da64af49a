"""Redis for what runs in a worker's event loop, which waits for every answer."""

from typing import Any

from redis import Redis

from transport.steps import Repeated

TIMEOUT_S = 0.5


class RepeatedOnRedis(Repeated):
    """A repeated step with a client of the worker's own broker that gives up soon."""

    def __init__(self, worker: Any, **options: Any) -> None:
        super().__init__(worker, **options)
        url = worker.app.conf.broker_url
        self._redis = Redis.from_url(url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S)

    def stop(self, worker: Any) -> None:
        """Stops the thread, and closes its connection to Redis."""
        super().stop(worker)
        self._redis.close()
