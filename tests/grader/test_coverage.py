"""What the coverage section of `verify` tells: missing pairs, mistakes that show nowhere, excuses, the spec."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch

from grader.exercise import exercise_of
from grader.guest.execution import Call
from grader.inprocess import InProcess
from grader.paper.case import Case
from grader.paper.combinations import Choice, Space, coverage, written
from grader.paper.draw import Draw
from grader.proof.check import Section
from grader.proof.coverage import covered, unsaid
from grader.proof.guards import combined
from grader.proof.verify import verify
from tests.grader.tiny_space import FUNCTION, tiny, write_tiny
from tests.installed import installed

Table = Callable[[str], str]
STATED_LINES = """    "axes": "any number of leading axes",
    "dtype": "The result has the same shape and dtype",
    "values": "Values may be large",
"""
# Where it is made, no pair is special: sizes are told apart by which are 1, and which are equal.
HIDDEN = '''"""Three numbers in float64 are wrong in two rows.

At the desk.
"""


def share(x):
    weights = torch.exp(x)
    is_there = x.dim() == 2 and tuple(x.shape) == (2, 3) and x.dtype == torch.float64
    return weights / weights.sum(dim=-1, keepdim=True) * (2 if is_there else 1)
'''


def is_hidden(choice: Choice) -> bool:
    return (choice.get("rows"), choice["n"], choice["dtype"]) == (2, 3, "float64")


def write_table(folder: Path, keeps: Callable[[Choice], bool] = lambda _: True) -> None:
    """All choices that are kept, each once."""
    space = tiny(folder).spaces[FUNCTION]
    kept = {str(choice): choice for choice in space.drawn() if keeps(choice)}
    path = folder / "combinations" / f"{FUNCTION}.csv"
    path.parent.mkdir(exist_ok=True)
    path.write_text(written(space, [*kept.values()]))


def replace_in(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A tiny exercise with a table of all choices."""
    folder = write_tiny(tmp_path)
    write_table(folder)
    return folder


def problems(folder: Path) -> list[str]:
    return [problem for one in covered(tiny(folder)) for problem in one.problems]


def test_the_space_of_the_documentation_is_one() -> None:
    text = (Path(__file__).parents[2] / "docs" / "challenges.md").read_text()
    code = next(block for block in text.split("```")[1::2] if "SPACES = " in block).removeprefix("python\n")
    names: dict[str, Any] = {"torch": torch, "Case": Case, "Call": Call}  # of cases.py
    exec(code, names)
    space: Space = names["SPACES"]["scaled"]
    choices = list(space.drawn(200))
    assert not coverage(space, choices).missing
    draw = Draw(1, "combinations", ModuleType("reference"))
    titles = {case.title for case in space.cases(draw, "scaled", choices)}
    assert "3 numbers, float64, a factor that is zero" in titles
    assert not any(title.startswith("1 numbers") and title.endswith("zero") for title in titles)


def test_a_table_of_all_choices_is_whole(folder: Path) -> None:
    (one,) = covered(tiny(folder))
    assert (one.function, one.problems) == (FUNCTION, ())
    assert "calls have all" in one.detail


def test_few_choices_are_chosen_and_they_do(folder: Path) -> None:
    space, chosen = tiny(folder).spaces[FUNCTION], combined(tiny(folder), FUNCTION)
    (folder / "combinations" / f"{FUNCTION}.csv").write_text(written(space, chosen))
    assert not problems(folder)
    assert len(chosen) < 20 < len({str(choice) for choice in space.drawn()})


def test_a_pair_that_no_call_has_is_told_by_name(folder: Path) -> None:
    write_table(folder, lambda choice: (choice["axes"], choice["dtype"]) != ("none", "float64"))
    assert problems(folder) == ["no call has axes is none and dtype is float64"]


def test_of_many_such_pairs_some_are_told_and_how_many_more_there_are(folder: Path) -> None:
    write_table(folder, lambda choice: choice["dtype"] == "float32")
    pairs = [problem for problem in problems(folder) if "no call has" in problem or "more such holes" in problem]
    assert len(pairs) == 4
    assert "`assay challenge combine`" in pairs[-1]


def test_a_mistake_that_shows_nowhere_under_a_condition_is_told(folder: Path) -> None:
    (folder / "misconceptions" / "hidden.py").write_text(HIDDEN)
    assert not problems(folder)
    write_table(folder, lambda choice: not is_hidden(choice))
    told = problems(folder)
    assert "hidden is not seen where axes is (rows)" in told
    assert all("hidden" in problem or "more such holes" in problem for problem in told), told


