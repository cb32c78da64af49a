"""`assay up`: everything on this machine under one supervisor."""

import os
import shlex
import shutil
import sys
from contextlib import ExitStack
from pathlib import Path

import click

from app.environment import SettingsError
from assay import redis_binary, redis_server
from assay.accounts import BrowserLink, Tokens, browser_link, prepare_database
from assay.database_option import in_words
from assay.datadir import DEFAULT, Address, DataDir
from assay.errors import CannotStart
from assay.isolation_option import isolation_option
from assay.listening import address_of, free_port, listen
from assay.local_service import LocalService, Stopped
from assay.redis_accounts import passwords
from assay.redis_binary import RedisServer
from assay.roles import Deployment, mail_settings, platform_settings
from assay.root_option import root_option
from assay.supervisor import Supervisor

FOREVER_S = 3600.0


def _postgresql(_context: click.Context, _option: click.Parameter, url: str | None) -> str | None:
    if url and not url.startswith("postgresql+psycopg://"):
        raise click.BadParameter("it must begin with postgresql+psycopg://; SQLite is kept in --data-dir")
    return url


@click.command()
@click.option(
    "--data-dir",
    type=click.Path(path_type=Path, file_okay=False),
    default=DEFAULT,
    show_default=True,
    help="Where everything is kept: database, queue, tokens, logs.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 lets other machines in.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0 picks a free one.")
@click.option(
    "--public-url",
    envvar="ASSAY_PUBLIC_URL",
    default="",
    help="The address people use, if it differs from the one it listens on: https://assay.example.edu",
)
@click.option(
    "--workers",
    default=max(1, min(4, (os.cpu_count() or 2) // 2)),
    show_default=True,
    type=click.IntRange(1, 64),
    help="Submissions graded at the same time.",
)
@click.option(
    "--database-url",
    envvar="ASSAY_DATABASE_URL",
    callback=_postgresql,
    help="A PostgreSQL database instead of SQLite in the data directory, which remembers it.",
)
@root_option
@isolation_option
def command(
    data_dir: Path,
    host: str,
    port: int,
    public_url: str,
    workers: int,
    database_url: str | None,
    root: Path,
    require_isolation: str,
) -> None:
    """Run everything on this machine: server, queue, database, grader.

    Nothing else needs to be installed. Ctrl-C stops it; submissions are kept.
    """
    data = DataDir.at(data_dir)
    with ExitStack() as stack:
        lock_fd = stack.enter_context(data.locked())
        listener = stack.enter_context(listen(host, port))
        redis = redis_server.require()
        supervisor = stack.enter_context(Supervisor(lambda line: click.echo(line, err=True)))
        _begin(data, redis, database_url)
        tokens = prepare_database(data, database_url)
        secrets, redis_port = data.secrets(), free_port()
        accounts = passwords(secrets.redis_password)
        configuration = redis_server.write_configuration(data.redis, redis_port, accounts)
        deployment = Deployment(
            data=data,
            secrets=secrets,
            redis_urls={role: redis_server.url(redis_port, role, word) for role, word in accounts.items()},
            redis_command=(str(redis.path), str(configuration)),
            runner_socket=data.free_socket(),
            listen_fd=listener.fileno(),
            lock_fd=lock_fd,
            workers=workers,
            challenges_root=root.absolute(),
            require_isolation=require_isolation,
            public_url=public_url,
            mail=mail_settings(os.environ),
            platforms=platform_settings(os.environ),
        )
        try:
            deployment.check()
        except SettingsError as error:
            raise CannotStart(str(error)) from error
        address = address_of(listener)
        try:
            LocalService(deployment, supervisor, address).start()
        except Stopped:
            click.echo("Stopped before it was ready.")
            return
        data.announce(Address(address, os.getpid(), str(data.tokens_file)))
        stack.callback(data.withdraw)
        click.echo(_welcome(address, tokens, data, browser_link(data, public_url.rstrip("/") or address)))
        while not supervisor.wait(FOREVER_S):
            pass
        click.echo("\nAssay is stopping …")
    click.echo(f"Stopped. Everything is kept in {data.root}")


def _begin(data: DataDir, redis: RedisServer, database_url: str | None) -> None:
    """Says what is starting where, and closes to others what they could read there."""
    click.echo(f"Assay is starting in {data.root} …")
    click.echo(f"  Its queue is {redis}.")
    if not redis.is_mended:
        click.echo(f"  {redis_binary.OUTDATED}", err=True)
    data.logs.mkdir(exist_ok=True, mode=0o700)
    for path in data.close_to_others():
        click.echo(f"  Other users of this machine could read {path}; now only you can.", err=True)
    click.echo(f"  Its database is {in_words(database_url or data.database_url)}.")
    click.echo(f"  Its judge is starting: seconds, or minutes on a busy machine. Logs: {data.logs}")


def _welcome(address: str, tokens: Tokens, data: DataDir, link: BrowserLink) -> str:
    engine, user = _as_typed("engine"), f"{_as_typed('assay')} user --data-dir {shlex.quote(str(data.root))}"
    lines = [
        "",
        f"  Assay is ready at {click.style(address, bold=True)}",
        "",
        "  As a student, in another terminal:",
        f"    {engine} login --server {address}      # asks for the token",
        f"    {engine} init mha-rope",
        f"    {engine} submit-build",
        f"  Or in a browser: open {address} and sign in with the token.",
        "",
        _about(link),
        f"    {link.url}",
        "",
        f"  student token     {tokens.student or f'none: {user} token NAME'}",
        f"  instructor token  {tokens.instructor or f'none: {user} token NAME'}",
        f"  more people       {user} add NAME --role student",
        "",
        f"  Tokens are kept in {data.tokens_file}, logs in {data.logs}. Ctrl-C stops everything.",
    ]
    return "\n".join(lines)


def _about(link: BrowserLink) -> str:
    if link.operator is None:
        return "  To set up a course of your own in a browser, as operator (works once, for a day):"
    return f"  To sign in as {link.operator} in a browser (works once, for half an hour):"


def _as_typed(command: str) -> str:
    """The command by name where the shell finds it, else with its folder: `make up` puts nothing on PATH."""
    return command if shutil.which(command) else shlex.quote(str(Path(sys.executable).parent / command))
