"""The database that a command works on, opened when the command runs: neither `--help` nor what only reads writes.

What the service refuses there is told as wrong usage.
"""

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec

import click
from click.core import ParameterSource
from pydantic import ValidationError
from sqlalchemy import make_url

from app.database import Database, has_newest_schema, upgrade
from app.problems import NotFound, Problem
from assay.database_option import chosen, database_options, in_words, url_of
from assay.errors import WrongUsage

P = ParamSpec("P")


class Where(NamedTuple):
    """Which database a command was given, and the options that say so, as they were typed."""

    data_dir: Path | None
    database_url: str | None
    options: tuple[str, ...]

    @classmethod
    def given(cls, context: click.Context, data_dir: Path | None, database_url: str | None) -> "Where":
        """Reads what `database_options` gave to the command of this context. A password is not repeated."""
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
        """Returns this with the options behind the sub-command's name, which win where both name the same one."""
        is_typed = "--database-url" in later.options
        return Where(
            later.data_dir or self.data_dir,
            later.database_url if is_typed else self.database_url,
            self.options + later.options,
        )

    def hint(self, command: str, *words: str) -> str:
        """`assay COMMAND WORD...` on this database, to be typed as it is printed."""
        return f"`{shlex.join(('assay', command, *self.options, *words))}`"


def on_database(group: Callable[[], None]) -> Callable[..., None]:
    """Adds the options that name a database to a group, for those of its commands that are `to_read` or `to_write`."""

    @wraps(group)
    def run(data_dir: Path | None, database_url: str | None) -> None:
        context = click.get_current_context()
        context.obj = Where.given(context, data_dir, database_url)

    return database_options(run)


def to_write(command: Callable[Concatenate[Database, P], None]) -> Callable[P, None]:
    """Passes the database that the command or its group was given, with the newest schema."""
    return _passing(opened, command)


def to_read(command: Callable[Concatenate[Database, P], None]) -> Callable[P, None]:
    """Passes the database that the command or its group was given, as it is."""
    return _passing(opened_to_read, command)


def opened(context: click.Context, where: Where) -> Database:
    """The database that was chosen, with the newest schema; closed when the command ends."""
    url = url_of(chosen(where.data_dir, where.database_url))
    upgrade(url)
    return _until_the_end(context, url)


def opened_to_read(context: click.Context, where: Where) -> Database:
    """The database that was chosen, as it is; closed when the command ends. Raises WrongUsage when it is not there, or
    has not the newest schema.
    """
    url = url_of(chosen(where.data_dir, where.database_url, is_made=False))
    if not has_newest_schema(url):
        raise WrongUsage(
            f"{in_words(url)} is not a database of this version of Assay.",
            "If the service keeps its data in another folder, name that with --data-dir; "
            f"otherwise {where.hint('migrate')} makes the database, or brings it up to date.",
        )
    return _until_the_end(context, url)


def hint(command: str, *words: str) -> str:
    """`Where.hint`, for the database that the group of the running command was given."""
    return given_where().hint(command, *words)


def given_where() -> Where:
    """Returns which database the running command was given."""
    where = click.get_current_context().find_object(Where)
    assert where is not None  # the command or its group has put it there
    return where


def _where_it_was_sought() -> str:
    """A sentence that names the database which the group of the running command was given; empty where none was."""
    where = click.get_current_context().find_object(Where)
    if where is None:
        return ""
    found = chosen(where.data_dir, where.database_url, is_made=False)
    return f"The database is {in_words(url_of(found))}."


@contextmanager
def problems_as_usage() -> Iterator[None]:
    """Turns what the service refuses into wrong usage of the command, in the service's words."""
    try:
        yield
    except NotFound as problem:
        raise WrongUsage(problem.detail, _where_it_was_sought()) from problem
    except Problem as problem:
        raise WrongUsage(problem.detail) from problem
    except ValidationError as error:
        told = "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}".strip(": ") for item in error.errors())
        raise WrongUsage(f"{told}.") from error


def running_address() -> str | None:
    """Returns the address of the `assay up` that runs on the data folder of the current command; None if none does."""
    where = given_where()
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
        own, of_group = Where.given(context, **given), context.find_object(Where)
        context.obj = of_group.then(own) if of_group else own
        database = opening(context, context.obj)
        with problems_as_usage():
            command(database, *arguments, **options)

    return database_options(run)


def _until_the_end(context: click.Context, url: str) -> Database:
    database = Database(url)
    context.call_on_close(database.close)
    return database
