"""`assay challenge combine`: writes the tables of calls that have every pair."""

import csv
from pathlib import Path

import pytest

from assay.new_challenge import Names, write_challenge
from grader.proof.coverage import covered
from tests.assay.conftest import Assay
from tests.grader.tiny_space import FUNCTION, SPACE, tiny, write_tiny

COMMAND = ("challenge", "combine", "soft-maximum", "--root", "mine")


def test_it_writes_a_table_that_verify_accepts(assay: Assay, tmp_path: Path) -> None:
    folder = write_tiny(tmp_path / "mine")
    done = assay(*COMMAND)
    assert done.returncode == 0, done.stderr
    table = folder / "combinations" / f"{FUNCTION}.csv"
    rows = [*csv.DictReader(table.read_text().splitlines())]
    assert done.stdout == f"mine/soft-maximum/combinations/{FUNCTION}.csv: {len(rows)} calls\n"
    assert [one.problems for one in covered(tiny(folder))] == [()]
    before = table.read_text()
    assay(*COMMAND)
    assert table.read_text() == before


def test_it_writes_a_table_anew_that_cannot_be_read_any_more(assay: Assay, tmp_path: Path) -> None:
    folder = write_tiny(tmp_path / "mine")
    assay(*COMMAND)
    path = folder / "space.py"
    path.write_text(path.read_text().replace('"thousands"', '"huge"'))
    done = assay(*COMMAND)
    assert done.returncode == 0, done.stderr
    assert [one.problems for one in covered(tiny(folder))] == [()]


@pytest.mark.parametrize(
    ("space", "told"),
    [
        (None, "soft-maximum has no space.py. docs/challenges.md says what it holds."),
        ("def broken(:\n", "SyntaxError: invalid syntax"),
        (SPACE.replace("del choice", "del choices"), "NameError: name 'choices' is not defined"),
    ],
)
def test_what_an_author_got_wrong_is_a_sentence(assay: Assay, tmp_path: Path, space: str | None, told: str) -> None:
    folder = write_challenge(Names.of("soft-maximum", None), tmp_path / "mine")
    if space is not None:
        (folder / "space.py").write_text(space)
    done = assay(*COMMAND)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"Error: {told}"), done.stderr
    assert done.stderr.count("\n") == 1
