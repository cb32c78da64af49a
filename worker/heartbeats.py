"""What the health check of a judge's container reads: that its queue is served and that its runner answers."""

from typing import Any

from grader.alive import BEAT_S, Heartbeat
from grader.messages import JOB_TASK
from transport.steps import Repeated
from worker.runner_client import RunnerClient

TIMEOUT_S = 0.5  # the event loop waits for it


class Heartbeats(Repeated):
    """The heartbeat of the worker's event loop, and of the runner as seen from here."""

    every_s = BEAT_S

    def __init__(self, worker: Any, **options: Any) -> None:
        super().__init__(worker, **options)
        settings = worker.app.tasks[JOB_TASK].settings
        self._client = RunnerClient(settings.runner_socket)
        self._queue = Heartbeat(settings.alive_folder, "queue")
        self._runner = Heartbeat(settings.alive_folder, "runner")

    def beat(self, worker: Any) -> None:  # noqa: ARG002
        """Tells the health check that the queue is read, and that the runner answers."""
        self._queue.beat()
        if self._client.answers(TIMEOUT_S):
            self._runner.beat()
