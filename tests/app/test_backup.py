"""A backup is one state of the database whoever writes meanwhile, and a restore replaces nothing unasked."""

import shutil
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import func, select, text

from app.accounts import service as accounts
from app.backup.errors import BackupError
from app.backup.service import back_up, restore
from app.database import Database
from app.models import Role, SubmissionFile, Token, User, now
from assay.cli import cli
from assay.datadir import DataDir
from tests.app.databases import Databases
from tests.app.school import School
from tests.postgresql_process import PASSWORD, PostgresqlProcess

pytestmark = pytest.mark.on_both_databases


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    return tmp_path / "assay.backup"


@pytest.fixture
def empty_url(databases: Databases) -> Iterator[str]:
    with databases.empty() as url:
        yield url


@contextmanager
def opened(url: str) -> Iterator[Database]:
    database = Database(url)
    yield database
    database.close()


def names(url: str) -> set[str]:
    with opened(url) as database:
        return {user.name for user in accounts.list_users(database)}


def test_what_comes_back_is_what_was_there(school: School, empty_url: str, backup: Path):
    sent = school.submit(source=b"\xff\x00 not text")
    school.grade(sent["id"])
    before = school.client("ada").get(f"/submissions/{sent['id']}").json()
    back_up(school.api_settings.database_url, backup)
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    school.submit()
    restore(empty_url, backup)
    restore(school.api_settings.database_url, backup, replace=True)
    assert names(empty_url) == {"ada", "bob", "grace", "root"}
    assert school.client("ada").get(f"/submissions/{sent['id']}").json() == before
    assert school.submit()["attempt"] == 2
    with school.database.read() as session:
        assert b"\xff\x00 not text" in session.scalars(select(SubmissionFile.content)).all()


def test_a_backup_is_one_state_while_many_write(database_url: str, databases: Databases, tmp_path: Path):
    """Everybody gets two tokens in one transaction: half a transaction would show."""
    stop = threading.Event()
    done: list[str] = []

    def write(writer: int, database: Database) -> None:
        number = 0
        while not stop.is_set():
            number += 1
            with database.write() as session:
                user = User(name=f"{writer}-{number}", role=Role.STUDENT)
                session.add(user)
                session.flush()
                session.add_all(
                    Token(user_id=user.id, sha256=f"{user.name}/{part}", expires_at=now()) for part in (1, 2)
                )
            done.append(user.name)

    with opened(database_url) as database:
        writers = [threading.Thread(target=write, args=[number, database]) for number in range(3)]
        for writer in writers:
            writer.start()
        try:
            for number in range(2):
                before = set(done)
                back_up(database_url, tmp_path / str(number))
                with databases.empty() as copy, opened(copy) as restored:
                    restore(copy, tmp_path / str(number))
                    with restored.read() as session:
                        tokens = select(func.count()).where(Token.user_id == User.id).scalar_subquery()
                        found = dict(session.execute(select(User.name, tokens)).all())
                assert set(found.values()) <= {2}
                assert before <= set(found)
        finally:
            stop.set()
            for writer in writers:
                writer.join()
    assert len(done) > len(before) > 0


def test_a_database_that_holds_something_is_replaced_only_when_told(
    database_url: str, databases: Databases, backup: Path
):
    with opened(database_url) as database:
        accounts.create_user(database, "ada")
    back_up(database_url, backup)
    with databases.migrated() as other:
        with opened(other) as database:
            accounts.create_user(database, "eve")
        with pytest.raises(BackupError, match=r"not empty.*--replace"):
            restore(other, backup)
        assert names(other) == {"eve"}
        restore(other, backup, replace=True)
        assert names(other) == {"ada"}


def test_a_backup_of_an_earlier_schema_is_brought_up(empty_url: str, databases: Databases, backup: Path):
    with databases.migrated("0001") as earlier:
        back_up(earlier, backup)
    restore(empty_url, backup)
    with opened(empty_url) as database:
        accounts.create_user(database, "ada")
        assert database.is_reachable()


