"""`assay challenge combine`: the calls that have every pair of what a challenge's calls can vary in."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.challenges import sound_challenge
from assay.errors import AssayError
from assay.root_option import root_option

if TYPE_CHECKING:
    from grader.challenge import Challenge


@click.command()
@click.argument("slug")
@root_option
def combine(slug: str, root: Path) -> None:
    """Choose the calls of a challenge's family `combinations`.

    Run it after changing space.py or a misconception; `assay challenge verify` says what is missing.
    """
    import torch  # noqa: PLC0415

    from grader.proof.places import describe  # noqa: PLC0415 - torch: wrong usage need not wait for it

    torch.set_num_threads(1)  # the calls are tiny
    challenge = sound_challenge(slug, root)
    try:
        _write_tables(challenge)
    except AssayError:
        raise
    except Exception as error:  # the edge to the author's code: a sentence, never a traceback
        raise AssayError(f"{describe(error, challenge)}.") from error


def _write_tables(challenge: "Challenge") -> None:
    from grader.exercise import exercise_of  # noqa: PLC0415
    from grader.paper.combinations import written  # noqa: PLC0415
    from grader.proof.guards import combined  # noqa: PLC0415

    exercise = exercise_of(challenge)
    if not exercise.spaces:
        raise AssayError(f"{challenge.slug} has no space.py.", "docs/challenges.md says what it holds.")
    for function, space in exercise.spaces.items():
        choices = combined(exercise, function)
        path = challenge.folder / "combinations" / f"{function}.csv"
        path.parent.mkdir(exist_ok=True)
        path.write_text(written(space, choices), encoding="utf-8")
        click.echo(f"{path}: {len(choices)} calls")
