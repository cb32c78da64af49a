"""What everything stands on: the database, settings, accounts."""

import fcntl
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import func, make_url, select, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.accounts import service as accounts
from app.database import Database
from app.environment import SettingsError, refuse_unknown
from app.identifiers import is_id, new_id
from app.models import Enrollment, Role, Token, User
from app.problems import Conflict, NotFound, Unprocessable
from app.settings import ApiSettings, RecorderSettings, known_names
from tests.app.databases import Databases

ROOT = Path(__file__).parents[2]


pytestmark = pytest.mark.on_both_databases


@pytest.fixture
def url(database_url: str) -> str:
    return database_url


def test_sqlite_is_told_how_to_be_safe(sqlite_databases: Databases):
    with sqlite_databases.migrated() as url:
        database = Database(url)
        with database.read() as session:
            assert session.scalar(text("PRAGMA journal_mode")) == "wal"
            assert session.scalar(text("PRAGMA foreign_keys")) == 1
            assert session.scalar(text("PRAGMA busy_timeout")) == 10_000
        database.close()


def test_a_row_cannot_refer_to_nothing(url: str):
    database = Database(url)
    with pytest.raises(IntegrityError), database.write() as session:
        session.add(Enrollment(course_id="none", user_id="none", role=Role.STUDENT))
    database.close()


def test_a_reader_sees_one_state_and_changes_nothing(url: str):
    database = Database(url)
    with database.read() as session:
        before = accounts_in(session)
        accounts.create_user(database, "ada")
        assert accounts_in(session) == before == 0
    with database.read() as session:
        assert accounts_in(session) == 1
    database.close()


def accounts_in(session: Session) -> int:
    return session.scalar(select(func.count()).select_from(User)) or 0


def test_moments_come_back_as_they_went_in(url: str):
    database = Database(url)
    elsewhere = datetime(2026, 1, 1, 12, tzinfo=timezone(timedelta(hours=9)))
    with database.write() as session:
        session.add(User(name="ada", role=Role.STUDENT, created_at=elsewhere))
    with database.read() as session:
        (found,) = session.scalars(select(User.created_at))
    assert (found, found.tzinfo) == (elsewhere, UTC)
    database.close()


def test_a_nul_in_a_text_is_no_trouble(url: str):
    database = Database(url)
    with database.write() as session:
        session.add(User(name="ada", full_name="A\0L", role=Role.STUDENT))
        assert session.scalar(select(User).where(User.name == "a\0da")) is None
    with database.read() as session:
        assert session.scalar(select(User.full_name)) in ("A\0L", "A\N{REPLACEMENT CHARACTER}L")
    database.close()


def test_writers_wait_for_each_other(url: str):
    database = Database(url)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: accounts.create_user(database, f"student-{number}"), range(40)))
    assert len(accounts.list_users(database)) == 40
    database.close()


def test_writers_of_other_processes_are_waited_for_in_turn(sqlite_databases: Databases):
    with sqlite_databases.migrated() as url, turn_of(url).open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        database = Database(url)
        with ThreadPoolExecutor(1) as pool:
            written = pool.submit(accounts.create_user, database, "ada")
            with pytest.raises(TimeoutError):
                written.result(0.3)
            fcntl.flock(held, fcntl.LOCK_UN)
            written.result(5)
        database.close()


