"""The judge's and the runner's settings: documented, and a misspelt name stops the process with a sentence."""

from pathlib import Path

import pytest
from pydantic_settings import BaseSettings

from assay.exercises.settings import VerifierSettings
from worker.process_settings import ProcessSettingsError
from worker.runner_settings import RunnerSettings
from worker.settings import WorkerSettings

DOCUMENT = (Path(__file__).parents[2] / "docs" / "settings.md").read_text()


@pytest.mark.parametrize("settings", [WorkerSettings, RunnerSettings, VerifierSettings])
def test_every_setting_is_documented_and_described(settings: type[BaseSettings]) -> None:
    prefix = settings.model_config["env_prefix"]
    for name, field in settings.model_fields.items():
        assert field.description
        assert f"`{prefix}{name.upper()}`" in DOCUMENT


def test_a_misspelt_name_of_the_judge_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_WORKER_CONCURENCY", "3")
    with pytest.raises(ProcessSettingsError, match="ASSAY_WORKER_CONCURENCY is not a setting of the worker"):
        WorkerSettings.from_environment()


def test_a_missing_setting_of_the_judge_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_WORKER_REDIS_URL", "redis://127.0.0.1:1/0")
    with pytest.raises(ProcessSettingsError, match="ASSAY_WORKER_RUNNER_SOCKET"):
        WorkerSettings.from_environment()


def test_a_secret_of_the_judge_comes_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "assay_worker_redis_url").write_text("redis://file\n")
    (tmp_path / "assay_database_url").write_text("not for it")
    monkeypatch.setattr(WorkerSettings, "secrets", tmp_path)
    monkeypatch.setenv("ASSAY_WORKER_RUNNER_SOCKET", "/run/x")
    assert WorkerSettings.from_environment().redis_url == "redis://file"


def test_a_misspelt_name_of_the_runner_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_RUNNER_SOKCET", "/tmp/x")
    with pytest.raises(ProcessSettingsError, match="ASSAY_RUNNER_SOKCET"):
        RunnerSettings.from_environment()
