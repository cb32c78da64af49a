"""`assay runner`: the sandboxes' supervisor as a process."""

import os
import sys

import click

from assay.isolation_option import LEVELS
from worker import runner
from worker.runner_settings import ISOLATION_VARIABLE


@click.command()
@click.option("--require-isolation", type=LEVELS, help=f"Refuse to start with less; also {ISOLATION_VARIABLE}.")
def command(require_isolation: str | None) -> None:
    """Run only the sandboxes' supervisor, which executes submissions and has no secrets.

    Settings: ASSAY_RUNNER_ variables.
    """
    if require_isolation is not None:
        os.environ[ISOLATION_VARIABLE] = require_isolation
    sys.exit(runner.main())
