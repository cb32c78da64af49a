"""Who one is, as the server says it."""

from engine.wire.base import Wire


class Me(Wire):
    """Whose token was sent."""

    name: str
    role: str
