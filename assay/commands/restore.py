"""`assay restore`: the database as a backup has it."""

import shutil
from pathlib import Path

import click

from app.backup.errors import BackupError
from app.backup.service import restore
from app.database import DATABASE_FAULTS
from assay.database_option import chosen, database_options
from assay.datadir import DataDir
from assay.errors import CannotStart


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--replace", is_flag=True, help="Replace a database that is not empty; its contents are lost.")
@database_options
def command(file: Path, replace: bool, data_dir: Path | None, database_url: str | None) -> None:
    """Restore the database from a FILE that `assay backup` wrote, with the newest schema.

    Stop the service first, and empty its Redis, which remembers what happened later: with --data-dir that is done for
    you. Whatever is not graded is queued again.
    """
    where = chosen(data_dir, database_url)
    try:
        if isinstance(where, DataDir):
            with where.locked():
                restore(where.database_url, file, replace=replace)
                shutil.rmtree(where.redis, ignore_errors=True)
        else:
            restore(where, file, replace=replace)
            click.echo("Empty Redis before you start the service: it knows of a later time (docs/operations.md).")
    except (BackupError, *DATABASE_FAULTS) as error:
        raise CannotStart(f"Nothing was restored. {error}") from error
    click.echo("Restored.")
