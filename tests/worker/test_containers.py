"""What is special about containers: their limits, the framing of the daemon's streams, what a killed runner leaves."""

import os
import signal
import socket
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.guest.execution import SandboxUnavailable
from grader.guest.limits import Limits
from grader.guest.submission import Submission
from tests.patience import wait_until
from tests.worker import backends
from tests.worker.backends import DOCKER, SETTINGS, containers_of, docker_client
from tests.worker.test_runner import serving_runner
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient
from worker.sandbox.attached import AttachedStream
from worker.sandbox.backend import Child, SandboxError
from worker.sandbox.container_child import ContainerChild
from worker.sandbox.containers import DockerOptions, DockerSandbox
from worker.sandbox.docker_daemon import LABEL, runner_name
from worker.sandbox.supervisor import Session

LIMITS = Limits(wall_s=20.0, processes=9, memory_bytes=300 << 20)
SLEEPY = Submission("layers.py", {"layers.py": b"import time; time.sleep(60)"})


def use_up(child: Child) -> None:
    """In place of the runner's self-test."""
    Session(child).abandon()


@pytest.fixture
def sandbox() -> DockerSandbox:
    DOCKER.require()
    return DockerSandbox(DockerOptions(SETTINGS.docker_url, SETTINGS.docker_image, "runc"))


@pytest.fixture
def child(sandbox: DockerSandbox) -> Iterator[ContainerChild]:
    sandbox.start(use_up)
    session = Session(sandbox.child(LIMITS))
    session.await_ready()
    yield session._child  # type: ignore[misc]
    session.end()
    sandbox.stop()


def test_a_container_is_confined_from_outside(child: ContainerChild) -> None:
    client = docker_client()
    found = client.inspect_container(child._container)
    client.close()
    host = found["HostConfig"]
    assert (host["NetworkMode"], host["IpcMode"], host["ReadonlyRootfs"], host["Privileged"]) == (
        "none",
        "none",
        True,
        False,
    )
    assert (host["CapDrop"], host["CapAdd"], host["Binds"], host.get("Mounts")) == (["ALL"], None, None, None)
    assert host["SecurityOpt"] == ["no-new-privileges:true"]
    assert host["Memory"] == host["MemorySwap"] < LIMITS.memory_bytes + (600 << 20)
    assert (host["PidsLimit"], host["NanoCpus"], host["OomScoreAdj"]) == (LIMITS.processes + 64, 10**9, 1000)
    assert host["LogConfig"]["Type"] == "none"
    assert f"size={LIMITS.tmp_bytes}" in host["Tmpfs"]["/tmp"]
    assert int(found["Config"]["User"].split(":")[0]) >= 20_000
    assert "ASSAY" not in str(found["Config"]["Env"])


def test_memory_beyond_the_containers_limit_is_told_as_such(sandbox: DockerSandbox) -> None:
    """Nothing is taken for torch itself, so that its import is too much."""
    sandbox._version, sandbox._resting_bytes = "1.41", 0
    session = Session(sandbox.child(Limits(memory_bytes=32 << 20)))
    with pytest.raises(SandboxError, match="held too much memory"):
        session.await_ready()
    session.end()


def test_graphics_processors_are_given_when_asked_for(sandbox: DockerSandbox) -> None:
    assert "device_requests" not in sandbox._host_config(Limits())
    asking = DockerSandbox(DockerOptions(SETTINGS.docker_url, SETTINGS.docker_image, gpus=2))
    assert asking._host_config(Limits())["device_requests"] == [
        {"Driver": "", "Count": 2, "DeviceIDs": [], "Capabilities": [["gpu"]], "Options": {}}
    ]


# --- what is missing is told -----------------------------------------------------------------------------------------


def test_without_a_daemon_the_runner_does_not_start() -> None:
    with (
        pytest.raises(SandboxUnavailable, match="Docker does not answer at unix:///nonexistent"),
        private_runner(sandbox="docker", docker_url="unix:///nonexistent"),
    ):
        pass


