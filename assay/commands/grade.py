"""`assay grade`: files to reports, without a server."""

import signal
import sys
import traceback
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

import click

from assay.challenges import challenge_named, root_option
from assay.errors import GraderFailed, WrongUsage
from assay.formats.text import write_text
from assay.tasks import Task, read_task
from grader.challenge import Challenge
from grader.formats.gradescope import write_gradescope
from grader.formats.junit import write_junit
from grader.manifest import ManifestError
from grader.report import Report


class Format(StrEnum):
    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"
    GRADESCOPE = "gradescope"


class Device(StrEnum):
    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--challenge", "slug", required=True, metavar="SLUG", help="What the files are for.")
@click.option("--format", "form", type=click.Choice([form.value for form in Format]), default="text", show_default=True)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Draw exactly this paper; a report tells its seed.")
@click.option("--device", type=click.Choice([device.value for device in Device]), default="auto", show_default=True)
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Files graded at the same time.")
@root_option
def command(
    files: tuple[Path, ...], slug: str, form: str, seed: int | None, device: str, jobs: int, root: Path
) -> None:
    """Grade files here and now. No server is needed; reports go to stdout, all else to stderr.

    Exit code 0 when every file was graded, whatever the verdict; 2 wrong usage; 3 the grader itself failed.
    """
    if form == Format.GRADESCOPE and len(files) != 1:
        raise WrongUsage("Gradescope's results.json is about one submission.", "Name one file.")
    if device == Device.CUDA:
        raise WrongUsage("Submissions run on the CPU only in this version.", "Use --device cpu.")
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # an orderly end: of the judges, too
    try:
        challenge = challenge_named(slug, root)
        tasks = [read_task(path, challenge, seed) for path in files]
        faults = _grade(challenge, tasks, min(jobs, len(tasks)), Format(form))
    except ManifestError as error:
        raise GraderFailed(f"A challenge is broken: {error}.") from error
    except click.ClickException:
        raise
    except Exception as error:  # the process's edge: a fault of ours must not look like another exit code
        traceback.print_exc()
        raise GraderFailed("The grader itself is broken (above); this says nothing about the files.") from error
    if faults:
        raise GraderFailed(" ".join(faults), "`assay doctor` says what is missing here.")


def _grade(challenge: Challenge, tasks: Sequence[Task], jobs: int, form: Format) -> list[str]:
    """Text and JSON are written as the reports come, the others at the end. Returns the faults, each with its file."""
    from assay.grading import grade_all  # noqa: PLC0415 - torch: wrong usage need not wait for it

    kept: list[tuple[str, Report]] = []
    faults: list[str] = []
    for graded in grade_all(challenge, tasks, jobs):
        if graded.report is None:
            faults.append(f"{graded.name} was not graded: {graded.fault}")
        else:
            kept.append((graded.name, graded.report))
            if form is Format.JSON:
                click.echo(graded.report.to_json())
            elif form is Format.TEXT:
                click.echo(write_text(graded.name, graded.report))
    if form is Format.JUNIT:
        click.echo(write_junit(kept))
    elif form is Format.GRADESCOPE and kept:
        click.echo(write_gradescope(kept[0][1]))
    return faults
