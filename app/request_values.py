"""Values that callers send, checked before anything looks at them.

What is wrong is told field by field, and that costs more than everything else about a request: so a body with more
fields than there are is refused as a whole, and a list at its first wrong item (`fail_fast`).
"""

import unicodedata
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Self

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    StringConstraints,
    model_validator,
)

from app.accounts.names import is_line
from app.identifiers import CHALLENGE_PATTERN, RESERVED, SLUG_PATTERN, is_id
from app.problems import Unprocessable


def _in_utc(moment: datetime) -> datetime:
    if not 2000 <= moment.year < 3000:
        raise ValueError("must be between the years 2000 and 2999")
    return moment.astimezone(UTC)


def _without_control_characters(text: str) -> str:
    if not is_line(text):
        raise ValueError("must be one line of printable text")
    return text


def _with_our_line_breaks(text: Any) -> Any:
    return text.replace("\r\n", "\n").replace("\r", "\n") if isinstance(text, str) else text


def _text_to_read(text: str) -> str:
    if any(unicodedata.category(char) in ("Cc", "Cs") for char in text if char not in "\n\t"):
        raise ValueError("must be plain text, without control characters")
    return text


def _no_word_of_ours(slug: str) -> str:
    if slug in RESERVED:
        raise ValueError("is reserved for our own addresses: choose another one")
    return slug


PARAGRAPHS_MAX: Final = 4000
STRANGE_CURSOR = "This cursor did not come from this server. Start again without one."
Moment = Annotated[AwareDatetime, AfterValidator(_in_utc)]
Line = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
    AfterValidator(_without_control_characters),
]
# What people write to each other: its line breaks are kept, and nothing in it is markup.
Paragraphs = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=PARAGRAPHS_MAX),
    AfterValidator(_text_to_read),
    BeforeValidator(_with_our_line_breaks),
]
Slug = Annotated[str, StringConstraints(pattern=SLUG_PATTERN)]
ChallengeSlug = Annotated[str, StringConstraints(pattern=CHALLENGE_PATTERN, max_length=64)]
FreeSlug = Annotated[Slug, AfterValidator(_no_word_of_ours)]
# In an address: no slug, name or cursor that is worth looking up is longer.
Short = Annotated[str, StringConstraints(max_length=100)] | None


def check_cursor(cursor: str | None) -> None:
    """Raises Unprocessable when the cursor cannot be one that this server gave."""
    if cursor is not None and not is_id(cursor):
        raise Unprocessable(STRANGE_CURSOR)


class View(BaseModel, frozen=True, from_attributes=True):
    """Base of what the API answers; may be read off a row."""

    @classmethod
    def of(cls, row: object, **others: Any) -> Self:
        """Returns the view of a row: its fields by their names, and `others` for what the row does not have as such."""
        return cls(**{name: getattr(row, name) for name in cls.model_fields if name not in others}, **others)


class Sent(BaseModel, frozen=True, extra="forbid"):
    """Base of request bodies and their parts."""

    @model_validator(mode="before")
    @classmethod
    def _has_no_more_fields_than_there_are(cls, value: Any) -> Any:
        if isinstance(value, dict) and len(value) > len(cls.model_fields):
            raise ValueError(f"accepts only these fields: {', '.join(cls.model_fields)}")
        return value
