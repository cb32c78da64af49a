"""The command `engine`: names its sub-commands without importing them, so that `engine --help` is instant."""

import importlib
import os
import sys
import tempfile
import traceback
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Final

import click

from engine.errors import EngineError, Interrupted

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


class LazyGroup(click.Group):
    """A group whose sub-commands live in `engine.commands`, imported when invoked."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"engine.commands.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:  # which knows only commands that were imported
            raise click.NoSuchCommand(error.command_name, possibilities=COMMANDS, ctx=ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

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
    cls=LazyGroup,
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
    """The console script. A terminal that cannot show a character gets `?` for it, not an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    cli(prog_name="engine")
