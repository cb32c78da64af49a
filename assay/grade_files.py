"""What `assay grade` does once its sandbox is starting: reads the files, has them graded, prints the reports."""

from collections.abc import Collection, Sequence
from pathlib import Path

import click

from assay.challenges import challenge_named
from assay.errors import GraderFailed
from assay.formats.form import Format
from assay.formats.text import write_text
from assay.short_lived import imports_that_stay
from assay.tasks import Task, read_tasks
from grader.challenge import Challenge
from grader.formats.gradescope import write_gradescope
from grader.formats.junit import write_junit
from grader.manifest import ManifestError
from grader.report import Report
from worker.runner_process import RunnerProcess


def grade_files(
    files: Sequence[Path], slug: str, root: Path, seed: int | None, jobs: int, form: Format, starting: RunnerProcess
) -> list[str]:
    """Returns the faults, each with its file. Raises WrongUsage or GraderFailed."""
    try:
        challenge = challenge_named(slug, root)
        tasks = read_tasks(files, challenge, seed)
        return _grade(challenge, tasks, jobs, form, starting)
    except ManifestError as error:
        raise GraderFailed(f"A challenge is broken: {error}.") from error


def _grade(challenge: Challenge, tasks: Sequence[Task], jobs: int, form: Format, starting: RunnerProcess) -> list[str]:
    """Text and JSON are written as the reports come, the others at the end."""
    with imports_that_stay():
        from assay.grading import grade_all  # noqa: PLC0415 - torch: wrong usage need not wait for it

    kept: list[tuple[str, Report]] = []
    faults: list[str] = []
    for task, graded in zip(tasks, grade_all(challenge, tasks, jobs, starting), strict=True):
        if graded.report is None:
            faults.append(f"{graded.name} was not graded: {graded.fault}")
        else:
            kept.append((graded.name, graded.report))
            _print_at_once(graded.name, graded.report, task.modules, form)
    if form is Format.JUNIT:
        click.echo(write_junit(kept))
    elif form is Format.GRADESCOPE and kept:
        click.echo(write_gradescope(kept[0][1]))
    return faults


def _print_at_once(name: str, report: Report, modules: Collection[str], form: Format) -> None:
    if form is Format.JSON:
        click.echo(report.to_json())
    elif form is Format.TEXT:
        click.echo(write_text(name, report))
        if modules:  # whoever grades others' files sees what was not in them
            click.echo(f"    It was graded with {', '.join(modules)}, which it imports.")
