"""The school of tests/app, and two platforms: Open edX's, started for real, and one that says whatever a test wants."""

import subprocess
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.settings import ApiSettings
from tests.app.conftest import (
    _logging,
    challenges_root,
    database_kind,
    database_url,
    databases,
    open_school,
    postgresql,
    postgresql_databases,
    redis,
    session_redis,
    settings,
    sqlite_databases,
)
from tests.app.redis_process import RedisProcess, free_port
from tests.app.school import School
from tests.lti.own_platform import OwnPlatform
from tests.not_run import NOT_RUN, note
from tests.patience import PATIENCE_S, wait_until
from tests.web.conftest import visit

__all__ = [
    "_logging",
    "challenges_root",
    "database_kind",
    "database_url",
    "databases",
    "postgresql",
    "postgresql_databases",
    "redis",
    "session_redis",
    "settings",
    "sqlite_databases",
    "visit",
]

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / ".venv-lti" / "bin" / "python"


@dataclass
class EdxPlatform:
    """Open edX's `lti_consumer` as a process; it may be stopped, and started again with what it had."""

    folder: Path
    tool: str
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    def start(self) -> None:
        command = [PROGRAM, ROOT / "tests/lti/edx_platform.py", str(self.port), str(self.folder / "edx.db"), self.tool]
        with (self.folder / "edx.log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        wait_until(lambda: self.process is None or self.process.poll() is not None or self._answers())
        assert self._answers(), (self.folder / "edx.log").read_text()[-3000:]

    def _answers(self) -> bool:
        with suppress(httpx.TransportError):
            self.ask("about")
            return True
        return False

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def ask(self, what: str, told: Any = None) -> Any:
        method = "GET" if told is None else "POST"
        response = httpx.request(method, f"{self.url}/control/{what}", json=told, trust_env=False, timeout=PATIENCE_S)
        assert response.is_success, (self.folder / "edx.log").read_text()[-3000:]
        return response.json()


@pytest.fixture
def school(settings: ApiSettings, redis: RedisProcess) -> Iterator[School]:
    """Its courier runs when a test says so."""
    yield from open_school(settings.model_copy(update={"lti_every_s": 0.0}), redis)


@pytest.fixture
def edx(school: School, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[EdxPlatform]:
    if not PROGRAM.exists():
        note(request.config, "LTI platform", f"{NOT_RUN}Open edX's is not installed; scripts/lti-platform does that")
        pytest.skip("Open edX's platform is not installed")
    note(request.config, "LTI platform", "Open edX (lti-consumer-xblock)")
    platform = EdxPlatform(tmp_path, school.url)
    platform.start()
    added = school.client("root").post("/lti/platforms", json={"name": "School", **platform.ask("about")})
    assert added.status_code == 201, added.text
    yield platform
    platform.stop()


@pytest.fixture
def platform(school: School) -> Iterator[OwnPlatform]:
    with OwnPlatform.served(school.url) as made:
        added = school.client("root").post("/lti/platforms", json=made.registration)
        assert added.status_code == 201, added.text
        yield made
