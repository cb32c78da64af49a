"""The mail of an invitation."""

from dataclasses import dataclass, field
from datetime import datetime

from app.mail.message import Letter, one_line
from app.time_zones import in_zone


@dataclass(frozen=True)
class InvitationLetter:
    """An invitation to be sent now. `code` is in clear here, and nowhere else on this side."""

    invitation_id: str
    sha256: str
    address: str
    course_title: str
    zone: str
    expires_at: datetime
    code: str = field(repr=False)


def written(letter: InvitationLetter, public_url: str) -> Letter:
    """Returns the mail."""
    subject = f"Your invitation to {letter.course_title}"
    return Letter(letter.address, subject, _text(letter, f"{public_url.rstrip('/')}/code"))


def _text(letter: InvitationLetter, page: str) -> str:
    return f"""Hello,

You are on the roster of the course {one_line(letter.course_title)}.
To sign in for the first time, open this page and press the button:

  {page}#{letter.code}

If the page asks for a code, enter this one:

  {letter.code}

It works once, until {in_zone(letter.expires_at, letter.zone)}. Whoever has it can open your
account, so don't pass this mail on. If you don't know the course, ignore this mail.
"""
