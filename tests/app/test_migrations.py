"""The schema is brought up from every earlier revision without losing a row, by however many processes at once."""

import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
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
READ: dict[tuple[str, str | None], MetaData] = {}


def at(revision: str) -> pytest.MarkDecorator:
    """The schema that a test's database has to begin with."""
    return pytest.mark.parametrize("revision", [revision])


@pytest.fixture
def url(databases: Databases, revision: str) -> Iterator[str]:
    with databases.migrated(revision) as url:
        yield url


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    engine = create_engine(url)
    yield engine
    engine.dispose()


def reflected(engine: Engine) -> MetaData:
    metadata = MetaData()
    metadata.reflect(engine)
    metadata.remove(metadata.tables["alembic_version"])
    return metadata


def tables(engine: Engine) -> MetaData:
    """All databases of one kind and revision have the same: they are read once."""
    with engine.connect() as connection:
        schema = engine.dialect.name, MigrationContext.configure(connection).get_current_revision()
    if schema not in READ:
        READ[schema] = reflected(engine)
    return READ[schema]


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
def test_no_row_is_lost_on_the_way_up(url: str, engine: Engine):
    fill(engine)
    before = rows(engine)
    assert before
    assert all(len(each) == 2 for each in before.values())
    upgrade(url)
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
    assert accounts.sign_in(database, first.student_token) is not None
    database.close()


UPGRADE = """
import sys
from app.database import upgrade
print("ready", flush=True)
sys.stdin.read()
upgrade(sys.argv[1])
"""


def test_many_processes_may_upgrade_at_the_same_moment(databases: Databases):
    with databases.empty() as url:
        command = [sys.executable, "-c", UPGRADE, url]
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
        engine = create_engine(url)
        assert set(reflected(engine).tables) == set(Base.metadata.tables)
        engine.dispose()


@at("0003")
def test_old_reports_are_read_for_the_figures(url: str, engine: Engine):
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
    upgrade(url)
    found = rows(engine)
    assert [(part["kind"], part["name"], part["passed"], part["total"]) for part in found["graded_parts"]] == [
        ("family", "heads", 0, 1)
    ]
    assert [row["line"] for row in found["diagnoses"]] == [9, None]


QUEUED_AT, LATER = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC)
FAULT = "SandboxUnavailable: no runner"
SENT = {"queued_at": QUEUED_AT}
AGAIN = {"requeues": 2, "requeue_at": LATER, "fault": FAULT}
TAKEN = {"started_at": LATER, "worker": "here"}
# What was there before there were jobs, and the state of the job that it becomes.
SUBMISSIONS: Any = {
    "s-waiting": ("waiting", {"state": "queued"}),
    "s-again": ("waiting", {"state": "queued", **AGAIN}),
    "s-sent": ("dispatched", {"state": "queued", **SENT}),
    "s-running": ("running", {"state": "running", **SENT, **TAKEN}),
    "s-graded": ("done", {"state": "graded", **SENT, **TAKEN}),
    "s-cancelled": ("withdrawn", {"state": "cancelled"}),
    "s-given-up": ("given_up", {"state": "cancelled", **AGAIN}),
    "s-superseded": ("withdrawn", {"state": "superseded", **SENT}),
}
REGRADED: Any = {
    ("r-open", "s-waiting"): ("waiting", {}),
    ("r-open", "s-again"): ("waiting", {**AGAIN, "fault": None}),
    ("r-open", "s-sent"): ("dispatched", SENT),
    ("r-open", "s-graded"): ("done", {**SENT, "body": "{}"}),
    ("r-open", "s-given-up"): ("given_up", AGAIN),
    ("r-complete", "s-graded"): ("done", {"body": "{}"}),
    ("r-dropped", "s-graded"): ("withdrawn", SENT),
}
STAGES: Any = {
    "s-waiting": ("waiting", {"state": "waiting"}),
    "s-again": ("waiting", {"state": "waiting", **AGAIN}),
    "s-sent": ("dispatched", {"state": "waiting", **SENT}),
    "s-running": ("running", {"state": "running", **SENT, **TAKEN}),
    "s-graded": ("done", {"state": "failed", **SENT, **TAKEN}),
    "s-given-up": ("given_up", {"state": "not_run", **AGAIN}),
    "s-cancelled": (None, {"state": "not_run"}),
}


