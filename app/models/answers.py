"""What students answered, and who read it."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.identifiers import LENGTH, new_id
from app.models.base import Base, now
from app.models.choices import Role
from app.models.people import User
from app.models.submissions import Submission


class Answer(Base):
    """The last answer a student gave to a question, and the mark that holds.

    A student has one row for a question in an assignment, and one in practice: with the submission that it was first
    given for.
    """

    __tablename__ = "answers"

    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True)
    question: Mapped[str] = mapped_column(String(100), primary_key=True)
    id: Mapped[str] = mapped_column(
        String(LENGTH), unique=True, default=new_id
    )  # tells a reader nothing of the student
    asked: Mapped[str] = mapped_column(Text, default="")  # the question with this student's numbers
    given: Mapped[Any] = mapped_column(JSON)
    mark: Mapped[dict[str, Any]] = mapped_column(JSON)
    given_at: Mapped[datetime] = mapped_column(default=now)
    tries: Mapped[int] = mapped_column(default=1)
    version: Mapped[int] = mapped_column(default=1)  # grows with every answer and every reading
    check_from: Mapped[datetime | None] = mapped_column(
        index=True
    )  # when a judge is sent its line, once more if need be
    submission: Mapped[Submission] = relationship()
    readings: Mapped[list["Reading"]] = relationship(order_by="Reading.place", back_populates="answer")


class Reading(Base):
    """What somebody of the staff gave for a free text. The first one's points count; the second one's are compared."""

    __tablename__ = "readings"

    answer_id: Mapped[str] = mapped_column(ForeignKey("answers.id", ondelete="CASCADE"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True)  # 1 or 2
    reader_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="RESTRICT"), index=True)
    role: Mapped[Role]  # of the reader, in the course
    points: Mapped[list[dict[str, Any]]] = mapped_column(JSON)  # concept, points, max_points
    score: Mapped[float]
    comment: Mapped[str] = mapped_column(Text, default="")
    read_at: Mapped[datetime] = mapped_column(default=now)
    answer: Mapped[Answer] = relationship(back_populates="readings")
    reader: Mapped[User] = relationship()
