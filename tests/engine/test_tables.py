"""Tables in terminals of any width: nothing is cut, and no word is torn apart."""

import pytest

from tests.engine.conftest import ANSI, Student
from tests.engine.school import School
from tests.engine.test_standing import SCORE, asked


def shown(student: Student, width: int, *words: str) -> list[str]:
    conversation = student.converse(*words, COLUMNS=str(width), NO_COLOR="1")
    return [line.rstrip() for line in ANSI.sub("", conversation.text).splitlines() if line.strip()]


@pytest.mark.parametrize(("width", "is_table"), [(100, True), (80, True), (40, False)])
def test_a_history_has_all_its_words_in_a_terminal_of_any_width(
    student: Student, school: School, width: int, is_table: bool
) -> None:
    student.run("submit-build")
    lines = shown(student, width, "history")
    words = " ".join(lines).replace(";", "").split()
    assert {"mha-rope", "37.5/100", "failed", next(iter(school.submissions))} <= set(words)
    assert max(map(len, lines)) <= width
    assert (len(lines) == 2) == is_table


@pytest.mark.parametrize(("width", "is_table"), [(100, True), (40, False)])
def test_what_is_due_is_a_table_where_it_fits_and_else_a_paragraph(
    student: Student, school: School, width: int, is_table: bool
) -> None:
    school.score, school.me = SCORE, {"assignments": [asked(attempts_max=3, attempts_left=2)]}
    lines = shown(student, width, "due")
    assert "2 of 3" in " ".join(lines)
    assert ("Attempts left" in lines[0]) == is_table
    assert max(map(len, lines)) <= width


def test_another_program_gets_columns_however_wide_they_are(student: Student, school: School) -> None:
    name = "a-very-long-name-of-a-challenge-" + "x" * 30
    school.more = {name: {"default_path": "x.py"}}
    student.write("x.py", b"x = 1")
    student.run("submit-build", "x.py", "--challenge", name, "--force")
    header, row = student.run("history").stdout.splitlines()
    assert (len(header.split()), name in row) == (6, True)
