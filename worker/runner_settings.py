"""What the runner is told from outside: one frozen class, read once at start."""

from enum import StrEnum
from pathlib import Path

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from worker.process_settings import Device, ProcessSettings
from worker.sandbox.backend import Isolation

PREFIX = "ASSAY_RUNNER_"
ISOLATION_VARIABLE = f"{PREFIX}REQUIRE_ISOLATION"


class Backend(StrEnum):
    """What confines a submission: docs/sandbox.md."""

    ZYGOTE = "zygote"
    DOCKER = "docker"
    CHROOT = "chroot"


class RunnerSettings(ProcessSettings):
    """`ASSAY_RUNNER_...`"""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="forbid")
    process = "runner"

    socket: Path = Field(description="the Unix socket to serve on; only its owner may connect")
    sandbox: Backend = Field(
        default=Backend.ZYGOTE,
        description="zygote, docker (a container for each submission) or chroot (docs/gradescope.md)",
    )
    device: Device = Field(
        default=Device.CPU, description="cuda: the machine's first NVIDIA GPU, for one GPU stage at a time"
    )
    zygotes: int = Field(default=1, ge=1, le=8, description="processes that have imported torch and wait to be forked")
    sessions: int = Field(
        default=0, ge=0, le=256, description="sessions at a time; 0: two for each processor, two in all on a GPU"
    )
    queue_s: float = Field(default=30.0, ge=0, description="how long a session may wait for its turn, in seconds")
    require_isolation: Isolation = Field(
        default=Isolation.STANDARD, description="refuse to start below it: shared, reduced, standard, full or gvisor"
    )
    docker_url: str = Field(default="unix:///var/run/docker.sock", description="where the Docker daemon listens")
    docker_image: str = Field(default="assay-sandbox", description="the image for the containers")
    docker_runtime: str = Field(default="", description="runsc for gVisor; empty: the daemon's default, mostly runc")
    chroot_folder: Path | None = Field(default=None, description="the root that a submission gets with chroot")
    docker_gpus: int = Field(default=0, ge=-1, le=64, description="GPUs that each container gets; -1: all of them")
    alive_folder: Path | None = Field(
        default=None, description="where it leaves heartbeats for a health check; none: nowhere"
    )
    imports_ahead: bool = Field(
        default=True,
        description="zygotes import einx and torch's compiler before a submission needs them, which takes a second",
    )
    end_with_stdin: bool = Field(default=False, description="stop when standard input ends: for a private runner")
