"""Rows, whatever their table: found by an id that somebody sent, counted, added, changed, held, cut into pages."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from sqlalchemy import ColumnElement, CursorResult, Select, UpdateBase, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.identifiers import is_id


class HasId(Protocol):
    """What a cursor can name."""

    @property
    def id(self) -> Any:
        """The id, which sorts by time."""


RowT = TypeVar("RowT")
ItemT = TypeVar("ItemT", bound=HasId)


def row_with(session: Session, table: type[RowT], row_id: str, **options: Any) -> RowT | None:
    """Returns the row with this id, with the `options` of `Session.get`; what has not the form of an id is never looked
    up.
    """
    return session.get(table, row_id, **options) if is_id(row_id) else None


def count(session: Session, *conditions: ColumnElement[bool]) -> int:
    """Returns how many rows fit."""
    return session.scalar(select(func.count()).where(*conditions)) or 0


def hold(session: Session, key: InstrumentedAttribute[str], value: str, *, key_share: bool = False) -> None:
    """Waits until nobody else holds the row with this key, and holds it to the end of the transaction. With `key_share`
    others can still add rows that refer to it.
    """
    session.execute(select(key).where(key == value).with_for_update(key_share=key_share))


def add_unless_there(session: Session, row: object) -> bool:
    """Adds the row; returns False when another with the same key was added meanwhile, which only PostgreSQL allows."""
    try:
        with session.begin_nested():
            session.add(row)
    except IntegrityError:
        return False
    return True


def changed_rows(session: Session, statement: UpdateBase) -> int:
    """Executes the statement and returns how many rows it changed."""
    done = session.execute(statement)
    assert isinstance(done, CursorResult)
    return done.rowcount


def newest_first(
    session: Session, query: Select[ItemT], key: InstrumentedAttribute[str], cursor: str | None, limit: int
) -> tuple[Sequence[ItemT], str | None]:
    """Returns the page behind the cursor, by the id that is `key`, and the cursor of the next page."""
    if cursor is not None:
        query = query.where(key < cursor)
    return page_of(session.scalars(query.order_by(key.desc()).limit(limit + 1)).all(), limit)


def page_of(rows: Sequence[ItemT], limit: int) -> tuple[Sequence[ItemT], str | None]:
    """Returns a page of rows of which one more than `limit` was asked for, and the cursor of the next page."""
    shown = rows[:limit]
    return shown, shown[-1].id if len(rows) > limit else None
