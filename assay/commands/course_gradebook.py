"""Further commands of `assay course`: exceptions, overrides, held grades, the gradebook."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from app.accounts.service import console
from app.database import Database
from app.exports.tables import BYTE_ORDER_MARK, Cell, written
from app.gradebook import exceptions, overrides, release, service
from app.gradebook.book import CellState
from app.gradebook.schemas import (
    Direction,
    ExceptionView,
    GradebookView,
    NewException,
    NewOverride,
    OverrideView,
    Rules,
    StudentRow,
)
from app.gradebook.service import BY_NAME, ROWS_MAX, GradebookQuery
from app.gradebook.summaries import Summaries
from assay.courses import catalogue_in, table
from assay.open_database import hint, to_read, to_write
from assay.root_option import root_option
from assay.times import shown, typed_moment, zone_of

course_argument: Final = click.argument("course")
assignment_argument: Final = click.argument("assignment")
student_option: Final = click.option("--student", metavar="NAME", help="Only theirs.")
reason_option: Final = click.option("--reason", required=True, help="The student reads it.")


@click.group("exception")
def exception_group() -> None:
    """Give students more time or attempts."""


@exception_group.command("give")
@course_argument
@assignment_argument
@click.option("--student", metavar="NAME", help="The student whom it is for,")
@click.option("--section", help="or the section.")
@click.option("--due", metavar="TIME", help="2026-12-18T23:59 in the course's zone, or with its own: +01:00")
@click.option("--closes", metavar="TIME", help="No submissions after this.")
@click.option("--extra-attempts", type=int, default=0, help="How many more than the assignment allows.")
@reason_option
@to_write
def give_exception(
    database: Database,
    /,
    course: str,
    assignment: str,
    student: str | None,
    section: str | None,
    due: str | None,
    closes: str | None,
    extra_attempts: int,
    reason: str,
) -> None:
    """Give more time or attempts. It replaces the exception that the student or section had."""
    zone = zone_of(database, course)
    wanted = NewException(
        student=student,
        section=section,
        due_at=typed_moment("--due", due, zone) if due else None,
        closes_at=typed_moment("--closes", closes, zone) if closes else None,
        extra_attempts=extra_attempts,
        reason=reason,
    )
    given = exceptions.give(database, console(), course, assignment, wanted)
    click.echo(_exceptions_table([given], zone))
    click.echo(f"To take it back: {hint('course', 'exception', 'withdraw', course, assignment, given.id)}", err=True)


@exception_group.command("list")
@course_argument
@assignment_argument
@student_option
@to_read
def list_exceptions(database: Database, /, course: str, assignment: str, student: str | None) -> None:
    """List the exceptions, the newest first."""
    found = exceptions.list_all(database, console(), course, assignment, student)
    click.echo(_exceptions_table(found, zone_of(database, course)))


@exception_group.command("withdraw")
@course_argument
@assignment_argument
@click.argument("exception_id", metavar="ID")
@to_write
def withdraw_exception(database: Database, /, course: str, assignment: str, exception_id: str) -> None:
    """Withdraw an exception; `list` shows its ID."""
    exceptions.withdraw(database, console(), course, assignment, exception_id)
    click.echo("Withdrawn.")


@click.group("override")
def override_group() -> None:
    """Replace students' computed points."""


@override_group.command("give")
@course_argument
@assignment_argument
@click.argument("student")
@click.argument("points", type=float)
@reason_option
@to_write
def give_override(
    database: Database, /, course: str, assignment: str, student: str, points: float, reason: str
) -> None:
    """Give a student these points, whatever was computed."""
    _override(database, course, assignment, student, points, reason)


@override_group.command("withdraw")
@course_argument
@assignment_argument
@click.argument("student")
@reason_option
@to_write
def withdraw_override(database: Database, /, course: str, assignment: str, student: str, reason: str) -> None:
    """Let a student's computed points count again."""
    _override(database, course, assignment, student, None, reason)


@override_group.command("list")
@course_argument
@assignment_argument
@student_option
@to_read
def list_overrides(database: Database, /, course: str, assignment: str, student: str | None) -> None:
    """List all overrides, the newest first."""
    found = overrides.history(database, console(), course, assignment, student)
    click.echo(_overrides_table(found, zone_of(database, course)))


@click.group("grades")
def grades_group() -> None:
    """Release or hold the grades of an assignment."""


@grades_group.command("release")
@course_argument
@assignment_argument
@to_write
def release_grades(database: Database, /, course: str, assignment: str) -> None:
    """Release held grades to the students."""
    found = release.release(database, console(), course, assignment)
    click.echo(f"Students see their points in {found.title!r} from now on.")


