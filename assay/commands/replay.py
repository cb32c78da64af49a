"""`assay replay`: does the same submission with the same seed give the same report?"""

from pathlib import Path

import click

from app.database import Database
from assay.errors import AssayError
from assay.open_database import to_read
from assay.root_option import root_option

SHOWN = 20


@click.command()
@click.argument("submission")
@to_read
@root_option
def command(database: Database, /, submission: str, root: Path) -> None:
    """Grade a submission again here, with its files and its seed, and compare with its report.

    Everything must be the same to the last bit, except timings, environment and how fast the code ran. Exit code 0
    when it is, 1 when it is not, 3 when nothing could be graded.
    """
    from assay.replays import replay  # noqa: PLC0415 - torch: wrong usage need not wait for it

    found = replay(database, submission, root)
    if not found.is_same_challenge:
        before, after = found.recorded.challenge.version, found.again.challenge.version
        click.echo(f"The challenge has changed since then: version {before} then, {after} here.", err=True)
    if found.differences:
        lines = [f"  {line}" for line in found.differences[:SHOWN]]
        more = f"  and {len(found.differences) - SHOWN} more" if len(found.differences) > SHOWN else ""
        click.echo("\n".join([*lines, more]).rstrip())
        raise AssayError(f"The report of {submission} could not be reproduced.")
    said = found.recorded
    click.echo(f"The same: {said.verdict}, {said.score:g} of {said.max_score:g}, with seed {said.seed}.")
