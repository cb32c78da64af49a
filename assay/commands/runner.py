"""`assay runner`: the sandboxes' supervisor as a process."""

import sys

import click

from worker import runner


@click.command()
def command() -> None:
    """Run the sandboxes' supervisor alone: it executes submissions and holds no secret.

    Settings: ASSAY_RUNNER_ variables.
    """
    sys.exit(runner.main())
