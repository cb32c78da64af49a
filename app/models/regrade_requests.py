"""Regrade requests: why a student believes that a result is wrong, and what staff answered. Plain text, no markup."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.models.base import Base, Id, now
from app.models.choices import RequestOutcome
from app.models.people import User
from app.models.submissions import Submission


class RegradeRequest(Base):
    """A student's request to look at a result again. It is open until it has an outcome, and is never deleted."""

    __tablename__ = "regrade_requests"
    __table_args__ = (Index(None, "course_id", "outcome", "id"),)

    id: Mapped[Id]
    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), index=True)
    course_id: Mapped[str] = mapped_column(ForeignKey("courses.id", ondelete="CASCADE"))  # the submission's
    reason: Mapped[str] = mapped_column(Text)
    tests: Mapped[list[dict[str, Any]]] = mapped_column(JSON)  # id and title, as the report had them
    file: Mapped[str | None] = mapped_column(String(255))  # the sibling that the lines are in; else the uploaded file
    lines: Mapped[list[int]] = mapped_column(JSON)
    asked_at: Mapped[datetime] = mapped_column(default=now)
    outcome: Mapped[RequestOutcome | None]
    answer: Mapped[str | None] = mapped_column(Text)
    answered_by_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="RESTRICT"), index=True)
    closed_at: Mapped[datetime | None]
    submission: Mapped[Submission] = relationship()
    answered_by: Mapped[User | None] = relationship()
