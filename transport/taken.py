"""What is taken from a queue, made plain before Celery believes any of it.

Messages are not signed: whoever may write into one queue may write anything into it. And Celery does more for a message
than its task. It sends what the message names after it (callbacks, chains), with the rights of whoever has taken it;
knows tasks of its own that do the same; unpacks what is compressed; keeps what is for a far day; and a message without
an id stops it, and each of its successors, for good. So of a message only what our programs send is left.
"""

import json
from base64 import b64decode
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import uuid4

import structlog
from kombu.transport import redis
from kombu.transport.virtual import Transport

OWN_HEADERS: Final = "assay_"  # what those of our own headers begin with; of Celery's, three are left
LATER_MAX: Final = timedelta(minutes=1)  # for which our programs put a message off at most
PRIORITIES: Final = range(10)
_BUILT_IN: Final = "celery."
_KEYS: Final = {"content-type": "application/json", "content-encoding": "utf-8"}
_TRANSPORT: Final[Any] = redis  # a type checker has nobody replace what is in it
logger = structlog.get_logger(part="transport")


def take_only_what_is_plain() -> None:
    """Makes the Redis transport refuse all other messages, in this process and those that it forks. Call it before
    Celery starts.
    """
    _TRANSPORT.loads = _read
    _TRANSPORT.Transport._deliver = _deliver


def queue_of(task: Any) -> str:
    """Returns the queue in which the message lay that a task is about, whatever the message says."""
    return str(task.request.delivery_info["routing_key"])


def plain(message: Any, queue: str) -> dict[str, Any]:
    """Returns a message as our programs send it, with nothing but its task, its named arguments and our own headers.

    Raises ValueError, LookupError or TypeError when it is none of ours.
    """
    headers, properties = message["headers"], message["properties"]
    arguments, named, beside = json.loads(b64decode(message["body"], validate=True))
    if arguments != [] or not isinstance(named, dict) or any(beside.values()):
        raise ValueError("it wants more than one task with named arguments")
    task, number = headers["task"], headers["id"]
    if not isinstance(task, str) or not isinstance(number, str) or task.startswith(_BUILT_IN):
        raise ValueError("it names no task of ours")
    kept = {name: value for name, value in headers.items() if name.startswith(OWN_HEADERS)}
    priority, tries = properties.get("priority"), headers.get("retries")
    return _KEYS | {
        "body": message["body"],
        "headers": {
            **kept,
            **{"task": task, "id": number, "lang": "py", "eta": _soon(headers.get("eta"))},
            "retries": tries if isinstance(tries, int) else 0,
        },
        "properties": {
            "body_encoding": "base64",
            "delivery_info": {"exchange": "", "routing_key": queue},
            "delivery_tag": str(uuid4()),
            "priority": priority if priority in PRIORITIES else 0,
        },
    }


def _soon(eta: Any) -> str | None:
    """For when a message is put off."""
    if eta is None:
        return None
    moment, latest = datetime.fromisoformat(eta), datetime.now(UTC) + LATER_MAX
    if moment.tzinfo is None:
        raise ValueError("it does not say in which zone it is put off")
    return min(moment, latest).isoformat()


def _read(text: str) -> Any:
    """None for what is no JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _deliver(self: Transport, message: Any, queue: str) -> None:
    try:
        taken = plain(message, queue)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        logger.error("message_refused", queue=queue, reason=f"{type(error).__name__}: {error}"[:200])
        return
    Transport._deliver(self, taken, queue)  # type: ignore[no-untyped-call]
