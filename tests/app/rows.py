"""All rows of a database at one moment, to be put into it, or into an empty one, again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Table, delete, insert, select

from app.database import Database
from app.models import Base


@dataclass(frozen=True)
class Rows:
    """Those of each table that has some, what is referred to before what refers to it."""

    by_table: Sequence[tuple[Table, Sequence[Mapping[str, Any]]]]

    @classmethod
    def of(cls, database: Database) -> "Rows":
        """As they are now."""
        with database.read() as session:
            found = [(table, session.execute(select(table)).mappings().all()) for table in Base.metadata.sorted_tables]
        return cls([(table, [dict(row) for row in rows]) for table, rows in found if rows])

    def put_into(self, database: Database, *, is_empty: bool = False) -> None:
        """In place of what is there."""
        with database.write() as session:
            for table in () if is_empty else reversed(Base.metadata.sorted_tables):
                session.execute(delete(table))
            for table, rows in self.by_table:
                session.execute(insert(table), rows)
