"""Something that a Celery worker does again and again in its event loop, which stands still while the worker hangs or
has lost Redis.
"""

from typing import Any, ClassVar

from celery import bootsteps


class Repeated(bootsteps.StartStopStep):  # type: ignore[misc]  # celery is not annotated
    """A step of Celery's worker. Set `every_s` and `beat`."""

    requires = ("celery.worker.components:Timer",)
    every_s: ClassVar[float] = 1.0

    def __init__(self, _worker: Any, **_options: Any) -> None:
        self._timer: Any = None

    def start(self, worker: Any) -> None:
        self._timer = worker.timer.call_repeatedly(self.every_s, self.beat, (worker,))

    def stop(self, _worker: Any) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def beat(self, worker: Any) -> None:
        """Does it once. The event loop waits for it."""
        raise NotImplementedError
