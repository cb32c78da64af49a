"""`engine logout`: forgets the token."""

import click

from engine.config import TOKEN_VARIABLE, Config
from engine.display import Page
from engine.memory import Memory


@click.command()
def command() -> None:
    """Forget the token of the server you are signed in to.

    The token itself stays valid: revoke it on the server's page of tokens if others may have seen it.
    """
    config, page = Config.read(), Page()
    if config.token is None:
        page.say(f"You are not signed in to {config.server}.")
        return
    Memory.of(config).forget()
    config.without_token().save()
    page.say(f"Signed out of {config.server}. The token stays valid until it is revoked: {config.server}/tokens")
    if TOKEN_VARIABLE in config.overrides:
        page.say(f"Note: {TOKEN_VARIABLE} is set in this shell, and goes on being used.", "yellow")