@grades_group.command("hold")
@course_argument
@assignment_argument
@to_write
def hold_grades(database: Database, /, course: str, assignment: str) -> None:
    """Hold released grades again."""
    found = release.hold_again(database, console(), course, assignment)
    click.echo(f"Students no longer see their points in {found.title!r}.")


@click.command()
@course_argument
@click.option("--section", help="Only its students.")
@click.option(
    "--state", type=click.Choice([each.value for each in CellState]), help="Only students with work in this state."
)
@click.option("--assignment", metavar="SLUG", help="The assignment that --state looks at.")
@click.option("--sort", default=BY_NAME, show_default=True, help="name, total, or an assignment's slug")
@click.option("--descending", is_flag=True, help="Sort in descending order.")
@click.option(
    "--csv", "is_csv", is_flag=True, help="For a spreadsheet. `assay export` writes what Canvas and Moodle read."
)
@root_option
@to_read
def gradebook(
    database: Database,
    /,
    course: str,
    section: str | None,
    state: str | None,
    assignment: str | None,
    sort: str,
    descending: bool,
    is_csv: bool,
    root: Path,
) -> None:
    """Show students by assignments, with totals."""
    query = GradebookQuery(
        section=section,
        state=CellState(state) if state else None,
        assignment=assignment,
        sort=sort,
        direction=Direction.DOWN if descending else Direction.UP,
        limit=ROWS_MAX,
    )
    pages = _pages(database, course, query, root)
    header = _header(pages[0], as_csv=is_csv)
    rows = [_row(row, as_csv=is_csv) for page in pages for row in page.items]
    click.echo(BYTE_ORDER_MARK + written([header, *rows]) if is_csv else table(header, rows), nl=not is_csv)


@click.command("drop-lowest")
@course_argument
@click.argument("count", type=int)
@to_write
def drop_lowest(database: Database, /, course: str, count: int) -> None:
    """Drop each student's lowest assignments. COUNT of them do not count towards the course's total."""
    service.change_rules(database, console(), course, Rules(drop_lowest=count))
    click.echo(f"Assignments left out of each student's total in {course}: {count}.")


COMMANDS: Final = (exception_group, override_group, grades_group, gradebook, drop_lowest)


def _override(
    database: Database, course: str, assignment: str, student: str, points: float | None, reason: str
) -> None:
    wanted = NewOverride(student=student, points=points, reason=reason)
    given = overrides.give(database, console(), course, assignment, wanted)
    click.echo(_overrides_table([given], zone_of(database, course)))


def _pages(database: Database, course: str, query: GradebookQuery, root: Path) -> list[GradebookView]:
    catalogue, summaries = catalogue_in(root, database), Summaries()
    pages = [service.page(database, catalogue, summaries, console(), course, query)]
    for offset in range(ROWS_MAX, pages[0].total, ROWS_MAX):
        further = replace(query, offset=offset)
        pages.append(service.page(database, catalogue, summaries, console(), course, further))
    return pages


def _header(page: GradebookView, *, as_csv: bool) -> Sequence[str]:
    names = ("student", "full_name", "section", "total", "total_max")
    slugs = [each.slug for each in page.assignments]
    return (*names, *slugs) if as_csv else ("NAME", "FULL NAME", "SECTION", "TOTAL", "OF", *slugs)


def _row(row: StudentRow, *, as_csv: bool) -> Sequence[Cell]:
    cells = (row.student, row.full_name, row.section, row.total, row.total_max, *(each.points for each in row.cells))
    return cells if as_csv else [_text(cell) for cell in cells]


def _exceptions_table(found: Sequence[ExceptionView], zone: str) -> str:
    rows = [
        (
            each.id,
            each.student or f"section {each.section}",
            shown(each.due_at, zone),
            shown(each.closes_at, zone),
            f"+{each.extra_attempts}",
            each.given_by,
            each.reason,
        )
        for each in found
    ]
    return table(("ID", "FOR", "DUE", "CLOSES", "ATTEMPTS", "BY", "REASON"), rows)


def _overrides_table(found: Sequence[OverrideView], zone: str) -> str:
    rows = [
        (
            each.student,
            "withdrawn" if each.points is None else f"{each.points:g}",
            "yes" if each.holds else "no",
            shown(each.given_at, zone),
            each.given_by,
            each.reason,
        )
        for each in found
    ]
    return table(("STUDENT", "POINTS", "COUNTS", "GIVEN", "BY", "REASON"), rows)


def _text(cell: Cell) -> str:
    if cell is None:
        return "-"
    return cell if isinstance(cell, str) else f"{cell:g}"
