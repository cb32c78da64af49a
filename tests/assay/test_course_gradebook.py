"""`assay course exception | override | grades | gradebook`, and that neither help nor reading writes anything."""

import csv
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from app.accounts import service as accounts
from app.assignments import service as assignments
from app.assignments.schemas import NewAssignment
from app.challenges.service import Catalogue
from app.courses import creation
from app.courses.schemas import NewCourse
from app.database import Database, upgrade
from app.models import AuditEntry, Enrollment
from grader.challenge import DEFAULT_ROOT
from tests.assay.conftest import Assay

READING = (
    ("course", "list"),
    ("course", "show", "cs336"),
    ("course", "assignment", "list", "cs336"),
    ("course", "exception", "list", "cs336", "attention"),
    ("course", "override", "list", "cs336", "attention"),
    ("course", "gradebook", "cs336", "--sort", "total", "--descending"),
    ("export", "cs336"),
    ("user", "list"),
    ("regrade", "list", "cs336", "attention"),
)
HELP = (
    *(("course", "exception", "give"), ("course", "roster", "import"), ("user", "add"), ("regrade", "ask")),
    *(("export",), ("demo-data",), ("replay",), ("migrate",), ("up",)),
)


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """The folder of an `assay up` that is not running, its course in Berlin with ada and bob, who is in a section."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    url = f"sqlite:///{folder / 'assay.db'}"
    upgrade(url)
    database, by = Database(url), accounts.console()
    course = NewCourse(slug="cs336", title="Language models", time_zone="Europe/Berlin")
    creation.create(database, by, course)
    for name in ("ada", "bob"):
        accounts.create_user(database, name, course="cs336")
    with database.write() as session:
        session.query(Enrollment).order_by(Enrollment.user_id.desc()).limit(1).one().section = "Tuesday"
    terms = {"due_at": "2031-03-29T23:59:00+01:00", "attempts_max": 3, "grades_release": "held", "points": 20}
    wanted = NewAssignment(slug="attention", title="Attention", challenge="mha-rope", **terms)
    assignments.create(database, Catalogue(DEFAULT_ROOT), by, "cs336", wanted)
    database.close()
    return folder


@pytest.fixture
def database(data_dir: Path) -> Iterator[Database]:
    database = Database(f"sqlite:///{data_dir / 'assay.db'}")
    yield database
    database.close()


@pytest.fixture
def course(assay: Assay, data_dir: Path) -> Assay:
    return partial(assay, "course", "--data-dir", str(data_dir))


def test_exceptions_are_given_listed_and_taken_back_in_the_courses_zone(course: Assay, assay: Assay) -> None:
    where = ("cs336", "attention")
    given = course(
        *("exception", "give", *where, "--student", "ada", "--due", "2031-03-30T12:00", "--extra-attempts", "2"),
        *("--reason", "Ill until Friday"),
    )
    row = r"^(\w{26}) +ada +30 Mar 2031, 12:00 CEST +- +\+2 +console +Ill until Friday$"
    found = re.search(row, given.stdout, re.M)
    assert found, given
    assert re.search(row, course("exception", "list", *where, "--student", "ada").stdout, re.M)
    hint = re.search("`assay (.*)`", given.stderr)
    assert hint
    assert found[1] in hint[1]
    assert assay(*hint[1].split()).stdout == "Withdrawn.\n"  # as it was printed
    assert "ada" not in course("exception", "list", *where).stdout
    section = course("exception", "give", *where, "--section", "Tuesday", "--extra-attempts", "1", "--reason", "x")
    assert "section Tuesday" in section.stdout
    skipped = course("exception", "give", *where, "--student", "ada", "--due", "2031-03-30T02:30", "--reason", "x")
    assert skipped.returncode == 2
    assert "In Europe/Berlin there is no 02:30 that day" in skipped.stderr


def test_points_are_overridden_and_grades_are_released(course: Assay, database: Database) -> None:
    where = ("cs336", "attention")
    assert re.search(r"^ada +18 +yes ", course("override", "give", *where, "ada", "18", "--reason", "x").stdout, re.M)
    written = course("gradebook", "cs336", "--csv").stdout
    assert written.startswith("\ufeff"), "so that Excel opens it with its accents"
    header, ada, bob = list(csv.reader(written.removeprefix("\ufeff").splitlines()))
    assert header == ["student", "full_name", "section", "total", "total_max", "attention"]
    assert [ada[0], *ada[3:]] == ["ada", "18.0", "20.0", "18.0"]
    assert [bob[0], *bob[3:]] == ["bob", "0.0", "0.0", ""]
    assert re.search(
        r"^ada +withdrawn +no ", course("override", "withdraw", *where, "ada", "--reason", "y").stdout, re.M
    )
    assert re.search(r"^ada +18 +no ", course("override", "list", *where).stdout, re.M)
    assert course("override", "withdraw", *where, "ada", "--reason", "y").returncode == 2
    assert "'Attention' from now on" in course("grades", "release", *where).stdout
    assert "no longer" in course("grades", "hold", *where).stdout
    assert course("drop-lowest", "cs336", "1").returncode == 0
    with database.read() as session:
        done = {entry.action for entry in session.query(AuditEntry) if entry.actor == "console"}
    assert done >= {"override.give", "override.withdraw", "grades.release", "grades.hold", "gradebook.rules"}


def test_what_only_reads_writes_nothing(assay: Assay, data_dir: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in data_dir.rglob("*")}
    for command, *rest in READING:
        read = assay(command, *_on(command, data_dir, rest))
        assert read.returncode == 0, (command, rest, read.stderr)
    assert {path: path.stat().st_mtime_ns for path in data_dir.rglob("*")} == before


@pytest.mark.parametrize("words", [*READING, *((*each, "--help") for each in HELP)], ids=" ".join)
def test_where_nothing_is_nothing_is_made(assay: Assay, tmp_path: Path, words: tuple[str, ...]) -> None:
    done = assay(*words)
    assert done.returncode == (0 if words[-1] == "--help" else 2), done
    assert list(tmp_path.iterdir()) == []
    if words[-1] != "--help":
        assert "name that with --data-dir; otherwise `assay migrate` makes the database" in done.stderr


def _on(command: str, data_dir: Path, rest: list[str]) -> tuple[str, ...]:
    where = ("--data-dir", str(data_dir))
    return (*rest, *where) if command == "export" else (*where, *rest)
