"""So many uploads a minute from one address: who holds many tokens cannot flood the service from one machine."""

from typing import Final

from fastapi import Request

from app.addresses import origin
from app.broker import BrokerDown
from app.problems import TooManyRequests
from app.services import Services

WINDOW_S: Final = 60


def limit_address(services: Services, request: Request) -> None:
    """Raises TooManyRequests. Without Redis nothing is counted: the limit per user stands in the database."""
    if request.client is None:
        return
    most = services.settings.address_uploads_per_minute
    try:
        count = services.broker.count(f"uploads:{origin(request.client.host)}", WINDOW_S)
    except BrokerDown:
        return
    if count.so_far > most:
        raise TooManyRequests(
            f"At most {most} uploads a minute are taken from one address, and yours may be shared by many. "
            f"Try again in {count.left_s} s.",
            retry_after_s=count.left_s,
        )
