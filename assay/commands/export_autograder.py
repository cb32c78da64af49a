"""`assay export autograder`: one exercise as the zip that Gradescope runs."""

import re
from pathlib import Path
from typing import Final

import click

from assay.challenges import sound_challenge
from assay.errors import WrongUsage
from assay.gradescope.archive import write_archive
from assay.root_option import root_option

NAME: Final = "autograder"


@click.command()
@click.argument("slug")
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The file to write, such as autograder.zip.",
)
@click.option(
    "--extra-index",
    metavar="URL",
    help="An index for pip besides its own: one with builds of PyTorch for the CPU.",
)
@root_option
def command(slug: str, output: Path, extra_index: str | None, root: Path) -> None:
    """Write the challenge SLUG as an autograder for Gradescope: upload the file there as it is.

    It holds the challenge's answers: Gradescope shows them to staff and not to students. docs/gradescope.md says what
    confines a submission there, and what does not.
    """
    challenge = sound_challenge(slug, root)
    if output.exists():
        raise WrongUsage(f"{output} is there already.", "Name a new file.")
    if extra_index is not None and not re.fullmatch(r"https://[!-~]+", extra_index):
        raise WrongUsage(f"{extra_index!r} is no address of an index.", "It begins with https:// and has no blanks.")
    write_archive(challenge, output, extra_index)
    click.echo(
        f"Wrote {output}: in Gradescope, set the assignment's points to {challenge.manifest.max_score:g}.", err=True
    )
