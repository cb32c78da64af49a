"""One job, as judges and verifiers do it: claimed, done, and what came of it sent to the recorder. Knows no torch."""

import time
from collections.abc import Callable
from typing import Any, ClassVar

import structlog
from celery import Task
from pydantic import BaseModel

from grader.messages import FAULT_TASK, QUEUED_AT_HEADER, RECORD_QUEUE, RECORD_TASK, STARTED_TASK, Fault, Started
from transport.internals import LettingGo
from worker.progress import Progress

log = structlog.get_logger()


class JobTask(Task):  # type: ignore[misc]  # celery is not annotated
    """Holds what doing a job needs. `doers` is what the operator calls the processes that do it."""

    Request = LettingGo
    doers: ClassVar[str]
    record_queue: ClassVar[str] = RECORD_QUEUE
    progress: Progress

    def do_job(
        self,
        job: str,
        find: Callable[[], BaseModel],
        *,
        worker: str,
        starts_max: int,
        headers: Callable[[], dict[str, Any]] = dict,
    ) -> None:
        """Sends what `find` returns to the recorder, with the `headers` as they are then. At least once; the recorder
        makes it once.
        """
        if self.progress.count_start(job) > starts_max:
            self.tell(FAULT_TASK, Fault(job=job, reason=f"{self.doers} die of it"))
            return
        try:
            with self.progress.working_on(job):
                if self.progress.begin(job):
                    self.tell(STARTED_TASK, Started(job=job, worker=worker, at=time.time()))
                    found = find()
                    self.tell(RECORD_TASK, found, headers())
        except Exception as error:  # the edge: whatever it is, it is our fault, never a student's or an author's
            log.error("job.failed", exc_info=error)
            self.tell(FAULT_TASK, Fault(job=job, reason=f"{type(error).__name__}: {error}"))
        self.progress.forget_starts(job)

    def tell(self, name: str, message: BaseModel, headers: dict[str, Any] | None = None) -> None:
        """Sends the recorder a message."""
        self.app.send_task(
            name,
            kwargs={"message": message.model_dump(mode="json", by_alias=True)},
            queue=self.record_queue,
            headers={QUEUED_AT_HEADER: time.time(), **(headers or {})},
        )
