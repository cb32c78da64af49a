"""`assay migrate`, and where a command finds its database in a container."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from app.database import Database
from assay.cli import cli


def test_it_makes_the_schema_and_may_run_again(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'assay.db'}"
    for _ in range(2):
        done = CliRunner().invoke(cli, ["migrate", "--database-url", url])
        assert done.output == "The database has the newest schema.\n"
    database = Database(url)
    assert database.is_reachable()
    database.close()


def test_a_database_that_is_away_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_DATABASE_URL", "postgresql+psycopg://assay:secret@127.0.0.1:1/assay")
    done = CliRunner().invoke(cli, ["migrate"])
    assert done.exit_code == 1
    assert done.output.startswith("Error: The database cannot be reached: ")
    assert "secret" not in done.output


def test_what_is_no_database_is_wrong_usage() -> None:
    done = CliRunner().invoke(cli, ["migrate", "--database-url", "mysql://assay@localhost/assay"])
    assert done.exit_code == 2
    assert "it must begin with sqlite:/// or postgresql+psycopg://" in done.output


def test_in_a_container_the_database_is_that_of_the_services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.environment.SECRETS", tmp_path)
    (tmp_path / "assay_database_url").write_text(f"sqlite:///{tmp_path / 'kept.db'}\n", encoding="utf-8")
    assert CliRunner().invoke(cli, ["migrate"]).exit_code == 0
    assert (tmp_path / "kept.db").is_file()
