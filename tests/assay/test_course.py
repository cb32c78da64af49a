"""`assay course`: from an empty database to a roster and an assignment, as an operator types it."""

import csv
import re
import stat
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from app.accounts import service as accounts
from app.courses import creation
from app.courses.schemas import NewCourse
from app.database import Database
from app.models import Assignment, AuditEntry, Role, Submission, Token, User, now
from assay.commands.course import command
from assay.commands.user import command as user_command
from tests.assay.conftest import Assay

ROSTER = "name;full_name;email\nada;Ada Lovelace;ada@x.org\nbob;;\nkim;;nonsense\n"


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """With grace, who is to teach."""
    database = Database(database_url)
    accounts.create_user(database, "grace", Role.INSTRUCTOR)
    yield database
    database.close()


@pytest.fixture
def course(assay: Assay, database: Database) -> Assay:
    """`assay course ...` where there is a course."""
    creation.create(database, accounts.console(), NewCourse(slug="cs336", title="Language models"))
    return partial(assay, "course", "--database-url", str(database.engine.url))


def test_a_course_has_a_roster_and_assignments(assay: Assay, database: Database, tmp_path: Path) -> None:
    course = partial(assay, "course", "--database-url", str(database.engine.url))
    assert course("create", "cs336", "--title", "Language models", "--instructor", "grace").returncode == 0
    (tmp_path / "roster.csv").write_text(ROSTER, encoding="utf-8")
    brought = course("roster", "import", "cs336", "roster.csv", "--yes", "--tokens", "tokens.csv")
    assert brought.stdout.splitlines() == [
        "+ ada (student, a new account)",
        "+ bob (student, a new account)",
        "! line 4: 'nonsense' is not an e-mail address.",
        "Added: 2. Changed: 0. Removed: 0. As they were: 0. Lines refused: 1.",
        "Done.",
    ]
    tokens = tmp_path / "tokens.csv"
    assert stat.S_IMODE(tokens.stat().st_mode) == 0o600
    rows = list(csv.DictReader(tokens.read_text(encoding="utf-8").splitlines()))
    assert [accounts.sign_in(database, row["token"]).user.name for row in rows] == ["ada", "bob"]  # type: ignore[union-attr]
    added = course(
        "assignment", "add", "cs336", "attention", "--challenge", "mha-rope", "--points", "20", "--attempts", "5",
        "--due", "2031-05-06T07:08+02:00", "--feedback", "families",
    )  # fmt: skip
    assert re.search(r"^attention +mha-rope +open +- +6 May 2031, 05:08 UTC +- +20 +5 +families$", added.stdout, re.M)
    asked = course(
        "assignment", "set", "cs336", "attention", "--question-points", "10", "--questions", "on_pass",
        "--answers", "3", "--solutions", "after_attempts",
    )  # fmt: skip
    assert " 20 + 10 " in asked.stdout
    course("assignment", "set", "cs336", "attention", "--question-points", "0", "--solutions", "never")
    changed = course("assignment", "set", "cs336", "attention", "--due", "none", "--attempts", "none")
    assert re.search(r"^attention +mha-rope +open +- +- +- +20 +- +families$", changed.stdout, re.M)
    assert course("assignment", "list", "cs336").stdout == changed.stdout
    assert re.search(r"^cs336 +Language models +2 +1 +1$", course("list").stdout, re.M)
    shown = course("show", "cs336").stdout
    assert re.search(r"^ada +student +Ada Lovelace +0 +0$", shown, re.M)
    assert "attention" in shown
    with database.read() as session:
        done = [(entry.actor, entry.action) for entry in session.query(AuditEntry).order_by(AuditEntry.id)]
    assert set(done) == {
        ("console", action)
        for action in (
            "token.issue", "course.create", "enrollment.change", "roster.import", "assignment.create",
            "assignment.change",
        )
    }  # fmt: skip


