"""`assay doctor`: can this machine grade, and with which isolation?"""

from pathlib import Path

import click

from assay.datadir import DEFAULT
from assay.errors import AssayError
from assay.health import look
from assay.isolation_option import isolation_option


@click.command()
@click.option(
    "--data-dir",
    type=click.Path(path_type=Path),
    default=DEFAULT,
    show_default=True,
    help="The data folder of `assay up`.",
)
@isolation_option
def command(data_dir: Path, require_isolation: str) -> None:
    """Check whether this machine can grade: isolation, device, broker, database; what is missing, and what to do.

    Exit code 0 when it can grade.
    """
    can_grade = True
    for finding in look(data_dir.expanduser().absolute(), require_isolation):
        can_grade = can_grade and (finding.holds or not finding.needed)
        sign = click.style("ok     ", fg="green") if finding.holds else click.style("missing", fg="red", bold=True)
        click.echo(f"{sign}  {finding.name:<18} {finding.detail}")
    if not can_grade:
        raise AssayError("This machine cannot grade yet: see what is missing above.")
    click.echo("\nThis machine can grade.")
