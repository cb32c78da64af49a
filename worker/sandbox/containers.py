"""A container for each session, through the Docker Engine API: with runc, or with gVisor (`runtime: runsc`).

Slower than a zygote by the import of torch, and no tighter with runc; gVisor puts a kernel of its own between a
submission and the machine's. In the container, the process confines itself as a zygote's child does (`contained.py`).
"""

import itertools
import logging
import os
import random
import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import docker
from docker.errors import APIError, DockerException, NotFound
from docker.types import DeviceRequest, LogConfig
from requests.exceptions import RequestException

from grader.alive import BEAT_S
from grader.limits import Limits, Usage
from worker.sandbox.attached import AttachedStream
from worker.sandbox.backend import CHECK_LIMITS, Check, Ended, Isolation, SandboxError
from worker.sandbox.contained import Orders
from worker.sandbox.environment import GUEST_ENVIRONMENT
from worker.sandbox.framing import MalformedFrameError, split
from worker.sandbox.layout import CODE, LAYOUT, LIBRARIES, PYTHON, PYTHON_OPTIONS, TMP
from worker.sandbox.namespaces import HOSTNAME
from worker.sandbox.seccomp import compile_filter
from worker.sandbox.supervisor import Session

LABEL = "assay.runner"
_CALL_S = 30.0
_READY_S = 60.0
_END_S = 10.0  # from a child's last word to the daemon's knowing that it is gone
# Before it is known what a container holds that has nothing to do, and beside what it holds then.
_FIRST_RESTING_BYTES = 1 << 30
_SLACK_BYTES = 64 << 20
_STARTING_TASKS = 64  # the runtime's own threads count until it has become the guest; RLIMIT_NPROC bounds those after
_FIRST_UID, _UIDS = 20_000, 40_000  # one user for each container: the kernel counts threads by user
_SIGNAL_STATUS = 128
_GVISOR = "runsc"
_BOOTSTRAP = (
    f"import sys; sys.path.append('{CODE}'); from pathlib import Path; from worker.sandbox.layout import Tree; "
    f"sys.path += Tree.from_json(Path('{LAYOUT}').read_text()).import_path; "
    "from worker.sandbox.contained_run import main; main()"
)
_ENVIRONMENT = {
    **GUEST_ENVIRONMENT,
    **{"HOME": TMP, "TMPDIR": TMP},
    "LD_LIBRARY_PATH": LIBRARIES,  # Python's own
}
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class DockerOptions:
    """`runtime` empty: the daemon's own choice. `gpus`: how many of them each container gets; -1: all."""

    url: str
    image: str
    runtime: str = ""
    gpus: int = 0


