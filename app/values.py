"""Values that callers send, checked before anything looks at them."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime, StringConstraints

from app.accounts.names import is_line
from app.identifiers import SLUG_PATTERN


def _in_utc(moment: datetime) -> datetime:
    if not 2000 <= moment.year < 3000:
        raise ValueError("must be in the years 2000 to 2999")
    return moment.astimezone(UTC)


def _without_control_characters(text: str) -> str:
    if not is_line(text):
        raise ValueError("must be one line of printable text")
    return text


Moment = Annotated[AwareDatetime, AfterValidator(_in_utc)]
Line = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
    AfterValidator(_without_control_characters),
]
Slug = Annotated[str, StringConstraints(pattern=SLUG_PATTERN)]
