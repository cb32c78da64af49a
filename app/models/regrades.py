"""Grading again: a preview beside the reports that hold, which replaces them only when somebody applies it."""

from datetime import datetime

from sqlalchemy import ColumnElement, ForeignKey, String, Text, and_, or_
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.models.base import Base, Id, now
from app.models.choices import RegradeState
from app.models.jobs import Job
from app.models.submissions import Submission
from grader.report import Verdict


class Regrade(Base):
    """Submissions of an assignment, graded once more with the challenge as it is now."""

    __tablename__ = "regrades"

    id: Mapped[Id]
    assignment_id: Mapped[str] = mapped_column(ForeignKey("assignments.id", ondelete="CASCADE"), index=True)
    challenge_version: Mapped[str] = mapped_column(String(64))
    asked_by: Mapped[str] = mapped_column(String(100))
    state: Mapped[RegradeState] = mapped_column(default=RegradeState.GRADING)
    created_at: Mapped[datetime] = mapped_column(default=now)
    ended_at: Mapped[datetime | None]


class RegradedSubmission(Base):
    """A submission in a regrade. Without a body it still waits, or was given up, and the old report stays."""

    __tablename__ = "regraded_submissions"

    regrade_id: Mapped[str] = mapped_column(ForeignKey("regrades.id", ondelete="CASCADE"), primary_key=True)
    submission_id: Mapped[str] = mapped_column(
        ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id"), unique=True)
    verdict_before: Mapped[Verdict | None]  # of the report that held when the regrade was asked for
    score_before: Mapped[float | None]
    verdict: Mapped[Verdict | None]
    score: Mapped[float | None]
    body: Mapped[str | None] = mapped_column(Text)
    receipt: Mapped[str | None] = mapped_column(Text)
    submission: Mapped[Submission] = relationship()
    job: Mapped[Job] = relationship()

    @classmethod
    def has_changed(cls) -> ColumnElement[bool]:
        """Returns the condition that it was graded again, with another score or verdict."""
        return and_(cls.body.is_not(None), or_(cls.score != cls.score_before, cls.verdict != cls.verdict_before))


class EarlierReport(Base):
    """A report that a regrade has replaced."""

    __tablename__ = "earlier_reports"

    id: Mapped[Id]
    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), index=True)
    regrade_id: Mapped[str | None] = mapped_column(ForeignKey("regrades.id", ondelete="SET NULL"))
    body: Mapped[str] = mapped_column(Text)
    receipt: Mapped[str | None] = mapped_column(Text)
    recorded_at: Mapped[datetime]
    replaced_at: Mapped[datetime] = mapped_column(default=now)