class DockerSandbox:
    """Makes containers. Holds nothing but their names."""

    def __init__(self, options: DockerOptions) -> None:
        self._options = options
        self._name = _name_of(os.getpid())
        self._seccomp = compile_filter()
        self._uids = itertools.count(random.randrange(_UIDS))  # noqa: S311  so that two runners seldom share one
        self._version = ""
        self._runtime = options.runtime
        self._landlock_abi = 0
        self._resting_bytes = _FIRST_RESTING_BYTES
        self._stopped = threading.Event()

    @property
    def description(self) -> str:
        fence = f"landlock {self._landlock_abi}" if self._landlock_abi else "no landlock"
        return (
            f"docker with {self._runtime} (no network, read-only root, no capabilities, no new privileges; seccomp; "
            f"{fence}; memory, cpu and pids limits)"
        )

    @property
    def shows_processes(self) -> bool:
        return not self._landlock_abi

    @property
    def isolation(self) -> Isolation:
        if self._runtime.startswith(_GVISOR):
            return Isolation.GVISOR
        return Isolation.FULL if self._landlock_abi else Isolation.REDUCED

    def start(self, check: Check) -> None:
        self.look()
        try:
            with self._client(self._version) as client:
                _remove_stale(client)
        except (DockerException, RequestException) as error:
            raise SandboxError(f"Docker does not answer at {self._options.url}: {error}") from error
        self._try_one()
        check(self.child(CHECK_LIMITS))

    def look(self) -> str:
        """Whether the daemon and the image are there, in words. Raises SandboxError."""
        try:
            with self._client("auto") as client:
                info = client.info()
                client.inspect_image(self._options.image)
                self._version = client.api_version
        except NotFound as error:
            raise SandboxError(f"There is no image {self._options.image}: scripts/docker-sandbox builds it.") from error
        except (DockerException, RequestException) as error:
            raise SandboxError(f"Docker does not answer at {self._options.url}: {error}") from error
        self._runtime = self._options.runtime or info["DefaultRuntime"]
        if self._runtime not in info["Runtimes"]:
            raise SandboxError(f"Docker knows no runtime {self._runtime}: {', '.join(info['Runtimes'])}.")
        return f"Docker {info['ServerVersion']} with {', '.join(info['Runtimes'])}; image {self._options.image}"

    def child(self, limits: Limits) -> "ContainerChild":
        client = self._client(self._version)
        try:
            return ContainerChild.start(client, self._configuration(client, limits), limits)
        except (DockerException, RequestException, OSError) as error:
            client.close()
            raise SandboxError(f"no container could be made: {error}") from error

    def tend(self, in_order: Callable[[], None]) -> None:
        in_order()
        while not self._stopped.wait(BEAT_S):
            in_order()

    def stop(self) -> None:
        self._stopped.set()
        try:
            with self._client(self._version or "auto") as client:
                _remove_all(client, lambda name: name == self._name)
        except (DockerException, RequestException) as error:
            _log.warning("containers_left: %s", error)

    def _client(self, version: str) -> Any:
        """One for each thread that talks: the library's sessions are not to be shared."""
        return DockerClient(self._options.url, version)

    def _try_one(self) -> None:
        """Whether a container can be confined here, how far, and what it holds when it has nothing to do."""
        session = Session(self.child(Limits()))
        try:
            ready = split(session.await_ready())
            self._landlock_abi = int(ready.fields["landlock_abi"])
        except (MalformedFrameError, KeyError, ValueError) as error:
            raise SandboxError(f"{self._options.image} is not an image of this version: {error}") from error
        finally:
            report = session.end()
        if report.peak_memory_bytes:
            self._resting_bytes = report.peak_memory_bytes

    def _configuration(self, client: Any, limits: Limits) -> dict[str, Any]:
        in_gvisor = self.isolation is Isolation.GVISOR
        orders = Orders(limits, self._seccomp, on_gpu=self._options.gpus != 0, in_gvisor=in_gvisor)
        return {
            "image": self._options.image,
            "entrypoint": [PYTHON, *PYTHON_OPTIONS, _BOOTSTRAP],
            "command": [orders.to_json()],
            "environment": _ENVIRONMENT,
            "user": self._next_user(),
            "hostname": HOSTNAME,
            "labels": {LABEL: self._name},
            "stdin_open": True,
            "host_config": client.create_host_config(**self._fences(limits)),
        }

    def _fences(self, limits: Limits) -> dict[str, Any]:
        memory_bytes = self._resting_bytes + limits.memory_bytes + limits.tmp_bytes + _SLACK_BYTES
        fences: dict[str, Any] = {
            "network_mode": "none",
            "ipc_mode": "none",
            "read_only": True,
            "cap_drop": ["ALL"],
            "security_opt": ["no-new-privileges:true"],  # the daemon's own seccomp profile comes on top
            "pids_limit": limits.processes + _STARTING_TASKS,
            "mem_limit": memory_bytes,
            "memswap_limit": memory_bytes,
            "nano_cpus": 1_000_000_000,
            "oom_score_adj": 1000,
            "tmpfs": {TMP: f"rw,nosuid,nodev,noexec,mode=1777,nr_inodes=256,size={limits.tmp_bytes}"},
            "log_config": LogConfig(type="none"),  # or the daemon would write to disk whatever a submission prints
        }
        if self._options.runtime:
            fences["runtime"] = self._options.runtime
        if self._options.gpus:
            fences["device_requests"] = [DeviceRequest(count=self._options.gpus, capabilities=[["gpu"]])]
        return fences

    def _next_user(self) -> str:
        uid = _FIRST_UID + next(self._uids) % _UIDS
        return f"{uid}:{uid}"