@at("0018")
def test_jobs_in_every_state_go_on(url: str, engine: Engine):
    fill_with_work(engine)
    upgrade(url)
    found = rows(engine)
    jobs = {row["id"]: row for row in found["jobs"]}
    holders = {
        "submission": {(row["id"],): row["id"] for row in found["submissions"]},
        "regrade": {(row["regrade_id"], row["submission_id"]): row["job_id"] for row in found["regraded_submissions"]},
        "gpu": {(row["submission_id"],): row["job_id"] for row in found["gpu_stages"]},
        "check": {(row["submission_id"], row["question"]): row["job_id"] for row in found["answers"]},
    }
    expected = {
        "submission": {(name,): known for name, known in SUBMISSIONS.items()},
        "regrade": REGRADED,
        "gpu": {(name,): known for name, known in STAGES.items()},
        "check": {("s-graded", "line"): ("waiting", {}), ("s-graded", "text"): (None, {})},
    }
    lists = {
        "submission": ("grade.cpu", 0),
        "regrade": ("grade.cpu", 9),
        "gpu": ("grade.gpu", 0),
        "check": ("grade.check", 0),
    }
    for kind, each in expected.items():
        assert holders[kind].keys() == each.keys()
        for key, (state, known) in each.items():
            job = jobs.pop(holders[kind][key], None)
            if state is None:
                assert job is None, (kind, key)
                continue
            assert job is not None, (kind, key)
            assert (job["kind"], job["queue"], job["priority"]) == (kind, *lists[kind])
            assert (job["state"], job["submission_id"], job["tries"]) == (
                state,
                key[-1 if kind == "regrade" else 0],
                known.get("requeues", 0),
            ), (kind, key)
            for old, new in (
                ("queued_at", "dispatched_at"),
                ("started_at", "started_at"),
                ("requeue_at", "not_before"),
            ):
                assert same_moment(job[new], known.get(old)), (kind, key, new)
            assert (job["worker"], job["fault"]) == (known.get("worker"), known.get("fault")), (kind, key)
    assert jobs == {}
    assert {row["id"]: row["state"] for row in found["regrades"]} == {
        "r-open": "grading",
        "r-complete": "ready",
        "r-dropped": "dropped",
    }


def same_moment(found: datetime | None, expected: datetime | None) -> bool:
    """SQLite forgets the zone."""
    return (found.replace(tzinfo=found.tzinfo or UTC) if found else None) == expected


def fill_with_work(engine: Engine) -> None:
    old = tables(engine).tables

    def add(table: str, **known: Any) -> None:
        row = {column.name: None if column.nullable else value(column, 1) for column in old[table].columns}
        connection.execute(insert(old[table]).values(row | known))

    with engine.begin() as connection:
        add("users", id="u")
        add("courses", id="c")
        add("assignments", id="a", course_id="c")
        for number, (name, (_, known)) in enumerate(SUBMISSIONS.items()):
            add("submissions", **{"id": name, "user_id": "u", "attempt": number, "requeues": 0, **known})
        for name, state in (("r-open", "grading"), ("r-complete", "grading"), ("r-dropped", "dropped")):
            add("regrades", id=name, assignment_id="a", state=state)
        for (regrade, name), (_, known) in REGRADED.items():
            add("regraded_submissions", **{"regrade_id": regrade, "submission_id": name, "requeues": 0, **known})
        for name, (_, known) in STAGES.items():
            add("gpu_stages", **{"submission_id": name, "requeues": 0, **known})
        for name, check_from in (("line", QUEUED_AT), ("text", None)):
            add("answers", id=name, submission_id="s-graded", question=name, check_from=check_from)


