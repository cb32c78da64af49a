"""A container for each session, through the Docker Engine API: with runc, or with gVisor (`runtime: runsc`).

Slower than a zygote by the import of torch, and no tighter with runc; gVisor puts a kernel of its own between a
submission and the machine's. In the container, the process confines itself as a zygote's child does (`contained.py`).
"""

import logging
import os
from dataclasses import dataclass
from typing import Any

from docker.errors import DockerException, NotFound
from docker.types import DeviceRequest, LogConfig
from requests.exceptions import RequestException

from grader.guest.limits import Limits
from worker.sandbox.anew import Anew
from worker.sandbox.backend import CHECK_LIMITS, Check, Gap, Isolation, SandboxError
from worker.sandbox.contained import BOOTSTRAP, Orders, environment
from worker.sandbox.container_child import ContainerChild
from worker.sandbox.docker_daemon import LABEL, DockerClient, remove_all, remove_stale, runner_name
from worker.sandbox.landlock import in_words
from worker.sandbox.layout import PYTHON, PYTHON_OPTIONS, TMP
from worker.sandbox.namespaces import HOSTNAME
from worker.sandbox.supervisor import Session

# Before it is known what a container holds that has nothing to do, and beside what it holds then.
_FIRST_RESTING_BYTES = 1 << 30
_SLACK_BYTES = 64 << 20
_STARTING_TASKS = 64  # the runtime's own threads count until it has become the guest; RLIMIT_NPROC bounds those after
_GVISOR = "runsc"
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class DockerOptions:
    """`runtime` empty: the daemon's own choice. `gpus`: how many of them each container gets; -1: all."""

    url: str
    image: str
    runtime: str = ""
    gpus: int = 0


class DockerSandbox(Anew):
    """Makes containers. Holds nothing but their names."""

    def __init__(self, options: DockerOptions) -> None:
        super().__init__()
        self._options = options
        self._name = runner_name(os.getpid())
        self._version = ""
        self._runtime = options.runtime
        self._resting_bytes = _FIRST_RESTING_BYTES

    @property
    def description(self) -> str:
        return (
            f"docker with {self._runtime} (no network, read-only root, no capabilities, no new privileges; seccomp; "
            f"{in_words(self._landlock_abi)}; memory, cpu and pids limits)"
        )

    @property
    def gaps(self) -> frozenset[Gap]:
        return frozenset() if self._landlock_abi else frozenset({Gap.PROCESS_TABLE})

    @property
    def isolation(self) -> Isolation:
        if self._runtime.startswith(_GVISOR):
            return Isolation.GVISOR
        return Isolation.FULL if self._landlock_abi else Isolation.REDUCED

    def start(self, check: Check) -> None:
        self.look()
        try:
            with self._client(self._version) as client:
                remove_stale(client)
        except (DockerException, RequestException) as error:
            raise SandboxError(f"Docker does not answer at {self._options.url}: {error}") from error
        self._try_one()
        check(self.child(CHECK_LIMITS))

    def look(self) -> str:
        """Says in words which daemon and image are there. Raises SandboxError when one is not."""
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

    def child(self, limits: Limits) -> ContainerChild:
        client = self._client(self._version)
        try:
            return ContainerChild.start(client, self._configuration(client, limits), limits)
        except (DockerException, RequestException, OSError) as error:
            client.close()
            raise SandboxError(f"no container could be made: {error}") from error

    def stop(self) -> None:
        """Ends what the daemon would leave running."""
        super().stop()
        try:
            with self._client(self._version or "auto") as client:
                remove_all(client, lambda name: name == self._name)
        except (DockerException, RequestException) as error:
            _log.warning("containers_left: %s", error)

    def _client(self, version: str) -> Any:
        """Opens a client for each thread that talks: the library's sessions are not to be shared."""
        return DockerClient(self._options.url, version)

    def _try_one(self) -> None:
        """Sees, too, what a container holds when it has nothing to do."""
        session = Session(self.child(Limits()))
        try:
            self._see_confined(session, f"{self._options.image} is not an image of this version")
        finally:
            report = session.end()
        if report.peak_memory_bytes:
            self._resting_bytes = report.peak_memory_bytes

    def _configuration(self, client: Any, limits: Limits) -> dict[str, Any]:
        in_gvisor = self.isolation is Isolation.GVISOR
        orders = Orders(limits, self._seccomp, on_gpu=self._options.gpus != 0, in_gvisor=in_gvisor)
        user = self._next_user()
        return {
            "image": self._options.image,
            "entrypoint": [PYTHON, *PYTHON_OPTIONS, BOOTSTRAP],
            "command": [orders.to_json()],
            "environment": environment(TMP),
            "user": f"{user}:{user}",
            "hostname": HOSTNAME,
            "labels": {LABEL: self._name},
            "stdin_open": True,
            "host_config": client.create_host_config(**self._host_config(limits)),
        }

    def _host_config(self, limits: Limits) -> dict[str, Any]:
        memory_bytes = self._resting_bytes + limits.memory_bytes + limits.tmp_bytes + _SLACK_BYTES
        config: dict[str, Any] = {
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
            config["runtime"] = self._options.runtime
        if self._options.gpus:
            config["device_requests"] = [DeviceRequest(count=self._options.gpus, capabilities=[["gpu"]])]
        return config
