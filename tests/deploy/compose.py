"""`docker-compose.yml`, brought up for real with secrets, a project and ports of its own, and taken down again."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.app.redis_process import free_port

ROOT = Path(__file__).parents[2]
PROJECT = "assay-test"
# Images that scripts/docker-services makes where no registry is reached.
LOCAL = {"redis": "assay-redis", "postgres": "assay-postgres", "prometheus": "assay-prometheus"}
UP_S = 300.0


class Deployment:
    """One project of docker-compose."""

    def __init__(self, secrets: Path) -> None:
        self.secrets = secrets
        self._files = ["docker-compose.yml"]
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        local = {f"ASSAY_{name.upper()}_IMAGE": image for name, image in LOCAL.items() if has_image(image)}
        self._told = {
            **os.environ,
            **local,
            "COMPOSE_PROJECT_NAME": PROJECT,
            "ASSAY_SECRETS": str(secrets),
            "ASSAY_LISTEN": f"127.0.0.1:{self.port}",
            "ASSAY_QUEUE_AHEAD": "12",
        }

    def compose(self, *words: str) -> str:
        files = [word for file in self._files for word in ("--file", str(ROOT / file))]
        return _run([*_compose(), *files, *words], self._told)

    def up(self, *words: str) -> None:
        self.compose("up", "--detach", "--no-build", *words)

    @contextmanager
    def extended(self, file: str) -> Iterator[None]:
        """With the services and settings of another file, for as long as the block runs."""
        self._files.append(file)
        try:
            self.up()
            yield
        finally:
            self._files.remove(file)
            self.up("--remove-orphans")

    def down(self) -> None:
        self.compose("--profile", "observe", "down", "--volumes", "--timeout", "5")

    def inside(self, service: str, *words: str) -> str:
        """What a program in a service's container prints. Raises AssertionError when it fails."""
        return self.compose("exec", "-T", service, *words)

    def containers(self, service: str = "") -> list[dict[str, Any]]:
        """What Docker says of the containers. `migrate` is none any more: it has done its work."""
        ids = self.compose("ps", "--quiet", *([service] if service else [])).split()
        found = json.loads(docker("inspect", *ids)) if ids else []
        return [container for container in found if _condition(container) != "done"]

    def await_healthy(self) -> None:
        self.await_condition("healthy")

    def await_condition(self, wanted: str, service: str = "") -> None:
        """Of every container, or of one service's."""
        deadline = time.monotonic() + UP_S
        while time.monotonic() < deadline:
            if all(_condition(container) == wanted for container in self.containers(service)):
                return
            time.sleep(0.5)
        raise AssertionError(self.compose("ps"))

    def kill(self, service: str, number: int = 0) -> None:
        """As a crash would: Docker does not know that anybody wanted it, and starts it again."""
        os.kill(self.containers(service)[number]["State"]["Pid"], signal.SIGKILL)

    def signal(self, service: str, number: signal.Signals) -> None:
        os.kill(self.containers(service)[0]["State"]["Pid"], number)

    def network(self, container: dict[str, Any]) -> set[str]:
        return {name.removeprefix(f"{PROJECT}_") for name in container["NetworkSettings"]["Networks"]}

    def volume(self, name: str) -> Path:
        return Path(docker("volume", "inspect", "--format", "{{.Mountpoint}}", f"{PROJECT}_{name}").strip())


@contextmanager
def deployed() -> Iterator[Deployment]:
    with tempfile.TemporaryDirectory(prefix="assay-compose-") as folder:
        secrets = Path(folder) / "secrets"
        _run(["sh", str(ROOT / "deploy" / "make-secrets"), str(secrets)], dict(os.environ))
        deployment = Deployment(secrets)
        deployment.down()  # of a run that was killed
        try:
            deployment.up()
            deployment.await_healthy()
            yield deployment
        finally:
            deployment.down()


def missing() -> str:
    """Why nothing of this can run here; empty when all is there."""
    if not shutil.which("docker"):
        return "docker is missing: apt-get install docker.io"
    if not _compose():
        return "docker-compose is missing: apt-get install docker-compose"
    wanted = ("assay-app", "assay-worker", "assay-runner", "assay-client", "assay-worker-gpu", "assay-runner-gpu")
    if lacking := [image for image in wanted if not has_image(image)]:
        return f"there is no image {lacking[0]}: scripts/docker-images --gpu builds it"
    return ""


def has_image(name: str) -> bool:
    return subprocess.run(["docker", "image", "inspect", name], capture_output=True, check=False).returncode == 0


def docker(*words: str) -> str:
    return _run(["docker", *words], dict(os.environ))


def _condition(container: dict[str, Any]) -> str:
    """`done`, or how its health check finds it."""
    state = container["State"]
    if not state["Running"]:
        return "done" if (state["Status"], state["ExitCode"]) == ("exited", 0) else str(state["Status"])
    return str(state.get("Health", {"Status": "not watched"})["Status"])


def _compose() -> list[str]:
    if shutil.which("docker-compose"):
        return ["docker-compose"]
    plugin = subprocess.run(["docker", "compose", "version"], capture_output=True, check=False)
    return ["docker", "compose"] if plugin.returncode == 0 else []


def _run(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout
