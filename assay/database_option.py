"""Which database a command works on: that of `assay up`, or one elsewhere."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from sqlalchemy import make_url

from app.environment import kept_secret
from app.settings import DATABASES
from assay.datadir import DEFAULT, DataDir
from assay.errors import WrongUsage

CommandT = TypeVar("CommandT", bound=Callable[..., Any])


def database_options(command: CommandT) -> CommandT:
    """Adds `data_dir` and `database_url`: they name one database, see `chosen`."""
    data_dir = click.option(
        "--data-dir",
        type=click.Path(path_type=Path, file_okay=False),
        help=f"The data folder of `assay up`. [default: {DEFAULT}]",
    )
    database_url = click.option(
        "--database-url",
        envvar="ASSAY_DATABASE_URL",
        default=_kept_url,
        callback=_known_kind,
        help="A database elsewhere (or ASSAY_DATABASE_URL, or its file where containers have secrets).",
    )
    return data_dir(database_url(command))


def chosen(data_dir: Path | None, database_url: str | None, *, is_made: bool = True) -> DataDir | str:
    """The folder of `assay up`, made when it is missing unless told otherwise, or the URL of a database elsewhere.
    Raises WrongUsage where they are two databases.
    """
    if database_url and not data_dir:
        return database_url
    folder = data_dir or DEFAULT
    data = DataDir.at(folder) if is_made else DataDir(folder.expanduser().absolute())
    if database_url and database_url != data.database_url:
        raise WrongUsage(
            f"{data.root} keeps {in_words(data.database_url)}, and --database-url or ASSAY_DATABASE_URL names "
            f"{in_words(database_url)}.",
            "Give one of the two, and unset the other.",
        )
    return data


def url_of(database: DataDir | str) -> str:
    """The URL of a database that was `chosen`."""
    return database if isinstance(database, str) else database.database_url


def in_words(database_url: str) -> str:
    """Writes the address of a database without its password."""
    return make_url(database_url).set(query={}).render_as_string(hide_password=True)


def _kept_url() -> str | None:
    """The one that the services in the same container use."""
    return kept_secret("assay_database_url")


def _known_kind(_context: click.Context, _option: click.Parameter, url: str | None) -> str | None:
    if url is not None and url.partition("://")[0] not in DATABASES:
        raise click.BadParameter("it must begin with sqlite:/// or postgresql+psycopg://")
    return url
