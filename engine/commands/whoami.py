"""`engine whoami`: who the server takes you for."""

import click

from engine.display import Page
from engine.signed_in import signed_in


@click.command()
def command() -> None:
    """Show who you are signed in as, and where."""
    with signed_in() as client:
        me = client.me()
    Page().say(f"{me.name} ({me.role}) at {client.server}")
