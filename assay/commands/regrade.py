"""`assay regrade`: grade again with the challenges as they are now, straight in the database. The recorder does it."""

from pathlib import Path

import click

from app.accounts.service import console
from app.database import Database
from app.regrades import service
from app.regrades.schemas import Change, RegradeView
from assay.courses import catalogue_in, table
from assay.open_database import hint, on_database, to_read, to_write
from assay.root_option import root_option
from assay.times import shown, zone_of

PAGE = 100


@click.group()
@on_database
def command() -> None:
    """Regrade submissions: ask for it, look at the preview, then apply or drop it. The service must be running."""


@command.command()
@click.argument("course")
@click.argument("assignment")
@click.option("--submission", "submissions", multiple=True, metavar="ID", help="Only this one; may be repeated.")
@root_option
@to_write
def ask(database: Database, /, course: str, assignment: str, submissions: tuple[str, ...], root: Path) -> None:
    """Regrade submissions: all, or those named. Students' new submissions are graded first; nothing changes yet."""
    catalogue = catalogue_in(root, database)
    view, is_new = service.ask(database, catalogue, console(), course, assignment, submissions or None)
    click.echo(_line(view))
    click.echo(f"{'Asked for' if is_new else 'Already open'}: {view.id}", err=True)
    click.echo(
        f"What would change: {hint('regrade', 'show', course, assignment, view.id)}; then apply or drop.", err=True
    )


@command.command("list")
@click.argument("course")
@click.argument("assignment")
@to_read
def list_all(database: Database, /, course: str, assignment: str) -> None:
    """List the regrades, the newest first."""
    zone = zone_of(database, course)
    for view in service.list_all(database, console(), course, assignment):
        click.echo(f"{view.id}  {shown(view.created_at, zone)}  {_line(view)}")


@command.command()
@click.argument("course")
@click.argument("assignment")
@click.argument("regrade")
@to_read
def show(database: Database, /, course: str, assignment: str, regrade: str) -> None:
    """Show who gains and loses, and by which tests."""
    rows: list[tuple[object, ...]] = []
    cursor: str | None = None
    while True:
        preview = service.preview(database, console(), course, assignment, regrade, cursor, PAGE)
        rows += [_row(change) for change in preview.changes]
        cursor = preview.next_cursor
        if cursor is None:
            break
    click.echo(_line(preview))
    if rows:
        click.echo(table(("STUDENT", "TRY", "SUBMISSION", "BEFORE", "AFTER", "TESTS THAT CHANGED"), rows))


@command.command()
@click.argument("course")
@click.argument("assignment")
@click.argument("regrade")
@to_write
def apply(database: Database, /, course: str, assignment: str, regrade: str) -> None:
    """Apply the new results; the old ones are kept."""
    click.echo(_line(service.apply(database, console(), course, assignment, regrade)))


@command.command()
@click.argument("course")
@click.argument("assignment")
@click.argument("regrade")
@to_write
def drop(database: Database, /, course: str, assignment: str, regrade: str) -> None:
    """Discard a regrade: nothing changes."""
    click.echo(_line(service.drop(database, console(), course, assignment, regrade)))


def _line(view: RegradeView) -> str:
    done = view.total - view.waiting - view.failed
    failed = f", {view.failed} could not be graded" if view.failed else ""
    return (
        f"{view.state}: {done} of {view.total} regraded{failed}; {view.gain} gain, {view.lose} lose, "
        f"{view.verdict_changes} verdicts change (challenge version {view.challenge_version})"
    )


def _row(change: Change) -> tuple[object, ...]:
    tests = ", ".join(f"{test.id} {test.before or 'new'} -> {test.after or 'gone'}" for test in change.tests[:5])
    more = f" and {len(change.tests) - 5} more" if len(change.tests) > 5 else ""
    before, after = (f"{side.verdict} {side.score:g}" for side in (change.before, change.after))
    return change.student, change.attempt, change.submission, before, after, tests + more
