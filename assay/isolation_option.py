"""`--require-isolation`: the least that the sandbox must give, for the commands that start one."""

import click

from worker.sandbox.backend import Isolation

LEVELS = click.Choice([level.value for level in Isolation])
isolation_option = click.option(
    "--require-isolation",
    type=LEVELS,
    default=Isolation.STANDARD.value,
    show_default=True,
    help="Refuse to start with less.",
)
