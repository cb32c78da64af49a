"""The sandboxes that the conformance suite is put to: the zygote always, containers where Docker and the image are.

Where they are not, that is said loudly: each test that did not run is counted as skipped, with the reason, and with
ASSAY_TEST_DOCKER=1 (`make test-docker`) it fails. What confines in Gradescope's container is put to it by
`make test-gradescope`.
"""

import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from docker.errors import DockerException

from tests.patience import wait_until
from tests.processes import descendants
from tests.worker.test_runner import guests, serving_runner
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient
from worker.runner_settings import RunnerSettings
from worker.sandbox.docker_daemon import LABEL, DockerClient

ARE_ASKED_FOR = "ASSAY_TEST_DOCKER" in os.environ
GRADESCOPE_IS_ASKED_FOR = "ASSAY_TEST_GRADESCOPE" in os.environ
GRADESCOPE_IMAGE = "assay-gradescope"  # scripts/docker-gradescope
SETTINGS = RunnerSettings(socket=Path("unused"))


@dataclass(frozen=True, eq=False)
class Backend:
    """`slower`: how much longer things may take than in a child of the zygote, in seconds."""

    name: str
    settings: Mapping[str, str] = field(default_factory=dict)
    runtime: str = ""
    slower_s: float = 0.0
    described: str = ""

    def __str__(self) -> str:
        return self.name

    @property
    def is_container(self) -> bool:
        return bool(self.runtime)

    def runner(self, sessions: int) -> AbstractContextManager[RunnerClient]:
        return private_runner(sessions, queue_s="60", **self.settings)

    @property
    def waiting(self) -> int:
        """How many unused children it may keep ready."""
        return 0 if self.is_container else 2

    def sandboxed(self, runner: RunnerClient) -> frozenset[str]:
        """The sandboxes that this runner has at the moment, by name."""
        pid = serving_runner(runner)
        return frozenset(containers_of(pid) if self.is_container else map(str, guests(pid)))

    def postponed(self, item: pytest.Item) -> str:
        """Why a test is left to `make test-docker`, although this backend may be here; empty when it is not."""
        if ARE_ASKED_FOR or not self.is_container:
            return ""
        if self is GVISOR or item.get_closest_marker("lengthy"):
            return f"on {self.name} it takes long, `make test-docker` runs it"
        return ""

    def lacks(self) -> str:
        """What is missing here for it; empty when nothing is."""
        return missing(self.runtime) if self.is_container else ""

    def require(self) -> None:
        """Skips the test, or fails it, where this backend is not to be had."""
        reason = self.lacks()
        if reason and ARE_ASKED_FOR:
            pytest.fail(f"{self.name}: {reason}")
        if reason:
            pytest.skip(f"NOT RUN on {self.name}: {reason}")


@dataclass(frozen=True, eq=False)
class InGradescope(Backend):
    """A runner in a container that is laid out as Gradescope's, with Docker's own profile and no network."""

    def runner(self, sessions: int) -> AbstractContextManager[RunnerClient]:
        return _runner_in_gradescope(sessions)

    @property
    def waiting(self) -> int:
        return 0

    def sandboxed(self, runner: RunnerClient) -> frozenset[str]:
        name = Path(runner._path).parent.name
        container = docker_client()
        try:
            first = container.inspect_container(name)["State"]["Pid"]
        finally:
            container.close()
        return frozenset(str(pid) for pid in descendants(first) if b"/assay/bin/python" in _command_of(pid))

    def postponed(self, item: pytest.Item) -> str:
        return self.lacks()

    def lacks(self) -> str:
        return "" if GRADESCOPE_IS_ASKED_FOR else "`make test-gradescope` runs it"


def _command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@contextmanager
def _runner_in_gradescope(sessions: int) -> Iterator[RunnerClient]:
    with tempfile.TemporaryDirectory(prefix="assay-gradescope-") as folder:
        socket = Path(folder, "socket")
        told = {"SOCKET": socket, "SANDBOX": "chroot", "CHROOT_FOLDER": "/opt/assay-sandbox", "SESSIONS": sessions}
        settings = {**told, "QUEUE_S": 600, "REQUIRE_ISOLATION": "shared", "END_WITH_STDIN": 1}
        variables = [f"--env=ASSAY_RUNNER_{name}={value}" for name, value in settings.items()]
        docker = ["docker", "run", "--rm", "--interactive", "--network=none", f"--name={Path(folder).name}"]
        mounted = [f"--volume={folder}:{folder}", "--env=PYTHONPATH=/autograder/source/code", *variables]
        runner = ["/opt/assay/bin/python", "-P", "-m", "worker.runner"]
        with subprocess.Popen([*docker, *mounted, GRADESCOPE_IMAGE, *runner], stdin=subprocess.PIPE) as process:
            try:
                wait_until(lambda: socket.is_socket() or process.poll() is not None)
                assert process.poll() is None
                yield RunnerClient(socket)
            finally:
                process.stdin.close()  # type: ignore[union-attr]  # at which the runner stops


ZYGOTE = Backend("zygote", described="zygote (user, pid, mount, net, ipc, uts, cgroup namespaces; seccomp")
LEAN = Backend("lean zygote", {"imports_ahead": "false"}, described=ZYGOTE.described)
DOCKER = Backend("docker", {"sandbox": "docker", "docker_runtime": "runc"}, "runc", 10.0, "docker with runc (")
GVISOR = Backend("gvisor", {"sandbox": "docker", "docker_runtime": "runsc"}, "runsc", 20.0, "docker with runsc (")
CHROOT = InGradescope("gradescope", slower_s=10.0, described="chroot (")
ALL = (ZYGOTE, LEAN, DOCKER, GVISOR, CHROOT)


@cache
def missing(runtime: str) -> str:
    """Why containers cannot be tested here; empty when they can."""
    try:
        client = docker_client()
    except DockerException as error:
        return f"no Docker daemon answers ({str(error)[:120]}): scripts/docker-daemon starts one"
    try:
        if runtime not in client.info()["Runtimes"]:
            return f"the daemon knows no runtime {runtime}"
        images = client.images(name=SETTINGS.docker_image)
        if not images:
            return f"there is no image {SETTINGS.docker_image}: scripts/docker-sandbox builds it"
        if (images[0]["Labels"] or {}).get("assay.source") != source():
            return f"the image {SETTINGS.docker_image} is not of this source: scripts/docker-sandbox builds it anew"
    finally:
        client.close()
    return ""


def source() -> str:
    script = Path(__file__).parents[2] / "scripts" / "docker-sandbox"
    return subprocess.run([script, "--source"], capture_output=True, text=True, check=True).stdout.strip()


def docker_client() -> Any:
    return DockerClient(SETTINGS.docker_url, "auto")


def containers_of(runner: int) -> Iterator[str]:
    client = docker_client()
    try:
        for found in client.containers(all=True, filters={"label": LABEL}):
            if f"/{runner}/" in found["Labels"][LABEL]:
                yield found["Id"]
    finally:
        client.close()
