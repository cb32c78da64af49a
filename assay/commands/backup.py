"""`assay backup`: the whole database in one file, while the service runs."""

from pathlib import Path

import click

from app.backup.errors import BackupError
from app.backup.service import back_up
from app.database import DATABASE_FAULTS
from assay.database_option import chosen, database_options, url_of
from assay.errors import CannotStart


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@database_options
def command(file: Path, data_dir: Path | None, database_url: str | None) -> None:
    """Copy a consistent state of the database into FILE, while the service runs.

    PostgreSQL needs a pg_dump that is not older. Secrets and settings are not in the database: keep them, too.
    """
    where = chosen(data_dir, database_url, is_made=False)
    try:
        back_up(url_of(where), file)
    except (BackupError, *DATABASE_FAULTS) as error:
        raise CannotStart(f"No backup was made. {error}") from error
    click.echo(f"{file}: {file.stat().st_size} bytes")
