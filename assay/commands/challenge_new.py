"""`assay challenge new`: a small exercise that works, for its author to turn into another."""

from pathlib import Path
from shutil import which

import click

from assay.errors import AssayError, WrongUsage
from assay.new_challenge import Names, NotAName, write_challenge
from assay.new_repository import EXERCISES, write_repository
from assay.root_option import root_option
from grader.challenge import DEFAULT_ROOT


@click.command()
@click.argument("slug")
@click.option("--title", help="What students see; by default, the slug in words.")
@click.option(
    "--repository",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Create it in a git repository of exercises, with a README, a pre-commit hook and a workflow.",
)
@root_option
def new(slug: str, title: str | None, repository: Path | None, root: Path) -> None:
    """Create a small but complete challenge to start from.

    It asks for a softmax, and verifies. Change it file by file.
    """
    if repository is not None:
        if which("git") is None:
            raise AssayError(
                "git is not installed here, and makes the repository.", "Install it, or use --root FOLDER."
            )
        root = repository / EXERCISES
    elif root == DEFAULT_ROOT and "site-packages" in root.parts:
        raise WrongUsage(
            "This installation's own challenges are replaced with it.",
            "Say where yours are to live: --repository FOLDER, --root FOLDER, or ASSAY_CHALLENGES_ROOT.",
        )
    try:
        names = Names.of(slug, title)
        folder = write_repository(names, repository) if repository else write_challenge(names, root)
    except NotAName as error:
        raise WrongUsage(str(error)) from error
    except FileExistsError as error:
        raise WrongUsage(f"{root / slug} already exists.", "Remove it, or take another name.") from error
    except OSError as error:
        raise AssayError(f"{error.filename} cannot be written: {error.strerror}.") from error
    where = "" if root == DEFAULT_ROOT else f" --root {root}"
    first = [f"{folder} sets a softmax, and works. Make it yours, file by file: docs/writing-a-challenge.md. Next:\n"]
    if repository is not None:
        first.append(f"  git -C {repository} add . && git -C {repository} commit -m 'An exercise'")
    click.echo(
        "\n".join(first) + f"\n  assay challenge show {slug}{where}\n"
        f"  assay challenge verify {slug}{where}\n"
        f"  assay grade {folder}/accepted/plain.py --challenge {slug}{where}"
    )
