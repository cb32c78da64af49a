"""Which file is graded, of whatever a student has submitted."""

import json
import os
from pathlib import Path

import pytest

from assay.gradescope.submitted import NothingToGradeError, take
from grader.challenge import Challenge

NOTEBOOK = {
    "nbformat": 4,
    "nbformat_minor": 5,
    "metadata": {},
    "cells": [
        {"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "execution_count": None, "source": "x = 1"}
    ],
}


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    (tmp_path / "submission").mkdir()
    (tmp_path / "taken").mkdir()
    return tmp_path / "submission"


def lay(submission: Path, *paths: str, text: str = "x = 1\n") -> None:
    for path in paths:
        (submission / path).parent.mkdir(parents=True, exist_ok=True)
        (submission / path).write_text(text)


def taken(submission: Path, challenge: Challenge) -> str:
    to = submission.parent / "taken"
    return take(submission, challenge.manifest, to).relative_to(to).as_posix()


@pytest.mark.parametrize(
    ("paths", "chosen"),
    [
        (["layers.py"], "layers.py"),
        (["homework/src/layers.py", "homework/main.py"], "homework/src/layers.py"),
        (["layers.py", "cs336_basics/layers.py"], "cs336_basics/layers.py"),
        (["layers.py", ".git/layers.py", "__MACOSX/layers.py", ".venv/x/layers.py"], "layers.py"),
    ],
)
def test_the_file_of_the_asked_name_is_taken_wherever_it_lies(
    paths: list[str], chosen: str, submission: Path, mha_rope: Challenge
) -> None:
    lay(submission, *paths)
    assert taken(submission, mha_rope) == chosen


def test_modules_beside_it_come_along(submission: Path, mha_rope: Challenge) -> None:
    lay(submission, "cs336_basics/layers.py", "cs336_basics/parts.py")
    taken(submission, mha_rope)
    assert (submission.parent / "taken" / "cs336_basics" / "parts.py").is_file()


def test_the_only_notebook_is_taken_where_no_such_file_is(submission: Path, mha_rope: Challenge) -> None:
    lay(submission, "work/attempt.ipynb", text=json.dumps(NOTEBOOK))
    assert taken(submission, mha_rope) == "work/attempt.ipynb"


@pytest.mark.parametrize(
    ("paths", "sentence"),
    [
        ([], "layers.py was not found in what was submitted (no Python file)"),
        (["main.py", "notes.txt"], "layers.py was not found in what was submitted (main.py)"),
        (
            ["a/layers.py", "b/layers.py"],
            "not clear which file to grade: a/layers.py, b/layers.py. Submit one of them.",
        ),
        (["a.ipynb", "b.ipynb"], "It is not clear which file to grade: a.ipynb, b.ipynb. Submit one of them."),
        (["a.ipynb"], "a.ipynb: "),
        ([f"m{number}.py" for number in range(2001)], "More than 2,000 Python files"),
    ],
    ids=["nothing", "another name", "two files", "two notebooks", "no notebook", "too many"],
)
def test_where_there_is_nothing_to_grade_it_is_said_what_was_looked_for(
    paths: list[str], sentence: str, submission: Path, mha_rope: Challenge
) -> None:
    lay(submission, *paths)
    with pytest.raises(NothingToGradeError) as told:
        taken(submission, mha_rope)
    assert sentence in str(told.value)


def test_a_link_to_the_answer_is_no_answer(submission: Path, mha_rope: Challenge) -> None:
    (submission / "layers.py").symlink_to(mha_rope.folder / "reference.py")
    with pytest.raises(NothingToGradeError, match="Links are not followed"):
        taken(submission, mha_rope)


def test_a_folder_that_is_a_link_to_the_answers_is_not_entered(submission: Path, mha_rope: Challenge) -> None:
    lay(submission, "layers.py", text="from .beside.reference import *\n")
    (submission / "beside").symlink_to(mha_rope.folder)
    taken(submission, mha_rope)
    assert [path.name for path in (submission.parent / "taken").rglob("*")] == ["layers.py"]


def test_what_is_no_ordinary_file_is_left_alone(submission: Path, mha_rope: Challenge) -> None:
    os.mkfifo(submission / "layers.py")
    with pytest.raises(NothingToGradeError):
        taken(submission, mha_rope)


def test_a_name_cannot_steer_what_shows_it(submission: Path, mha_rope: Challenge) -> None:
    lay(submission, "a\x1b[2J\u202e.py")
    with pytest.raises(NothingToGradeError) as told:
        taken(submission, mha_rope)
    assert "\x1b" not in str(told.value)
    assert "\u202e" not in str(told.value)
