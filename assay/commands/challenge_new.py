"""`assay challenge new`: a small exercise that works, for its author to turn into another."""

from pathlib import Path

import click

from assay.errors import AssayError, WrongUsage
from assay.new_challenge import Names, NotAName, write_challenge
from assay.root_option import root_option
from grader.challenge import DEFAULT_ROOT


@click.command()
@click.argument("slug")
@click.option("--title", help="What students see; the slug in words, if not given.")
@root_option
def new(slug: str, title: str | None, root: Path) -> None:
    """Begin a challenge: a folder that works as it stands and is yours to change, file by file."""
    if root == DEFAULT_ROOT and "site-packages" in root.parts:
        raise WrongUsage(
            "This installation's own challenges are replaced with it.",
            "Say where yours are to live: --root FOLDER, or ASSAY_CHALLENGES_ROOT.",
        )
    try:
        folder = write_challenge(Names.of(slug, title), root)
    except NotAName as error:
        raise WrongUsage(str(error)) from error
    except FileExistsError as error:
        raise WrongUsage(f"{root / slug} already exists.", "Remove it, or take another name.") from error
    except OSError as error:
        raise AssayError(f"{error.filename} cannot be written: {error.strerror}.") from error
    where = "" if root == DEFAULT_ROOT else f" --root {root}"
    click.echo(
        f"{folder} sets a softmax, and works. Make it yours, file by file: docs/writing-a-challenge.md. Next:\n\n"
        f"  assay challenge show {slug}{where}\n"
        f"  assay challenge verify {slug}{where}\n"
        f"  assay grade {folder}/accepted/plain.py --challenge {slug}{where}"
    )
