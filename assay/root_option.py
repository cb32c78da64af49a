"""The option that says which challenges a command speaks of. Imports next to nothing."""

from pathlib import Path
from typing import Final

import click

from grader.installed import DEFAULT_ROOT

# The variable is the front end's: what is written with one command is graded and served by the others.
root_option: Final = click.option(
    "--root",
    type=click.Path(path_type=Path, file_okay=False),
    default=DEFAULT_ROOT,
    envvar="ASSAY_CHALLENGES_ROOT",
    metavar="FOLDER",
    help="The folder with the challenges, instead of the installed ones (or ASSAY_CHALLENGES_ROOT).",
)
