"""Students by families and rules: what each one's best submission holds."""

from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.analytics.schemas import Cell, Matrix, MatrixRow, Part
from app.analytics.scope import Titles, scope_of, titles_of
from app.analytics.standings import Standing, standings
from app.challenges.service import Catalogue
from app.database import Database
from app.models import GradedPart, PartKind, User

CHUNK = 500  # ids in one condition: databases take only so many
Key = tuple[PartKind, str]


class Order(StrEnum):
    """By what the rows are sorted."""

    NAME = "name"
    SCORE = "score"
    ATTEMPTS = "attempts"


@dataclass(frozen=True)
class Wanted:
    """Which rows. `failing` names a family or rule that the best submission fails."""

    student: str | None = None
    failing: str | None = None
    order: Order = Order.SCORE
    offset: int = 0
    limit: int = 100


def matrix(
    database: Database, catalogue: Catalogue, user: User, course: str, assignment: str, wanted: Wanted
) -> Matrix:
    """The parts' figures are about the whole class, whatever rows are wanted. Raises NotFound, Forbidden."""
    with database.read() as session:
        scope = scope_of(session, user, course, assignment)
        people = standings(session, scope)
        cells = _cells(session, [person.best for person in people])
        titles = titles_of(catalogue, scope.assignment.challenge)
    parts = _parts(cells, titles)
    keys = [(part.kind, part.name) for part in parts]
    chosen = [person for person in people if _fits(person, cells.get(person.best, {}), wanted)]
    chosen.sort(key=lambda person: _place(person, wanted.order))
    return Matrix(
        parts=parts,
        rows=[
            _row(person, cells.get(person.best, {}), keys)
            for person in chosen[wanted.offset : wanted.offset + wanted.limit]
        ],
        total=len(chosen),
    )


def _cells(session: Session, submissions: list[str]) -> dict[str, dict[Key, Cell]]:
    found: dict[str, dict[Key, Cell]] = {}
    columns = (GradedPart.submission_id, GradedPart.kind, GradedPart.name, GradedPart.passed, GradedPart.total)
    for start in range(0, len(submissions), CHUNK):
        query = select(*columns).where(GradedPart.submission_id.in_(submissions[start : start + CHUNK]))
        for submission, kind, name, passed, total in session.execute(query):
            found.setdefault(submission, {})[(kind, name)] = Cell.model_construct(passed=passed, total=total)
    return found


def _parts(cells: dict[str, dict[Key, Cell]], titles: Titles) -> list[Part]:
    keys = {key for row in cells.values() for key in row}
    return [
        Part(
            kind=kind,
            name=name,
            title=titles.of(kind, name),
            students=sum((kind, name) in row for row in cells.values()),
            students_passed=sum(_holds(row.get((kind, name))) for row in cells.values()),
        )
        for kind, name in sorted(keys, key=lambda key: titles.place(*key))
    ]


def _holds(cell: Cell | None) -> bool:
    return cell is not None and cell.passed == cell.total


def _fits(person: Standing, cells: dict[Key, Cell], wanted: Wanted) -> bool:
    if wanted.student and wanted.student.casefold() not in f"{person.student} {person.full_name or ''}".casefold():
        return False
    return wanted.failing is None or any(
        name == wanted.failing and not _holds(cells[kind, name]) for kind, name in cells
    )


def _place(person: Standing, order: Order) -> tuple[float, str]:
    match order:
        case Order.NAME:
            return 0, person.student
        case Order.SCORE:
            return person.score, person.student
        case Order.ATTEMPTS:
            return -person.attempts, person.student


def _row(person: Standing, cells: dict[Key, Cell], keys: list[Key]) -> MatrixRow:
    return MatrixRow(
        student=person.student,
        full_name=person.full_name,
        submission=person.best,
        attempts=person.attempts,
        score=person.score,
        has_passed=person.has_passed,
        cells=[cells.get(key) for key in keys],
    )
