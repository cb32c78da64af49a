"""What the judge is told from outside."""

import socket
from pathlib import Path
from typing import ClassVar, Final

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from grader.challenge import DEFAULT_ROOT
from grader.messages import CHECK_QUEUE, GRADE_CPU_QUEUE, GRADE_GPU_QUEUE
from worker.process_settings import Device, ProcessSettings

PREFIX: Final = "ASSAY_WORKER_"
SECRETS: Final = Path("/run/secrets")


class WorkerSettings(ProcessSettings):
    """The judge: it reaches Redis and its runner, and nothing else. It holds no database credentials."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="forbid")
    process = "worker"
    secrets: ClassVar[Path | None] = SECRETS

    redis_url: str = Field(repr=False, description="Redis of the queues and of the progress streams")
    runner_socket: Path = Field(description="Unix socket of the runner that holds the sandbox")
    challenges_root: Path = Field(default=DEFAULT_ROOT, description="the folder that holds the challenge folders")
    exercises_folder: Path | None = Field(
        default=None, description="where it keeps commits of exercise repositories; none: it grades installed ones"
    )
    concurrency: int = Field(default=2, ge=1, description="submissions graded at the same time; with a GPU always one")
    device: Device = Field(
        default=Device.CPU, description="cuda: take GPU stages, from grade.gpu, in a runner that has a GPU"
    )
    name: str = Field(default_factory=socket.gethostname, description="how it calls itself in events and logs")
    log_json: bool = Field(default=False, description="one JSON object per log line instead of readable lines")
    alive_folder: Path | None = Field(
        default=None, description="where it leaves heartbeats for a health check; none: nowhere"
    )
    starts_max: int = Field(default=5, ge=1, description="judges that may die of one submission within an hour")

    @property
    def is_on_gpu(self) -> bool:
        """Whether this judge takes GPU stages, and nothing else."""
        return self.device is Device.CUDA

    @property
    def queues(self) -> tuple[str, ...]:
        """Lines of code are short, and wait for no GPU."""
        return (GRADE_GPU_QUEUE,) if self.is_on_gpu else (GRADE_CPU_QUEUE, CHECK_QUEUE)
