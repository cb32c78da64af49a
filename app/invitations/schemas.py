"""Who has a way in, and who is invited."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from app.models import Role
from app.request_values import Sent, View

PEOPLE_MAX = 5000
Name = Annotated[str, Field(min_length=1, max_length=254)]


class WayIn(StrEnum):
    """Whether a person on the roster can sign in."""

    SIGNED_IN = "signed_in"  # they have already
    TOKEN = "token"  # noqa: S105 - no password: an operator gave them one
    INVITED = "invited"
    MAIL_WAITING = "mail_waiting"
    MAIL_FAILED = "mail_failed"
    EXPIRED = "expired"
    REVOKED = "revoked"
    NOT_INVITED = "not_invited"


class Access(View):
    """A person's way in, as the course knows it."""

    way_in: WayIn
    reason: str | None = Field(default=None, description="why the mail was not sent (yet), or a printed code has ended")
    expires_at: datetime | None = Field(default=None, description="when the invitation ends")


class Invitee(View):
    """A person who has not signed in yet."""

    name: str
    full_name: str | None
    email: str | None
    role: Role
    access: Access
    can_be_mailed: bool = Field(description="whether the account has an address")
    can_be_printed: bool = Field(description="whether the account is this course's alone; operators may print for all")


class Invitations(View):
    """How the people of a course get in. `items` leaves out those who have signed in."""

    course: str
    can_send_mail: bool = Field(description="whether the service has a mail server")
    counts: dict[WayIn, int]
    items: list[Invitee]


class Wanted(Sent):
    """Whom to invite."""

    people: list[Name] | None = Field(
        default=None, max_length=PEOPLE_MAX, description="by name; null: everybody who has no way in yet"
    )


class NotInvited(View):
    """Somebody who was not invited, and the reason."""

    name: str
    reason: str


class Mailed(View):
    """Whose mail is on its way."""

    people: list[str]
    refused: list[NotInvited]


class Slip(View):
    """One person's code, shown this once."""

    name: str
    full_name: str | None
    code: str


class Slips(View):
    """Codes to hand out, and where they are entered."""

    address: str
    expires_at: datetime
    items: list[Slip]
    refused: list[NotInvited]
