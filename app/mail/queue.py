"""What the mailer needs of a table whose rows are mails to be sent: claimed, sent, concluded."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Protocol

from app.mail.message import Letter
from app.mail.post import Posted

FIRST_PAUSE: Final = timedelta(minutes=1)
LONGEST_PAUSE: Final = timedelta(hours=2)
TRIES_MAX: Final = 12  # most of a day
LEASE: Final = timedelta(minutes=10)  # far longer than any message takes
BATCH: Final = 50  # messages between two looks at whether to stop


@dataclass(frozen=True)
class Claimed:
    """A mail that nobody else sends. `subject_id` names it in logs; `conclude` writes down what became of it."""

    subject_id: str
    letter: Letter
    conclude: Callable[[Posted], None]


class MailQueue(Protocol):
    """A table of mails."""

    @property
    def kind(self) -> str:
        """What metrics and logs call its mails."""

    def claim(self, public_url: str) -> Claimed | None:
        """Takes the oldest mail that is due; None when none is. Raises the database's faults."""


def pause_after(tries: int) -> timedelta:
    """Returns how long to wait after so many tries."""
    doubled: int = 2 ** (tries - 1)
    return min(LONGEST_PAUSE, FIRST_PAUSE * doubled)
