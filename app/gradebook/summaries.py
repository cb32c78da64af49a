"""The points and states of a whole class, kept in memory for as long as nothing that they come from has changed.

They sort and filter. What a page shows is always read anew, so nothing that is shown can be out of date.
"""

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import BigInteger, ColumnElement, SQLColumnExpression, case, cast, func, select
from sqlalchemy.orm import Session

from app.assignments.schemas import terms_of
from app.challenges.service import Catalogue
from app.gradebook.book import CellState, GradebookRow, Student, rows_of
from app.models import OPEN_STATES, Answer, Assignment, PointsOverride, Submission, TermsException

KEPT: Final = 300  # assignments
PARTS: Final = 10_000  # of a point: what is less makes no difference to a stamp
Stamp = tuple[Any, ...]


class Brief(NamedTuple):
    """What sorting and filtering ask of a student's work in an assignment."""

    points: float | None
    states: frozenset[CellState]
    over_at: datetime | None

    def is_over(self, moment: datetime) -> bool:
        """Whether it was due for this student, or closed."""
        return self.over_at is not None and self.over_at < moment


Briefs = Mapping[str, Brief]  # by student


@dataclass(frozen=True)
class _Kept:
    stamp: Stamp
    briefs: Briefs


class Summaries:
    """The briefs of the assignments that were asked for last. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def of(
        self, session: Session, catalogue: Catalogue, assignments: Sequence[Assignment], students: Sequence[Student]
    ) -> dict[str, Briefs]:
        """Returns the briefs of these students, who must be all of the course, by assignment."""
        stamps = stamps_of(session, assignments, students)
        with self._lock:
            found = {key: self._kept.get(key) for key in stamps}
        fresh = {key: kept.briefs for key, kept in found.items() if kept and kept.stamp == stamps[key]}
        for each in assignments:
            if each.id not in fresh:
                rows = rows_of(session, catalogue, [each], students)
                fresh[each.id] = {row.student.id: brief_of(row) for row in rows}
                self._keep(each.id, _Kept(stamps[each.id], fresh[each.id]))
        return fresh

    def _keep(self, key: str, kept: _Kept) -> None:
        with self._lock:
            self._kept[key] = kept
            self._kept.move_to_end(key)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)


def brief_of(row: GradebookRow) -> Brief:
    """Returns the brief of a row."""
    return Brief(row.points, row.states, row.terms.due_at or row.terms.closes_at)


def stamps_of(session: Session, assignments: Sequence[Assignment], students: Sequence[Student]) -> dict[str, Stamp]:
    """Returns, by assignment, what changes whenever one of the briefs does: the terms, who is a student, and counts,
    sums and newest ids of what students sent and staff gave.
    """
    ids = [each.id for each in assignments]
    sent = _by_assignment(
        session,
        ids,
        Submission.assignment_id,
        func.count(),
        func.sum(case((Submission.state.in_(OPEN_STATES), 1), else_=0)),
        _sum(Submission.score),
        _sum(Submission.score * Submission.score),  # two changes hardly make up for each other in both
        func.max(Submission.graded_at),
    )
    answered = _answered(session, [each.id for each in assignments if each.question_points])
    exceptions = _by_assignment(session, ids, TermsException.assignment_id, func.count(), func.max(TermsException.id))
    overrides = _by_assignment(session, ids, PointsOverride.assignment_id, func.max(PointsOverride.id))
    people = hash(tuple((each.id, each.section) for each in students))
    return {
        each.id: (
            people,
            terms_of(each),
            *(table.get(each.id) for table in (sent, answered, exceptions, overrides)),
        )
        for each in assignments
    }


def _sum(value: SQLColumnExpression[float | None]) -> ColumnElement[Any]:
    """A sum of whole numbers: one of floats depends on their order, which is another each time that PostgreSQL reads in
    parallel.
    """
    return func.sum(cast(value * PARTS, BigInteger))


def _by_assignment(session: Session, ids: Sequence[str], key: Any, *columns: ColumnElement[Any]) -> dict[str, Stamp]:
    rows = session.execute(select(key, *columns).where(key.in_(ids)).group_by(key))
    return {row[0]: tuple(row[1:]) for row in rows}


def _answered(session: Session, ids: Sequence[str]) -> dict[str, Stamp]:
    """Every answer, and every mark of it, makes its version grow."""
    query = (
        select(Submission.assignment_id, func.count(), func.sum(Answer.version), func.max(Answer.given_at))
        .join(Answer, Answer.submission_id == Submission.id)
        .where(Submission.assignment_id.in_(ids))
        .group_by(Submission.assignment_id)
    )
    return {row[0]: tuple(row[1:]) for row in session.execute(query) if row[0]} if ids else {}
