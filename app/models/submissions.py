"""Submissions, their files, and their reports."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnElement,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
    and_,
    or_,
    select,
)
from sqlalchemy.orm import Mapped, foreign, mapped_column, relationship

from app.models.assignments import Assignment
from app.models.base import Base, Id, now
from app.models.choices import PartKind, State, SubmissionKind
from app.models.grades import TermsException
from app.models.hunts import Fix, Hunt
from app.models.people import Course, Enrollment, User
from grader.report import Verdict

if TYPE_CHECKING:
    from app.models.gpu import GpuStage
    from app.models.jobs import Job


class Submission(Base):
    """A student's submission and its state. The row is the truth; a queue message is only a hint."""

    __tablename__ = "submissions"
    __table_args__ = (
        UniqueConstraint("user_id", "challenge", "kind", "attempt"),
        UniqueConstraint("user_id", "idempotency_key"),
        Index(None, "user_id", "created_at"),
        Index(None, "state"),
        # What a gradebook counts, sums and looks for in an assignment, without touching the rows.
        Index("ix_submissions_gradebook", "assignment_id", "state", "score", "graded_at", "user_id", "id"),
    )

    id: Mapped[Id]
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="RESTRICT"))
    assignment_id: Mapped[str | None] = mapped_column(ForeignKey("assignments.id", ondelete="RESTRICT"), index=True)
    # Whose staff may see it: the assignment's course, or the one that it was practice for; None: nobody's.
    course_id: Mapped[str | None] = mapped_column(ForeignKey("courses.id", ondelete="SET NULL"), index=True)
    challenge: Mapped[str] = mapped_column(String(64))
    challenge_version: Mapped[str] = mapped_column(String(64))
    kind: Mapped[SubmissionKind] = mapped_column(default=SubmissionKind.BUILD)
    attempt: Mapped[int]  # counted for each kind
    # The open hunt whose file this build was near to when it was sent: the cause is not told while it is open.
    near_hunt_id: Mapped[str | None] = mapped_column(ForeignKey("hunts.id", ondelete="SET NULL"))
    idempotency_key: Mapped[str | None] = mapped_column(String(200))
    filename: Mapped[str] = mapped_column(String(255))
    main: Mapped[str] = mapped_column(String(255))
    sha256: Mapped[str] = mapped_column(String(64))
    seed: Mapped[int] = mapped_column(BigInteger)
    state: Mapped[State] = mapped_column(default=State.QUEUED)
    created_at: Mapped[datetime] = mapped_column(default=now)
    waiting_since: Mapped[datetime] = mapped_column(default=now)  # of the one that it superseded, if it did
    graded_at: Mapped[datetime | None]
    verdict: Mapped[Verdict | None]
    score: Mapped[float | None]
    max_score: Mapped[float | None]
    # What questions may ask about this run, if it passed: kept as it was, whatever a regrade finds.
    facts: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    user: Mapped[User] = relationship()
    job: Mapped["Job"] = relationship(primaryjoin="Submission.id == foreign(Job.id)", viewonly=True, uselist=False)
    assignment: Mapped[Assignment | None] = relationship()
    course: Mapped[Course | None] = relationship()
    near_hunt: Mapped[Hunt | None] = relationship()
    exceptions: Mapped[list[TermsException]] = relationship(
        primaryjoin=lambda: _is_given_to_sender(),  # noqa: PLW0108 - it needs the class
        order_by=TermsException.id,
        viewonly=True,
    )
    report: Mapped["StoredReport | None"] = relationship(back_populates="submission")
    fix: Mapped[Fix | None] = relationship(back_populates="submission")
    gpu_stage: Mapped["GpuStage | None"] = relationship(back_populates="submission")


def _is_given_to_sender() -> ColumnElement[bool]:
    """An exception from the assignment's terms, given to the student or to the section that they are in now."""
    section = select(Enrollment.section).where(
        Enrollment.course_id == Submission.course_id, Enrollment.user_id == Submission.user_id
    )
    return and_(
        foreign(TermsException.assignment_id) == Submission.assignment_id,
        or_(TermsException.user_id == Submission.user_id, TermsException.section == section.scalar_subquery()),
    )


class SubmissionFile(Base):
    """A file of a submission."""

    __tablename__ = "submission_files"

    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True)
    path: Mapped[str] = mapped_column(String(255), primary_key=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)


class StoredReport(Base):
    """The report as the judge wrote it, one line of JSON. Its primary key makes a second one impossible."""

    __tablename__ = "reports"

    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True)
    body: Mapped[str] = mapped_column(Text)
    receipt: Mapped[str | None] = mapped_column(Text)  # signed: what was graded, by what, with which verdict
    recorded_at: Mapped[datetime] = mapped_column(default=now)
    submission: Mapped[Submission] = relationship(back_populates="report")


class DiagnosedMisconception(Base):
    """One row per misconception that a report names, for counting, and for finding the passage behind it."""

    __tablename__ = "diagnoses"

    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True)
    misconception: Mapped[str] = mapped_column(String(100), primary_key=True, index=True)
    title: Mapped[str] = mapped_column(String(300))
    line: Mapped[int | None]
    file: Mapped[str | None] = mapped_column(String(255))  # the sibling that the line is in; else the uploaded file


class GradedPart(Base):
    """The result of one family or rule in a report, so that a class can be analysed without opening its reports."""

    __tablename__ = "graded_parts"

    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[PartKind] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(100), primary_key=True)
    passed: Mapped[int]  # tests; of a rule, 1 when it holds
    total: Mapped[int]
