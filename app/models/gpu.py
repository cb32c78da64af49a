"""What a graphics card found of a submission that has passed."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.identifiers import LENGTH
from app.models.base import Base
from app.models.submissions import Submission
from grader.gpu_report import GpuState


class GpuStage(Base):
    """Of a submission whose challenge has such a stage, from its verdict on. The row is the truth, as everywhere."""

    __tablename__ = "gpu_stages"
    __table_args__ = (Index(None, "state", "queued_at"),)

    submission_id: Mapped[str] = mapped_column(
        String(LENGTH), ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True
    )
    state: Mapped[GpuState]
    queued_at: Mapped[datetime | None]  # when a message for a judge was sent
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    worker: Mapped[str | None] = mapped_column(String(255))
    requeues: Mapped[int] = mapped_column(default=0)
    requeue_at: Mapped[datetime | None]  # not sent again before this
    fault: Mapped[str | None] = mapped_column(Text)  # the service's own trouble, for operators
    body: Mapped[str | None] = mapped_column(Text)  # the judge's report, one line of JSON
    submission: Mapped[Submission] = relationship(back_populates="gpu_stage")
