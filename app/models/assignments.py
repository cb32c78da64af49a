"""The assignments of a course, and its audit log."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.models.base import Base, Id, now
from app.models.choices import ActorKind, Feedback, GradesRelease, Solutions, Unlock
from app.models.people import Course


class Assignment(Base):
    """A challenge in a course: when, how often, and for how many points. None means not limited."""

    __tablename__ = "assignments"
    __table_args__ = (UniqueConstraint("course_id", "slug"),)

    id: Mapped[Id]
    course_id: Mapped[str] = mapped_column(ForeignKey("courses.id", ondelete="CASCADE"))
    slug: Mapped[str] = mapped_column(String(64))
    title: Mapped[str] = mapped_column(String(200))
    challenge: Mapped[str] = mapped_column(String(64))
    points: Mapped[float] = mapped_column(default=100.0)
    opens_at: Mapped[datetime | None]
    due_at: Mapped[datetime | None]  # later is late
    closes_at: Mapped[datetime | None]  # nothing is taken any more
    grace_minutes: Mapped[int] = mapped_column(default=0)  # after due_at, and not late yet
    late_percent_per_day: Mapped[float] = mapped_column(default=0.0)  # of the points, for each day that has begun
    is_bonus: Mapped[bool] = mapped_column(default=False)  # its points count on top of the course's
    attempts_max: Mapped[int | None]
    attempts_per_hour: Mapped[int | None]
    charges_rejected: Mapped[bool] = mapped_column(default=False)  # whether what cannot be graded costs an attempt
    is_superseding: Mapped[bool] = mapped_column(default=True)  # a newer upload replaces one that still waits
    feedback: Mapped[Feedback] = mapped_column(default=Feedback.FULL)
    question_points: Mapped[float] = mapped_column(default=0.0)  # for all questions, beside those for the code
    draws_apart: Mapped[bool] = mapped_column(default=True)  # its questions' variants from those of practice
    questions_unlock: Mapped[Unlock] = mapped_column(default=Unlock.ALWAYS)
    unlock_attempts: Mapped[int | None]  # how many, with AFTER_ATTEMPTS
    answers_max: Mapped[int | None]  # to each question
    solutions: Mapped[Solutions] = mapped_column(default=Solutions.NEVER)
    solutions_were_shown: Mapped[bool] = mapped_column(default=False)  # to all, before it was extended: for good
    grades_release: Mapped[GradesRelease] = mapped_column(default=GradesRelease.AT_ONCE)
    released_at: Mapped[datetime | None]  # of grades that were held
    has_leaderboard: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime] = mapped_column(default=now)
    course: Mapped[Course] = relationship()

    @property
    def is_archived(self) -> bool:
        """Whether its course is over."""
        return self.course.is_archived


class AuditEntry(Base):
    """Something that staff did. Never changed, and never deleted with its subject."""

    __tablename__ = "audit"
    __table_args__ = (Index(None, "course", "at"),)

    id: Mapped[Id]
    at: Mapped[datetime] = mapped_column(default=now)
    actor: Mapped[str] = mapped_column(String(100))  # the name: an entry outlives the account
    actor_kind: Mapped[ActorKind] = mapped_column(default=ActorKind.ACCOUNT)
    action: Mapped[str] = mapped_column(String(64))
    course: Mapped[str | None] = mapped_column(String(64))
    subject: Mapped[str] = mapped_column(String(200), default="")
    detail: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
