"""What can go wrong for the student, each with its exit code and a sentence that says what to do. Knows no HTTP.

    EngineError (3)
    ├── WrongUsage (2)         a wrong word on the command line, a bad file
    ├── ServerRefused (3)      the server said no, and why
    │   ├── NotFound (2)       there is nothing by that name
    │   ├── BadRequest (2)     what we sent is not acceptable
    │   ├── NotNow (3)         right in itself, but closed, used up, or not begun
    │   ├── NotSignedIn (3)
    │   └── TooManyRequests (3)
    ├── ServerNotUnderstood (3)
    ├── NotGenuine (1)         a receipt that was not signed as it should be
    ├── Unreachable (3)        no answer, or the connection broke
    └── Interrupted (130)      Ctrl-C

`PASSED` and `NOT_PASSED` are the exit codes of a submission that was graded.
"""

import sys
from typing import IO, Any, Final

import click

from engine.cleaning import clean

PASSED: Final = 0
NOT_PASSED: Final = 1


class EngineError(click.ClickException):
    """A sentence for the student, on stderr. `hint` is what to do about it."""

    exit_code = 3

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    @property
    def in_words(self) -> str:
        """The sentence, and what to do."""
        return f"{self.message} {self.hint}".strip()

    def show(self, file: IO[Any] | None = None) -> None:
        stream = file or sys.stderr
        click.echo(f"engine: {clean(self.message)}", file=stream)
        if self.hint:
            click.echo(f"        {clean(self.hint)}", file=stream)


class WrongUsage(EngineError):
    """A word on the command line is wrong, or a file is."""

    exit_code = 2


class ServerRefused(EngineError):
    """A 4xx or 5xx answer, in the server's own words."""


class NotFound(ServerRefused):
    """The server has nothing by that name."""

    exit_code = 2


class BadRequest(ServerRefused):
    """The server does not accept what we sent."""

    exit_code = 2


class NotNow(ServerRefused):
    """The request is right in itself, but something is closed, used up, or has not begun."""


class NotSignedIn(ServerRefused):
    """The server knows no token of ours, or we have none."""


class TooManyRequests(ServerRefused):
    """`retry_after_s` is how long the server wants us to wait."""

    def __init__(self, message: str, retry_after_s: float) -> None:
        says_when = "try again" in message.lower()
        super().__init__(message, "" if says_when else f"Try again in {max(1, round(retry_after_s))} seconds.")
        self.retry_after_s = retry_after_s


class ServerNotUnderstood(EngineError):
    """What answered is not an Assay server, or is a newer one."""


class NotGenuine(EngineError):
    """A receipt was not signed as it should be."""

    exit_code = NOT_PASSED


class Unreachable(EngineError):
    """The server gave no answer, or the connection broke."""


class Interrupted(EngineError):
    """The student pressed Ctrl-C."""

    exit_code = 130
