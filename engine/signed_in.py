"""How most commands reach the server: as whoever is signed in, and told on stderr when a request has to wait."""

from engine.client import Client
from engine.config import Config
from engine.display import Page


def signed_in() -> Client:
    """Raises NotSignedIn."""
    return Client(Config.read(), Page(stderr=True).say)
