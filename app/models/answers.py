"""Answers to questions, and the grades that people gave them."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.identifiers import LENGTH, new_id
from app.models.base import Base, now
from app.models.choices import JobState, Role
from app.models.jobs import Job
from app.models.people import User
from app.models.submissions import Submission


class Answer(Base):
    """The last answer that a student gave to a question, and its mark.

    A student has one row for a question in an assignment, and one in practice: with the submission that it was first
    given for.
    """

    __tablename__ = "answers"

    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True)
    question: Mapped[str] = mapped_column(String(100), primary_key=True)
    id: Mapped[str] = mapped_column(String(LENGTH), unique=True, default=new_id)  # tells nothing of the student
    asked: Mapped[str] = mapped_column(Text, default="")  # the question with this student's numbers
    given: Mapped[Any] = mapped_column(JSON)
    mark: Mapped[dict[str, Any]] = mapped_column(JSON)
    given_at: Mapped[datetime] = mapped_column(default=now)
    tries: Mapped[int] = mapped_column(default=1)
    version: Mapped[int] = mapped_column(default=1)  # grows with every answer and every mark
    job_id: Mapped[str | None] = mapped_column(ForeignKey("jobs.id"), unique=True)  # in which a judge runs its line
    submission: Mapped[Submission] = relationship()
    job: Mapped[Job | None] = relationship()
    human_grades: Mapped[list["HumanGrade"]] = relationship(order_by="HumanGrade.place", back_populates="answer")

    @property
    def is_given_up(self) -> bool:
        """Whether the service failed too often on running the line. `job` must be loaded."""
        return self.job is not None and self.job.state is JobState.GIVEN_UP


class HumanGrade(Base):
    """The points that a member of staff gave for a free text. The first grade counts; the second is
    compared with it.
    """

    __tablename__ = "readings"

    answer_id: Mapped[str] = mapped_column(ForeignKey("answers.id", ondelete="CASCADE"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True)  # 1 or 2
    reader_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="RESTRICT"), index=True)
    role: Mapped[Role]  # of the reader, in the course
    points: Mapped[list[dict[str, Any]]] = mapped_column(JSON)  # concept, points, max_points
    score: Mapped[float]
    comment: Mapped[str] = mapped_column(Text, default="")
    read_at: Mapped[datetime] = mapped_column(default=now)
    answer: Mapped[Answer] = relationship(back_populates="human_grades")
    reader: Mapped[User] = relationship()
