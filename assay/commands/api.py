"""`assay api`: the HTTP front end as a process."""

import gc
import socket

import click
import uvicorn

from app.connections import protocol_for
from app.database import upgrade
from app.environment import SettingsError
from app.main import create_app
from app.settings import ApiSettings
from assay import logs
from assay.errors import CannotStart
from assay.listening import allow_many_connections, listen
from grader.manifest import ManifestError

GRACE_S = 3  # for requests under way; event streams resume elsewhere


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option("--listen-fd", type=int, hidden=True, help="A listening socket handed down; it outlives this process.")
@click.option("--upgrade-database", is_flag=True, help="First bring the database to the newest schema.")
def command(host: str, port: int, listen_fd: int | None, upgrade_database: bool) -> None:
    """Run only the HTTP front end. Settings: ASSAY_ variables, see docs/settings.md."""
    try:
        settings = ApiSettings.from_environment()
        logs.configure(as_json=settings.log_json)
        if upgrade_database:
            upgrade(settings.database_url)
        app = create_app(settings)
    except (SettingsError, ManifestError) as error:
        raise CannotStart(str(error)) from error
    allow_many_connections()
    listener = socket.socket(fileno=listen_fd) if listen_fd is not None else listen(host, port)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=GRACE_S,
        server_header=False,
        proxy_headers=False,  # the application does it, and only for the proxies that a setting names
        http=protocol_for(settings),
        ws="none",
    )
    gc.collect()
    gc.freeze()  # what lives as long as the process; to look through it held up all requests for a tenth of a second
    uvicorn.Server(config).run(sockets=[listener])
