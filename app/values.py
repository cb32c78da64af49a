"""Values that callers send, checked before anything looks at them.

What is wrong is told field by field, and that costs more than everything else about a request: so a body with more
fields than there are is refused as a whole, and a list at its first wrong item (`fail_fast`).
"""

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, StringConstraints, model_validator

from app.accounts.names import is_line
from app.identifiers import RESERVED, SLUG_PATTERN


def _in_utc(moment: datetime) -> datetime:
    if not 2000 <= moment.year < 3000:
        raise ValueError("must be in the years 2000 to 2999")
    return moment.astimezone(UTC)


def _without_control_characters(text: str) -> str:
    if not is_line(text):
        raise ValueError("must be one line of printable text")
    return text


def _no_word_of_ours(slug: str) -> str:
    if slug in RESERVED:
        raise ValueError("is a word of our own addresses: choose another one")
    return slug


Moment = Annotated[AwareDatetime, AfterValidator(_in_utc)]
Line = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
    AfterValidator(_without_control_characters),
]
Slug = Annotated[str, StringConstraints(pattern=SLUG_PATTERN)]
FreeSlug = Annotated[Slug, AfterValidator(_no_word_of_ours)]


class Sent(BaseModel):
    """A body, or a part of one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _has_no_more_fields_than_there_are(cls, value: Any) -> Any:
        if isinstance(value, dict) and len(value) > len(cls.model_fields):
            raise ValueError(f"takes no more than these fields: {', '.join(cls.model_fields)}")
        return value
