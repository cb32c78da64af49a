"""The pages of docs/values: what stands there as a case, a mistake and what is told of it is a grading."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader.comparison.compare import compare
from grader.exercise import in_float64
from grader.guest.execution import Outcome
from grader.guest.loading import Program
from grader.inprocess import outcomes_of, trusted_module
from grader.paper.case import Case
from grader.paper.draw import Draw

FOLDER = Path(__file__).parents[2] / "docs" / "values"
BLOCK = re.compile(r"```(python|text)\n(.*?)```", re.DOTALL)


@dataclass(frozen=True)
class Example:
    """Four blocks in a row: the reference, `cases.py`, a mistake, and what the student is told."""

    reference: str
    cases: str
    mistake: str
    told: str

    def case(self) -> Case:
        module = trusted_module("cases.py", self.cases.encode())
        family = next(value for name, value in vars(module).items() if name.islower() and hasattr(value, "__code__"))
        [case] = family(Draw(7, "page", trusted_module("layers.py", self.reference.encode())))
        return case


def examples_in(page: Path) -> Iterator[Example]:
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    for place, (kind, text) in enumerate(blocks):
        if kind == "text":
            yield Example(*(source for _, source in blocks[place - 3 : place]), told=text)


PAGES = sorted(FOLDER.glob("*.md"))
EXAMPLES = [pytest.param(one, id=f"{page.stem}-{n}") for page in PAGES for n, one in enumerate(examples_in(page), 1)]


def outcome(source: str, case: Case, *, exactly: bool = False) -> Outcome:
    program = Program(trusted_module("layers.py", source.encode()), None, own=frozenset({"layers.py"}))
    [found] = outcomes_of(program, [in_float64(case.call) if exactly else case.call])
    return found


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_mistake_is_told_as_the_page_says(example: Example) -> None:
    case = example.case()
    expected = outcome(example.reference, case, exactly=True)
    assert compare(case, expected, outcome(example.reference, case)).mismatch is None
    assert compare(case, expected, outcome(example.mistake, case)).message == example.told.strip()


def test_each_kind_has_its_page_and_each_page_an_example() -> None:
    overview = (FOLDER.parent / "values.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\]\(values/(\w+\.md)\)", overview)) == {page.name for page in PAGES}
    assert {parameters.id.rpartition("-")[0] for parameters in EXAMPLES} == {page.stem for page in PAGES}
