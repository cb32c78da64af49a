"""So many requests of answers a minute from one person: nobody tries answers by the thousand."""

from typing import Final

from app.broker import BrokerDown
from app.models import User
from app.problems import TooManyRequests
from app.services import Services

WINDOW_S: Final = 60


def limit_answers(services: Services, user: User) -> None:
    """Raises TooManyRequests. Counted in Redis, for all front ends together, and whatever becomes of the request.

    Without Redis nothing is counted: how often a question is answered in an assignment stands in the database.
    """
    most = services.settings.answers_per_minute
    try:
        count = services.broker.count(f"answers:{user.id}", WINDOW_S)
    except BrokerDown:
        return
    if count.so_far > most:
        raise TooManyRequests(
            f"You can send answers {most} times a minute. Try again in {count.left_s} s.", retry_after_s=count.left_s
        )
