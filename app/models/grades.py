"""What staff decide for some students in an assignment: exceptions from its terms, and overrides."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.models.base import Base, Id, now


class TermsException(Base):
    """More time or more attempts in an assignment, for one student or for a section. A later one takes its place."""

    __tablename__ = "terms_exceptions"
    __table_args__ = (
        UniqueConstraint("assignment_id", "user_id"),
        UniqueConstraint("assignment_id", "section"),
    )

    id: Mapped[Id]
    assignment_id: Mapped[str] = mapped_column(ForeignKey("assignments.id", ondelete="CASCADE"))
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    section: Mapped[str | None] = mapped_column(String(100))  # those who are in it now; else user_id
    due_at: Mapped[datetime | None]
    closes_at: Mapped[datetime | None]
    extra_attempts: Mapped[int] = mapped_column(default=0)
    reason: Mapped[str] = mapped_column(String(200))
    given_by: Mapped[str] = mapped_column(String(100))  # the name
    given_at: Mapped[datetime] = mapped_column(default=now)


class PointsOverride(Base):
    """The points that a student has in place of the computed ones. Rows are never changed: the newest holds."""

    __tablename__ = "points_overrides"
    __table_args__ = (Index(None, "assignment_id", "user_id", "id"),)

    id: Mapped[Id]
    assignment_id: Mapped[str] = mapped_column(ForeignKey("assignments.id", ondelete="CASCADE"))
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    points: Mapped[float | None]  # None: the one before is withdrawn, and what is computed holds
    reason: Mapped[str] = mapped_column(String(200))
    given_by: Mapped[str] = mapped_column(String(100))  # the name
    given_at: Mapped[datetime] = mapped_column(default=now)
