"""What the health check of a judge's container reads: that its queue is served and that its runner answers."""

from typing import Any

from celery import bootsteps

from grader.alive import BEAT_S, Sign
from grader.messages import GRADE_TASK
from worker.runner_client import RunnerClient

TIMEOUT_S = 0.5  # the event loop waits for it


class Vitality(bootsteps.StartStopStep):  # type: ignore[misc]  # celery is not annotated
    """A step of Celery's worker: runs in its event loop, which stands still while it hangs or has lost Redis."""

    requires = ("celery.worker.components:Timer",)

    def __init__(self, worker: Any, **_options: Any) -> None:
        settings = worker.app.tasks[GRADE_TASK].settings
        self._client = RunnerClient(settings.runner_socket)
        self._queue = Sign(settings.alive_folder, "queue")
        self._runner = Sign(settings.alive_folder, "runner")
        self._timer: Any = None

    def start(self, worker: Any) -> None:
        self._timer = worker.timer.call_repeatedly(BEAT_S, self.tell)

    def stop(self, _worker: Any) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def tell(self) -> None:
        self._queue.give()
        if self._client.answers(TIMEOUT_S):
            self._runner.give()
