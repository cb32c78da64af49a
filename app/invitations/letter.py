"""The mail of an invitation. Plain text, and no header that anybody could write into."""

from dataclasses import dataclass, field
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid
from urllib.parse import urlsplit

from app.models import now
from app.time_zones import in_zone


@dataclass(frozen=True)
class Letter:
    """An invitation to be sent now. `code` is in clear here, and nowhere else on this side."""

    invitation_id: str
    sha256: str
    address: str
    course_title: str
    zone: str
    expires_at: datetime
    code: str = field(repr=False)


class NoAddress(ValueError):
    """Raised for an address that no mail can be sent to."""


def written(letter: Letter, sender: str, public_url: str) -> EmailMessage:
    """Returns the message. Raises NoAddress."""
    message = EmailMessage(policy=SMTP)
    message["From"] = Address("Assay", addr_spec=sender)
    message["To"] = _recipient(letter.address)
    message["Subject"] = f"Your invitation to {_line(letter.course_title)}"
    message["Date"] = format_datetime(now())
    message["Message-ID"] = make_msgid(domain=urlsplit(public_url).hostname or "localhost")
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(_text(letter, f"{public_url.rstrip('/')}/code"))
    return message


def _recipient(address: str) -> Address:
    try:
        return Address(addr_spec=address)
    except ValueError as error:  # of its grammar, which is wider than ours in places and narrower in others
        raise NoAddress from error


def _line(text: str) -> str:
    """Titles are one line where they are set; here nothing depends on that."""
    return " ".join(text.split())


def _text(letter: Letter, page: str) -> str:
    return f"""Hello,

you are on the roster of the course {_line(letter.course_title)}.
To sign in for the first time, open this page and press the button:

  {page}#{letter.code}

If the page asks for a code, enter this one:

  {letter.code}

It works once, until {in_zone(letter.expires_at, letter.zone)}. Whoever has it can open your
account, so don't pass this mail on. If you don't know the course, ignore this mail.
"""