def test_without_the_image_the_runner_says_how_to_build_it() -> None:
    DOCKER.require()
    with (
        pytest.raises(SandboxUnavailable, match="There is no image assay-nosuch: scripts/docker-sandbox builds it"),
        private_runner(sandbox="docker", docker_image="assay-nosuch"),
    ):
        pass


# --- leftovers -------------------------------------------------------------------------------------------------------


def test_containers_of_killed_runners_are_removed_by_the_next_and_others_are_not(sandbox: DockerSandbox) -> None:
    client = docker_client()
    names = (
        f"{socket.gethostname()}/999999999/1",
        f"{socket.gethostname()}/1/1",
        runner_name(os.getpid()),
        "elsewhere/1/1",
    )
    made = [client.create_container(SETTINGS.docker_image, ["x"], labels={LABEL: name})["Id"] for name in names]
    try:
        sandbox.start(use_up)
        left = {found["Id"] for found in client.containers(all=True, filters={"label": LABEL})}
        assert [container in left for container in made] == [False, False, True, True]
        sandbox.stop()
        left = {found["Id"] for found in client.containers(all=True, filters={"label": LABEL})}
        assert [container in left for container in made] == [False, False, False, True]
    finally:
        client.remove_container(made[3])
        client.close()


def test_a_killed_runners_sandbox_is_gone_after_the_next_start() -> None:
    DOCKER.require()
    with DOCKER.runner(sessions=1) as client:
        runner = serving_runner(client)
        threading.Thread(target=run_and_ignore, args=(client,), daemon=True).start()
        wait_until(lambda: bool([*containers_of(runner)]))
        os.kill(runner, signal.SIGKILL)
    assert [*containers_of(runner)]
    with DOCKER.runner(sessions=1):
        assert not [*containers_of(runner)]


def run_and_ignore(client: RunnerClient) -> None:
    try:
        client.run(SLEEPY, [], Limits(wall_s=40))
    except SandboxUnavailable:
        return


def test_an_image_of_another_source_is_not_tested() -> None:
    """The image that the tests use is labelled with what it was built from."""
    script = Path(backends.__file__).parents[2] / "scripts" / "docker-sandbox"
    assert os.access(script, os.X_OK)
    assert len(backends.source()) == 16


# --- the daemon's framing --------------------------------------------------------------------------------------------


def chunk(data: bytes) -> bytes:
    return struct.pack(">BxxxI", 1, len(data)) + data


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, AttachedStream]]:
    daemon, ours = socket.socketpair()
    stream = AttachedStream(ours)
    yield daemon, stream
    stream.close()
    daemon.close()


def read_all(stream: AttachedStream) -> bytes:
    told = b""
    while True:
        try:
            data = stream.read()
        except BlockingIOError:
            return told
        if not data:
            return told + b"|end"
        told += data


@pytest.mark.parametrize("size", [1, 3, 8, 9, 1000])
def test_chunks_come_through_however_they_are_cut(ends: tuple[socket.socket, AttachedStream], size: int) -> None:
    daemon, stream = ends
    sent = chunk(b"hello ") + chunk(b"") + chunk(b"world" * 50)
    told = b""
    for start in range(0, len(sent), size):
        daemon.sendall(sent[start : start + size])
        told += read_all(stream)
    daemon.close()
    assert told + read_all(stream) == b"hello " + b"world" * 50 + b"|end"


def test_only_data_counts_as_something_to_read(ends: tuple[socket.socket, AttachedStream]) -> None:
    daemon, stream = ends
    assert not stream.has_data()
    daemon.sendall(chunk(b"xy"))
    assert stream.has_data()
    assert read_all(stream) == b"xy"
    assert not stream.has_data()
    daemon.close()
    assert not stream.has_data()
    assert read_all(stream) == b"|end"


def test_a_stream_that_is_given_up_blocks_nobody(ends: tuple[socket.socket, AttachedStream]) -> None:
    daemon, stream = ends
    daemon.sendall(chunk(b"last words"))
    stream.give_up()
    with pytest.raises(BrokenPipeError):
        daemon.sendall(b"x" * (1 << 24))
    assert read_all(stream) == b"last words|end"
