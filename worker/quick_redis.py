"""Redis for what runs in a worker's event loop, which waits for every answer."""

from typing import Any

from redis import Redis

TIMEOUT_S = 0.5


def quick_redis(worker: Any) -> "Redis":
    """A client of the worker's own broker that gives up soon."""
    url = worker.app.conf.broker_url
    return Redis.from_url(url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S)
