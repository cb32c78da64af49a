"""The bug hunt: which file with a bug somebody was given, and what they sent to mend it."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import JSON, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.models.base import Base, Id, now
from grader.hunt.bank import misconception_of

if TYPE_CHECKING:
    from app.models.submissions import Submission


class Hunt(Base):
    """A file with a bug, kept as it was handed out, so that later changes of the bank do not affect its student."""

    __tablename__ = "hunts"
    __table_args__ = (UniqueConstraint("user_id", "challenge", "number"),)

    id: Mapped[Id]
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="RESTRICT"))
    course_id: Mapped[str | None] = mapped_column(ForeignKey("courses.id", ondelete="SET NULL"))  # of its fixes
    challenge: Mapped[str] = mapped_column(String(64))
    number: Mapped[int]  # 1 is the person's first in this challenge
    bug: Mapped[str] = mapped_column(String(100))  # by its name in the bank
    style: Mapped[str] = mapped_column(String(100))  # of the solution that it is planted in
    source: Mapped[str] = mapped_column(Text)
    told: Mapped[dict[str, Any]] = mapped_column(JSON)  # symptoms, and what is told at the end
    lines_max: Mapped[int]  # a larger change is a rewrite
    drawn_at: Mapped[datetime] = mapped_column(default=now)
    solved_at: Mapped[datetime | None]  # when a fix passed that changes no more than `lines_max`

    @property
    def misconception(self) -> str:
        """The id of the misconception that is planted."""
        return misconception_of(self.bug)


class Fix(Base):
    """Marks a submission as a fix of a hunt. `lines` is None when the file cannot be read."""

    __tablename__ = "fixes"

    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True)
    hunt_id: Mapped[str] = mapped_column(ForeignKey("hunts.id", ondelete="RESTRICT"), index=True)
    lines: Mapped[int | None]  # logical lines that differ from what was handed out
    hunt: Mapped[Hunt] = relationship()
    submission: Mapped["Submission"] = relationship(back_populates="fix")
