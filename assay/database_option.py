"""Which database a command works on: that of `assay up`, or one elsewhere."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from assay.datadir import DEFAULT, DataDir

CommandT = TypeVar("CommandT", bound=Callable[..., Any])


def database_options(command: CommandT) -> CommandT:
    """Adds `data_dir` and `database_url`: at most one of them is given, see `chosen`."""
    data_dir = click.option(
        "--data-dir",
        type=click.Path(path_type=Path, file_okay=False),
        help=f"The folder of `assay up`; {DEFAULT} unless told.",
    )
    database_url = click.option(
        "--database-url", envvar="ASSAY_DATABASE_URL", help="A database elsewhere (or ASSAY_DATABASE_URL)."
    )
    return data_dir(database_url(command))


def chosen(data_dir: Path | None, database_url: str | None) -> DataDir | str:
    """The folder of `assay up`, or the URL of a database elsewhere."""
    return database_url if database_url and not data_dir else DataDir.at(data_dir or DEFAULT)
