"""Students by families and rules: what each one's best submission holds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from fastapi import Query
from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from app.analytics.results import StudentResult, student_results
from app.analytics.schemas import Cell, Matrix, MatrixRow, Part
from app.analytics.scope import Titles, scope_of, titles_of
from app.challenges.service import Catalogue
from app.database import Database
from app.models import GradedPart, PartKind, User
from app.request_values import Short

CHUNK = 1000
Key = tuple[PartKind, str]


class MatrixOrder(StrEnum):
    """How the rows are sorted."""

    NAME = "name"
    SCORE = "score"
    ATTEMPTS = "attempts"


@dataclass(frozen=True)
class MatrixQuery:
    """Which rows to return. `failing` names a family or rule that the best submission fails."""

    student: Short = None
    failing: Annotated[str | None, Query(max_length=100, description="a family or rule")] = None
    order: MatrixOrder = MatrixOrder.SCORE
    offset: Annotated[int, Query(ge=0, le=100_000)] = 0
    limit: Annotated[int, Query(ge=1, le=500)] = 100


def matrix(
    database: Database, catalogue: Catalogue, user: User, course: str, assignment: str, wanted: MatrixQuery
) -> Matrix:
    """Returns students by parts. The parts' figures are about the whole class, whatever the filter. Raises NotFound,
    Forbidden.
    """
    with database.read() as session:
        scope = scope_of(session, user, course, assignment)
        people = student_results(session, scope.course, [scope.assignment])
        best = [person.best for person in people]
        parts = _parts(session, best, titles_of(catalogue, scope.assignment.challenge))
        failing = _failing(session, best, wanted.failing) if wanted.failing else None
        chosen = [person for person in people if _fits(person, wanted, failing)]
        chosen.sort(key=lambda person: _sort_key(person, wanted.order))
        shown = chosen[wanted.offset : wanted.offset + wanted.limit]
        cells = _cells(session, [person.best for person in shown])
    keys = [(part.kind, part.name) for part in parts]
    rows = [
        MatrixRow.of(person, submission=person.best, cells=[cells.get(person.best, {}).get(key) for key in keys])
        for person in shown
    ]
    return Matrix(parts=parts, rows=rows, total=len(chosen))


def _cells(session: Session, submissions: Sequence[str]) -> dict[str, dict[Key, Cell]]:
    found: dict[str, dict[Key, Cell]] = {}
    columns = (GradedPart.submission_id, GradedPart.kind, GradedPart.name, GradedPart.passed, GradedPart.total)
    query = select(*columns).where(GradedPart.submission_id.in_(submissions))
    for submission, kind, name, passed, total in session.execute(query):
        found.setdefault(submission, {})[(kind, name)] = Cell(passed=passed, total=total)
    return found


def _parts(session: Session, submissions: Sequence[str], titles: Titles) -> list[Part]:
    """Of these submissions, one for each student: how many hold each part."""
    counts: dict[Key, list[int]] = {}
    passed = func.sum(case((GradedPart.passed == GradedPart.total, 1), else_=0))
    for chunk in _chunks(submissions):
        query = select(GradedPart.kind, GradedPart.name, func.count(), passed).where(
            GradedPart.submission_id.in_(chunk)
        )
        for kind, name, students, holding in session.execute(query.group_by(GradedPart.kind, GradedPart.name)):
            count = counts.setdefault((kind, name), [0, 0])
            count[0] += students
            count[1] += holding
    return [
        Part(kind=kind, name=name, title=titles.of(kind, name), students=count[0], students_passed=count[1])
        for (kind, name), count in sorted(counts.items(), key=lambda item: titles.sort_key(*item[0]))
    ]


def _failing(session: Session, submissions: Sequence[str], name: str) -> set[str]:
    query = select(GradedPart.submission_id).where(GradedPart.name == name, GradedPart.passed < GradedPart.total)
    return {
        submission
        for chunk in _chunks(submissions)
        for submission in session.scalars(query.where(GradedPart.submission_id.in_(chunk)))
    }


def _chunks(submissions: Sequence[str]) -> Iterator[Sequence[str]]:
    """Databases take only so many values in one condition."""
    return (submissions[start : start + CHUNK] for start in range(0, len(submissions), CHUNK))


def _fits(person: StudentResult, wanted: MatrixQuery, failing: set[str] | None) -> bool:
    if wanted.student and wanted.student.casefold() not in f"{person.student} {person.full_name or ''}".casefold():
        return False
    return failing is None or person.best in failing


def _sort_key(person: StudentResult, order: MatrixOrder) -> tuple[float, str]:
    match order:
        case MatrixOrder.NAME:
            return 0, person.student
        case MatrixOrder.SCORE:
            return person.score, person.student
        case MatrixOrder.ATTEMPTS:
            return -person.attempts, person.student
