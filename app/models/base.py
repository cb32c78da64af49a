"""What all tables have in common: names of constraints, moments in UTC, closed choices."""

import enum
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated

from sqlalchemy import DateTime, Dialect, Enum, MetaData, String, TypeDecorator
from sqlalchemy.orm import DeclarativeBase, mapped_column

from app.identifiers import LENGTH, new_id

# The key of a table: a new id unless one is given.
Id = Annotated[str, mapped_column(String(LENGTH), primary_key=True, default=new_id)]


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
        # Every closed choice of ours, stored as its value.
        StrEnum: Enum(
            enum.Enum,
            native_enum=False,
            length=16,
            values_callable=lambda choices: [choice.value for choice in choices],
        ),
    }
