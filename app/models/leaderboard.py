"""Who is on the leaderboard of an assignment."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.models.base import Base, Id, now
from app.models.people import User


class LeaderboardEntry(Base):
    """A student's place on the leaderboard of an assignment. Leaving deletes it; where staff removed it, it stays, so
    that the student cannot join again.
    """

    __tablename__ = "leaderboard_entries"
    __table_args__ = (
        UniqueConstraint("assignment_id", "user_id"),
        UniqueConstraint("assignment_id", "pseudonym_key"),
    )

    id: Mapped[Id]
    assignment_id: Mapped[str] = mapped_column(ForeignKey("assignments.id", ondelete="CASCADE"))
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    pseudonym: Mapped[str] = mapped_column(String(30))
    pseudonym_key: Mapped[str] = mapped_column(String(120))  # no two look the same
    joined_at: Mapped[datetime] = mapped_column(default=now)
    removed_at: Mapped[datetime | None]  # by staff
    # What is or was measured, with which version of the challenge; None: the student has passed no more.
    submission_id: Mapped[str | None] = mapped_column(ForeignKey("submissions.id", ondelete="SET NULL"), index=True)
    challenge_version: Mapped[str | None] = mapped_column(String(64))
    job_id: Mapped[str | None] = mapped_column(ForeignKey("jobs.id", ondelete="SET NULL"), unique=True)
    measured_at: Mapped[datetime | None]
    worker: Mapped[str | None] = mapped_column(String(255))  # that measured it
    body: Mapped[str | None] = mapped_column(Text)  # the judge's measurement, as JSON; None until there is one
    user: Mapped[User] = relationship()
