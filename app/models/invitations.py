"""Ways in for people who have none yet: a course's invitations, and the operator's sign-in links."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.models.base import Base, Id, now
from app.models.choices import InvitationState
from app.models.people import Course, User


class Invitation(Base):
    """A course's invitation of a person, and its mail in the queue. Only the SHA-256 of the newest code is kept."""

    __tablename__ = "invitations"
    __table_args__ = (UniqueConstraint("course_id", "user_id"),)

    id: Mapped[Id]
    course_id: Mapped[str] = mapped_column(ForeignKey("courses.id", ondelete="CASCADE"))
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    state: Mapped[InvitationState] = mapped_column(index=True)
    # An instructor holds its code: it opens the account only while that is the course's alone.
    is_printed: Mapped[bool] = mapped_column(default=False)
    # Whoever made it for paper has seen its code: it ends with their right to change the course.
    printed_by_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="RESTRICT"), index=True)
    sha256: Mapped[str | None] = mapped_column(String(64), unique=True)  # of the code; none until the mail is sent
    tries: Mapped[int] = mapped_column(default=0)
    next_try_at: Mapped[datetime | None]  # while its mail waits, or is being sent
    reason: Mapped[str | None] = mapped_column(String(200))  # why the last try failed
    made_at: Mapped[datetime] = mapped_column(default=now)
    expires_at: Mapped[datetime]
    course: Mapped[Course] = relationship()
    user: Mapped[User] = relationship(foreign_keys=user_id)


class SignInLink(Base):
    """A link from the command line that signs somebody in once; without a person, it opens the first-run page."""

    __tablename__ = "sign_in_links"

    id: Mapped[Id]
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    sha256: Mapped[str] = mapped_column(String(64), unique=True)
    expires_at: Mapped[datetime]
    user: Mapped[User | None] = relationship()
