"""`--require-isolation`: the least that the sandbox must give, for the commands that start one."""

import click

from worker.sandbox.backend import Isolation

# Not `shared`: that is for a grading in somebody else's container, `assay grade --chroot`.
LEVELS = click.Choice([level.value for level in Isolation if level is not Isolation.SHARED])
isolation_option = click.option(
    "--require-isolation",
    type=LEVELS,
    default=Isolation.STANDARD.value,
    show_default=True,
    help="Refuse to start with less.",
)
