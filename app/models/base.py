"""What all tables have in common: names of constraints, moments in UTC, closed choices."""

from datetime import UTC, datetime
from enum import StrEnum

from sqlalchemy import DateTime, Dialect, Enum, MetaData, TypeDecorator
from sqlalchemy.orm import DeclarativeBase

from app.models.choices import (
    ActorKind,
    CommitState,
    Feedback,
    GradesRelease,
    InvitationState,
    JobState,
    MailState,
    NoteKind,
    PartKind,
    Proof,
    RegradeState,
    RequestOutcome,
    Role,
    Solutions,
    State,
    SubmissionKind,
    Unlock,
)
from grader.gpu_report import GpuState
from grader.messages import JobKind
from grader.report import Verdict


def now() -> datetime:
    """Returns the current moment, in UTC."""
    return datetime.now(UTC)


class UtcDateTime(TypeDecorator[datetime]):
    """A column type for moments, always in UTC and aware. SQLite drops the zone; PostgreSQL answers
    in the session's.
    """

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Converts a moment to UTC on its way to the database."""
        return value if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Makes a moment from the database aware, in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def closed(choices: type[StrEnum]) -> Enum:
    """Returns a column type for an enum, stored as its values."""
    return Enum(
        choices,
        native_enum=False,
        create_constraint=False,
        length=16,
        values_callable=lambda all_: [c.value for c in all_],
    )


class Base(DeclarativeBase):
    """The base of all models, with the naming of constraints."""

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
        Role: closed(Role),
        Proof: closed(Proof),
        InvitationState: closed(InvitationState),
        ActorKind: closed(ActorKind),
        CommitState: closed(CommitState),
        State: closed(State),
        SubmissionKind: closed(SubmissionKind),
        Feedback: closed(Feedback),
        GradesRelease: closed(GradesRelease),
        RegradeState: closed(RegradeState),
        RequestOutcome: closed(RequestOutcome),
        PartKind: closed(PartKind),
        NoteKind: closed(NoteKind),
        MailState: closed(MailState),
        Solutions: closed(Solutions),
        Unlock: closed(Unlock),
        Verdict: closed(Verdict),
        GpuState: closed(GpuState),
        JobKind: closed(JobKind),
        JobState: closed(JobState),
    }
