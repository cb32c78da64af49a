"""Gradebooks as CSV: our own, with all that is known, and as Canvas and Moodle read them in."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

from app.gradebook.book import Gradebook, GradebookRow, points_max

# A spreadsheet takes a cell that begins so for a formula, and runs it. Which character divides cells is up to the
# spreadsheet's language: with another than ours it finds cells inside of ours, whatever quotes there are.
_FORMULAS: Final = frozenset("=+-@\N{MINUS SIGN}")
_LEADS_ON: Final = ("\t", "\r", "\n", "|")
_DIVIDERS: Final = re.compile("([,;|\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029])")
HEADER: Final = (
    "student", "full_name", "email", "assignment", "points", "points_max", "code_points", "question_points",
    "verdict", "score", "max_score", "attempts", "days_late", "submitted_at", "submission",
    "section", "late_deduction", "override", "override_reason",
)  # fmt: skip
Cell = str | float | None
BYTE_ORDER_MARK: Final = "\ufeff"  # without it, Excel takes UTF-8 for an older encoding: MÃ¼ller


class Table(StrEnum):
    """The layout of a CSV export, by the program that reads it."""

    ALL = "all"
    SPREADSHEET = "spreadsheet"  # the same, as Excel opens it
    CANVAS = "canvas"
    MOODLE = "moodle"


def write_table(book: Gradebook, table: Table) -> str:
    """Returns the gradebook as CSV. Only a spreadsheet's begins with a byte order mark, which would break Canvas."""
    match table:
        case Table.ALL:
            return written([HEADER, *map(_own, book.lines)])
        case Table.SPREADSHEET:
            return BYTE_ORDER_MARK + write_table(book, Table.ALL)
        case Table.CANVAS:
            return written(_canvas(book))
        case Table.MOODLE:
            return written(_moodle(book))


def harmless(cell: Cell) -> Cell:
    """Returns text that no spreadsheet runs: what would begin a formula gets an apostrophe, after
    any cell divider too.
    """
    if not isinstance(cell, str):
        return cell
    text = "".join(f"'{piece}" if _is_formula(piece) else piece for piece in _DIVIDERS.split(cell))
    return f"'{text}" if text.startswith(_LEADS_ON) else text


def _is_formula(piece: str) -> bool:
    """Spaces, quotes and what is invisible are passed over; full-width signs count as the plain ones."""
    seen = (each for each in piece if each.isprintable() and not each.isspace() and each not in "\"'")
    first = unicodedata.normalize("NFKC", next(seen, ""))[:1]
    return bool(first) and first in _FORMULAS


def _own(line: GradebookRow) -> Sequence[Cell]:
    best, student, override = line.counted, line.student, line.override
    return (
        *(student.name, student.full_name, student.email, line.assignment.slug, line.points),
        points_max(line.assignment),
        *((line.parts.code, line.parts.questions, best.verdict, best.score, best.max_score) if best else [None] * 5),
        line.attempts,
        *((best.days_late, best.created_at.isoformat(timespec="seconds"), best.id) if best else [None] * 3),
        student.section,
        round(line.parts.full_code - line.parts.code, 2) if best else None,
        *((override.points, override.reason) if override else [None] * 2),
    )


def _canvas(book: Gradebook) -> Iterable[Sequence[Cell]]:
    """Students are found by their login; an empty cell leaves a grade as it is."""
    yield ("Student", "ID", "SIS Login ID", "Section", *(each.title for each in book.assignments))
    yield ("    Points Possible", None, None, None, *(points_max(each) for each in book.assignments))
    for student, lines in book.by_student():
        section = student.section or book.course.title
        who = (student.full_name or student.name, None, student.name, section)
        yield (*who, *(one.points for one in lines))


def _moodle(book: Gradebook) -> Iterable[Sequence[Cell]]:
    yield ("Username", "Full name", "Email address", *(each.title for each in book.assignments))
    for student, lines in book.by_student():
        yield (student.name, student.full_name, student.email, *(one.points for one in lines))


def written(rows: Iterable[Sequence[Cell]]) -> str:
    """Returns rows as CSV that no spreadsheet runs."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([harmless(cell) for cell in row] for row in rows)
    return text.getvalue()
