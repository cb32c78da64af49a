"""The text of a digest: titles and a link, no grade, no code, no word that staff or students wrote."""

from collections.abc import Sequence
from typing import Final

from app.mail.message import Letter, one_line
from app.models import User
from app.news.choices import code_of
from app.news.schemas import NewsItem

LINES_MAX: Final = 20
SUBJECT: Final = "New for you in your courses"


def digest_letter(user: User, address: str, secret: str, items: Sequence[NewsItem], public_url: str) -> Letter:
    """Returns the mail about these items, of which there is at least one."""
    home = public_url.rstrip("/")
    end = f"{home}/mail/off/{code_of(user, secret)}"
    return Letter(address, SUBJECT, _text(items, home, end), end)


def _text(items: Sequence[NewsItem], home: str, end: str) -> str:
    lines = [f"- {one_line(item.title)} ({one_line(item.course_title)})" for item in items[:LINES_MAX]]
    if len(items) > LINES_MAX:
        lines.append(f"- and {len(items) - LINES_MAX} more")
    told = "\n".join(lines)
    return f"""Hello,

Here is what's new for you:

{told}

Read it here: {home}/

You get at most one mail like this a day.
Choose which e-mails you get: {home}/mail
Stop these mails: {end}
"""
