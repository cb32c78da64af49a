"""What staff and students write to each other about a submission: plain text, no markup."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.models.base import Base, Id, now
from app.models.people import User


class Comment(Base):
    """What a member of staff wrote about a line of a submission, or about the whole of it."""

    __tablename__ = "comments"

    id: Mapped[Id]
    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), index=True)
    author_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="RESTRICT"), index=True)
    file: Mapped[str | None] = mapped_column(String(255))  # the sibling that the line is in; else the uploaded file
    line: Mapped[int | None]
    text: Mapped[str] = mapped_column(Text)
    written_at: Mapped[datetime] = mapped_column(default=now)
    edited_at: Mapped[datetime | None]
    edited_by_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="RESTRICT"))
    author: Mapped[User] = relationship(foreign_keys=author_id)
