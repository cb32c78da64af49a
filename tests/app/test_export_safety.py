"""What a course takes elsewhere runs nothing there and lies nowhere else: any name, any text, any spreadsheet."""

import csv
import io
import stat
import unicodedata
import zipfile
from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sqlalchemy import update

from app.exports.archives import Archive
from app.exports.tables import harmless
from app.models import Enrollment, User
from grader.report import Verdict
from tests.app.school import School, make_report
from tests.app.test_assignments import assign

SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20\u2212"
TEXTS = st.text(st.one_of(st.sampled_from(SIGNS + ",;\t|\r\n \"'\u200b\ufeff\x0b\x85\u2028ab1"), st.characters()))
FOLDERS = st.text(st.one_of(st.sampled_from("./\\:. \0\u202eaAcCoOnNuUlL1"), st.characters()), min_size=1)


def begins_a_formula(cell: str) -> bool:
    """With quotes and what cannot be seen before it; an apostrophe makes it text."""
    shown = "".join(each for each in cell if each.isprintable()).lstrip('" ')
    return unicodedata.normalize("NFKC", shown[:1])[:1] in tuple("=+-@\u2212")


@given(st.lists(TEXTS, min_size=1, max_size=4))
@example(["x;=HYPERLINK(1)"])
@example(['x;""=HYPERLINK(1)'])
@example(["a\n@SUM(1)"])
@example(["\uff1d1+1"])
@example(["\u200b=1"])
def test_no_cell_is_a_formula_whatever_divides_cells(cells: list[str]):
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(["ada", *(harmless(cell) for cell in cells)])
    for divider in ",;\t|":
        for line in text.getvalue().splitlines():
            assert not any(begins_a_formula(cell) for cell in line.split(divider))
        for row in csv.reader(io.StringIO(text.getvalue(), newline=""), delimiter=divider):
            assert not any(cell.strip()[:1] in tuple(SIGNS) for cell in row if cell.strip())


@given(st.text(st.characters(categories=("L", "N", "Zs"))))
def test_plain_text_is_left_as_it_is(text: str):
    assert harmless(text) == text


@given(st.lists(st.lists(FOLDERS, min_size=1, max_size=3), max_size=6))
@example([["..", "x"], ["../../etc/passwd"], ["/etc/passwd"], ["C:\\x"], ["CON"], ["con.txt"], ["a"], ["A"], ["a."]])
def test_a_zip_holds_only_files_below_its_root(paths: list[list[str]]):
    archive = Archive()
    for path in paths:
        archive.add(path, "content")
    with zipfile.ZipFile(io.BytesIO(archive.close())) as packed:
        entries = packed.infolist()
    assert len(entries) == len(paths)
    names = [entry.filename for entry in entries]
    assert len({unicodedata.normalize("NFKC", name).casefold() for name in names}) == len(names)
    for entry in entries:
        windows, posix = PureWindowsPath(entry.filename), PurePosixPath(entry.filename)
        assert not windows.is_absolute()
        assert not windows.drive
        assert not posix.is_absolute()
        assert not windows.is_reserved()
        assert "\\" not in entry.filename
        assert entry.filename.isprintable()
        assert all(part not in ("", ".", "..") and part[-1] not in ". " for part in entry.filename.split("/"))
        assert not stat.S_ISLNK(entry.external_attr >> 16)
        assert not entry.is_dir()


def test_a_student_with_a_name_from_before_takes_no_other_folder(school: School):
    """Names like these can no longer be given; those that are there already stay."""
    assign(school)
    for name in ("ada", "bob"):
        submission = school.submit(name, data={"assignment": "demo/attention"})["id"]
        school.grade(submission, make_report(Verdict.PASSED, 100.0))
    with school.database.write() as session:
        session.execute(update(User).where(User.name == "ada").values(name=".."))
        session.execute(update(User).where(User.name == "bob").values(name="CON"))
    response = school.client("grace").get("/courses/demo/export/gradescope.zip", params={"assignment": "attention"})
    with zipfile.ZipFile(io.BytesIO(response.content)) as packed:
        assert sorted(packed.namelist()) == ["_CON/results.json", "__/results.json"]


@pytest.mark.parametrize("name", ["x;=cmd|' /C calc'!A0", "\uff1dHYPERLINK(1)", "a\n=1"])
def test_a_full_name_runs_nothing_in_a_gradebook(school: School, name: str):
    assign(school)
    with school.database.write() as session:
        session.execute(update(Enrollment).where(Enrollment.user.has(name="ada")).values(full_name=name))
    for table in ("all", "spreadsheet", "canvas", "moodle"):
        text = school.client("grace").get("/courses/demo/export.csv", params={"for": table}).text
        for line in text.splitlines():
            for divider in ",;\t|":
                cells = [cell.strip('" ') for cell in line.split(divider)]
                assert not any(cell[:1] in tuple(SIGNS) for cell in cells if cell)
