"""What `assay course` and its neighbours share: tables, refusals, times as an operator types them."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from app.assignments.schedule import phase_at
from app.challenges.service import Catalogue
from app.courses.schemas import RosterPlan
from app.database import Database
from app.exercises.shelf import Shelf
from app.models import Assignment, now
from assay.errors import AssayError
from assay.times import shown, typed_moment
from grader.manifest import ManifestError

NO_LIMIT: Final = "none"
MOMENTS: Final = ("opens_at", "due_at", "closes_at")


def catalogue_in(root: Path, database: Database) -> Catalogue:
    """The challenges of a folder, and those of the database's exercise repositories. Raises AssayError."""
    try:
        return Catalogue(root, Shelf(database))
    except ManifestError as error:
        raise AssayError(f"{error}.") from error


def terms_from(options: Mapping[str, Any], zone: str) -> dict[str, Any]:
    """The terms that were given on the command line; `none` takes a limit away. Raises WrongUsage."""
    given = {name: value for name, value in options.items() if value is not None}
    return {name: _term(name, value, zone) for name, value in given.items()}


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Columns as wide as what stands in them."""
    lines = [[str(cell) for cell in row] for row in (header, *rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(header))]
    padded = ("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)
    return "\n".join(line.rstrip() for line in padded)


def assignments_table(assignments: Sequence[Assignment]) -> str:
    """A course's assignments with their dates in its zone, as of now, in columns."""
    moment = now()
    rows = [
        (
            row.slug,
            row.challenge,
            phase_at(row, moment),
            shown(row.opens_at, row.course.time_zone),
            shown(row.due_at, row.course.time_zone),
            shown(row.closes_at, row.course.time_zone),
            _points(row),
            row.attempts_max or "-",
            row.feedback,
        )
        for row in assignments
    ]
    header = ("ASSIGNMENT", "CHALLENGE", "PHASE", "OPENS", "DUE", "CLOSES", "POINTS", "ATTEMPTS", "FEEDBACK")
    return table(header, rows)


def plan_in_words(plan: RosterPlan) -> Iterator[str]:
    """One line for each thing that changes or does not, and the sum at the end."""
    for added in plan.added:
        account = "a new account" if added.is_new_account else "an account that is there already"
        yield f"+ {added.name} ({added.role}, {account})"
    for changed in plan.changed:
        what = ", ".join(f"{name}: {old or '-'} -> {new}" for name, (old, new) in changed.changes.items())
        yield f"~ {changed.name}: {what}"
    yield from (f"- {name}" for name in plan.removed)
    yield from (f"= {kept.name} (line {kept.line}): {kept.reason}" for kept in plan.kept)
    yield from (f"! line {refused.line}: {refused.reason}" for refused in plan.refused)
    yield (
        f"Added: {len(plan.added)}. Changed: {len(plan.changed)}. Removed: {len(plan.removed)}. "
        f"As they were: {plan.unchanged}. Lines refused: {len(plan.refused)}."
    )


def _term(name: str, value: Any, zone: str) -> Any:
    if value == NO_LIMIT:
        return None
    return typed_moment(name, value, zone) if name in MOMENTS else value


def _points(row: Assignment) -> str:
    """Writes the points for the code, and for the questions where they count."""
    return f"{row.points:g}" + (f" + {row.question_points:g}" if row.question_points else "")
