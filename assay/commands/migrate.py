"""`assay migrate`: the database's schema, brought up to date by itself, before anything that needs it starts."""

from pathlib import Path

import click

from app.database import DATABASE_FAULTS, upgrade
from assay.database_option import chosen, database_options, url_of
from assay.errors import CannotStart


@click.command()
@database_options
def command(data_dir: Path | None, database_url: str | None) -> None:
    """Upgrade the database to the newest schema, or create it. Several may run at the same time."""
    url = url_of(chosen(data_dir, database_url))
    try:
        upgrade(url)
    except DATABASE_FAULTS as error:
        raise CannotStart(f"The database cannot be reached: {getattr(error, 'orig', None) or error}") from error
    click.echo("The database has the newest schema.")