def test_who_never_gives_its_turn_back_stops_nobody_for_good(
    sqlite_databases: Databases, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("app.database.LOCK_TIMEOUT_S", 0.2)
    with sqlite_databases.migrated() as url, turn_of(url).open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        database = Database(url)
        accounts.create_user(database, "ada")
        assert [user.name for user in accounts.list_users(database)] == ["ada"]
        database.close()


def turn_of(url: str) -> Path:
    """What writers lock before they ask SQLite."""
    return Path(f"{make_url(url).database}-turn")


def test_the_first_run_makes_people_once(url: str):
    first = accounts.bootstrap(url)
    assert first is not None
    assert accounts.bootstrap(url) is None
    database = Database(url)
    roles = {token: accounts.sign_in(database, token) for token in (first.student_token, first.instructor_token)}
    assert [found.user.role for found in roles.values() if found] == [Role.STUDENT, Role.INSTRUCTOR]
    database.close()


def test_a_token_is_kept_only_as_a_digest(url: str):
    database = Database(url)
    accounts.create_user(database, "ada")
    token = accounts.issue_token(database, "ada", "laptop")
    assert re.fullmatch(r"assay_[A-Za-z0-9_-]{32,}", token)
    with database.read() as session:
        stored = session.scalars(select(Token)).one()
    assert token not in vars(stored).values()
    assert accounts.sign_in(database, token) is not None
    for other in ("", "assay_", token[:-1], token + "x", token.upper(), "assay_" + "x" * 10_000, stored.sha256):
        assert accounts.sign_in(database, other) is None
    database.close()


def test_accounts_refuse_what_cannot_be(url: str):
    database = Database(url)
    accounts.create_user(database, "Ada Lovelace", Role.INSTRUCTOR, "cs336")
    with pytest.raises(Conflict):
        accounts.create_user(database, "Ada Lovelace")
    for name in ("", " ", "a\nb", "x" * 101, "\x00"):
        with pytest.raises(Unprocessable):
            accounts.create_user(database, name)
    with pytest.raises(Unprocessable):
        accounts.create_user(database, "Grace Hopper", Role.INSTRUCTOR, "Not A Slug")
    with pytest.raises(NotFound):
        accounts.issue_token(database, "nobody")
    with pytest.raises(NotFound):
        accounts.enroll(database, "Ada Lovelace", "nowhere")
    database.close()


def test_identifiers_sort_by_time():
    ids = [new_id() for _ in range(50)]
    assert len(set(ids)) == 50
    assert all(is_id(each) for each in ids)
    assert ids[0][:8] <= ids[-1][:8]
    assert not is_id("i" * 26)
    assert not is_id("0" * 25)


def test_a_misspelt_variable_stops_the_process(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ASSAY_DATABSE_URL", "x")
    with pytest.raises(SettingsError, match=r"ASSAY_DATABSE_URL is not a setting of Assay.*docs/settings\.md"):
        ApiSettings.from_environment()


def test_a_missing_or_weak_value_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ASSAY_SECRET_KEY", "weak")
    with pytest.raises(SettingsError, match=r"ASSAY_DATABASE_URL.*ASSAY_REDIS_URL.*ASSAY_SECRET_KEY"):
        ApiSettings.from_environment()


def test_settings_come_from_the_environment_and_stay(monkeypatch: pytest.MonkeyPatch):
    for name, value in {"DATABASE_URL": "sqlite://", "REDIS_URL": "redis://h", "SECRET_KEY": "s" * 32}.items():
        monkeypatch.setenv(f"ASSAY_{name}", value)
    settings = ApiSettings.from_environment()
    assert settings.redis_url == RecorderSettings.from_environment().redis_url == "redis://h"
    assert "s" * 32 not in repr(settings)
    with pytest.raises(ValueError, match="frozen"):
        settings.redis_url = "other"  # type: ignore[misc]


def test_secrets_come_from_files_too_and_the_environment_goes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    files = {"database_url": "sqlite://", "redis_url": "redis://file", "secret_key": "s" * 32, "worker_redis_url": "x"}
    for name, value in files.items():
        (tmp_path / f"assay_{name}").write_text(f"{value}\n")
    monkeypatch.setattr("app.environment.SECRETS", tmp_path)
    assert ApiSettings.from_environment().redis_url == RecorderSettings.from_environment().redis_url == "redis://file"
    monkeypatch.setenv("ASSAY_REDIS_URL", "redis://environment")
    assert ApiSettings.from_environment().redis_url == "redis://environment"
    monkeypatch.setattr("app.environment.SECRETS", tmp_path / "nowhere")
    with pytest.raises(SettingsError, match="ASSAY_SECRET_KEY"):
        ApiSettings.from_environment()


def test_the_variables_of_other_programs_are_let_through():
    refuse_unknown(
        ["PATH", "ASSAY_WORKER_X", "ASSAY_RUNNER_SOCKET", "ASSAY_SERVER", "ASSAY_TOKEN", *known_names()], known_names()
    )


def test_every_setting_is_documented_and_nothing_else():
    document = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    ours = document.partition("<!-- app -->")[2].partition("<!-- /app -->")[0]
    assert set(re.findall(r"`(ASSAY_[A-Z_]+)`", ours)) == known_names()
    for settings in (ApiSettings, RecorderSettings):
        for field in settings.model_fields.values():
            assert field.description


def test_importing_the_recorder_and_the_front_end_never_loads_torch():
    script = "import sys, app.main, app.recorder; assert not {'torch', 'numpy', 'worker'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)


LOGGING_PROGRAM = """
import structlog
from assay import logs
token = "".join(("assay_", "very", "secret"))
logs.configure(as_json={as_json})
try:
    raise ValueError(len(token))
except ValueError as error:
    structlog.get_logger().error("it_failed", exc_info=error)
"""


@pytest.mark.parametrize("as_json", [True, False])
def test_a_logged_exception_shows_no_local_variables(as_json: bool):
    program = LOGGING_PROGRAM.format(as_json=as_json)
    told = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True).stderr
    assert "ValueError" in told
    assert "assay_verysecret" not in told
