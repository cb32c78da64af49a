"""`engine whoami`: who the server takes you for."""

import click

from engine.client import Client
from engine.config import Config
from engine.display import Page


@click.command()
def command() -> None:
    """Show who you are signed in as, and where."""
    config = Config.read()
    with Client(config, Page(stderr=True).say) as client:
        me = client.me()
    Page().say(f"{me.name} ({me.role}) at {config.server}")
