"""`assay user`: people, their tokens and their data, straight in the database."""

import os
from datetime import timedelta
from pathlib import Path
from typing import Final

import click

from app.accounts import links, service
from app.accounts.erasure import erase_person
from app.accounts.personal import export_person
from app.broker import Broker, BrokerDown
from app.database import Database
from app.models import Role, now
from assay.errors import WrongUsage
from assay.open_database import on_database, running_address, to_read, to_write
from assay.redis_option import with_broker

LOCAL: Final = "http://127.0.0.1:8000"  # where `assay up` listens unless told


@click.group()
@on_database
def command() -> None:
    """Add people and give them tokens; export or erase a person's data."""


@command.command()
@click.argument("name")
@click.option("--role", type=click.Choice([role.value for role in Role]), default=Role.STUDENT.value, show_default=True)
@click.option(
    "--course",
    help=f"The course to put them into with this role, created if it is missing. [default: {service.DEMO_COURSE}; "
    "none for operators, or if the name is empty]",
)
@to_write
def add(database: Database, name: str, role: str, course: str | None) -> None:
    """Add a person and print a token for them."""
    if course is None and role != Role.OPERATOR:
        course = service.DEMO_COURSE
    service.create_user(database, name, Role(role), course or None, by=service.console())
    click.echo(f"Added {name} ({role}). Their token is shown this once:", err=True)
    click.echo(service.issue_token(database, name, "assay user add", by=service.console()))


@command.command("list")
@to_read
def list_everybody(database: Database) -> None:
    """List everybody, with their roles."""
    for user in service.list_users(database):
        click.echo(f"{user.name}\t{user.role}")


@command.command()
@click.argument("name")
@click.option("--label", default="assay user token", show_default=True, help="What it is for, for example laptop.")
@click.option(
    "--days",
    type=click.IntRange(1, 3650),
    default=service.TOKEN_DAYS,
    show_default=True,
    help="When it expires. More than a year is for services.",
)
@to_write
def token(database: Database, name: str, label: str, days: int) -> None:
    """Print a new token for a person; the old ones stay valid."""
    issued = service.issue_token(database, name, label, now() + timedelta(days=days), by=service.console())
    click.echo(issued)


@command.command()
@click.argument("name", required=False)
@click.option(
    "--server",
    envvar="ASSAY_PUBLIC_URL",
    help=f"What the link begins with. By default, the address of the running `assay up`, or {LOCAL}.",
)
@to_write
def link(database: Database, name: str | None, server: str | None) -> None:
    """Print a link that signs a person in. It works once; without NAME, it sets up a new installation."""
    page, code = ("code", links.make(database, name)) if name else ("first-run", links.make_first(database))
    click.echo(f"{(server or running_address() or LOCAL).rstrip('/')}/{page}#{code}")


@command.command()
@click.argument("name")
@to_write
def revoke(database: Database, name: str) -> None:
    """Revoke all tokens of a person. They are signed out of the web, too."""
    count = service.revoke_tokens(database, name, by=service.console())
    click.echo(f"Tokens of {name} revoked: {count}.")


@command.command()
@click.argument("name")
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The zip to write; it must not exist.",
)
@to_read
def export(database: Database, name: str, output: Path) -> None:
    """Export all data of a person. The zip can only be read by you."""
    content = export_person(database, name)
    try:
        handle = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise WrongUsage(f"{output} already exists.", "Give a new file name.") from error
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    click.echo(f"Wrote {output}.", err=True)


@command.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@to_write
@with_broker
def erase(database: Database, broker: Broker | None, name: str, yes: bool) -> None:
    """Erase a person. Points and verdicts stay, under a pseudonym; only a backup brings the rest back."""
    if not yes:
        click.confirm(f"Erase {name}: files, reports, answers, hunts, sign-ins, names?", abort=True)
    erased = erase_person(database, name, service.console())
    click.echo(f"Erased. Points and verdicts stay under {erased.pseudonym}.")
    if not database.scrub():
        click.echo("Someone is reading the database: its log holds what was erased until a restart.", err=True)
    if broker is None or not _forget(broker, erased.submissions):
        click.echo("Redis was not reached: what it tells of their submissions is gone within a day.", err=True)


def _forget(broker: Broker, submissions: list[str]) -> bool:
    try:
        for submission_id in submissions:
            broker.forget(submission_id)
    except BrokerDown:
        return False
    return True