class ContainerChild:
    """A container, and the three streams that lead into and out of it."""

    ready_s = _READY_S
    end_s = _END_S

    def __init__(self, client: Any, container: str, limits: Limits) -> None:
        self.limits = limits
        self._client = client
        self._container = container
        self._started = time.monotonic()
        self._peak_bytes: int | None = None
        self._killer: threading.Thread | None = None
        self._open = ExitStack()
        self._job = self._attached("stdin")
        self.results = AttachedStream(self._attached("stdout"))
        self.log = AttachedStream(self._attached("stderr"))

    @classmethod
    def start(cls, client: Any, configuration: dict[str, Any], limits: Limits) -> "ContainerChild":
        """Attached to before it starts: nothing that it says is lost."""
        container = client.create_container(**configuration)["Id"]
        try:
            child = cls(client, container, limits)
            client.start(container)
        except BaseException:
            client.remove_container(container, v=True, force=True)
            raise
        return child

    @property
    def job_fd(self) -> int:
        return self._job.fileno()

    def starved_s(self) -> float:
        return 0.0  # the daemon does not tell

    def usage(self) -> Usage | None:
        return None  # nor does it tell this as finely as a call of milliseconds needs

    def is_over(self) -> bool:
        try:
            self._client.wait(self._container, timeout=_END_S)
        except (DockerException, RequestException):
            return False
        return True

    def kill(self) -> None:
        """In a thread: the daemon answers only when all that the container has written is gone, so it must be read."""
        self.results.give_up()
        self._killer = threading.Thread(target=self._kill, daemon=True)
        self._killer.start()

    def _kill(self) -> None:
        """The counters go with the container, so they are read before."""
        self._peak_bytes = self._read_peak()
        try:
            self._client.kill(self._container)
        except APIError:  # it has ended by itself
            return
        except (DockerException, RequestException) as error:
            _log.warning("container_not_killed: %s", error)

    def wait(self) -> Ended:
        if self._killer is not None:
            self._killer.join()
        try:
            self._client.wait(self._container, timeout=_END_S)
            state = self._client.inspect_container(self._container)["State"]
        except (DockerException, RequestException) as error:
            raise SandboxError(f"a container did not end: {error}") from error
        return Ended(
            code=_wait_status(state["ExitCode"]),
            cpu_s=time.monotonic() - self._started,  # it has one processor
            peak_bytes=self._peak_bytes,
            out_of_memory=bool(state["OOMKilled"]),
        )

    def close(self) -> None:
        """Removing a container kills it. Where the daemon fails, the next start of a runner removes it."""
        self._open.close()
        try:
            self._client.remove_container(self._container, v=True, force=True)
        except (DockerException, RequestException) as error:
            _log.warning("container_left: %s", error)
        self._client.close()

    def _attached(self, stream: str) -> socket.socket:
        """The library's own object is closed, so that the connection is ours alone."""
        answer = self._client.attach_socket(self._container, params={stream: 1, "stream": 1})
        peer = socket.socket(fileno=os.dup(answer.fileno()))
        answer._response.close()
        answer.close()
        peer.setblocking(False)
        self._open.enter_context(peer)
        return peer

    def _read_peak(self) -> int | None:
        """Version 1 of control groups tells it; version 2 does not, through Docker."""
        try:
            memory = self._client.stats(self._container, stream=False, one_shot=True)["memory_stats"]
        except (DockerException, RequestException, KeyError):
            return None
        peak = memory.get("max_usage")
        return int(peak) if peak else None


class DockerClient(docker.APIClient):  # type: ignore[misc]  # the library has no types
    """Usable in a `with` statement."""

    def __init__(self, url: str, version: str) -> None:
        _require_daemon(url)
        super().__init__(base_url=url, version=version, timeout=_CALL_S)

    def __enter__(self) -> "DockerClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _require_daemon(url: str) -> None:
    """The library leaves a socket open when nobody listens, so that is found out before it is asked."""
    scheme, _, path = url.partition("://")
    if scheme == "unix":
        with socket.socket(socket.AF_UNIX) as probe:
            if probe.connect_ex(path) != 0:
                raise DockerException(f"nobody listens on {path}")


def _wait_status(exit_code: int) -> int:
    """Docker tells a signal as 128 and its number, as a shell does."""
    is_signal = _SIGNAL_STATUS < exit_code < _SIGNAL_STATUS + 65
    return exit_code - _SIGNAL_STATUS if is_signal else exit_code << 8


# --- containers of runners that were killed --------------------------------------------------------------------------


def _name_of(pid: int) -> str:
    """Of a runner: machine, number and time of its start, so that nobody else is ever taken for it."""
    return f"{socket.gethostname()}/{pid}/{_start_of(pid)}"


def _start_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return ""


def _remove_stale(client: Any) -> None:
    """Those of this machine whose runner is no more."""
    host = socket.gethostname()

    def is_stale(name: str) -> bool:
        machine, _, rest = name.partition("/")
        pid = rest.partition("/")[0]
        return machine == host and pid.isdigit() and name != _name_of(int(pid))

    _remove_all(client, is_stale)


def _remove_all(client: Any, is_chosen: Callable[[str], bool]) -> None:
    for container in client.containers(all=True, filters={"label": LABEL}):
        if is_chosen(container["Labels"][LABEL]):
            try:
                client.remove_container(container["Id"], v=True, force=True)
            except NotFound:
                continue