def test_an_assignment_is_removed_until_somebody_has_submitted_to_it(course: Assay, database: Database) -> None:
    for slug in ("wrong", "taken"):
        assert course("assignment", "add", "cs336", slug, "--challenge", "mha-rope").returncode == 0
    removed = course("assignment", "remove", "cs336", "wrong")
    assert (removed.returncode, removed.stdout) == (0, "The assignment wrong of cs336 is removed.\n")
    with database.write() as session:
        taken = session.scalars(select(Assignment)).one()
        ada = User(name="ada", role=Role.STUDENT)
        session.add(ada)
        session.flush()
        session.add(
            Submission(
                user_id=ada.id,
                assignment_id=taken.id,
                challenge="mha-rope",
                challenge_version="v1",
                attempt=1,
                filename="layers.py",
                main="layers.py",
                sha256="0" * 64,
                seed=1,
            )
        )
    refused = course("assignment", "remove", "cs336", "taken")
    assert refused.returncode == 2
    assert "so it cannot be removed. Close it instead" in refused.stderr


def test_a_course_is_archived_and_listed_last_and_brought_back(course: Assay, database: Database) -> None:
    creation.create(database, accounts.console(), NewCourse(slug="cs337", title="Language models again"))
    assert "bring-back cs336" in course("archive", "cs336").stdout
    _, *listed = course("list").stdout.splitlines()
    assert [line.split()[0] for line in listed] == ["cs337", "demo", "cs336"]
    assert [line.endswith("archived") for line in listed] == [False, False, True]
    assert course("bring-back", "cs336").returncode == 0
    assert "archived" not in course("list").stdout


def test_a_person_is_put_into_a_course_or_into_none(database: Database) -> None:
    for arguments in (("ada", "--course", "cs336"), ("bob", "--course", "")):
        added = CliRunner().invoke(user_command, ["--database-url", str(database.engine.url), "add", *arguments])
        assert added.exit_code == 0
    found = {user.name: accounts.memberships(database, user) for user in accounts.list_users(database)}
    assert [place.slug for place in found["ada"]] == ["cs336"]
    assert found["bob"] == []


def test_nothing_is_brought_in_unless_it_is_confirmed(course: Assay, tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text(ROSTER, encoding="utf-8")
    asked = course("roster", "import", "cs336", "roster.csv")
    assert asked.returncode == 1
    assert "Apply these changes? [y/N]" in asked.stdout
    assert "ada" not in course("show", "cs336").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("create", "cs336"), "already"),
        (("create", "CS 336"), "lower-case letters"),
        (("show", "nothing"), "There is no course 'nothing', or you are not in it. The database is "),
        (("assignment", "add", "cs336", "x", "--challenge", "mha-rop"), "There is no challenge 'mha-rop'"),
        (("assignment", "add", "cs336", "x", "--challenge", "mha-rope", "--due", "tomorrow"), "is not a time"),
        (("assignment", "add", "cs336", "x", "--challenge", "mha-rope", "--attempts", "many"), "attempts_max"),
        (("assignment", "set", "cs336", "x", "--points", "3"), "no assignment 'x'"),
        (
            ("assignment", "add", "cs336", "x", "--challenge", "mha-rope", "--solutions", "after_attempts"),
            "needs answers_max",
        ),
        (("roster", "import", "cs336", "missing.csv"), "missing.csv"),
    ],
)
def test_what_cannot_be_done_is_2_with_a_sentence(database: Database, arguments: tuple[str, ...], words: str) -> None:
    creation.create(database, accounts.console(), NewCourse(slug="cs336", title="Language models"))
    done = CliRunner().invoke(command, ["--database-url", str(database.engine.url), *arguments])
    assert done.exit_code == 2
    assert words in done.stderr


def test_a_token_has_a_label_and_an_end(assay: Assay, database: Database) -> None:
    user = partial(assay, "user", "--database-url", str(database.engine.url))
    issued = user("token", "grace", "--label", "laptop", "--days", "3").stdout.strip()
    with database.read() as session:
        token = session.query(Token).one()
    assert (token.label, token.expires_at.date()) == ("laptop", (now() + timedelta(days=3)).date())
    assert user("revoke", "grace").stdout == "Tokens of grace revoked: 1.\n"
    assert accounts.sign_in(database, issued) is None
