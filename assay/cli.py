"""The command `assay`: names its sub-commands without importing them, so that `assay --help` is instant."""

from typing import Final

import click

from assay.short_lived import leave
from engine.lazy_group import LazyGroup, show_any_character

COMMANDS: Final = {
    "up": "Run everything on this machine: server, queue, grader.",
    "grade": "Grade files directly, without a server.",
    "exercises": "Serve exercises from folders and git repositories, beside the installed ones.",
    "challenge": "List, show, create and verify exercises.",
    "user": "Add people and issue their tokens.",
    "course": "Create courses, import rosters, set assignments, give exceptions.",
    "regrade": "Regrade submissions, review what changes, then apply or discard it.",
    "replay": "Grade a submission again as it was, and compare with its report.",
    "migrate": "Upgrade the database to the newest schema, before starting anything that needs it.",
    "capacity": "Simulate a deadline: how long would students wait, with how many judges?",
    "backup": "Copy the whole database into a file, while the service runs.",
    "restore": "Restore the database from a backup.",
    "export": "Export results for a spreadsheet, a gradebook, Gradescope or CI.",
    "demo-data": "Create a demo course with invented students and real grading.",
    "doctor": "Check this machine: isolation, device, broker, database.",
    "api": "Run only the HTTP front end.",
    "recorder": "Run only the recorder, which writes reports to the database.",
    "worker": "Run only a judge, which grades queued submissions.",
    "verifier": "Run only a verifier, which fetches and verifies exercise repositories.",
    "runner": "Run only the sandbox supervisor, which executes submissions.",
}


@click.group(
    cls=LazyGroup,
    package="assay.commands",
    listed=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done, 1 it cannot run here, 2 wrong usage, 3 the grader itself failed.",
)
@click.version_option(package_name="assay", prog_name="assay")
def cli() -> None:
    """Grade deep-learning exercises: run the service, or grade a file here and now.

    \b
      assay up                                        everything on this machine
      assay grade layers.py --challenge mha-rope      no server needed
      assay doctor                                    can this machine grade?
    """


def main() -> None:
    """The console script."""
    show_any_character()
    cli(prog_name="assay", obj=leave)  # for the command that is over soon; in a test's process there is none
