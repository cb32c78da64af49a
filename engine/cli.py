"""The command `engine`: names its sub-commands without importing them, so that `engine --help` is instant."""

import os
import tempfile
import traceback
from pathlib import Path
from typing import Any, Final

import click

from engine.errors import EngineError, Interrupted
from engine.lazy_group import LazyGroup, show_any_character

COMMANDS: Final = {  # in the order in which a student needs them
    "login": "Sign in to a server with the token you were given.",
    "challenges": "List the challenges.",
    "init": "Get a challenge's starter file, its specification and any library it needs.",
    "submit-build": "Submit your file, watch it being graded, and see why.",
    "watch": "Check your file on every save, and submit it with one key.",
    "due": "List your open assignments, with due times, attempts left and points so far.",
    "status": "Show a submission's result (the last one by default).",
    "cancel": "Cancel a submission that is still waiting (the last one by default).",
    "answer": "Answer a submission's conceptual questions and see your marks.",
    "request-regrade": "Ask your course's staff to look at a result again.",
    "hunt": "Get a solution with one bug to find and fix.",
    "submit-fix": "Submit your fix for a bug hunt, and see whether the bug is gone.",
    "leaderboard": "Show an assignment's leaderboard, join it or leave it.",
    "history": "List your submissions.",
    "diff": "Show what changed in your file between two attempts.",
    "verify-receipt": "Check a signed receipt: of a submission (the last one by default), or in a file.",
    "open": "Open a submission's result in the web browser.",
    "whoami": "Show who you are signed in as, and where.",
    "logout": "Forget the token of the server you are signed in to.",
}


class Engine(LazyGroup):
    """The whole command line: what goes wrong in any sub-command is told here."""

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the sub-command; whatever goes wrong becomes a sentence and an exit code."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, click.Abort):
            raise Interrupted("Stopped.") from None
        except (click.ClickException, click.exceptions.Exit, BrokenPipeError):
            raise
        except OSError as error:
            raise EngineError(_os_sentence(error)) from error
        except Exception as error:  # the program's edge: a student never gets a traceback
            raise _our_fault() from error


def _os_sentence(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}." if error.filename else f"Your system reports: {reason}."


def _our_fault() -> EngineError:
    """Keeps the traceback in a file that the student can send to whoever can mend it."""
    handle, name = tempfile.mkstemp(prefix="engine-", suffix=".log", text=True)
    os.close(handle)
    Path(name).write_text(traceback.format_exc(), encoding="utf-8")
    return EngineError(
        "`engine` itself failed. This is not your fault, and nothing you submitted is lost.",
        f"Please send this file to your instructor: {name}",
    )


@click.group(
    cls=Engine,
    package="engine.commands",
    listed=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 passed, 1 not passed, 2 wrong usage or bad file, 3 server or network, 130 interrupted.",
)
@click.version_option(package_name="assay", prog_name="engine")
def cli() -> None:
    """Build it, submit it, learn which idea was wrong.

    \b
      engine login            once
      engine init mha-rope    get the starter
      engine submit-build     after every change
    """


def main() -> None:
    """The console script."""
    show_any_character()
    cli(prog_name="engine")
