"""The hooks in which kinds of job differ. Another kind is one more such class, and its line in `app/jobs/kinds.py`."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.broker import Broker
from app.jobs.transitions import is_due
from app.metrics import RecorderMetrics
from app.models import Job
from app.receipts.signing import Signer
from app.settings import RecorderSettings
from grader.messages import JobKind, Request

Event = tuple[str, dict[str, Any]]  # what the submission's progress stream tells: its name and its data


@dataclass(frozen=True)
class Office:
    """What the recorder's code works with: settings, broker, metrics and the signer of receipts."""

    settings: RecorderSettings
    broker: Broker
    metrics: RecorderMetrics
    signer: Signer | None = None


class Kind(ABC):
    """A kind of job. Each hook is called in the transaction that changes the job, and returns the events to send once
    it is committed.
    """

    name: ClassVar[JobKind]
    opens: ClassVar[tuple[JobKind, ...]] = ()  # of which kinds a result may open a job

    def next(self, session: Session, room: int, moment: datetime) -> Sequence[str]:
        """Returns the ids of the jobs to dispatch next, at most `room` of them: those of the oldest submissions."""
        due = select(Job.id).where(Job.kind == self.name, is_due(moment))
        return session.scalars(due.order_by(Job.submission_id, Job.id).limit(room)).all()

    @abstractmethod
    def request(self, session: Session, job: Job) -> Request | None:
        """Returns the message to a judge; None when the job is no longer wanted."""

    def started(self, session: Session, job: Job) -> list[Event]:  # noqa: ARG002
        """Reacts to a judge having begun the job."""
        return []

    def progressed(self, session: Session, job: Job, text: str) -> None:  # noqa: B027
        """Notes what is being done, where that is told in sentences."""

    def requeued(self, session: Session, job: Job) -> list[Event]:  # noqa: ARG002
        """Reacts to the job waiting again: its judge or its message was lost, or the service failed."""
        return []

    def given_up(self, session: Session, job: Job) -> list[Event]:  # noqa: ARG002
        """Reacts to the job having been given up, because the service failed on it too often."""
        return []

    def refusal(self, session: Session, job: Job, result: Any) -> str | None:  # noqa: ARG002
        """Returns why this result is refused and the job requeued; None when it is accepted."""
        return None

    @abstractmethod
    def record(self, session: Session, office: Office, job: Job, result: Any) -> list[Event]:
        """Stores the result. It is the job's first, and of the kind's own type."""

    def noted(self, session: Session, office: Office, job: Job, result: Any) -> None:  # noqa: B027
        """Logs and counts the result after it is recorded."""
