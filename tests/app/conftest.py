"""A migrated database copied for each test, one redis-server for the session, one real server for each test."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.challenges import service
from app.challenges.entry import entry_of
from app.settings import ApiSettings
from assay import logs
from assay.redis_accounts import API
from grader.challenge import DEFAULT_ROOT, load_challenges
from tests.app.databases import Databases, PostgresqlDatabases, SqliteFiles
from tests.app.redis_process import RedisProcess, running_redis
from tests.app.school import School, serve
from tests.not_run import NOT_RUN, note
from tests.postgresql_process import PostgresqlProcess, find_programs, temporary_postgresql

QUESTIONS = """
[[questions]]
id = "heads"
kind = "number"
points = 1
prompt = "How wide is a head of {heads} when d_model is {wide}?"
params = { heads = [2, 4, 8, 16], wide = [64, 128, 256, 512] }
answer = "wide / heads"
tolerance = { absolute = 0.01 }
nudge = "Divide."
explanation = "The heads share d_model."

[[questions]]
id = "why"
kind = "text"
points = 1
prompt = "Why not V?"
rubric = [{ concept = "positions belong to scores", points = 1 }]
"""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """What is marked `on_both_databases` runs on both; everything else on SQLite, to save time."""
    if "database_kind" in metafunc.fixturenames and metafunc.definition.get_closest_marker("on_both_databases"):
        metafunc.parametrize("database_kind", ["sqlite", "postgresql"], indirect=True, scope="session")


@pytest.fixture(scope="session", autouse=True)
def _logging() -> None:
    logs.configure()


@pytest.fixture(scope="session")
def challenges_root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """mha-rope with two small questions of our own, so that these tests do not depend on the bank's content. No test
    changes it: all schools share what is read of it.
    """
    root = with_questions(tmp_path_factory.mktemp("challenges"), QUESTIONS)
    read = load_challenges(root)
    entries = {slug: entry_of(challenge) for slug, challenge in read.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service, "load_challenges", lambda asked: read if asked == root else load_challenges(asked))
        patch.setattr(service, "entry_of", lambda one: entries[one.slug] if one in read.values() else entry_of(one))
        yield root


@pytest.fixture(scope="session")
def database_kind(request: pytest.FixtureRequest) -> str:
    """`make test-postgresql` has everything run on PostgreSQL."""
    return str(getattr(request, "param", os.environ.get("TEST_DATABASE", "sqlite")))


@pytest.fixture(scope="session")
def databases(database_kind: str, request: pytest.FixtureRequest) -> Databases:
    found: Databases = request.getfixturevalue(f"{database_kind}_databases")
    return found


@pytest.fixture(autouse=True)
def _on_the_database_that_was_asked_for(request: pytest.FixtureRequest) -> None:
    """A fixture that was kept from a test before must not answer for another database."""
    if "databases" in request.fixturenames:
        asked, found = request.getfixturevalue("database_kind"), request.getfixturevalue("databases")
        assert isinstance(found, {"sqlite": SqliteFiles, "postgresql": PostgresqlDatabases}[asked])


@pytest.fixture(scope="session")
def sqlite_databases(tmp_path_factory: pytest.TempPathFactory) -> Databases:
    return SqliteFiles(tmp_path_factory.mktemp("databases"))


@pytest.fixture(scope="session")
def postgresql_databases(postgresql: PostgresqlProcess) -> Databases:
    return PostgresqlDatabases(postgresql)


@pytest.fixture(scope="session")
def postgresql(request: pytest.FixtureRequest) -> Iterator[PostgresqlProcess]:
    programs = find_programs()
    if programs is None:
        note(request.config, "database postgresql", f"{NOT_RUN}it is not installed; scripts/postgresql does that")
        pytest.skip("PostgreSQL is not installed")
    with temporary_postgresql(programs) as process:
        note(request.config, "database postgresql", process.version)
        yield process


@pytest.fixture
def database_url(databases: Databases) -> Iterator[str]:
    """A database of this test's own."""
    with databases.migrated() as url:
        yield url


@pytest.fixture(scope="session")
def session_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    with running_redis(tmp_path_factory.mktemp("redis")) as process:
        yield process


@pytest.fixture
def redis(session_redis: RedisProcess) -> RedisProcess:
    with session_redis.client() as client:
        client.flushall()
    return session_redis


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[RedisProcess]:
    """One that the test may kill."""
    with running_redis(tmp_path) as process:
        yield process


@pytest.fixture
def settings(database_url: str, challenges_root: Path, redis: RedisProcess) -> ApiSettings:
    return api_settings(database_url, challenges_root, redis)


@pytest.fixture
def school(settings: ApiSettings, redis: RedisProcess) -> Iterator[School]:
    yield from open_school(settings, redis)


@pytest.fixture(scope="module")
def module_redis(session_redis: RedisProcess) -> RedisProcess:
    """Empty when a module begins: what the one before sent in the last minute is not counted against it."""
    with session_redis.client() as client:
        client.flushall()
    return session_redis


@pytest.fixture(scope="module")
def shared_school(databases: Databases, challenges_root: Path, module_redis: RedisProcess) -> Iterator[School]:
    """One for all tests of a module, where they do not get into each other's way."""
    with databases.migrated() as url:
        yield from open_school(api_settings(url, challenges_root, module_redis), module_redis)


@pytest.fixture
def fragile_school(database_url: str, challenges_root: Path, own_redis: RedisProcess) -> Iterator[School]:
    """A school whose Redis may be killed."""
    yield from open_school(api_settings(database_url, challenges_root, own_redis), own_redis)


def with_questions(root: Path, questions: str) -> Path:
    """Puts mha-rope there, with these questions in place of its own."""
    shutil.copytree(DEFAULT_ROOT / "mha-rope", root / "mha-rope")
    (root / "mha-rope" / "questions.toml").write_text(questions, encoding="utf-8")
    return root


def api_settings(database_url: str, challenges_root: Path, redis: RedisProcess) -> ApiSettings:
    return ApiSettings(
        database_url=database_url,
        redis_url=redis.url_of(API),
        secret_key="s" * 40,
        challenges_root=challenges_root,
        heartbeat_s=0.5,
    )


def open_school(settings: ApiSettings, redis: RedisProcess) -> Iterator[School]:
    """ada and bob learn, grace teaches them, root runs the place."""
    school = School(settings, redis)
    school.add_people()
    with serve(settings) as school.url:
        yield school
        school.close()
