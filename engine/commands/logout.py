"""`engine logout`: forgets the token."""

import click

from engine.client import Client
from engine.config import TOKEN_VARIABLE, Config
from engine.display import Page
from engine.errors import NotSignedIn
from engine.memory import Memory


@click.command()
@click.option("--revoke", is_flag=True, help="Also revoke the token on the server.")
def command(revoke: bool) -> None:
    """Forget the token of the server you are signed in to.

    Without --revoke the token itself stays valid: revoke it if others may have seen it.
    """
    config, page = Config.read(), Page()
    if config.token is None:
        page.say(f"You are not signed in to {config.server}.")
        return
    if revoke:
        _revoke(config)
    Memory.of(config).forget()
    config.without_token().save()
    rest = "The token is revoked." if revoke else f"The token stays valid until it is revoked: {config.server}/tokens"
    page.say(f"Signed out of {config.server}. {rest}")
    if TOKEN_VARIABLE in config.overrides:
        page.say(f"Note: {TOKEN_VARIABLE} is set in this shell and is still used.", "yellow")


def _revoke(config: Config) -> None:
    """A token that the server no longer knows is as good as revoked."""
    try:
        with Client(config, Page(stderr=True).say) as client:
            client.revoke_token()
    except NotSignedIn:
        pass
