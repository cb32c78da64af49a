"""What the verifier is told from outside."""

import socket
from pathlib import Path
from typing import ClassVar, Final

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from worker.process_settings import ProcessSettings
from worker.settings import SECRETS

PREFIX: Final = "ASSAY_VERIFIER_"


class VerifierSettings(ProcessSettings):
    """The verifier: it reaches Redis and the hosts of repositories. It holds no database credentials."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="forbid")
    process = "verifier"
    secrets: ClassVar[Path | None] = SECRETS

    redis_url: str = Field(repr=False, description="Redis of the queues")
    snapshots_folder: Path | None = Field(
        default=None, description="where it keeps snapshots of plain folders; none: it fetches https and ssh alone"
    )
    name: str = Field(default_factory=socket.gethostname, description="how it calls itself in logs")
    log_json: bool = Field(default=False, description="one JSON object per log line instead of readable lines")
    alive_folder: Path | None = Field(
        default=None, description="where it leaves its heartbeat for a health check; none: nowhere"
    )
