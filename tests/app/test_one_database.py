"""Which database the operator's commands work on: never another than the service's, and one that others cannot read."""

import os
import stat
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from tests.app.databases import Databases
from tests.assay.conftest import Assay, invoke_assay
from tests.patience import PATIENCE_S, wait_until
from tests.postgresql_process import PASSWORD, PostgresqlProcess

LEFT = b"of an earlier service"


@pytest.fixture
def assay(tmp_path: Path) -> Assay:
    return partial(invoke_assay, tmp_path)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_folder_knows_the_database_of_its_service_and_others_read_nothing_in_it(
    postgresql: PostgresqlProcess, postgresql_databases: Databases, assay: Assay, tmp_path: Path
) -> None:
    """A folder that is open to others, with a log and a database that they may read."""
    data = tmp_path / "data"
    (data / "logs").mkdir(parents=True)
    (data / "assay.db").write_bytes(LEFT)
    for path, was in ((data, 0o755), (data / "logs", 0o755), (data / "assay.db", 0o644)):
        path.chmod(was)
    with postgresql_databases.empty() as socket_url:
        name = socket_url.partition("?")[0].rpartition("/")[2]
        url = postgresql.url(name, over_tcp=True)
        command = [sys.executable, "-P", "-m", "assay", "up", "--port", "0", "--data-dir", str(data)]
        told = {**os.environ, "ASSAY_DATABASE_URL": url}
        up = subprocess.Popen(command, env=told, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            wait_until((data / "tokens.json").exists)  # its database is made, and its processes start
            added = assay("user", "--data-dir", data, "add", "zoe")
            assert added.returncode == 0, added.stderr
            there = assay("user", "--database-url", url, "list").stdout
            assert set(there.split()[::2]) == {"instructor", "student", "zoe"}
            assert assay("user", "--data-dir", data, "list", ASSAY_DATABASE_URL=url).stdout == there
            other = assay("user", "--data-dir", data, "--database-url", f"sqlite:///{tmp_path / 'other.db'}", "list")
            assert (other.returncode, PASSWORD in other.stderr) == (2, False)
            assert f"/{name}, and --database-url" in other.stderr
        finally:
            up.terminate()
            said, _ = up.communicate(timeout=PATIENCE_S)
    assert f"Its database is postgresql+psycopg://assay:***@127.0.0.1:{postgresql.port}/{name}." in said
    assert PASSWORD not in said
    assert f"Other users of this machine could read {data / 'assay.db'}" in said
    assert (data / "assay.db").read_bytes() == LEFT
    assert mode(data) == 0o755
    assert [mode(data / folder) for folder in ("logs", "redis")] == [0o700] * 2
    assert [mode(data / file) for file in ("assay.db", "database-url")] == [0o600] * 2


def test_two_databases_at_once_are_refused_with_a_sentence(assay: Assay, tmp_path: Path) -> None:
    other = f"sqlite:///{tmp_path / 'other.db'}"
    for command, *rest in (("user",), ("course",), ("regrade", "cs336", "attention")):
        done = assay(command, "--data-dir", tmp_path / "data", "--database-url", other, "list", *rest)
        assert (done.returncode, done.stdout) == (2, "")
        assert "Give one of the two" in done.stderr
    assert assay("migrate", "--data-dir", tmp_path / "data", ASSAY_DATABASE_URL=other).returncode == 2
    assert not list(tmp_path.glob("*.db")) + list(tmp_path.glob("data/*.db"))


def test_a_database_that_is_not_there_is_told_and_not_remembered(assay: Assay, tmp_path: Path) -> None:
    up = ("up", "--data-dir", tmp_path / "data", "--port", "0", "--database-url")
    for url, why in (
        ("postgresql+psycopg://assay:hidden@127.0.0.1:1/assay", "The database cannot be reached"),
        (f"sqlite:///{tmp_path / 'other.db'}", "SQLite is kept in --data-dir"),
    ):
        done = assay(*up, url)
        assert done.returncode in (1, 2)
        assert why in done.stderr
        assert "hidden" not in done.stderr + done.stdout
    assert not (tmp_path / "data" / "database-url").exists()


def test_a_new_database_in_a_folder_that_is_open_to_others_is_the_owners(assay: Assay, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    data.chmod(0o755)
    assert assay("user", "--data-dir", data, "add", "ada").returncode == 0
    assert assay("backup", tmp_path / "kept", "--data-dir", data).returncode == 0
    (tmp_path / "new").mkdir()
    assert assay("restore", tmp_path / "kept", "--replace", "--data-dir", tmp_path / "new").returncode == 0
    made = [*data.glob("assay.db*"), *(tmp_path / "new").glob("assay.db*")]
    assert {path.name for path in made} >= {"assay.db", "assay.db-turn"}
    assert {path.name: mode(path) for path in made if mode(path) != 0o600} == {}
