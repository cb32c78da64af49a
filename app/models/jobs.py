"""Jobs for judges, in one table for every kind, so that all are dispatched, requeued and given up in one way."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.models.base import Base, Id
from app.models.choices import JobState
from grader.messages import JobKind


class Job(Base):
    """A task for a judge about one submission, or for a verifier about none. The row is the truth; a message in Redis
    is only a hint.

    The job that grades a submission has the submission's id.
    """

    __tablename__ = "jobs"
    __table_args__ = (Index(None, "kind", "state", "dispatched_at"), Index(None, "kind", "dispatched_at"))

    id: Mapped[Id]
    kind: Mapped[JobKind]
    submission_id: Mapped[str | None] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), index=True)
    queue: Mapped[str] = mapped_column(String(32))
    priority: Mapped[int] = mapped_column(default=0)
    state: Mapped[JobState] = mapped_column(default=JobState.WAITING)
    dispatched_at: Mapped[datetime | None]  # when its last message was sent
    started_at: Mapped[datetime | None]
    worker: Mapped[str | None] = mapped_column(String(255))
    tries: Mapped[int] = mapped_column(default=0)  # those that came to nothing
    not_before: Mapped[datetime | None]  # when it may be sent again, after the service has failed on it
    fault: Mapped[str | None] = mapped_column(Text)  # the service's own trouble, for operators
