"""What is wrong with a form, each sentence beside its field and in the words of the form."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from typing import Any, Final

from pydantic import ValidationError

from app.problems import FieldError, Problem
from app.time_zones import NoSuchTime, from_field

SEVERAL: Final = "Something below needs another look. Nothing was saved."
_SENTENCES: Final = {
    "missing": "Fill this in.",
    "string_too_short": "Fill this in.",
    "string_too_long": "Use at most {max_length} characters.",
    "string_pattern_mismatch": "Use lowercase letters, digits and hyphens, and begin with a letter or a digit.",
    "float_parsing": "Write a number, such as 12.5.",
    "float_type": "Write a number, such as 12.5.",
    "finite_number": "Write a number, such as 12.5.",
    "int_parsing": "Write a whole number, such as 3.",
    "int_from_float": "Write a whole number, such as 3.",
    "int_parsing_size": "Write a smaller number.",
    "greater_than_equal": "Write {ge:g} or more.",
    "less_than_equal": "Write {le:g} or less.",
    "enum": "Choose one from the list.",
    "literal_error": "Choose one from the list.",
    "too_long": "Name at most {max_length}.",
    "date_from_datetime_parsing": "Write a date, such as 2026-10-05.",
    "date_parsing": "Write a date, such as 2026-10-05.",
}
# What concerns several fields, as the schemas say it: where the form tells it, and how.
_OF_SEVERAL: Final = (
    ("due_at must not be before opens_at", "due_at", "This is before it opens. Choose a later time."),
    ("closes_at must not be before opens_at", "closes_at", "This is before it opens. Choose a later time."),
    ("closes_at must not be before due_at", "closes_at", "This is before it is due. Choose a later time."),
    ("needs unlock_attempts", "unlock_attempts", "Say after how many attempts the questions are asked."),
    ("needs answers_max", "answers_max", "Say how many answers may be given: then the right ones are shown."),
    ("needs closes_at or due_at", "solutions", "It needs a due time or a closing time. Set one of them above."),
    (
        "held grades need",
        "questions_unlock",
        "While grades are held, questions must open with the first graded submission: later ones tell who has passed.",
    ),
    ("give more time", "", "Give more time, extra attempts, or both."),
    ("challenge: unknown", "challenge", "There is no such challenge. Choose one from the list."),
)


@dataclass
class FieldErrors:
    """Sentences by field; what concerns no field stands above the form."""

    by_field: dict[str, str] = field(default_factory=dict)
    above: list[str] = field(default_factory=list)
    status: int = HTTPStatus.UNPROCESSABLE_ENTITY

    @property
    def shown(self) -> dict[str, Any]:
        """What the page of the form is rendered with."""
        return {"status_code": self.status, "errors": self.by_field, "above": self.above}


NO_ERRORS: Final = FieldErrors(status=HTTPStatus.OK)
Wrong = ValidationError | Problem


def errors_of(error: Wrong | None, fields: Mapping[str, str]) -> FieldErrors:
    """Returns what is wrong, beside the fields that the form has."""
    if error is None:
        return NO_ERRORS
    found = FieldErrors(status=error.status if isinstance(error, Problem) else HTTPStatus.UNPROCESSABLE_ENTITY)
    told = error.errors if isinstance(error, Problem) else [_told(item) for item in error.errors()]
    for item in told:
        name, sentence = _place(item)
        if name in fields:
            found.by_field.setdefault(name, sentence)  # the first one stays
        else:
            found.above.append(sentence)
    if isinstance(error, Problem) and not found.by_field:
        found.above = [error.detail]
    return _with_summary(found)


def moment_in(
    fields: Mapping[str, str], name: str, zone: str, before: datetime | None = None
) -> datetime | NoSuchTime | None:
    """Returns the time that was typed into a field, as `from_field` reads it. What cannot be read is returned as its
    NoSuchTime: the schema refuses that with whatever else is wrong, and `errors_of` tells its sentence.
    """
    try:
        return from_field(fields[name], zone, before)
    except NoSuchTime as error:
        return error


def _with_summary(found: FieldErrors) -> FieldErrors:
    if found.by_field and not found.above:
        found.above = [SEVERAL]
    return found


def _told(item: Any) -> FieldError:
    if isinstance(item["input"], NoSuchTime):
        return FieldError(location=item["loc"][-1], message=str(item["input"]))
    sentence = _SENTENCES.get(item["type"])
    return FieldError.of(item, sentence.format(**item.get("ctx", {})) if sentence else "")


def _place(item: FieldError) -> tuple[str, str]:
    message = item.message.removeprefix("Value error, ")
    for words, name, sentence in _OF_SEVERAL:
        if words in f"{item.location}: {message}":
            return name, sentence
    about_field = item.location != "body" and not message[:1].isupper()
    sentence = f"This {message}" if about_field else f"{message[:1].upper()}{message[1:]}"
    name = next((part for part in reversed(item.location.split(".")) if not part.isdigit()), "")  # of a list, its field
    return name, sentence if sentence.endswith(".") else f"{sentence}."