def test_a_backup_of_a_later_schema_is_refused(database_url: str, empty_url: str, backup: Path):
    with opened(database_url) as database, database.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    back_up(database_url, backup)
    with pytest.raises(BackupError, match=r"9999.*newer version of Assay"):
        restore(empty_url, backup)


@pytest.mark.parametrize("kept", [0.0, 0.9])
def test_a_damaged_backup_changes_nothing(school: School, backup: Path, kept: float):
    url = school.api_settings.database_url
    for _ in range(10):
        school.submit(source=b"x = 1\n" * 5000)
    back_up(url, backup)
    whole = backup.read_bytes()
    backup.write_bytes(whole[: int(len(whole) * kept)])
    school.add("eve")
    with pytest.raises(BackupError):
        restore(url, backup, replace=True)
    assert names(url) == {"ada", "bob", "grace", "root", "eve"}


def test_a_backup_is_never_overwritten_and_never_half(database_url: str, empty_url: str, backup: Path, tmp_path: Path):
    backup.write_text("mine")
    with pytest.raises(BackupError, match="exists"):
        back_up(database_url, backup)
    assert backup.read_text() == "mine"
    with pytest.raises(BackupError, match="was not made by"):
        restore(empty_url, backup)
    with pytest.raises(BackupError, match="cannot be written"):
        back_up(database_url, tmp_path / "nowhere" / "backup")
    assert [path.name for path in tmp_path.iterdir()] == [backup.name]


def test_one_kind_of_database_is_not_restored_into_the_other(
    sqlite_databases: Databases, postgresql_databases: Databases, tmp_path: Path
):
    with sqlite_databases.migrated() as one, postgresql_databases.migrated() as other:
        for source, target in ((one, other), (other, one)):
            backup = tmp_path / str(len(source))
            back_up(source, backup)
            with pytest.raises(BackupError, match="cannot be restored into"):
                restore(target, backup)


WATCHED = """#!/bin/sh
echo "$0 $@" >>{log}
exec {program} "$@"
"""


def test_the_password_never_stands_on_a_command_line(
    postgresql: PostgresqlProcess, postgresql_databases: Databases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "bin").mkdir()
    log = tmp_path / "log"
    for name in ("pg_dump", "pg_restore", "psql"):
        script = tmp_path / "bin" / name
        script.write_text(WATCHED.format(log=log, program=shutil.which(name)))
        script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    with postgresql_databases.migrated() as url:
        by_password = postgresql.url(url.partition("?")[0].rpartition("/")[2], over_tcp=True)
        back_up(by_password, tmp_path / "backup")
        restore(by_password, tmp_path / "backup")
        with pytest.raises(BackupError) as refused:
            back_up(by_password.replace(PASSWORD, "wrong"), tmp_path / "other")
    lines = log.read_text()
    assert {"pg_dump", "pg_restore", "psql"} <= {Path(line.split()[0]).name for line in lines.splitlines()}
    assert PASSWORD not in lines
    assert "authentication failed" in str(refused.value)


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("ASSAY_DATABASE_URL", raising=False)

    def assay(*words: object) -> Result:
        return CliRunner().invoke(cli, list(map(str, words)))

    old, new, file = tmp_path / "old", tmp_path / "new", tmp_path / "backup"
    assert "No backup was made. There is no database" in assay("backup", file, "--data-dir", old).stderr
    assert assay("user", "--data-dir", old, "add", "ada").exit_code == 0
    assert assay("backup", file, "--data-dir", old).exit_code == 0
    with DataDir.at(new).locked():
        assert "already runs" in assay("restore", file, "--data-dir", new).stderr
    (new / "redis").mkdir()
    assert assay("restore", file, "--data-dir", new).stdout == "Restored.\n"
    assert not (new / "redis").exists()  # it may say of a submission that it is settled, which it no longer is
    assert assay("user", "--data-dir", new, "list").stdout == "ada\tstudent\n"
    again = assay("restore", file, "--data-dir", new)
    assert (again.exit_code, "--replace" in again.stderr) == (1, True)
    away = assay("backup", tmp_path / "away", "--database-url", "postgresql+psycopg://assay:hidden@127.0.0.1:1/assay")
    assert (away.exit_code, "hidden" in away.stderr) == (1, False)
