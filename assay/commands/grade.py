"""`assay grade`: files to reports, without a server. Imports next to nothing before the sandbox is being started."""

import signal
import sys
import traceback
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import NoReturn

import click

from assay.errors import SEE_DOCTOR, GraderFailed, WrongUsage
from assay.formats.form import Format
from assay.root_option import root_option
from assay.short_lived import imports_that_stay
from worker.runner_process import runner_process
from worker.sandbox.ahead import is_needed_by


class Device(StrEnum):
    """What the contract's `--device` may say; this version grades on the CPU."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--challenge", "slug", required=True, metavar="SLUG", help="The challenge that the files answer.")
@click.option("--format", "form", type=click.Choice([form.value for form in Format]), default="text", show_default=True)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Draw exactly this paper; reports show their seed.")
@click.option("--device", type=click.Choice([device.value for device in Device]), default="auto", show_default=True)
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Files graded at the same time.")
@click.option(
    "--chroot",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="FOLDER",
    help="Confine submissions by a root and a user only, in a container, for Gradescope (docs/gradescope.md).",
)
@root_option
@click.pass_obj
def command(
    leave: Callable[[], NoReturn] | None,
    files: tuple[Path, ...],
    slug: str,
    form: str,
    seed: int | None,
    device: str,
    jobs: int,
    chroot: Path | None,
    root: Path,
) -> None:
    """Grade files here and now, without a server. Reports go to stdout, everything else to stderr.

    A file is graded with the modules of its project that it imports. If there are several files, each counts as
    somebody else's work: none is graded with modules from another one's folder.

    Exit code 0 when every file was graded, whatever the verdict; 2 wrong usage; 3 the grader itself failed.
    """
    if form == Format.GRADESCOPE and len(files) != 1:
        raise WrongUsage("Gradescope's results.json is about one submission.", "Give one file.")
    if device == Device.CUDA:
        raise WrongUsage("This version runs submissions only on the CPU.", "Use --device cpu.")
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # an orderly end: of the judges, too
    jobs = min(jobs, len(files))
    try:
        ahead = str(is_needed_by(files))
        with runner_process(sessions=2 * jobs, imports_ahead=ahead, **_confined_by(chroot)) as starting:
            with imports_that_stay():
                from assay.grade_files import grade_files  # noqa: PLC0415 - while the sandbox starts

            faults = grade_files(files, slug, root, seed, jobs, Format(form), starting)
    except click.ClickException:
        raise
    except Exception as error:  # the process's edge: a fault of ours must not look like another exit code
        traceback.print_exc()
        raise GraderFailed("The grader itself failed (above); this says nothing about the files.") from error
    if faults:
        raise GraderFailed(" ".join(faults), SEE_DOCTOR)
    if leave is not None:
        leave()


def _confined_by(chroot: Path | None) -> dict[str, str]:
    """The runner's settings where no namespace is to be had."""
    return {"sandbox": "chroot", "chroot_folder": str(chroot), "require_isolation": "shared"} if chroot else {}
