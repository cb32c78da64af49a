"""Otter: the notebook that `otter assign` reads (format 1 and newer; older ones as `otter_v0` puts them), and what it
makes, a notebook with `tests/`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from assay.importing.assignment import Assignment, ImportRefusedError, Test, share_points, told_points
from assay.importing.cells import Cell
from assay.importing.doctests import NotATestError, from_cell
from assay.importing.ok_files import WrittenTest, body_of, tests_in
from assay.importing.solutions import otter_cell, signatures_of

FENCE: Final = "```otter"
BOUNDARIES: Final = (
    "ASSIGNMENT CONFIG",
    *(f"{end} {what}" for end in ("BEGIN", "END") for what in ("QUESTION", "PROMPT", "SOLUTION", "TESTS")),
)
CONFIG_BEGINS, CONFIG_ENDS = "# BEGIN TEST CONFIG", "# END TEST CONFIG"


@dataclass
class _Question:
    """A question while its cells are read."""

    name: str
    config: Mapping[str, Any]
    tests: list[WrittenTest] = field(default_factory=list)


def is_source(cells: Sequence[Cell]) -> bool:
    """Whether this is what `otter assign` reads."""
    return any(_boundary(cell) for cell in cells)


def read_source(cells: Sequence[Cell]) -> Assignment:
    """The assignment of a notebook that `otter assign` reads."""
    return _Reader().read(cells)


def read_generated(cells: Sequence[Cell], tests: Path) -> Assignment:
    """The assignment of a notebook with its solutions, beside the folder of its tests. Raises ImportRefusedError."""
    found = Assignment("Otter, as generated")
    for cell in cells:
        if cell.kind == "markdown":
            found.prompt.append(cell.text)
        elif cell.kind == "code" and "otter.Notebook" not in cell.text and "grader." not in cell.text:
            _add_cell(found, cell.text)
    files = sorted(tests.glob("*.py"))
    if not files:
        raise ImportRefusedError(f"{tests} holds no tests: an assignment that Otter made has tests/q1.py and others.")
    for path in files:
        _add_tests(found, path.stem, *tests_in(path, found))
    return found


def _add_cell(found: Assignment, text: str) -> None:
    """Nothing says where students write: wherever functions and classes are defined."""
    starter = signatures_of(text)
    if any(word in starter for word in ("def ", "class ")):
        found.add_answer(text, starter)
    else:
        found.add_given(text)


class _Reader:
    """Goes from boundary to boundary."""

    def __init__(self) -> None:
        self._found = Assignment("Otter")
        self._question: _Question | None = None
        self._block = ""

    def read(self, cells: Sequence[Cell]) -> Assignment:
        for cell in cells:
            boundary = _boundary(cell)
            if boundary:
                self._enter(boundary, cell)
            elif not cell.text.lower().lstrip("# ").startswith("ignore"):
                self._take(cell)
        self._end_question()
        return self._found

    def _enter(self, boundary: str, cell: Cell) -> None:
        if boundary == "ASSIGNMENT CONFIG":
            self._configure(cell)
            return
        begin, _, what = boundary.partition(" ")
        self._block = what if begin == "BEGIN" and what != "QUESTION" else ""
        if what == "QUESTION":
            self._end_question()
            if begin == "BEGIN":
                config = _config(cell.text)
                self._question = _Question(str(config.get("name", f"question-{cell.number}")), config)
                self._tell_of(self._question, cell.where)

    def _configure(self, cell: Cell) -> None:
        config = _config(cell.text)
        if "files" in config:
            self._found.leave(cell.where, "`files`: libraries go into sandbox/, and data into the code or cases.py")
        if "seed" in config:
            self._found.leave(cell.where, "`seed`: cases draw what is random from their paper instead")

    def _tell_of(self, question: _Question, where: str) -> None:
        if question.config.get("manual") is True:
            points = told_points(_number(question.config.get("points")) or 1.0)
            said = f"{question.name} is graded by hand ({points}): ask it in questions.toml, or leave it out"
            self._found.leave(where, said)
        if question.config.get("all_or_nothing") is True:
            self._found.leave(where, f"{question.name} is all or nothing: in Assay a family gives points case by case")

    def _take(self, cell: Cell) -> None:
        is_manual = self._question is not None and self._question.config.get("manual") is True
        if self._block == "TESTS" and self._question is not None:
            if cell.kind == "code":
                self._add_test(cell, self._question)
        elif self._block == "SOLUTION" and cell.kind == "code" and not is_manual:
            self._found.add_answer(*otter_cell(cell.text))
        elif cell.kind == "code" and not is_manual:
            self._found.add_given(cell.text)
        elif cell.kind == "markdown" and self._block != "SOLUTION" and not is_manual:
            self._found.prompt.append(cell.text)

    def _add_test(self, cell: Cell, question: _Question) -> None:
        text, config = _without_config(cell.text)
        first, _, rest = text.partition("\n")
        is_hidden = first.strip().upper() == "# HIDDEN" or config.get("hidden") is True
        text = rest if first.strip().upper() == "# HIDDEN" else text
        try:
            source = body_of(text) or from_cell(text, cell.result)
        except NotATestError as error:
            self._found.leave(cell.where, f"this test of {question.name} is left out: {error}")
            return
        question.tests.append(WrittenTest(cell.where, source, _number(config.get("points")), is_hidden))

    def _end_question(self) -> None:
        if self._question is not None:
            _add_tests(
                self._found, self._question.name, _number(self._question.config.get("points")), self._question.tests
            )
        self._question = None


def _add_tests(found: Assignment, name: str, total: float | None, tests: Sequence[WrittenTest]) -> None:
    points = share_points(total, [test.points for test in tests])
    for test, each in zip(tests, points, strict=True):
        found.tests.append(Test(name, test.where, test.source, each, test.is_hidden))


def _boundary(cell: Cell) -> str:
    """What this cell begins or ends, by its first line; empty for all other cells."""
    text = cell.text.strip()
    if cell.kind == "markdown" and text.startswith(FENCE):
        text = text.removeprefix(FENCE).strip()
    elif cell.kind != "raw":
        return ""
    first = text.partition("\n")[0]
    words = " ".join(first.lstrip("#").split()).upper()
    return words if first.startswith("#") and words in BOUNDARIES else ""


def _config(text: str) -> dict[str, Any]:
    """The keys of its first level: `key: value`. What is nested below a key is left out."""
    pairs = (line.partition(":") for line in text.split("\n") if line[:1].isalpha() and ":" in line)
    return {key.strip(): _value(value.partition(" #")[0].strip()) for key, _, value in pairs}


def _value(text: str) -> Any:
    words = {"true": True, "false": False, "null": None, "": None}
    if text.lower() in words:
        return words[text.lower()]
    try:
        return float(text)
    except ValueError:
        return text.strip("'\"")


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, float) and 0 <= value < float("inf") else None


def _without_config(text: str) -> tuple[str, dict[str, Any]]:
    """A test cell, and the config that stands in a text at its top."""
    head, begins, rest = text.partition(CONFIG_BEGINS)
    inside, ends, code = rest.partition(CONFIG_ENDS)
    if not begins or not ends or head.strip() not in ('"""', "'''"):
        return text, {}
    return code.strip("\n"), _config(inside)
