"""What the judge is told from outside. Read once at start, handed down; nothing else reads the environment."""

import os
import socket
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Self

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from grader.challenge import DEFAULT_ROOT
from grader.messages import CHECK_QUEUE, GRADE_CPU_QUEUE, GRADE_GPU_QUEUE

PREFIX: Final = "ASSAY_WORKER_"
SECRETS: Final = Path("/run/secrets")  # a file for each, called like its variable in small letters


class Device(StrEnum):
    """What a judge grades on."""

    CPU = "cpu"
    CUDA = "cuda"


class WorkerSettingsError(Exception):
    """The environment does not make sense: a sentence for the operator."""


class WorkerSettings(BaseSettings):
    """The judge: it reaches Redis and its runner, and nothing else. It holds no database credentials."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="forbid")

    redis_url: str = Field(repr=False, description="Redis of the queues and of the progress streams")
    runner_socket: Path = Field(description="Unix socket of the runner that holds the sandbox")
    challenges_root: Path = Field(default=DEFAULT_ROOT, description="the folder that holds the challenge folders")
    concurrency: int = Field(default=2, ge=1, description="submissions graded at the same time; with a GPU always one")
    device: Device = Field(
        default=Device.CPU, description="cuda: take GPU stages, from grade.gpu, in a runner that has a GPU"
    )
    name: str = Field(default_factory=socket.gethostname, description="how it calls itself in events and logs")
    log_json: bool = Field(default=False, description="one JSON object per log line instead of readable lines")
    alive_folder: Path | None = Field(
        default=None, description="where it leaves signs of life for a health check; none: nowhere"
    )
    starts_max: int = Field(default=5, ge=1, description="judges that may die of one submission within an hour")

    @property
    def is_on_gpu(self) -> bool:
        return self.device is Device.CUDA

    @property
    def queues(self) -> tuple[str, ...]:
        """Lines of code are short, and wait for no GPU."""
        return (GRADE_GPU_QUEUE,) if self.is_on_gpu else (GRADE_CPU_QUEUE, CHECK_QUEUE)

    @classmethod
    def from_environment(cls, **chosen: Any) -> Self:
        """What is `chosen` on the command line goes before the environment.

        Raises WorkerSettingsError with a sentence that names the variable.
        """
        known = {f"{PREFIX}{name.upper()}" for name in cls.model_fields}
        strangers = sorted(name for name in os.environ if name.upper().startswith(PREFIX) and name.upper() not in known)
        if strangers:
            message = (
                f"{strangers[0]} is not a setting of the worker; is it misspelt? It knows {', '.join(sorted(known))}."
            )
            raise WorkerSettingsError(message)
        try:
            return cls(_secrets_dir=SECRETS if SECRETS.is_dir() else None, **chosen)
        except ValidationError as error:
            first = error.errors()[0]
            variable = f"{PREFIX}{'_'.join(str(part) for part in first['loc']).upper()}"
            message = f"{variable}: {first['msg'].lower()}. Set it in the environment of the worker."
            raise WorkerSettingsError(message) from error
