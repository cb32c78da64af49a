"""The schema is brought up from every earlier revision without losing a row, by however many processes at once."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, MetaData, create_engine, insert, select, update

from app.accounts import service as accounts
from app.database import Database, migrations, upgrade
from app.models import Base, Token, User, now
from app.problems import Conflict
from grader.report import Diagnosis
from tests.app.databases import Databases
from tests.app.school import make_report

pytestmark = pytest.mark.on_both_databases
ROOT = Path(__file__).parents[2]
UNUSED = {"id": f"{3:026d}", "name": "carol", "email": None, "role": "student", "question_seed": "x"}
REVISIONS = [script.revision for script in ScriptDirectory.from_config(migrations()).walk_revisions()][::-1]


@pytest.fixture
def empty_url(databases: Databases) -> Iterator[str]:
    with databases.empty() as url:
        yield url


@pytest.fixture
def engine(empty_url: str) -> Iterator[Engine]:
    engine = create_engine(empty_url)
    yield engine
    engine.dispose()


def tables(engine: Engine) -> MetaData:
    metadata = MetaData()
    metadata.reflect(engine)
    metadata.remove(metadata.tables["alembic_version"])
    return metadata


def fill(engine: Engine) -> None:
    """Two rows in each table, whatever the tables are: each refers to the row of the same number."""
    with engine.begin() as connection:
        for table in tables(engine).sorted_tables:
            for number in (1, 2):
                row = {column.name: value(column, number) for column in table.columns}
                connection.execute(insert(table).values(row))


def value(column: Any, number: int) -> Any:
    if column.name == "id" or column.foreign_keys:
        return f"{number:026d}"
    kind = column.type.python_type
    if column.type.__class__.__name__ in ("JSON", "JSONB"):
        return {"number": number}
    if kind is str:
        return f"{column.name[:10]}-{number}"[: column.type.length]
    if kind is bytes:
        return b"\x00\xff" * number
    if kind.__name__ == "datetime":
        return kind(2026, 1, number)
    return kind(number == 1) if kind is bool else kind(number)


def rows(engine: Engine) -> dict[str, list[dict[str, Any]]]:
    with engine.connect() as connection:
        found = {
            table.name: [dict(row._mapping) for row in connection.execute(select(table))]
            for table in tables(engine).sorted_tables
        }
    return {name: sorted(each, key=str) for name, each in found.items()}


def test_the_migrations_make_exactly_the_models(database_url: str):
    database = Database(database_url)
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, Base.metadata) == []
    database.close()


@pytest.mark.parametrize("revision", REVISIONS)
def test_no_row_is_lost_on_the_way_up(empty_url: str, engine: Engine, revision: str):
    upgrade(empty_url, revision)
    fill(engine)
    before = rows(engine)
    assert before
    assert all(len(each) == 2 for each in before.values())
    upgrade(empty_url)
    after = rows(engine)
    for name, each in before.items():
        kept = [{column: row[column] for column in each[0] if column in row} for row in after[name]]
        gone = set(each[0]) - set(after[name][0])
        assert kept == [{column: row[column] for column in row if column not in gone} for row in each], name


def test_upgrading_twice_changes_nothing_and_loses_nothing(database_url: str):
    first = accounts.bootstrap(database_url)
    upgrade(database_url)
    assert first is not None
    database = Database(database_url)
    assert accounts.authenticate(database, first.student_token) is not None
    database.close()


UPGRADE = """
import sys
from app.database import upgrade
print("ready", flush=True)
sys.stdin.read()
upgrade(sys.argv[1])
"""


def test_many_processes_may_upgrade_at_the_same_moment(empty_url: str, engine: Engine):
    command = [sys.executable, "-c", UPGRADE, empty_url]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    processes = [subprocess.Popen(command, **pipes, cwd=ROOT) for _ in range(3)]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
    for process in processes:
        assert process.stdin
        process.stdin.close()
        process.stdin = None
    told = [process.communicate()[1] for process in processes]
    assert [process.returncode for process in processes] == [0] * 3, told
    assert set(tables(engine).tables) == set(Base.metadata.tables)


def test_old_reports_are_read_for_the_figures(empty_url: str, engine: Engine):
    upgrade(empty_url, "0003")
    fill(engine)
    report = make_report(misconceptions=("misconcept-1",))
    line = {**report.diagnoses[0].model_dump(), "line": 9}
    body = report.model_copy(update={"diagnoses": (Diagnosis(**line),)}).to_json()
    old = tables(engine).tables
    with engine.begin() as connection:
        connection.execute(
            update(old["reports"]).where(old["reports"].c.submission_id == f"{1:026d}").values(body=body)
        )
        connection.execute(update(old["diagnoses"]).values(misconception="misconcept-1"))
    upgrade(empty_url)
    found = rows(engine)
    assert [(part["kind"], part["name"], part["passed"], part["total"]) for part in found["graded_parts"]] == [
        ("family", "heads", 0, 1)
    ]
    assert [row["line"] for row in found["diagnoses"]] == [9, None]


def test_who_has_answered_questions_keeps_their_numbers(empty_url: str, engine: Engine):
    upgrade(empty_url, "0005")
    fill(engine)
    upgrade(empty_url)
    assert [row["question_seed"] for row in rows(engine)["users"]] == [f"{1:026d}", f"{2:026d}"]


def test_what_was_practised_goes_to_a_course_only_where_there_is_no_doubt(empty_url: str, engine: Engine):
    """One person in one course, one in two, one in a course that is younger than what they sent, one in none."""
    upgrade(empty_url, "0009")
    fill(engine)
    old = tables(engine).tables
    first, second = f"{1:026d}", f"{2:026d}"
    people = {"one": (first,), "two": (first, second), "late": (second,), "none": ()}
    sent, staff = dict(enumerate(people)), {"user_id": first, "course_id": second, "role": "instructor"}
    with engine.begin() as connection:
        template = dict(connection.execute(select(old["submissions"]).limit(1)).mappings().one())
        user = dict(connection.execute(select(old["users"]).limit(1)).mappings().one())
        connection.execute(old["fixes"].delete())
        connection.execute(old["enrollments"].delete())
        connection.execute(insert(old["enrollments"]).values(staff))
        for number, name in sent.items():
            own = {"id": f"{name:0>26}", "name": name, "email": name, "question_seed": name}
            connection.execute(insert(old["users"]).values({**user, **own}))
            for course in people[name]:
                row = {"user_id": own["id"], "course_id": course, "role": "student"}
                connection.execute(insert(old["enrollments"]).values(row))
            practice = {"id": f"p{number:025d}", "user_id": own["id"], "assignment_id": None, "idempotency_key": None}
            counted = {"id": f"a{number:025d}", "user_id": own["id"], "assignment_id": second, "idempotency_key": None}
            for row in ({**practice, "attempt": 8}, {**counted, "attempt": 9}):
                connection.execute(insert(old["submissions"]).values({**template, **row}))
    upgrade(empty_url)
    found = {row["id"]: row["course_id"] for row in rows(engine)["submissions"]}
    assert [found[f"p{number:025d}"] for number in sent] == [first, None, None, None]
    assert [found[f"a{number:025d}"] for number in sent] == [second] * len(sent)


@pytest.mark.parametrize(
    ("lines", "verdict", "is_solved"), [(1, "passed", True), (3, "passed", False), (1, "failed", False)]
)
def test_hunts_that_were_solved_are_known_to_be(
    empty_url: str, engine: Engine, lines: int, verdict: str, is_solved: bool
):
    upgrade(empty_url, "0009")
    fill(engine)
    old = tables(engine).tables
    with engine.begin() as connection:
        connection.execute(update(old["fixes"]).values(lines=lines))
        connection.execute(update(old["hunts"]).values(lines_max=2))
        connection.execute(update(old["submissions"]).values(verdict=verdict))
    upgrade(empty_url)
    assert [hunt["solved_at"] is not None for hunt in rows(engine)["hunts"]] == [is_solved] * 2


def test_old_tokens_get_an_end_and_old_accounts_keep_their_names(empty_url: str, engine: Engine):
    """Two names that would not be taken beside each other today stay; a third like them is refused."""
    upgrade(empty_url, "0009")
    fill(engine)
    old = tables(engine).tables
    with engine.begin() as connection:
        connection.execute(update(old["tokens"]).values(expires_at=None))
        for number, name in ((1, "Ada"), (2, "ada")):
            connection.execute(
                update(old["users"]).where(old["users"].c.id == f"{number:026d}").values(name=name, role="student")
            )
        connection.execute(insert(old["users"]).values(**{**rows(engine)["users"][0], **UNUSED}))
    upgrade(empty_url)
    database = Database(empty_url)
    with database.read() as session:
        lives = [(token.expires_at - now()).days for token in session.scalars(select(Token))]
        used = dict(session.execute(select(User.name, User.first_used_at.is_not(None))).all())
    assert lives == [364, 364]
    assert used == {"Ada": True, "ada": True, "carol": False}
    with pytest.raises(Conflict):
        accounts.create_user(database, "ADA")
    database.close()


def test_assignments_go_on_drawing_their_questions_as_they_did(empty_url: str, engine: Engine):
    upgrade(empty_url, "0009")
    fill(engine)
    upgrade(empty_url)
    assert [row["draws_apart"] for row in rows(engine)["assignments"]] == [False, False]


def test_a_course_keeps_what_it_has_seen_of_its_people_and_the_log_knows_the_command_line(
    empty_url: str, engine: Engine
):
    upgrade(empty_url, "0012")
    fill(engine)
    old = tables(engine).tables
    with engine.begin() as connection:
        connection.execute(update(old["audit"]).where(old["audit"].c.id == f"{1:026d}").values(actor="console"))
    upgrade(empty_url)
    people = {row["id"]: (row["full_name"], row["email"]) for row in rows(engine)["users"]}
    enrolled = {row["user_id"]: (row["full_name"], row["email"]) for row in rows(engine)["enrollments"]}
    assert all(full_name and email for full_name, email in people.values())
    assert enrolled == people
    assert {row["id"]: row["actor_kind"] for row in rows(engine)["audit"]} == {
        f"{1:026d}": "command line",
        f"{2:026d}": "account",
    }
