"""Exercise repositories, their commits, the exercises in each; who may add which, and what they asked for."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.identifiers import LENGTH
from app.models.base import Base, Id, now
from app.models.choices import CommitState, FetchState
from app.models.jobs import Job
from app.models.people import User


class ExerciseRepository(Base):
    """A namespace of exercises. `live_id` names the commit that students see; None after it was removed, or before any
    commit was verified.
    """

    __tablename__ = "exercise_repositories"

    id: Mapped[Id]
    namespace: Mapped[str] = mapped_column(String(24), unique=True)
    url: Mapped[str] = mapped_column(String(500))  # as it was given
    ref: Mapped[str] = mapped_column(String(200))
    live_id: Mapped[str | None] = mapped_column(String(LENGTH))
    removed_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(default=now)
    commits: Mapped[list["ExerciseCommit"]] = relationship(
        back_populates="repository", order_by="ExerciseCommit.id.desc()"
    )


class ExerciseCommit(Base):
    """A commit that was fetched. It is kept for good: what was submitted for it is graded by it."""

    __tablename__ = "exercise_commits"
    __table_args__ = (UniqueConstraint("repository_id", "commit"),)

    id: Mapped[Id]
    repository_id: Mapped[str] = mapped_column(ForeignKey("exercise_repositories.id", ondelete="CASCADE"))
    url: Mapped[str] = mapped_column(String(500))  # where judges fetch it
    commit: Mapped[str] = mapped_column(String(64))
    state: Mapped[CommitState] = mapped_column(default=CommitState.VERIFYING)
    reason: Mapped[str | None] = mapped_column(Text)  # why it was refused
    public: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)  # what students may see, as a ZIP file
    added_by: Mapped[str] = mapped_column(String(100))
    created_at: Mapped[datetime] = mapped_column(default=now)
    live_at: Mapped[datetime | None]  # when it first went live
    repository: Mapped[ExerciseRepository] = relationship(back_populates="commits")
    exercises: Mapped[list["CommittedExercise"]] = relationship(order_by="CommittedExercise.slug")


class CommittedExercise(Base):
    """An exercise as a commit has it."""

    __tablename__ = "committed_exercises"
    __table_args__ = (Index(None, "slug", "version"),)

    commit_id: Mapped[str] = mapped_column(ForeignKey("exercise_commits.id", ondelete="CASCADE"), primary_key=True)
    slug: Mapped[str] = mapped_column(String(64), primary_key=True)  # NAMESPACE.NAME
    version: Mapped[str] = mapped_column(String(64))
    # Of all that its proof depends on: where that is the same, it needs no other. None: verified before this was kept.
    digest: Mapped[str | None] = mapped_column(String(64))


class ExerciseAuthor(Base):
    """A person to whom an operator has given a namespace: they may add a repository under it, and update it."""

    __tablename__ = "exercise_authors"

    namespace: Mapped[str] = mapped_column(String(24), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True)
    given_by: Mapped[str] = mapped_column(String(100))
    created_at: Mapped[datetime] = mapped_column(default=now)
    user: Mapped[User] = relationship()


class ExerciseFetch(Base):
    """A request to fetch a repository, verify what it has, and switch to it. The row is the truth, not the message."""

    __tablename__ = "exercise_fetches"
    __table_args__ = (Index(None, "namespace", "state"),)

    id: Mapped[Id]
    namespace: Mapped[str] = mapped_column(String(24))
    url: Mapped[str] = mapped_column(String(500))
    ref: Mapped[str] = mapped_column(String(200))
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id"), unique=True)
    state: Mapped[FetchState] = mapped_column(default=FetchState.WAITING)
    progress: Mapped[str | None] = mapped_column(String(200))  # what is being done, while it runs
    reason: Mapped[str | None] = mapped_column(Text)  # why it was refused, or failed
    commit: Mapped[str | None] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(default=now)
    ended_at: Mapped[datetime | None]
    user: Mapped[User] = relationship()
    job: Mapped[Job] = relationship()
