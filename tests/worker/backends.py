"""The sandboxes that the conformance suite is put to: the zygote always, containers where Docker and the image are.

Where they are not, that is said loudly: each test that did not run is counted as skipped, with the reason, and with
ASSAY_TEST_DOCKER=1 (`make test-docker`) it fails.
"""

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from docker.errors import DockerException

from tests.worker.test_runner import guests, serving_runner
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient
from worker.runner_settings import RunnerSettings
from worker.sandbox.docker_daemon import LABEL, DockerClient

ARE_ASKED_FOR = "ASSAY_TEST_DOCKER" in os.environ
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


ZYGOTE = Backend("zygote", described="zygote (user, pid, mount, net, ipc, uts, cgroup namespaces; seccomp")
LEAN = Backend("lean zygote", {"imports_ahead": "false"}, described=ZYGOTE.described)
DOCKER = Backend("docker", {"sandbox": "docker", "docker_runtime": "runc"}, "runc", 10.0, "docker with runc (")
GVISOR = Backend("gvisor", {"sandbox": "docker", "docker_runtime": "runsc"}, "runsc", 20.0, "docker with runsc (")
ALL = (ZYGOTE, LEAN, DOCKER, GVISOR)


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
