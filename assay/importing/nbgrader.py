"""nbgrader: a notebook whose cells say in their metadata what they are (schemas 1 to 3)."""

from collections.abc import Sequence
from typing import Any

from assay.importing.assignment import Assignment, Test, told_points
from assay.importing.cells import Cell
from assay.importing.doctests import NotATestError, from_cell
from assay.importing.solutions import nbgrader_cell

BEGIN_HIDDEN, END_HIDDEN = "BEGIN HIDDEN TESTS", "END HIDDEN TESTS"


def is_assignment(cells: Sequence[Cell]) -> bool:
    """Whether any cell says what it is to nbgrader."""
    return any("grade" in cell.nbgrader or "solution" in cell.nbgrader for cell in cells)


def read(cells: Sequence[Cell]) -> Assignment:
    """The assignment of its source version, with solutions."""
    found = Assignment("nbgrader")
    for cell in cells:
        is_graded, is_solution = cell.nbgrader.get("grade") is True, cell.nbgrader.get("solution") is True
        if cell.nbgrader.get("task") is True or (is_graded and is_solution):
            points = told_points(_points(cell))
            said = f"a person grades this answer ({points}): ask it in questions.toml, or leave it out"
            found.leave(cell.where, said)
        elif cell.kind == "markdown":
            found.prompt.append(cell.text)
        elif cell.kind == "code" and is_graded:
            _add_test(found, cell)
        elif cell.kind == "code" and is_solution:
            found.add_answer(*nbgrader_cell(cell.text))
        elif cell.kind == "code":
            found.add_given(cell.text)
    return found


def _add_test(found: Assignment, cell: Cell) -> None:
    name = str(cell.nbgrader.get("grade_id") or f"cell-{cell.number}")
    if "AUTOTEST" in cell.text:
        found.leave(
            cell.where, f"{name} has tests that nbgrader makes itself (AUTOTEST): make the release version first"
        )
        return
    lines = cell.text.split("\n")
    kept = [line for line in lines if BEGIN_HIDDEN not in line and END_HIDDEN not in line]
    is_hidden = len(kept) < len(lines)
    try:
        source = from_cell("\n".join(kept), cell.result)
    except NotATestError as error:
        found.leave(cell.where, f"{name} ({told_points(_points(cell))}) is left out: {error}")
        return
    if is_hidden and any(line.strip().startswith("assert") for line in _shown(lines)):
        found.leave(cell.where, f"{name} has tests that students see and hidden ones: here all of them are hidden")
    found.tests.append(Test(name, cell.where, source, _points(cell), is_hidden))


def _shown(lines: list[str]) -> list[str]:
    """What students see of a cell of tests."""
    shown, is_hidden = [], False
    for line in lines:
        if BEGIN_HIDDEN in line or END_HIDDEN in line:
            is_hidden = BEGIN_HIDDEN in line
        elif not is_hidden:
            shown.append(line)
    return shown


def _points(cell: Cell) -> float:
    points: Any = cell.nbgrader.get("points")
    return float(points) if isinstance(points, int | float) and 0 <= points < 1e9 else 0.0
