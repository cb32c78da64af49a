"""What all tables have in common: names of constraints, moments in UTC, closed choices."""

from datetime import UTC, datetime
from enum import StrEnum

from sqlalchemy import DateTime, Dialect, Enum, MetaData, TypeDecorator
from sqlalchemy.orm import DeclarativeBase

from app.models.choices import (
    ActorKind,
    Feedback,
    PartKind,
    Proof,
    RegradeState,
    Role,
    Solutions,
    State,
    SubmissionKind,
    Unlock,
)
from grader.gpu_report import GpuState
from grader.report import Verdict


def now() -> datetime:
    return datetime.now(UTC)


class UtcDateTime(TypeDecorator[datetime]):
    """A moment, always in UTC and always aware. SQLite forgets the zone; PostgreSQL answers in the session's."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return value if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def closed(choices: type[StrEnum]) -> Enum:
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
        Role: closed(Role),
        Proof: closed(Proof),
        ActorKind: closed(ActorKind),
        State: closed(State),
        SubmissionKind: closed(SubmissionKind),
        Feedback: closed(Feedback),
        RegradeState: closed(RegradeState),
        PartKind: closed(PartKind),
        Solutions: closed(Solutions),
        Unlock: closed(Unlock),
        Verdict: closed(Verdict),
        GpuState: closed(GpuState),
    }
