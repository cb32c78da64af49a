"""Notebooks: their code cells as one file of Python, and reports that speak of its lines in terms of cells.

Only parses JSON: `grader.guest.notebook` decides in the sandbox what of it is run. Each cell begins with a line
`# %% cell 3`, so that the file says by itself which of its lines are which cell's.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from grader.guest.submission import NOTEBOOK_BEGINS
from grader.report import Report
from grader.report_part import Part

SUFFIX: Final = ".ipynb"
MARK: Final = "# %% cell "
CELLS_MAX: Final = 2000
UNREADABLE: Final = "The notebook cannot be read: it"
LONGEST_QUESTION: Final = 200  # `torch.softmax?`
# Magics of a cell under which its code still is Python of this notebook.
TRANSPARENT: Final = ("time", "timeit", "capture", "prun", "submit")
_LINE: Final = re.compile(r"(?<!\.py, )\b([Ll])ine (\d{1,7})\b")  # not that of another file
P = TypeVar("P", bound=Part)
_MAGIC: Final = re.compile(r"%[A-Za-z_]\w*(?:\s|$)|!(?!=)|\?")
_GIVEN: Final = re.compile(r"([\w., ]{1,200})=\s{0,8}(?:!(?!=)|%[A-Za-z_]\w*(?:\s|$))")  # files = !ls
_ASKS: Final = re.compile(r"\s*[\w.]{1,200}\?{1,2}\s*")


class NotebookError(ValueError):
    """Why a file is no notebook that can be read, in a sentence."""


def is_notebook(filename: str) -> bool:
    """Whether a file of this name is one."""
    return filename.lower().endswith(SUFFIX)


def source_of(content: bytes) -> bytes:
    """The code cells in order, each under its mark, magics left out. What has been made of a notebook already stays.

    Raises NotebookError.
    """
    if content.startswith(NOTEBOOK_BEGINS):
        return content
    cells = [_text(cell) for cell in _cells(content) if cell.get("cell_type") == "code"]
    if not any(text.strip() for text in cells):
        raise NotebookError("The notebook has no code cells.")
    return as_source(cells)


def as_source(cells: Sequence[str]) -> bytes:
    """Code cells as one file."""
    marked = (f"{MARK}{number}\n{without_magics(text)}\n" for number, text in enumerate(cells, start=1))
    return "\n".join(marked).encode("utf-8", "replace")


def _cells(content: bytes) -> list[dict[str, Any]]:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise NotebookError(f"{UNREADABLE} is not JSON. Save it again, and submit that file.") from error
    if isinstance(found, dict) and isinstance(found.get("worksheets"), list):  # format 3
        found = {"cells": [cell for sheet in found["worksheets"] if isinstance(sheet, dict) for cell in _list(sheet)]}
    cells = _list(found) if isinstance(found, dict) else []
    if not cells or not all(isinstance(cell, dict) for cell in cells):
        raise NotebookError(f"{UNREADABLE} has no list of cells. Save it again, and submit that file.")
    if len(cells) > CELLS_MAX:
        raise NotebookError(f"The notebook has {len(cells)} cells; the limit is {CELLS_MAX}.")
    return cells


def _list(sheet: dict[str, Any]) -> list[Any]:
    cells = sheet.get("cells")
    return cells if isinstance(cells, list) else []


def _text(cell: dict[str, Any]) -> str:
    source = cell.get("source", cell.get("input", ""))
    lines = source if isinstance(source, list) else [source]
    if not all(isinstance(line, str) for line in lines):
        raise NotebookError("The notebook cannot be read: the source of a cell is not text.")
    return "".join(lines).replace("\r\n", "\n").replace("\r", "\n")


def without_magics(text: str) -> str:
    """Replaces commands for the notebook by `pass`, line for line, and leaves out cells in another language."""
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if lines[first].startswith("%%"):
        name = lines[first][2:].split(" ")[0]
        if name not in TRANSPARENT:
            return "\n".join("" for _ in lines)
        lines[first] = ""
    return "\n".join(_without_line_magics(lines))


def _without_line_magics(lines: Iterable[str]) -> Iterator[str]:
    goes_on = False
    for line in lines:
        kept = "" if goes_on else _without_magic(line)
        goes_on = line.endswith("\\") and kept != line
        yield kept


def _without_magic(line: str) -> str:
    command = line.lstrip()
    indent = line[: len(line) - len(command)]
    if _MAGIC.match(command) or (len(line) <= LONGEST_QUESTION and _ASKS.fullmatch(line)):
        return f"{indent}pass"
    given = _GIVEN.match(command)
    return f"{indent}{given[1]}= None" if given else line


def cells_in(source: str) -> dict[str, tuple[int, str]]:
    """Cells by their names, `cell 3`: the line of the mark, and the text. Empty for what was no notebook."""
    found: dict[str, tuple[int, list[str]]] = {}
    lines: list[str] = []
    for number, line in enumerate(source.split("\n"), start=1):
        if line == f"{MARK}{len(found) + 1}":  # others are comments of the student's own
            lines = []
            found[f"cell {len(found) + 1}"] = number, lines
        else:
            lines.append(line)
    return {name: (number, "\n".join(text)) for name, (number, text) in found.items()}


def in_cells(report: Report, source: bytes) -> Report:
    """The report of a notebook's source, with each line told as a line of its cell."""
    places = Places(source)
    return report.model_copy(
        update={
            "summary": places.text(report.summary),
            "tests": tuple(test.model_copy(update={"message": places.text(test.message)}) for test in report.tests),
            "breakdown": report.breakdown and places.part(report.breakdown, "message", "meaning"),
            "diagnoses": tuple(places.part(each, "evidence") for each in report.diagnoses),
            "guidance": report.guidance and places.part(report.guidance, "message"),
            "structure": tuple(places.part(each, "message") for each in report.structure),
            "remarks": tuple(places.part(each, "message") for each in report.remarks),
        }
    )


class Places:
    """Where each line of a notebook's source is in it."""

    def __init__(self, source: bytes) -> None:
        self._cells = dict(self._lines(cells_in(source.decode("utf-8", "replace"))))

    @staticmethod
    def _lines(cells: Mapping[str, tuple[int, str]]) -> Iterator[tuple[int, tuple[str, int]]]:
        for name, (mark, text) in cells.items():
            for line in range(1, text.count("\n") + 2):
                yield mark + line, (name, line)

    def text(self, text: str) -> str:
        """The text with its lines told as those of cells."""
        return _LINE.sub(self._told, text)

    def _told(self, found: re.Match[str]) -> str:
        cell = self._cells.get(int(found[2]))
        if cell is None:
            return found[0]
        told = f"{cell[0]}, line {cell[1]}"
        return told.capitalize() if found[1] == "L" else told

    def of(self, line: int | None, file: str | None) -> tuple[int | None, str | None]:
        """A line of the uploaded file, as one of a cell; other lines as they are."""
        if line is None or file is not None or line not in self._cells:
            return line, file
        cell, within = self._cells[line]
        return within, cell

    def part(self, part: P, *texts: str) -> P:
        """Returns the part of a report with these texts, and with its line, which is in the uploaded file unless it
        names another.
        """
        changed: dict[str, object] = {name: self.text(getattr(part, name)) for name in texts}
        if hasattr(part, "line") and hasattr(part, "file"):
            changed["line"], changed["file"] = self.of(part.line, part.file)
        return part.model_copy(update=changed)
