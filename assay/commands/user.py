"""`assay user`: people and their tokens, straight in the database."""

from pathlib import Path

import click

from app.accounts import service
from app.database import Database, upgrade
from app.models import Role
from app.problems import Problem
from assay.datadir import DEFAULT, DataDir
from assay.errors import WrongUsage

where = click.make_pass_decorator(Database)


@click.group()
@click.option(
    "--data-dir",
    type=click.Path(path_type=Path, file_okay=False),
    help=f"The folder of `assay up`; {DEFAULT} unless told.",
)
@click.option("--database-url", envvar="ASSAY_DATABASE_URL", help="A database elsewhere (or ASSAY_DATABASE_URL).")
@click.pass_context
def command(context: click.Context, data_dir: Path | None, database_url: str | None) -> None:
    """Add people, list them, give out tokens."""
    url = database_url if database_url and not data_dir else DataDir.at(data_dir or DEFAULT).database_url
    upgrade(url)
    database = Database(url)
    context.call_on_close(database.close)
    context.obj = database


@command.command()
@click.argument("name")
@click.option("--role", type=click.Choice([role.value for role in Role]), default=Role.STUDENT.value, show_default=True)
@where
def add(database: Database, name: str, role: str) -> None:
    """Add a person, and print a token for them."""
    try:
        service.create_user(database, name, Role(role))
    except Problem as problem:
        raise WrongUsage(str(problem)) from problem
    click.echo(f"Added {name} ({role}). Their token is shown this once:", err=True)
    click.echo(service.issue_token(database, name, "assay user add"))


@command.command("list")
@where
def list_everybody(database: Database) -> None:
    """Everybody: name and role, one per line."""
    for user in service.list_users(database):
        click.echo(f"{user.name}\t{user.role}")


@command.command()
@click.argument("name")
@where
def token(database: Database, name: str) -> None:
    """Print a new token for a person; the old ones stay valid."""
    try:
        issued = service.issue_token(database, name, "assay user token")
    except Problem as problem:
        raise WrongUsage(str(problem)) from problem
    click.echo(issued)
