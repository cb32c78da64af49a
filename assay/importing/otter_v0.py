"""Otter's older format, in which code blocks in Markdown and comments say what a cell is: put into format 1."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from assay.importing.cells import Cell

FENCE: Final = "```"
QUESTION, ASSIGNMENT = "BEGIN QUESTION", "BEGIN ASSIGNMENT"


def is_source(cells: Sequence[Cell]) -> bool:
    """Whether this is what `otter assign` read before format 1."""
    return any(_block(cell, QUESTION) for cell in cells)


def in_format_1(cells: Sequence[Cell]) -> Iterator[Cell]:
    """Yields the cells with boundaries in cells of their own; each keeps the number of the cell it comes from."""
    open_blocks: list[str] = []
    for cell in cells:
        question, assignment = _block(cell, QUESTION), _block(cell, ASSIGNMENT)
        is_hidden = _test_mark(cell) == "hidden test"
        if question:
            yield from _closed(cell, open_blocks)
            open_blocks.append("QUESTION")
            yield _boundary(cell, "BEGIN QUESTION", question[1])
            yield replace(cell, text=question[0])
        elif assignment:
            yield _boundary(cell, "ASSIGNMENT CONFIG", assignment[1])
        elif open_blocks and _test_mark(cell):
            if open_blocks[-1] == "SOLUTION":
                yield _boundary(cell, f"END {open_blocks.pop()}")
            if open_blocks[-1] == "QUESTION":
                open_blocks.append("TESTS")
                yield _boundary(cell, "BEGIN TESTS")
            rest = cell.text.lstrip().partition("\n")[2]
            yield replace(cell, text=f"# HIDDEN\n{rest}" if is_hidden else rest)
        elif open_blocks[-1:] == ["QUESTION"] and (cell.kind == "code" or _is_written_answer(cell)):
            open_blocks.append("SOLUTION")
            yield _boundary(cell, "BEGIN SOLUTION")
            yield cell
        else:
            yield from _closed(cell, open_blocks)
            yield cell


def _closed(cell: Cell, open_blocks: list[str]) -> Iterator[Cell]:
    """The ends of all that is open, before this cell."""
    while open_blocks:
        yield _boundary(cell, f"END {open_blocks.pop()}")


def _boundary(cell: Cell, what: str, config: str = "") -> Cell:
    return replace(cell, kind="raw", text=f"# {what}\n{config}", result=None)


def _block(cell: Cell, begins: str) -> tuple[str, str] | None:
    """The text around and the lines within a Markdown cell's code block that begins with these words."""
    if cell.kind != "markdown" or begins not in cell.text:
        return None
    lines = cell.text.split("\n")
    starts = (n for n in range(len(lines) - 1) if lines[n].startswith(FENCE) and lines[n + 1].strip() == begins)
    start = next(starts, None)
    if start is None:
        return None
    end = next((n for n in range(start + 2, len(lines)) if lines[n].startswith(FENCE)), len(lines))
    return "\n".join(lines[:start] + lines[end + 1 :]).strip(), "\n".join(lines[start + 2 : end])


def _is_written_answer(cell: Cell) -> bool:
    return cell.kind == "markdown" and cell.text.lstrip("* \n").lower().startswith("solution")


def _test_mark(cell: Cell) -> str:
    """`test` or `hidden test` where a code cell's first line says so: `## Hidden Test ##`, in any case."""
    first = cell.text.lstrip().partition("\n")[0].strip()
    words = first.strip("#").strip().lower()
    return words if cell.kind == "code" and first.startswith("#") and words in ("test", "hidden test") else ""
