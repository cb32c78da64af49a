"""Brings an assignment over: reads it, tries its tests on its solution in the sandbox, writes the challenge, and has it
verified in a process that is confined. Nothing of the assignment runs anywhere else.
"""

import re
import shutil
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from assay.importing import nbgrader, otter, otter_v0
from assay.importing.assignment import Assignment, ImportRefusedError, Test
from assay.importing.cells import Cell, read_cells
from assay.importing.module import module_of
from assay.importing.plan import Planned, plan
from assay.importing.writing import Written, write_folder
from assay.new_challenge import SLUG_CHARACTERS, Names, NotAName

if TYPE_CHECKING:
    from grader.report import TestResult

TESTS_MAX = 500


@dataclass(frozen=True)
class Brought:
    """What was written, with what is missing by `assay challenge verify`."""

    written: Written
    missing: Sequence[str]


def bring(source: Path, slug: str | None, root: Path) -> Brought:
    """Writes `root/slug`. Raises ImportRefusedError, SandboxUnavailable, NotAName, FileExistsError, OSError."""
    notebook, tests = _places(source)
    with warnings.catch_warnings(action="ignore"):  # of what Python thinks of the code that is read
        try:
            found = _assignment(read_cells(notebook), tests)
            _refuse_too_many(found.tests)
            module = module_of(found)
            planned = plan(found, module)
        except RecursionError as error:
            raise ImportRefusedError("The code of the assignment is nested too deeply to be read.") from error
    names = _named(slug or _slug_of(notebook), found)
    if (root / names.slug).exists():
        raise FileExistsError(root / names.slug)
    with tempfile.TemporaryDirectory(prefix="assay-import-") as scratch:
        kept = _kept(Written(names, found, module, (), planned), Path(scratch))
        cases, forgeable = [one for one in kept if one.cases], [one for one in kept if not one.cases]
        written = Written(names, found, module, cases, forgeable)
        folder = Path(scratch) / "exercises" / names.slug
        write_folder(written, folder)
        missing = [*_untested(written), *_missing(folder)]
        shutil.copytree(folder, root / names.slug)
    return Brought(written, missing)


def _places(source: Path) -> tuple[Path, Path]:
    """The notebook, and the folder of tests beside it."""
    if source.is_file():
        return source, source.parent / "tests"
    notebooks = sorted(source.glob("*.ipynb"))
    if len(notebooks) != 1:
        there = f"holds {len(notebooks)} notebooks" if source.is_dir() else "does not exist"
        raise ImportRefusedError(f"{source} {there}: name the notebook of the assignment.")
    return notebooks[0], source / "tests"


def _assignment(cells: Sequence[Cell], tests: Path) -> Assignment:
    if nbgrader.is_assignment(cells):
        return nbgrader.read(cells)
    if otter.is_source(cells):
        return otter.read_source(cells)
    if otter_v0.is_source(cells):
        return otter.read_source([*otter_v0.in_format_1(cells)])
    if tests.is_dir():
        return otter.read_generated(cells, tests)
    raise ImportRefusedError(
        "This notebook is no assignment of Otter or nbgrader: it has no cells such as `# BEGIN QUESTION`, none with "
        "nbgrader's metadata, and no folder `tests` beside it. Name the instructor's version, which has the solutions."
    )


def _refuse_too_many(tests: Sequence[Test]) -> None:
    """Before anything is made of them: what follows compares each with those before it."""
    if len(tests) > TESTS_MAX:
        raise ImportRefusedError(f"The assignment has {len(tests)} tests; at most {TESTS_MAX} are read.")


def _slug_of(notebook: Path) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", notebook.stem.lower()).strip("-")[:SLUG_CHARACTERS].strip("-")
    return words if words[:1].isalpha() else f"imported-{words}".strip("-")


def _named(slug: str, found: Assignment) -> Names:
    """With the first heading as the title."""
    headings = (line[2:].strip() for text in found.prompt for line in text.split("\n") if line.startswith("# "))
    title = "".join(letter for letter in next(headings, "") if letter.isprintable() and letter not in '"\\*`')
    try:
        return Names.of(slug, title[:80].strip() or None)
    except NotAName as error:
        raise ImportRefusedError(str(error)) from error


def _kept(trial: Written, scratch: Path) -> list[Planned]:
    """The tests that the solution passes in the sandbox; the others are noted."""
    from grader.challenge import load_challenge  # noqa: PLC0415 - torch: what is refused need not wait for it
    from grader.exercise import exercise_of  # noqa: PLC0415
    from grader.forgeable import run_forgeable  # noqa: PLC0415
    from worker.private_runner import private_runner  # noqa: PLC0415
    from worker.sandbox.ahead import is_needed_in  # noqa: PLC0415

    if not trial.forgeable:
        return []
    folder = scratch / "trial" / trial.names.slug
    write_folder(trial, folder)
    challenge = load_challenge(folder)
    with private_runner(imports_ahead=str(is_needed_in(folder))) as sandbox:
        ran = run_forgeable(challenge, exercise_of(challenge).baseline(), sandbox)
    results = {test.id: test for test in ran.tests} if ran else {}
    return [one for one in trial.forgeable if _is_passed(one, results[one.id], trial.found)]


def _is_passed(planned: Planned, result: "TestResult", found: Assignment) -> bool:
    if result.status == "passed":
        return True
    said = " ".join(result.message.split())
    found.leave_test(planned.test, f"the solution itself does not pass it: {said[:200]}")
    return False


def _untested(written: Written) -> Iterator[str]:
    called = {case.function for one in written.cases if one.cases for case in one.cases.cases}
    for name in written.module.entries:
        if name not in called:
            yield f"{written.names.slug}/cases.py: no case calls `{name}`, so nothing is proven of it"


def _missing(folder: Path) -> list[str]:
    from assay.exercises.verifying import problems_of  # noqa: PLC0415 - it imports the runner's client

    return problems_of(folder.parent, is_whole=True)