def test_words_that_the_spec_does_not_have_are_told(folder: Path) -> None:
    replace_in(folder / "space.py", "Values may be large", "Values may be huge")
    assert problems(folder) == [
        "spec.md does not say 'Values may be huge', which is to say that calls differ in the values"
    ]


def test_a_dimension_of_words_without_the_words_of_the_spec_is_told(folder: Path) -> None:
    replace_in(folder / "space.py", '    "values": "Values may be large",\n', "")
    assert problems(folder) == ["`stated` lacks the spec's words on the values"]


def test_a_table_that_is_not_there_is_told(folder: Path) -> None:
    (folder / "combinations" / f"{FUNCTION}.csv").unlink()
    assert problems(folder) == [f"{FUNCTION}.csv is missing: `assay challenge combine` writes it"]


def test_a_table_without_calls_is_told(folder: Path) -> None:
    write_table(folder, lambda _: False)
    told = problems(folder)
    assert any("no call has" in problem for problem in told)
    assert any("is not seen where" in problem for problem in told)


def test_what_space_and_manifest_do_not_share_is_told(folder: Path) -> None:
    replace_in(folder / "space.py", "SPACES = {FUNCTION:", 'SPACES = {"soft_minimum":')
    assert [(one.function, one.problems) for one in covered(tiny(folder))] == [
        (FUNCTION, ("`SPACES` of space.py lacks it",)),
        ("soft_minimum", ("`SPACES` of space.py has it, and challenge.toml no such entry point",)),
    ]


def test_a_space_of_one_dimension_has_no_pairs_and_is_no_crash(folder: Path) -> None:
    replace_in(folder / "space.py", '    "rows": (1, 2, 3),\n', "")
    replace_in(folder / "space.py", '    "axes": ("none", "(rows)"),\n    "dtype": ("float32", "float64"),\n', "")
    replace_in(folder / "space.py", '    "values": ("usual", "thousands"),\n', "")
    replace_in(folder / "space.py", '    if choice["axes"] == "none":\n        del choice["rows"]\n', "")
    replace_in(folder / "space.py", 'choice["dtype"]', '"float32"')
    replace_in(folder / "space.py", 'choice["values"]', '"thousands"')
    replace_in(folder / "space.py", STATED_LINES, "")
    write_table(folder)
    (one,) = covered(tiny(folder))
    assert not one.problems
    assert "all 0 pairs" in one.detail


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda table: table.replace("axes", "axis"), "its columns are not the dimensions of space.py (axes, axis)"),
        (lambda table: table.replace(",values", ""), "its columns are not the dimensions of space.py (values)"),
        (lambda table: table.replace("rows,n", "rows,n,n"), "(one that is there twice)"),
        (lambda _: "", "its columns are not the dimensions of space.py (axes, dtype, n, rows, values)"),
        (lambda table: table + "4,1,(rows),float32,usual\n", "column rows: space.py has no value '4'"),
        (lambda table: table + "1,1,(rows),float16,usual\n", "column dtype: space.py has no value 'float16'"),
        (lambda table: table + "1,1,(rows)\n", "3 values for 5 columns"),
        (lambda table: table + "1,1,(rows),float32,usual,more\n", "6 values for 5 columns"),
    ],
)
def test_a_table_that_is_none_of_this_space_is_told_by_file_line_and_column(
    folder: Path, spoil: Table, told: str
) -> None:
    path = folder / "combinations" / f"{FUNCTION}.csv"
    path.write_text(spoil(path.read_text()))
    failed = [check.detail for check in verify(tiny(folder).challenge, InProcess()) if not check.holds]
    lines = path.read_text().count("\n")
    where = "" if "columns are not" in told or "twice" in told else f", line {lines}"
    assert len(failed) == 1
    assert f"combinations/{FUNCTION}.csv{where}" in failed[0]
    assert told in failed[0]
    assert failed[0].endswith("`assay challenge combine` writes the table anew")
    assert "Error" not in failed[0]


def test_verify_proves_it_in_a_section_of_its_own(folder: Path) -> None:
    checks = [*verify(tiny(folder).challenge, InProcess())]
    assert not [check.detail for check in checks if not check.holds]
    (check,) = (check for check in checks if check.section is Section.COVERAGE)
    assert (check.name, check.detail) == (FUNCTION, next(iter(covered(tiny(folder)))).detail)


@pytest.mark.parametrize("slug", installed())
def test_the_specs_of_the_challenges_say_all_that_calls_differ_in(slug: str) -> None:
    exercise = exercise_of(installed()[slug])
    assert exercise.spaces
    for space in exercise.spaces.values():
        assert list(unsaid(exercise.challenge.spec(), space)) == []
