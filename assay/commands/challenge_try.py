"""`assay challenge try`: files against an exercise as it is on the disk, once or at every save."""

from collections.abc import Sequence
from pathlib import Path
from secrets import randbits

import click

from assay.challenges import challenge_named, slugs_in
from assay.errors import WrongUsage
from assay.root_option import root_option
from assay.tasks import SEED_BITS
from grader.challenge import DEFAULT_ROOT, MANIFEST_NAME
from worker.runner_process import runner_process


@click.command("try")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--challenge", "slug", metavar="SLUG", help="The exercise; by default, the one whose folder they are in.")
@click.option("--watch", is_flag=True, help="Keep running, and grade again whenever the exercise or a file is saved.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Draw exactly this paper; reports show their seed.")
@root_option
def try_files(files: tuple[Path, ...], slug: str | None, watch: bool, seed: int | None, root: Path) -> None:
    """Grade files against an exercise that you are working on.

    Every try draws the same paper, so that only what you save changes a result. With --watch it prints what has changed
    since the try before, within a second or two; Ctrl-C ends it.
    """
    folder = _folder_of(files, slug, root)
    with runner_process(sessions=2) as starting:
        from assay.challenge_tries import Tries  # noqa: PLC0415 - torch: while the sandbox starts

        tries = Tries(folder, files, randbits(SEED_BITS) if seed is None else seed, starting)
        for line in tries.watching() if watch else tries.once():
            click.echo(line)


def _folder_of(files: Sequence[Path], slug: str | None, root: Path) -> Path:
    """Raises WrongUsage where it is not plain which exercise is meant."""
    if slug is not None:
        return challenge_named(slug, root).folder
    found = {_around(file) for file in files} - {None}
    if not found and root != DEFAULT_ROOT and len(slugs := slugs_in(root)) == 1:
        return root / slugs[0]
    if len(found) != 1:
        raise WrongUsage("It is not plain which exercise these files are for.", "Say so: --challenge SLUG.")
    return next(folder for folder in found if folder is not None)


def _around(file: Path) -> Path | None:
    """The folder of the exercise that the file lies in."""
    return next((folder for folder in file.absolute().parents if (folder / MANIFEST_NAME).is_file()), None)
