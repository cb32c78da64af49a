"""The Celery applications of our programs, as far as they are alike: JSON alone, no results, acknowledged when done."""

from collections.abc import Mapping, Sequence
from typing import Any

from celery import Celery

from transport.taken import take_only_what_is_plain


def sender(name: str, redis_url: str, options: Mapping[str, Any]) -> Celery:
    """Makes the Celery application of a program that only sends. `options` are the transport's."""
    celery = Celery(name, broker=redis_url, set_as_current=False)
    celery.conf.update(
        accept_content=["json"], task_serializer="json", task_ignore_result=True, broker_transport_options=dict(options)
    )
    return celery


def consumer(name: str, redis_url: str, visibility_timeout_s: int, options: Mapping[str, Any]) -> Celery:
    """Makes the Celery application of a program that takes messages, one at a time. What it has not acknowledged within
    the timeout is given to another.
    """
    celery = sender(name, redis_url, {"visibility_timeout": visibility_timeout_s, **options})
    celery.conf.update(
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_enable_remote_control=False,
        broker_connection_retry_on_startup=True,
    )
    return celery


def serve(celery: Celery, queues: Sequence[str], hostname: str, *options: str) -> None:
    """Takes messages from the queues until SIGTERM, then finishes what has begun."""
    take_only_what_is_plain()
    quiet = ("--loglevel=WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat")
    celery.worker_main(["worker", f"--queues={','.join(queues)}", f"--hostname={hostname}", *quiet, *options])
