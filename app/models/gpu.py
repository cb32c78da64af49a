"""The GPU stage of a submission that has passed."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.models.base import Base
from app.models.submissions import Submission
from grader.gpu_report import GpuState


class GpuStage(Base):
    """The GPU stage of a submission whose challenge has one, from its verdict on. The row is the truth, not the
    message.
    """

    __tablename__ = "gpu_stages"
    __table_args__ = (Index(None, "state"),)

    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True)
    state: Mapped[GpuState]
    job_id: Mapped[str | None] = mapped_column(ForeignKey("jobs.id"), unique=True)  # None where no worker was there
    ended_at: Mapped[datetime | None]
    body: Mapped[str | None] = mapped_column(Text)  # the judge's report, one line of JSON
    submission: Mapped[Submission] = relationship(back_populates="gpu_stage")
