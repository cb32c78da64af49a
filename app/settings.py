"""What each process of `app` is told from outside, read once at start. Nothing else reads the environment."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Self

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from grader.challenge import DEFAULT_ROOT

PREFIX: Final = "ASSAY_"
# Programs that share the prefix and check their names themselves: the judge, the runner, the student's client.
OTHER_PREFIXES: Final = ("ASSAY_WORKER_", "ASSAY_RUNNER_")
OTHER_NAMES: Final = frozenset({"ASSAY_SERVER", "ASSAY_TOKEN"})


class SettingsError(Exception):
    """The environment does not make sense: a sentence for the operator, who must mend it before the process starts."""


class SharedSettings(BaseSettings):
    """What every process of `app` needs."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="forbid")

    database_url: str = Field(description="SQLAlchemy URL: sqlite:////path/assay.db or postgresql+psycopg://…")
    redis_url: str = Field(description="Redis of the queues and of the progress streams: redis://host:port/0")
    log_json: bool = Field(default=False, description="one JSON object per log line instead of readable lines")

    @classmethod
    def from_environment(cls) -> Self:
        """Raises SettingsError with a sentence that names the variable."""
        refuse_unknown(os.environ)
        try:
            return cls()
        except ValidationError as error:
            raise SettingsError(_sentence(error)) from error


class ApiSettings(SharedSettings):
    """The HTTP front end."""

    secret_key: SecretStr = Field(
        min_length=32,
        description="signs the web's session cookie; at least 32 characters, the same on every API process",
    )
    challenges_root: Path = Field(default=DEFAULT_ROOT, description="the folder that holds the challenge folders")
    request_bytes: int = Field(default=1 << 20, ge=1024, description="largest request body; more gets 413")
    siblings_max: int = Field(default=32, ge=0, description="most sibling modules in one submission")
    submissions_per_minute: int = Field(default=30, ge=1, description="per user; more gets 429")
    secure_cookie: bool = Field(
        default=False, description="send the session cookie over HTTPS only: set it in production"
    )
    heartbeat_s: float = Field(default=10.0, gt=0, description="seconds between comments on a silent event stream")


class RecorderSettings(SharedSettings):
    """The recorder and its sweeper."""

    sweep_every_s: float = Field(default=2.0, gt=0, description="seconds between two looks for lost submissions")
    lost_after_s: float = Field(
        default=5.0, gt=0, description="seconds without queue message or judge before a submission counts as lost"
    )
    requeue_base_s: float = Field(
        default=5.0, gt=0, description="first pause before a submission is queued once more; doubles"
    )
    requeue_cap_s: float = Field(default=300.0, gt=0, description="longest such pause")
    recorder_metrics_port: int = Field(
        default=0, ge=0, le=65535, description="where the recorder shows its metrics; 0 = nowhere"
    )


def known_names() -> frozenset[str]:
    """Every ASSAY_ variable that a process of `app` reads. All of them may stand in one environment."""
    fields = {*ApiSettings.model_fields, *RecorderSettings.model_fields}
    return frozenset(f"{PREFIX}{name.upper()}" for name in fields)


def refuse_unknown(names: Iterable[str]) -> None:
    """Raises SettingsError when a name begins with ASSAY_ and nobody reads it: most likely it is misspelt."""
    known = known_names() | OTHER_NAMES
    ours = (name for name in names if name.upper().startswith(PREFIX))
    strangers = sorted(name for name in ours if name.upper() not in known and not name.startswith(OTHER_PREFIXES))
    if strangers:
        message = (
            f"{', '.join(strangers)} is not a setting of Assay; docs/settings.md lists them all. Correct or unset it."
        )
        raise SettingsError(message)


def _sentence(error: ValidationError) -> str:
    problems = (f"{PREFIX}{'_'.join(map(str, item['loc'])).upper()}: {item['msg']}" for item in error.errors())
    return f"{'; '.join(problems)}. docs/settings.md says what each setting means."
