"""So many of one thing a minute, from one person, address or account: counted in Redis, for all front ends together and
whatever becomes of the request. Without Redis nothing is counted: what must never be exceeded stands in the database.
"""

from typing import Final

from fastapi import Request

from app.addresses import origin
from app.broker import Broker, BrokerDown, Count
from app.models import User
from app.problems import TooManyRequests
from app.settings import ApiSettings

WINDOW_S: Final = 60


def count(broker: Broker, what: str, who: str) -> Count | None:
    """One more in this minute; None without Redis."""
    try:
        return broker.count(f"assay:rate:{what}:{who}", WINDOW_S)
    except BrokerDown:
        return None


def limit_writes(broker: Broker, settings: ApiSettings, user: User) -> None:
    """Of everything that changes something. Raises TooManyRequests."""
    most = settings.writes_per_minute
    _limit(broker, "writes", user.id, most, f"You can send or change something {most} times a minute.")


def limit_answers(broker: Broker, settings: ApiSettings, user: User) -> None:
    """Of requests with answers: nobody tries them by the thousand. Raises TooManyRequests."""
    most = settings.answers_per_minute
    _limit(broker, "answers", user.id, most, f"You can send answers {most} times a minute.")


def limit_uploads(broker: Broker, settings: ApiSettings, request: Request) -> None:
    """Of one address: who holds many tokens cannot flood the service from one machine. Raises TooManyRequests."""
    if request.client is not None:
        most = settings.address_uploads_per_minute
        refusal = f"At most {most} uploads a minute are taken from one address, and yours may be shared by many."
        _limit(broker, "uploads", origin(request.client.host), most, refusal)


def _limit(broker: Broker, what: str, who: str, most: int, refusal: str) -> None:
    counted = count(broker, what, who)
    if counted is not None and counted.so_far > most:
        raise TooManyRequests(f"{refusal} Try again in {counted.left_s} s.", retry_after_s=counted.left_s)
