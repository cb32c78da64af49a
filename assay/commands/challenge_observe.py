"""`assay challenge observe`: what students are told of each bug, from a grading of it."""

from pathlib import Path

import click

from assay.challenges import sound_challenge
from assay.errors import AssayError
from assay.root_option import root_option


@click.command()
@click.argument("slug")
@root_option
def observe(slug: str, root: Path) -> None:
    """Grade a bug hunt's files for what students are told.

    Run it after changing hunt/bugs.toml, a solution or the cases; `assay challenge verify` asks for it.
    """
    from grader.exercise import exercise_of  # noqa: PLC0415 - torch: wrong usage need not wait for it
    from grader.hunt import HuntBank, HuntError  # noqa: PLC0415
    from grader.hunt.bank import write_observed  # noqa: PLC0415
    from grader.proof.hunt import observe as observed_of  # noqa: PLC0415

    challenge = sound_challenge(slug, root)
    seen, wrong = {}, []
    try:
        bank = HuntBank.load(challenge.hunt_folder)
    except HuntError as error:
        raise AssayError(str(error)) from error
    if not bank.solutions:
        raise AssayError(f"{slug} has no bug hunt.", f"docs/hunt.md says what belongs into {challenge.hunt_folder}.")
    for planted in bank.all_planted():
        try:
            seen[planted.name] = observed_of(exercise_of(challenge), planted)
        except ValueError as error:
            wrong.append(planted.name)
            click.echo(f"{planted.name}: {error}", err=True)
    path = write_observed(challenge.hunt_folder, seen)
    click.echo(f"{path}: {len(seen)} files")
    if wrong:
        raise AssayError(f"Not found as intended: {', '.join(wrong)} (above).")
