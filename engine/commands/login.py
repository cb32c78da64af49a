"""`engine login`: keeps a token that the server has accepted."""

import sys

import click

from engine.client import Client
from engine.config import TOKEN_VARIABLE, Config, is_loopback, token_text
from engine.display import Page
from engine.errors import NotSignedIn
from engine.memory import Memory


@click.command()
@click.option("--server", metavar="URL", help="The server's address, for example https://assay.example.edu.")
@click.option("--token-stdin", is_flag=True, help="Read the token from standard input without asking.")
def command(server: str | None, token_stdin: bool) -> None:
    """Sign in to a server with the token you were given.

    The token is checked and then kept in a file that only you can read. Without a terminal it is read
    from standard input. The variables ASSAY_SERVER and ASSAY_TOKEN override what is kept.
    """
    config = Config.read()
    config = config.at(server) if server else config
    page = Page()
    if config.server.startswith("http://") and not is_loopback(config.server):
        Page(stderr=True).say(
            f"{config.server} is not encrypted: others on your network can read your token.", "yellow"
        )
    config = config.with_token(token_text(_token(config.server, from_stdin=token_stdin)))
    with Client(config) as client:
        try:
            me = client.me()
        except NotSignedIn as error:
            raise NotSignedIn(
                f"{config.server} does not accept this token.",
                "Copy all of it again, or ask your instructor for a new one.",
            ) from error
    config.save()
    Memory.of(config).forget()
    page.say(f"Signed in to {config.server} as {me.name} ({me.role}).", "green")
    for name in sorted(config.overrides):
        kept = "the token" if name == TOKEN_VARIABLE else "the server"
        page.say(f"Note: {name} is set in this shell and overrides {kept} that was just saved.", "yellow")
    page.say("Next: engine due shows your assignments, engine init SLUG gets a starter.", "dim")


def _token(server: str, *, from_stdin: bool) -> str:
    if from_stdin or not sys.stdin.isatty():
        return sys.stdin.readline()
    token: str = click.prompt(f"Token for {server} (it stays hidden)", hide_input=True, err=True)
    return token
