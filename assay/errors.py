"""What goes wrong at the operator's command line: a sentence and an exit code.

AssayError (1)
 ├─ WrongUsage (2)     the command line does not make sense
 ├─ GraderFailed (3)   `assay grade` could not do its work
 ├─ CannotStart (1)    `assay up` or a role cannot run here
 └─ AlreadyRunning (1) the data directory is in use
"""

from typing import Final

import click

SEE_DOCTOR: Final = "`assay doctor` says what is missing here."


class AssayError(click.ClickException):
    """`sentence` says what was wrong, `advice` what to do."""

    exit_code = 1

    def __init__(self, sentence: str, advice: str = "") -> None:
        super().__init__(f"{sentence} {advice}".strip())


class WrongUsage(AssayError):
    """The command line does not make sense."""

    exit_code = 2


class GraderFailed(AssayError):
    """`assay grade` could not do its work; nothing is said about the files."""

    exit_code = 3


class CannotStart(AssayError):
    """`assay up` or a role cannot run here."""


class AlreadyRunning(AssayError):
    """Another `assay up` holds the data directory."""