@at("0005")
def test_who_has_answered_questions_keeps_their_numbers(url: str, engine: Engine):
    fill(engine)
    upgrade(url)
    assert [row["question_seed"] for row in rows(engine)["users"]] == [f"{1:026d}", f"{2:026d}"]


@at("0009")
def test_what_was_practised_goes_to_a_course_only_where_there_is_no_doubt(url: str, engine: Engine):
    """One person in one course, one in two, one in a course that is younger than what they sent, one in none."""
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
    upgrade(url)
    found = {row["id"]: row["course_id"] for row in rows(engine)["submissions"]}
    assert [found[f"p{number:025d}"] for number in sent] == [first, None, None, None]
    assert [found[f"a{number:025d}"] for number in sent] == [second] * len(sent)


@at("0009")
@pytest.mark.parametrize(
    ("lines", "verdict", "is_solved"), [(1, "passed", True), (3, "passed", False), (1, "failed", False)]
)
def test_hunts_that_were_solved_are_known_to_be(url: str, engine: Engine, lines: int, verdict: str, is_solved: bool):
    fill(engine)
    old = tables(engine).tables
    with engine.begin() as connection:
        connection.execute(update(old["fixes"]).values(lines=lines))
        connection.execute(update(old["hunts"]).values(lines_max=2))
        connection.execute(update(old["submissions"]).values(verdict=verdict))
    upgrade(url)
    assert [hunt["solved_at"] is not None for hunt in rows(engine)["hunts"]] == [is_solved] * 2


@at("0009")
def test_old_tokens_get_an_end_and_old_accounts_keep_their_names(url: str, engine: Engine):
    """Two names that would not be taken beside each other today stay; a third like them is refused."""
    fill(engine)
    old = tables(engine).tables
    with engine.begin() as connection:
        connection.execute(update(old["tokens"]).values(expires_at=None))
        for number, name in ((1, "Ada"), (2, "ada")):
            connection.execute(
                update(old["users"]).where(old["users"].c.id == f"{number:026d}").values(name=name, role="student")
            )
        connection.execute(insert(old["users"]).values(**{**rows(engine)["users"][0], **UNUSED}))
    upgrade(url)
    database = Database(url)
    with database.read() as session:
        lives = [(token.expires_at - now()).days for token in session.scalars(select(Token))]
        used = dict(session.execute(select(User.name, User.first_used_at.is_not(None))).all())
    assert lives == [364, 364]
    assert used == {"Ada": True, "ada": True, "carol": False}
    with pytest.raises(Conflict):
        accounts.create_user(database, "ADA")
    database.close()


@at("0009")
def test_assignments_go_on_drawing_their_questions_as_they_did(url: str, engine: Engine):
    fill(engine)
    upgrade(url)
    assert [row["draws_apart"] for row in rows(engine)["assignments"]] == [False, False]


@at("0012")
def test_a_course_keeps_what_it_has_seen_of_its_people_and_the_log_knows_the_command_line(url: str, engine: Engine):
    fill(engine)
    old = tables(engine).tables
    with engine.begin() as connection:
        connection.execute(update(old["audit"]).where(old["audit"].c.id == f"{1:026d}").values(actor="console"))
    upgrade(url)
    people = {row["id"]: (row["full_name"], row["email"]) for row in rows(engine)["users"]}
    enrolled = {row["user_id"]: (row["full_name"], row["email"]) for row in rows(engine)["enrollments"]}
    assert all(full_name and email for full_name, email in people.values())
    assert enrolled == people
    assert {row["id"]: row["actor_kind"] for row in rows(engine)["audit"]} == {
        f"{1:026d}": "command line",
        f"{2:026d}": "account",
    }
