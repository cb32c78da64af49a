"""What all our mails have in common. Plain text, and no header that anybody could write into."""

from dataclasses import dataclass, field
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid
from typing import Final
from urllib.parse import urlsplit

from app.models import now

WIDE: Final = SMTP.clone(max_line_length=400)  # an address in a header is not to be broken or encoded


class NoAddress(ValueError):
    """Raised for an address that no mail can be sent to."""


@dataclass(frozen=True)
class Letter:
    """A mail to be sent now. Its text may hold what nobody but its reader is to see."""

    address: str
    subject: str
    text: str = field(repr=False)
    unsubscribe_url: str | None = field(default=None, repr=False)


def message_of(letter: Letter, sender: str, public_url: str) -> EmailMessage:
    """Returns the message. Raises NoAddress."""
    message = EmailMessage(policy=WIDE if letter.unsubscribe_url else SMTP)
    message["From"] = Address("Assay", addr_spec=sender)
    message["To"] = _recipient(letter.address)
    message["Subject"] = one_line(letter.subject)
    message["Date"] = format_datetime(now())
    message["Message-ID"] = make_msgid(domain=urlsplit(public_url).hostname or "localhost")
    message["Auto-Submitted"] = "auto-generated"
    if letter.unsubscribe_url is not None:  # RFC 8058
        message["List-Unsubscribe"] = f"<{letter.unsubscribe_url}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(letter.text)
    return message


def one_line(text: str) -> str:
    """Returns the text on one line. Titles are one line where they are set; here nothing depends on that."""
    return " ".join(text.split())


def _recipient(address: str) -> Address:
    try:
        return Address(addr_spec=address)
    except ValueError as error:  # of its grammar, which is wider than ours in places and narrower in others
        raise NoAddress from error
