"""The runner's end of a zygote: starts it, and asks it for children."""

import json
import os
import socket
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

import worker
from grader.guest.limits import Limits
from worker.sandbox.allowed_packages import standard_tree
from worker.sandbox.backend import SandboxError
from worker.sandbox.cgroups import CgroupError, Cgroups, pid_of
from worker.sandbox.environment import GUEST_ENVIRONMENT
from worker.sandbox.forked_child import READY_S, REAP_S, ForkedChild
from worker.sandbox.gpu import find_gpu
from worker.sandbox.layout import PYTHON_OPTIONS, TMP
from worker.sandbox.options import Options
from worker.sandbox.pipes import Pipes
from worker.sandbox.seccomp import compile_filter
from worker.sandbox.waiting import ends_within

# These only end a hang, and are generous to a busy machine: whatever dies is noticed at once.
_START_S = 300.0
_SPAWN_S = 30.0
_CONTEXT_S = 60.0  # a child that takes a GPU is ready when it has it
_BOOTSTRAP = "import sys; sys.path.append(sys.argv.pop(1)); from worker.sandbox.launch import main; main()"


class Zygote:
    """One zygote process. Start it from a thread that lives as long as it should: it dies with that thread."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        control: socket.socket,
        landlock_abi: int,
        cgroups: Cgroups | None,
        ready_s: float,
    ) -> None:
        self._process = process
        self._control = control
        self._cgroups = cgroups
        self._ready_s = ready_s
        self._started = time.monotonic()
        self.landlock_abi = landlock_abi

    @classmethod
    def start(cls, options: Options, cgroups: Cgroups | None = None) -> "Zygote":
        """Starts one, which takes two seconds: it imports torch. With `cgroups`, children live in control groups.

        Raises SandboxError with the reason when it cannot be confined here.
        """
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            process = subprocess.Popen(
                _command(options, theirs.fileno()),
                pass_fds=[theirs.fileno()],
                env={
                    **GUEST_ENVIRONMENT,
                    **(options.gpu.environment if options.gpu else {}),
                    "HOME": TMP,
                    "TMPDIR": TMP,
                },
                cwd="/",
                stdin=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for whoever started us
            )
        ours.settimeout(_START_S)
        try:
            hello = json.loads(ours.recv(4096) or b'{"error": "it ended at once"}')
        except TimeoutError:
            hello = {"error": f"it was not ready after {_START_S:.0f} s"}
        zygote = cls(process, ours, hello.get("landlock_abi", 0), cgroups, _CONTEXT_S if options.gpu else READY_S)
        if "error" in hello:
            zygote.stop()
            raise SandboxError(f"The sandbox could not start: {hello['error']}.")
        return zygote

    @property
    def age_s(self) -> float:
        """Seconds since it was started."""
        return time.monotonic() - self._started

    @property
    def is_alive(self) -> bool:
        """Whether its process still runs."""
        return self._process.poll() is None

    def spawn(self, limits: Limits) -> ForkedChild:
        """Has a child forked, which says "ready" once it is confined. Raises SandboxError when that fails."""
        pipes = Pipes.open()
        status, their_status = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            given = [*pipes.theirs, their_status.fileno()]
            socket.send_fds(self._control, [json.dumps(asdict(limits)).encode()], given)
            their_status.close()
            pidfd = _receive_pidfd(status)
        except (OSError, SandboxError) as error:
            for fd in pipes.ours:
                os.close(fd)
            status.close()
            raise SandboxError(f"no sandbox could be made: {error}") from error
        finally:
            their_status.close()
            for fd in pipes.theirs:
                os.close(fd)
        child = ForkedChild(
            limits, pidfd, pipes.job_fd, *pipes.channels, status, cgroups=self._cgroups, ready_s=self._ready_s
        )
        return child if self._cgroups is None else _enclosed(child, self._cgroups)

    def stop(self) -> None:
        """Closes the control socket, at which the zygote ends, and every child with it."""
        self._control.close()
        if not ends_within(self._process, REAP_S):
            self._process.kill()
            self._process.wait()


def _enclosed(child: ForkedChild, cgroups: Cgroups) -> ForkedChild:
    """Puts a child into control groups, while it still waits for its job."""
    try:
        child.groups = cgroups.enclose(pid_of(child.pidfd), child.limits)
    except (CgroupError, OSError) as error:
        child.close()
        raise SandboxError(f"no sandbox could be made: {error}") from error
    return child


def standard_options(*, imports_ahead: bool = True) -> Options:
    """Builds options for this interpreter and its packages. Raises PackageNotFoundError when one is missing."""
    return Options(standard_tree(), compile_filter(), imports_ahead=imports_ahead)


def gpu_options() -> Options:
    """Builds the same with the GPU of this machine. Raises NoGpuError too."""
    tree = standard_tree()
    gpu = find_gpu(tree.folders)
    return Options(tree, compile_filter(on_gpu=True), gpu)


def _command(options: Options, control_fd: int) -> list[str]:
    project = str(Path(worker.__file__).resolve().parents[1])
    return [sys.executable, *PYTHON_OPTIONS, _BOOTSTRAP, project, options.to_json(), str(control_fd)]


def _receive_pidfd(status: socket.socket) -> int:
    status.settimeout(_SPAWN_S)
    _, fds, _, _ = socket.recv_fds(status, 4096, 1)
    if not fds:
        raise SandboxError("the zygote could not fork")
    return fds[0]
