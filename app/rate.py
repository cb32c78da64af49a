"""So many of one thing in a time, from one person, address or account: counted in Redis, for all front ends together,
whatever becomes of the request. Without Redis nothing is counted: what must never be exceeded stands in the database.
"""

from typing import Final

from fastapi import Request

from app.addresses import origin
from app.broker import Broker, BrokerDown, Count
from app.models import Role, User
from app.problems import TooManyRequests
from app.settings import ApiSettings

MINUTE_S: Final = 60
HOUR_S: Final = 3600
ROSTERS_PER_HOUR: Final = 60
INVITATIONS_PER_HOUR: Final = 60
JOININGS_PER_HOUR: Final = 20


def count(broker: Broker, what: str, who: str, window_s: int = MINUTE_S) -> Count | None:
    """Counts one more in this window; returns None without Redis."""
    try:
        return broker.count(f"{what}:{who}", window_s)
    except BrokerDown:
        return None


def limit_writes(broker: Broker, settings: ApiSettings, user: User) -> None:
    """Limits requests that change something. Raises TooManyRequests."""
    most = settings.writes_per_minute
    _limit(broker, "writes", user.id, most, f"You can make at most {most} changes a minute.")


def limit_answers(broker: Broker, settings: ApiSettings, user: User) -> None:
    """Limits requests with answers, so that nobody tries them by the thousand. Raises TooManyRequests."""
    most = settings.answers_per_minute
    _limit(broker, "answers", user.id, most, f"You can send at most {most} answers a minute.")


def limit_uploads(broker: Broker, settings: ApiSettings, request: Request) -> None:
    """Limits uploads from one address, so that many tokens on one machine cannot flood the service. Raises
    TooManyRequests.
    """
    if request.client is not None:
        most = settings.address_uploads_per_minute
        refusal = f"The limit is {most} uploads a minute from one network address, and many people may share yours."
        _limit(broker, "uploads", origin(request.client.host), most, refusal)


def limit_rosters(broker: Broker, user: User) -> None:
    """Limits previews and imports of rosters, of one person too, since they tell which names exist; operators see every
    account anyway. Raises TooManyRequests.
    """
    if user.role is not Role.OPERATOR:
        refusal = f"You can import rosters and add people at most {ROSTERS_PER_HOUR} times an hour, previews included."
        _limit(broker, "rosters", user.id, ROSTERS_PER_HOUR, refusal, HOUR_S)


def limit_invitations(broker: Broker, user: User) -> None:
    """Limits how often somebody invites, by mail or on paper, one person or a whole roster. Raises TooManyRequests."""
    refusal = f"You can send or print invitations {INVITATIONS_PER_HOUR} times an hour."
    _limit(broker, "invitations", user.id, INVITATIONS_PER_HOUR, refusal, HOUR_S)


def limit_joinings(broker: Broker, user: User) -> None:
    """Limits how often somebody joins leaderboards, since each time a judge measures their code. Raises
    TooManyRequests.
    """
    refusal = f"You can join leaderboards or change your pseudonym {JOININGS_PER_HOUR} times an hour."
    _limit(broker, "joinings", user.id, JOININGS_PER_HOUR, refusal, HOUR_S)


def _limit(broker: Broker, what: str, who: str, most: int, refusal: str, window_s: int = MINUTE_S) -> None:
    counted = count(broker, what, who, window_s)
    if counted is not None and counted.so_far > most:
        raise TooManyRequests(f"{refusal} Try again in {counted.left_s} s.", retry_after_s=counted.left_s)
