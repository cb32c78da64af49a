"""`assay user`: people and their tokens, straight in the database."""

from datetime import timedelta
from pathlib import Path

import click

from app.accounts import service
from app.database import Database
from app.models import Role, now
from assay.courses import opened, problems_as_usage
from assay.database_option import database_options

where = click.make_pass_decorator(Database)


@click.group()
@database_options
@click.pass_context
def command(context: click.Context, data_dir: Path | None, database_url: str | None) -> None:
    """Add people, list them, give out tokens."""
    context.obj = opened(context, data_dir, database_url)


@command.command()
@click.argument("name")
@click.option("--role", type=click.Choice([role.value for role in Role]), default=Role.STUDENT.value, show_default=True)
@click.option(
    "--course",
    default=service.DEMO_COURSE,
    show_default=True,
    help="Put them into it with this role; it is made when it is missing. An empty name: into none.",
)
@where
def add(database: Database, name: str, role: str, course: str) -> None:
    """Add a person, and print a token for them."""
    with problems_as_usage():
        service.create_user(database, name, Role(role), course or None, by=service.console())
    click.echo(f"Added {name} ({role}). Their token is shown this once:", err=True)
    click.echo(service.issue_token(database, name, "assay user add", by=service.console()))


@command.command("list")
@where
def list_everybody(database: Database) -> None:
    """Everybody: name and role, one per line."""
    for user in service.list_users(database):
        click.echo(f"{user.name}\t{user.role}")


@command.command()
@click.argument("name")
@click.option("--label", default="assay user token", show_default=True, help="What it is for, for example laptop.")
@click.option("--days", type=click.IntRange(1, 3650), help="It expires after so many; never unless told.")
@where
def token(database: Database, name: str, label: str, days: int | None) -> None:
    """Print a new token for a person; the old ones stay valid."""
    expires_at = now() + timedelta(days=days) if days else None
    with problems_as_usage():
        issued = service.issue_token(database, name, label, expires_at, by=service.console())
    click.echo(issued)


@command.command()
@click.argument("name")
@where
def revoke(database: Database, name: str) -> None:
    """From now on no token of this person opens anything."""
    with problems_as_usage():
        count = service.revoke_tokens(database, name, by=service.console())
    click.echo(f"Tokens of {name} revoked: {count}.")
