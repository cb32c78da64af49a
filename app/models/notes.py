"""What the course's staff tell students at once, who has read it, and the mails that say so."""

from datetime import datetime
from secrets import token_hex

from sqlalchemy import JSON, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.models.assignments import Assignment
from app.models.base import Base, Id, now
from app.models.choices import MailState, NoteKind
from app.models.people import Course, User


class Note(Base):
    """A note to students of a course. Plain text; of a regrade, each reads what became of their own submissions."""

    __tablename__ = "notes"
    __table_args__ = (Index(None, "course_id", "id"),)

    id: Mapped[Id]
    course_id: Mapped[str] = mapped_column(ForeignKey("courses.id", ondelete="CASCADE"))
    assignment_id: Mapped[str | None] = mapped_column(ForeignKey("assignments.id", ondelete="CASCADE"), index=True)
    kind: Mapped[NoteKind]
    misconception: Mapped[str | None] = mapped_column(String(100))
    misconception_title: Mapped[str | None] = mapped_column(String(300))
    regrade_id: Mapped[str | None] = mapped_column(ForeignKey("regrades.id", ondelete="CASCADE"), index=True)
    # None: the service wrote it, of a regrade.
    author_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="RESTRICT"), index=True)
    text: Mapped[str] = mapped_column(Text)
    sent_at: Mapped[datetime] = mapped_column(default=now)
    course: Mapped[Course] = relationship()
    assignment: Mapped[Assignment | None] = relationship()
    author: Mapped[User | None] = relationship()


class NoteRecipient(Base):
    """Somebody to whom a note was sent. Who they are is fixed when it is sent."""

    __tablename__ = "note_recipients"
    __table_args__ = (Index(None, "user_id", "note_id"),)

    note_id: Mapped[str] = mapped_column(ForeignKey("notes.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    read_at: Mapped[datetime | None]


class Reader(Base):
    """Up to when a person has read what is new for them, and of what they want no mail."""

    __tablename__ = "readers"

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    seen_until: Mapped[datetime | None]
    not_mailed: Mapped[list[str]] = mapped_column(JSON, default=list)  # kinds of news
    # Signs the links that end mails, which work for whoever holds the mail, without signing in.
    mail_secret: Mapped[str] = mapped_column(String(64), default=token_hex)


class Digest(Base):
    """A person's mail of what is new, in the queue: at most one a day, and nothing in two of them."""

    __tablename__ = "digests"
    __table_args__ = (Index(None, "state", "next_try_at"),)

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    state: Mapped[MailState] = mapped_column(default=MailState.WAITING)
    last_at: Mapped[datetime]  # when it was last planned, or sent
    tries: Mapped[int] = mapped_column(default=0)
    next_try_at: Mapped[datetime | None]
    tells_until: Mapped[datetime | None]  # of the mail that is being sent
    told_until: Mapped[datetime]  # what could be seen before has been mailed
    reason: Mapped[str | None] = mapped_column(String(200))  # why the last try failed
