"""A command line whose sub-commands are named here and imported when they are invoked, so that `--help` is instant."""

import importlib
import sys
from collections.abc import Mapping
from io import TextIOWrapper
from typing import Any

import click


class LazyGroup(click.Group):
    """A group of the `commands` that live in `package`, each in a module of its name, with what `--help` says of it."""

    def __init__(self, *arguments: Any, package: str, listed: Mapping[str, str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.package = package
        self.listed = listed

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(self.listed)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        if cmd_name not in self.listed:
            return None
        module = importlib.import_module(f"{self.package}.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:  # which knows only commands that were imported
            raise click.NoSuchCommand(error.command_name, possibilities=self.listed, ctx=ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        with formatter.section("Commands"):
            formatter.write_dl(list(self.listed.items()))


def show_any_character() -> None:
    """Has a terminal that cannot show a character print `?` for it, and no error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
