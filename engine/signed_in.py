"""How most commands reach the server: as whoever is signed in, and told on stderr when a request has to wait; it may be
older than this client.
"""

from collections.abc import Callable
from typing import TypeVar

from engine.client import Client
from engine.config import Config
from engine.display import Page
from engine.errors import NotFound

ItemT = TypeVar("ItemT")


def signed_in() -> Client:
    """Raises NotSignedIn."""
    return Client(Config.read(), Page(stderr=True).say)


def if_known(ask: Callable[..., tuple[ItemT, ...]], *arguments: str) -> tuple[ItemT, ...]:
    """What a method of the client lists; nothing from a server that does not know such things."""
    try:
        return ask(*arguments)
    except NotFound:
        return ()
