"""Dependencies that keep people out of a course's calls before what they sent is looked at: whoever may not change a
thing is not told how to word the change.
"""

from typing import Final

from fastapi import Depends

from app.courses import service
from app.services import SignedIn, WithServices


def _manages(course: str, user: SignedIn, services: WithServices) -> None:
    service.refuse_all_but_managers(services.database, user, course)


def _staffs(course: str, user: SignedIn, services: WithServices) -> None:
    service.refuse_all_but_staff(services.database, user, course)


MANAGERS_ONLY: Final = [Depends(_manages)]
STAFF_ONLY: Final = [Depends(_staffs)]
