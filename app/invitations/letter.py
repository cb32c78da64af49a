"""The mail of an invitation."""

from app.mail.message import Letter, one_line
from app.models import Invitation
from app.time_zones import in_zone


def invitation_letter(row: Invitation, address: str, code: str, public_url: str) -> Letter:
    """Returns the mail. `code` is in clear here, and nowhere else on this side."""
    page = f"{public_url.rstrip('/')}/code"
    return Letter(address, f"Your invitation to {row.course.title}", _text(row, code, page))


def _text(row: Invitation, code: str, page: str) -> str:
    return f"""Hello,

You are on the roster of the course {one_line(row.course.title)}.
To sign in for the first time, open this page and press the button:

  {page}#{code}

If the page asks for a code, enter this one:

  {code}

It works once, until {in_zone(row.expires_at, row.course.time_zone)}. Whoever has it can open your
account, so don't pass this mail on. If you don't know the course, ignore this mail.
"""
