"""What `run_autograder` does: finds the student's file, has it graded, writes results.json. Imports no torch.

A fault of ours leaves no results.json behind: Gradescope then says that the autograder failed, and takes no score.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from assay.challenges import challenge_named
from assay.gradescope.submitted import NothingToGradeError, take
from grader.formats.gradescope import write_refusal

_TRIES = 2
_FAULT = (
    "Assay itself failed (above); that says nothing about the submission, and no score was given. "
    "Rerun the autograder for it. If it fails again: docs/gradescope.md, When it fails."
)


@click.command()
@click.argument("autograder", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--challenge", "slug", required=True, metavar="SLUG")
@click.option("--chroot", metavar="FOLDER", help="The sandbox's root, as setup.sh has laid it out.")
def main(autograder: Path, slug: str, chroot: str | None) -> None:
    """Grade what lies in AUTOGRADER/submission into AUTOGRADER/results/results.json."""
    results = autograder / "results" / "results.json"
    results.parent.mkdir(exist_ok=True)
    results.unlink(missing_ok=True)
    graded = _graded(autograder / "submission", slug, ["--chroot", chroot] if chroot else [])
    if graded is None:
        raise click.ClickException(_FAULT)
    _replace(results, graded)


def _graded(submission: Path, slug: str, options: list[str]) -> str | None:
    """None for a fault of ours."""
    manifest = challenge_named(slug).manifest
    with tempfile.TemporaryDirectory(prefix="assay-submitted-") as folder:
        try:
            file = take(submission, manifest, Path(folder))
        except NothingToGradeError as error:
            return write_refusal(str(error))
        for _ in range(_TRIES):
            told = _grade(file, slug, options)
            if told is not None:
                return told
    return None


def _grade(file: Path, slug: str, options: list[str]) -> str | None:
    """In a process of its own: whatever becomes of it, this one can tell. What it complains of is for staff."""
    command = [sys.executable, "-P", "-m", "assay", "grade", str(file), "--challenge", slug, "--format", "gradescope"]
    done = subprocess.run([*command, *options], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        click.echo(f"The grader ended with status {done.returncode}.", err=True)
        return None
    try:
        json.loads(done.stdout)
    except ValueError as error:
        click.echo(f"The grader wrote no JSON: {error}.", err=True)
        return None
    return done.stdout


def _replace(results: Path, text: str) -> None:
    """Whole or not at all."""
    part = results.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, results)  # noqa: PTH105  the one call that says that it replaces


if __name__ == "__main__":
    main()
