"""So many rosters an hour from one person: a preview tells which names exist, and nobody is to ask for millions."""

from typing import Final

from app.broker import BrokerDown
from app.models import Role, User
from app.problems import TooManyRequests
from app.services import Services

ROSTERS_PER_HOUR: Final = 60
WINDOW_S: Final = 3600


def limit_rosters(services: Services, user: User) -> None:
    """Raises TooManyRequests. Operators see every account anyway. Without Redis nothing is counted, as with answers."""
    if user.role is Role.OPERATOR:
        return
    try:
        count = services.broker.count(f"assay:rosters:{user.id}", WINDOW_S)
    except BrokerDown:
        return
    if count.so_far > ROSTERS_PER_HOUR:
        raise TooManyRequests(
            f"You can preview or import {ROSTERS_PER_HOUR} rosters an hour. Try again in {count.left_s // 60 + 1} min.",
            retry_after_s=count.left_s,
        )
