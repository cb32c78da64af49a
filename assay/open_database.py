"""The database that a command works on, opened when the command runs: neither `--help` nor what only reads writes."""

import shlex
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec

import click
from click.core import ParameterSource
from sqlalchemy import make_url

from app.database import Database, has_newest_schema, upgrade
from assay.database_option import chosen, database_options, in_words
from assay.errors import WrongUsage

P = ParamSpec("P")


class Where(NamedTuple):
    """Which database a command was given, and the options that say so, as they were typed."""

    data_dir: Path | None
    database_url: str | None
    options: tuple[str, ...]

    @classmethod
    def given(cls, context: click.Context, data_dir: Path | None, database_url: str | None) -> "Where":
        """What `database_options` gave to the command of this context. A password is not repeated."""
        typed = {"data_dir": data_dir, "database_url": database_url}
        if database_url is not None and make_url(database_url).password:
            typed["database_url"] = "URL"
        options = (
            ("--" + name.replace("_", "-"), str(value))
            for name, value in typed.items()
            if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        )
        return cls(data_dir, database_url, tuple(word for option in options for word in option))

    def then(self, later: "Where") -> "Where":
        """With what was given behind the sub-command's name too, which counts where both name the same option."""
        is_typed = "--database-url" in later.options
        return Where(
            later.data_dir or self.data_dir,
            later.database_url if is_typed else self.database_url,
            self.options + later.options,
        )

    def hint(self, command: str, *words: str) -> str:
        """`assay COMMAND WORD...` on this database, to be typed as it is printed."""
        return f"`{shlex.join(('assay', command, *self.options, *words))}`"


def to_write(command: Callable[Concatenate[Database, P], None]) -> Callable[P, None]:
    """Passes the database that the command's group was given, with the newest schema."""
    return _passing(opened, command)


def to_read(command: Callable[Concatenate[Database, P], None]) -> Callable[P, None]:
    """Passes the database that the command's group was given, as it is."""
    return _passing(opened_to_read, command)


def opened(context: click.Context, where: Where) -> Database:
    """The database that was chosen, with the newest schema; closed when the command ends."""
    found = chosen(where.data_dir, where.database_url)
    url = found if isinstance(found, str) else found.database_url
    upgrade(url)
    return _until_the_end(context, url)


def opened_to_read(context: click.Context, where: Where) -> Database:
    """The database that was chosen, as it is; closed when the command ends. Raises WrongUsage when it is not there, or
    has not the newest schema.
    """
    found = chosen(where.data_dir, where.database_url, is_made=False)
    url = found if isinstance(found, str) else found.database_url
    if not has_newest_schema(url):
        raise WrongUsage(
            "There is no database here yet, or an earlier version of Assay made it.",
            f"{where.hint('migrate')} brings it up to date.",
        )
    return _until_the_end(context, url)


def hint(command: str, *words: str) -> str:
    """`Where.hint`, for the database that the group of the running command was given."""
    return _where(click.get_current_context()).hint(command, *words)


def where_it_was_sought() -> str:
    """A sentence that names the database which the group of the running command was given; empty where none was."""
    where = click.get_current_context().find_object(Where)
    if where is None:
        return ""
    found = chosen(where.data_dir, where.database_url, is_made=False)
    return f"The database is {in_words(found if isinstance(found, str) else found.database_url)}."


def running_address() -> str | None:
    """Where the `assay up` of the data folder that the group of the running command was given answers, if one runs."""
    where = _where(click.get_current_context())
    found = chosen(where.data_dir, where.database_url, is_made=False)
    running = None if isinstance(found, str) else found.running()
    return running.address if running else None


def _passing(
    opening: Callable[[click.Context, Where], Database], command: Callable[Concatenate[Database, P], None]
) -> Callable[P, None]:
    """Takes the options before and behind the sub-command's name."""

    @wraps(command)
    def run(*arguments: P.args, **options: P.kwargs) -> None:
        context = click.get_current_context()
        given: dict[str, Any] = {name: options.pop(name) for name in ("data_dir", "database_url")}
        context.obj = _where(context).then(Where.given(context, **given))
        command(opening(context, context.obj), *arguments, **options)

    return database_options(run)


def _where(context: click.Context) -> Where:
    found = context.find_object(Where)
    assert found is not None  # the command's group has put it there
    return found


def _until_the_end(context: click.Context, url: str) -> Database:
    database = Database(url)
    context.call_on_close(database.close)
    return database
