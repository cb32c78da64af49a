"""`assay export`: points and reports of a course, straight from the database."""

from enum import StrEnum
from pathlib import Path
from typing import Any

import click

from app.accounts.service import console
from app.exports.reports import gradescope_zip, junit_xml
from app.exports.tables import Table, write_table
from app.gradebook.book import gradebook
from assay.commands import export_autograder
from assay.courses import catalogue_in
from assay.database_option import database_options
from assay.errors import WrongUsage
from assay.open_database import Where, opened_to_read, problems_as_usage
from assay.root_option import root_option


class ExportFormat(StrEnum):
    """What a class's results can be exported as."""

    CSV = "csv"
    SPREADSHEET = "spreadsheet"
    CANVAS = "canvas"
    MOODLE = "moodle"
    GRADESCOPE = "gradescope"
    JUNIT = "junit"


TABLES = {
    ExportFormat.CSV: Table.ALL,
    ExportFormat.SPREADSHEET: Table.SPREADSHEET,
    ExportFormat.CANVAS: Table.CANVAS,
    ExportFormat.MOODLE: Table.MOODLE,
}


class ExportCommand(click.Command):
    """Takes a course; where `autograder` stands in its place, it is the other command. So no course is called that."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args and args[0] == export_autograder.NAME:
            name = f"{info_name} {export_autograder.NAME}"
            return export_autograder.command.make_context(name, args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(
    cls=ExportCommand,
    epilog="`assay export autograder SLUG --output autograder.zip` writes an exercise as Gradescope runs it.",
)
@click.argument("course")
@click.option("--assignment", metavar="SLUG", help="Only this assignment; required for reports.")
@click.option(
    "--format",
    "form",
    type=click.Choice([each.value for each in ExportFormat]),
    default=ExportFormat.CSV.value,
    show_default=True,
)
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write; it must not exist. Standard output by default, except for a zip.",
)
@database_options
@root_option
@click.pass_context
def command(
    context: click.Context,
    course: str,
    assignment: str | None,
    form: str,
    output: Path | None,
    data_dir: Path | None,
    database_url: str | None,
    root: Path,
) -> None:
    """Write what students have in COURSE: as CSV, for Canvas or Moodle, or the reports that count.

    `spreadsheet` is the same CSV as Excel opens it, with its accents; `gradescope` is a zip with a results.json for
    each student, `junit` one XML file.
    """
    wanted = ExportFormat(form)
    if wanted not in TABLES and assignment is None:
        raise WrongUsage("Reports are for a single assignment.", "Give it with --assignment.")
    if wanted is ExportFormat.GRADESCOPE and output is None:
        raise WrongUsage("A zip cannot be written to a terminal.", "Give a file with --output.")
    if output is not None and output.exists():
        raise WrongUsage(f"{output} already exists.", "Give a new file name.")
    database = opened_to_read(context, Where.given(context, data_dir, database_url))
    catalogue = catalogue_in(root, database)
    with problems_as_usage():
        book = gradebook(database, catalogue, console(), course, assignment)
    if wanted is ExportFormat.GRADESCOPE:
        content = gradescope_zip(database, book)
    else:
        text = write_table(book, TABLES[wanted]) if wanted in TABLES else junit_xml(database, book)
        content = text.encode()
    if output is None:
        click.echo(content, nl=False)
    else:
        output.write_bytes(content)
        click.echo(f"Wrote {output}.", err=True)
