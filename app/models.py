"""The tables. Written for SQLite and PostgreSQL alike; every change needs a migration, which a test demands."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    DateTime,
    Dialect,
    Enum,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from app.identifiers import LENGTH, new_id
from grader.report import Verdict


class Role(StrEnum):
    """What a person may do. The same words in a course and in the whole service."""

    STUDENT = "student"
    INSTRUCTOR = "instructor"
    OPERATOR = "operator"


class State(StrEnum):
    """Where a submission stands."""

    QUEUED = "queued"
    RUNNING = "running"
    GRADED = "graded"
    CANCELLED = "cancelled"
    SUPERSEDED = "superseded"

    @property
    def is_final(self) -> bool:
        return self not in (State.QUEUED, State.RUNNING)


OPEN_STATES = (State.QUEUED, State.RUNNING)


def now() -> datetime:
    return datetime.now(UTC)


class UtcDateTime(TypeDecorator[datetime]):
    """A moment, always in UTC and always aware; SQLite forgets the zone, so it is put back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return value if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return value if value is None else value.replace(tzinfo=UTC)


def _closed(choices: type[StrEnum]) -> Enum:
    return Enum(
        choices,
        native_enum=False,
        create_constraint=False,
        length=16,
        values_callable=lambda all_: [c.value for c in all_],
    )


class Base(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy's own class attribute
        datetime: UtcDateTime(),
        Role: _closed(Role),
        State: _closed(State),
        Verdict: _closed(Verdict),
    }


class User(Base):
    __tablename__ = "users"

    id: Mapped[str] = mapped_column(String(LENGTH), primary_key=True, default=new_id)
    name: Mapped[str] = mapped_column(String(100), unique=True)
    role: Mapped[Role]
    created_at: Mapped[datetime] = mapped_column(default=now)


class Token(Base):
    """A bearer token: only the SHA-256 of it is kept."""

    __tablename__ = "tokens"

    id: Mapped[str] = mapped_column(String(LENGTH), primary_key=True, default=new_id)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    sha256: Mapped[str] = mapped_column(String(64), unique=True)
    label: Mapped[str] = mapped_column(String(100), default="")
    created_at: Mapped[datetime] = mapped_column(default=now)
    revoked_at: Mapped[datetime | None]
    user: Mapped[User] = relationship()


class Course(Base):
    __tablename__ = "courses"

    id: Mapped[str] = mapped_column(String(LENGTH), primary_key=True, default=new_id)
    slug: Mapped[str] = mapped_column(String(64), unique=True)
    title: Mapped[str] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(default=now)


class Enrollment(Base):
    __tablename__ = "enrollments"

    course_id: Mapped[str] = mapped_column(ForeignKey("courses.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True)
    role: Mapped[Role]
    course: Mapped[Course] = relationship()
    user: Mapped[User] = relationship()


class Submission(Base):
    """What a student sent, and where it stands. The row is the truth; a queue message is only a hint."""

    __tablename__ = "submissions"
    __table_args__ = (
        UniqueConstraint("user_id", "challenge", "attempt"),
        UniqueConstraint("user_id", "idempotency_key"),
        Index(None, "user_id", "created_at"),
        Index(None, "state", "queued_at"),
    )

    id: Mapped[str] = mapped_column(String(LENGTH), primary_key=True, default=new_id)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="RESTRICT"))
    challenge: Mapped[str] = mapped_column(String(64))
    challenge_version: Mapped[str] = mapped_column(String(64))
    attempt: Mapped[int]
    idempotency_key: Mapped[str | None] = mapped_column(String(200))
    filename: Mapped[str] = mapped_column(String(255))
    main: Mapped[str] = mapped_column(String(255))
    sha256: Mapped[str] = mapped_column(String(64))
    seed: Mapped[int] = mapped_column(BigInteger)
    state: Mapped[State] = mapped_column(default=State.QUEUED)
    created_at: Mapped[datetime] = mapped_column(default=now)
    queued_at: Mapped[datetime] = mapped_column(default=now)
    started_at: Mapped[datetime | None]
    graded_at: Mapped[datetime | None]
    worker: Mapped[str | None] = mapped_column(String(255))
    verdict: Mapped[Verdict | None]
    score: Mapped[float | None]
    max_score: Mapped[float | None]
    requeues: Mapped[int] = mapped_column(default=0)
    requeue_at: Mapped[datetime | None]  # not queued again before this
    fault: Mapped[str | None] = mapped_column(Text)  # the service's own trouble, for operators
    user: Mapped[User] = relationship()
    report: Mapped["StoredReport | None"] = relationship(back_populates="submission")


class SubmissionFile(Base):
    __tablename__ = "submission_files"

    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True)
    path: Mapped[str] = mapped_column(String(255), primary_key=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)


class StoredReport(Base):
    """The report as the judge wrote it, one line of JSON. Its primary key makes a second one impossible."""

    __tablename__ = "reports"

    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True)
    body: Mapped[str] = mapped_column(Text)
    recorded_at: Mapped[datetime] = mapped_column(default=now)
    submission: Mapped[Submission] = relationship(back_populates="report")


class DiagnosedMisconception(Base):
    """One row per misconception that a report names, for counting."""

    __tablename__ = "diagnoses"

    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True)
    misconception: Mapped[str] = mapped_column(String(100), primary_key=True, index=True)
    title: Mapped[str] = mapped_column(String(300))


class Answer(Base):
    """The last answer a student gave to a question, and its mark."""

    __tablename__ = "answers"

    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True)
    question: Mapped[str] = mapped_column(String(100), primary_key=True)
    given: Mapped[Any] = mapped_column(JSON)
    mark: Mapped[dict[str, Any]] = mapped_column(JSON)
    given_at: Mapped[datetime] = mapped_column(default=now)
