"""Reads a roster as spreadsheets and learning platforms write it: CSV with a header. Knows no database."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Final

from app.accounts.names import address_key, is_email, is_line
from app.models import Role
from app.problems import Unprocessable

PEOPLE_MAX: Final = 5_000
COLUMNS_MAX: Final = 100
FULL_NAME_MAX: Final = 200
SECTION_MAX: Final = 100
_DELIMITERS: Final = ",;\t"


class Column(StrEnum):
    """A column of a roster file."""

    NAME = "name"
    FULL_NAME = "full_name"
    FIRST_NAME = "first_name"
    LAST_NAME = "last_name"
    EMAIL = "email"
    ROLE = "role"
    SECTION = "section"


# How our own rosters, Canvas, Moodle and people call the columns; spaces, hyphens and capitals do not matter.
HEADERS: Final = {
    "name": Column.NAME,
    "username": Column.NAME,
    "user name": Column.NAME,
    "login": Column.NAME,
    "login id": Column.NAME,
    "sis login id": Column.NAME,
    "full name": Column.FULL_NAME,
    "display name": Column.FULL_NAME,
    "student": Column.FULL_NAME,
    "student name": Column.FULL_NAME,
    "first name": Column.FIRST_NAME,
    "last name": Column.LAST_NAME,
    "surname": Column.LAST_NAME,
    "email": Column.EMAIL,
    "e mail": Column.EMAIL,
    "email address": Column.EMAIL,
    "role": Column.ROLE,
    "roles": Column.ROLE,
    "section": Column.SECTION,
    "sections": Column.SECTION,
    "group": Column.SECTION,
    "groups": Column.SECTION,
}
ROLES: Final = {
    "student": Role.STUDENT,
    "learner": Role.STUDENT,
    "assistant": Role.ASSISTANT,
    "ta": Role.ASSISTANT,
    "tutor": Role.ASSISTANT,
    "teaching assistant": Role.ASSISTANT,
    "non editing teacher": Role.ASSISTANT,
    "instructor": Role.INSTRUCTOR,
    "teacher": Role.INSTRUCTOR,
    "lecturer": Role.INSTRUCTOR,
}


GOES_ON: Final = (
    'A quotation mark (") that opens here is not closed in the same line, so the lines after it were read as one cell '
    "with it. Remove or close it."
)


@dataclass(frozen=True)
class RosterRow:
    """A person in a roster file. None where the file does not say."""

    line: int
    name: str | None
    full_name: str | None
    email: str | None
    role: Role | None
    section: str | None = None

    @property
    def said(self) -> frozenset[str]:
        """The words by which the row names its person."""
        return frozenset(filter(None, (self.name, self.email)))


@dataclass(frozen=True)
class BadRow:
    """A line that cannot be used, and the reason."""

    line: int
    reason: str
    said: frozenset[str] = frozenset()


def read_roster(content: bytes) -> list[RosterRow | BadRow]:
    """Returns a row for each line that is not empty. Raises Unprocessable when the file is not a roster."""
    text = _decode(content)
    try:
        lines = list(islice(_lines(text), PEOPLE_MAX + 2))
    except csv.Error as error:
        raise Unprocessable(f"The file cannot be read as CSV: {error}. Export it again as 'CSV UTF-8'.") from error
    if not lines:
        raise Unprocessable("The file is empty. Its first line must name the columns: name, full_name, email, role.")
    if len(lines) > PEOPLE_MAX + 1:
        raise Unprocessable(f"The file has more than {PEOPLE_MAX} people, which is the most taken. Send it in parts.")
    columns = _columns(lines[0].cells)
    return [_row(line, columns) for line in lines[1:]]


@dataclass(frozen=True)
class _Line:
    number: int
    cells: Sequence[str]


def student_row(line: int, full_name: str, email: str) -> RosterRow | BadRow:
    """Returns a row for a student whom another system names by an address, checked as one of a file is."""
    return row_of(line, {Column.FULL_NAME: full_name, Column.EMAIL: email})


def row_of(line: int, said: Mapping[Column, str]) -> RosterRow | BadRow:
    """Returns a row with what is said of a person, or what is wrong with it."""
    name, role = said.get(Column.NAME, ""), said.get(Column.ROLE, "")
    email = address_key(said.get(Column.EMAIL, ""))
    parts = [said.get(Column.FIRST_NAME, ""), said.get(Column.LAST_NAME, "")]
    full_name = said.get(Column.FULL_NAME) or " ".join(filter(None, parts))
    section = said.get(Column.SECTION, "")
    reason = _objection(name, full_name, email, role, section)
    if reason is not None:
        return BadRow(line, reason, frozenset(filter(None, (name, email))))
    return RosterRow(line, name or None, full_name or None, email or None, ROLES.get(_plain(role)), section or None)


def _decode(content: bytes) -> str:
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise Unprocessable("The file is not UTF-8 text. Export it as 'CSV UTF-8'.") from error


def _lines(text: str) -> Iterator[_Line]:
    header = text.lstrip().partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(_DELIMITERS, key=header.count))
    end = 0
    for cells in reader:
        begin, end = end + 1, reader.line_num  # a cell in quotation marks may go on over several lines
        stripped = [cell.strip() for cell in cells[:COLUMNS_MAX]]
        if any(stripped):
            yield _Line(begin, stripped)


def _columns(header: Sequence[str]) -> dict[Column, int]:
    """Where each column stands; of two that mean the same, the first."""
    found: dict[Column, int] = {}
    for place, title in enumerate(header):
        column = HEADERS.get(_plain(title))
        if column is not None:
            found.setdefault(column, place)
    if Column.NAME not in found and Column.EMAIL not in found:
        raise Unprocessable(
            f"No column says who is meant. The first line is {', '.join(header)[:200]!r}; "
            "it must name the columns, and one of them must be name (or username) or email."
        )
    return found


def _row(line: _Line, columns: dict[Column, int]) -> RosterRow | BadRow:
    said = {column: line.cells[place] for column, place in columns.items() if place < len(line.cells)}
    if any("\n" in cell for cell in said.values()):
        named = said.get(Column.NAME), address_key(said.get(Column.EMAIL, ""))
        return BadRow(line.number, GOES_ON, frozenset(filter(None, named)))
    return row_of(line.number, said)


def _objection(name: str, full_name: str, email: str, role: str, section: str) -> str | None:
    if role and _plain(role) not in ROLES:
        return f"{role[:50]!r} is not a role in a course. Use student, assistant or instructor."
    if email and not is_email(email):
        return f"{email[:100]!r} is not an e-mail address."
    if len(full_name) > FULL_NAME_MAX or not is_line(full_name):
        return f"The full name must be one line of at most {FULL_NAME_MAX} characters."
    if len(section) > SECTION_MAX or not is_line(section):
        return f"The section must be one line of at most {SECTION_MAX} characters."
    if not name and not email:
        return "Nothing says who this is: add a name or an e-mail address."
    return None


def _plain(text: str) -> str:
    return " ".join(re.split(r"[\s_-]+", text.casefold())).strip()
