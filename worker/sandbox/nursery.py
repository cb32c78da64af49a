"""The supervisor's end of a zygote: starts it, asks it for children, and knows how each of them ended."""

import fcntl
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import worker
from grader.limits import Limits, Usage
from worker.sandbox.backend import Ended, PipeEnd, SandboxError
from worker.sandbox.cgroups import CgroupError, Fence, pid_of
from worker.sandbox.environment import GUEST_ENVIRONMENT
from worker.sandbox.gpu import find_gpu
from worker.sandbox.layout import PYTHON_OPTIONS, TMP
from worker.sandbox.options import Options
from worker.sandbox.packages import standard_tree
from worker.sandbox.seccomp import compile_filter

# These only end a hang, and are generous to a busy machine: whatever dies is noticed at once.
_START_S = 300.0
_SPAWN_S = 30.0
_REAP_S = 5.0
_READY_S = 30.0
_CONTEXT_S = 60.0  # a child that takes a card is ready when it has it
_EXIT_GRACE_S = 0.5
_PIPE_BYTES = 1 << 20
_BOOTSTRAP = "import sys; sys.path.append(sys.argv.pop(1)); from worker.sandbox.launch import main; main()"


@dataclass
class ForkedChild:
    """A child of a zygote. Its channels are pipes."""

    limits: Limits
    pidfd: int
    job_fd: int
    results: PipeEnd
    log: PipeEnd
    status: socket.socket
    ended: Ended | None = None
    fence: Fence | None = None
    groups: tuple[Path, ...] = ()
    ready_s: float = _READY_S
    end_s: float = _REAP_S
    on_close: Callable[[], None] | None = None

    @property
    def is_alive(self) -> bool:
        return not self._has_ended_after(0)

    def starved_s(self) -> float:
        try:
            _, waited_ns, _ = Path(f"/proc/{pid_of(self.pidfd)}/schedstat").read_text().split()
        except (CgroupError, OSError):  # it has ended, or this kernel does not count
            return 0.0
        return int(waited_ns) / 1e9

    def usage(self) -> Usage | None:
        try:
            pid = pid_of(self.pidfd)
            fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
            return Usage(time.clock_gettime(_cpu_clock_of(pid)), int(fields["VmHWM"].split()[0]) * 1024)
        except (CgroupError, OSError, KeyError):  # it has ended
            return None

    def is_over(self) -> bool:
        return self._has_ended_after(_EXIT_GRACE_S)

    def _has_ended_after(self, patience_s: float) -> bool:
        waiting = select.poll()
        waiting.register(self.pidfd, select.POLLIN)
        return bool(waiting.poll(patience_s * 1000))

    def kill(self) -> None:
        """SIGKILL to the first process of its pid namespace: the kernel then ends every other one in it."""
        try:
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
        except ProcessLookupError:
            return

    def wait(self) -> Ended:
        """Until the zygote has reaped it. Raises SandboxError when it does not."""
        if self.ended is not None:
            return self.ended
        self.status.settimeout(_REAP_S)
        try:
            message = self.status.recv(4096)
        except OSError as error:
            raise SandboxError("a child was not reaped") from error
        if not message:
            raise SandboxError("the zygote ended during a session")
        ended = Ended(**json.loads(message), is_first=True)
        if self.fence is not None and self.fence.was_filled(self.groups):
            ended = replace(ended, out_of_memory=os.waitstatus_to_exitcode(ended.code) == -signal.SIGKILL)
        self.ended = ended
        return ended

    def close(self) -> None:
        self.kill()
        os.close(self.job_fd)
        self.results.close()
        self.log.close()
        os.close(self.pidfd)
        self.status.close()
        if self.fence is not None:
            self.fence.release(self.groups)
        if self.on_close is not None:
            self.on_close()


class Zygote:
    """One zygote process. Start it from a thread that lives as long as it should: it dies with that thread."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        control: socket.socket,
        landlock_abi: int,
        fence: Fence | None,
        ready_s: float,
    ) -> None:
        self._process = process
        self._control = control
        self._fence = fence
        self._ready_s = ready_s
        self._started = time.monotonic()
        self.landlock_abi = landlock_abi

    @classmethod
    def start(cls, options: Options, fence: Fence | None = None) -> "Zygote":
        """Takes two seconds: it imports torch. With a fence, children live in control groups.

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
        zygote = cls(process, ours, hello.get("landlock_abi", 0), fence, _CONTEXT_S if options.gpu else _READY_S)
        if "error" in hello:
            zygote.stop()
            raise SandboxError(f"The sandbox could not start: {hello['error']}.")
        return zygote

    @property
    def age_s(self) -> float:
        return time.monotonic() - self._started

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def spawn(self, limits: Limits) -> ForkedChild:
        """A new child, which says "ready" once it is confined. Raises SandboxError when there is none to be had."""
        job_read, job_write = _pipe()
        result_read, result_write = _pipe()
        log_read, log_write = _pipe()
        status, their_status = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        given = [job_read, result_write, log_write, their_status.fileno()]
        try:
            socket.send_fds(self._control, [json.dumps(asdict(limits)).encode()], given)
            their_status.close()
            pidfd = _receive_pidfd(status)
        except (OSError, SandboxError) as error:
            for fd in (job_write, result_read, log_read):
                os.close(fd)
            status.close()
            raise SandboxError(f"no sandbox could be made: {error}") from error
        finally:
            their_status.close()
            for fd in (job_read, result_write, log_write):
                os.close(fd)
        os.set_blocking(job_write, False)
        channels = (PipeEnd(result_read), PipeEnd(log_read))
        child = ForkedChild(limits, pidfd, job_write, *channels, status, fence=self._fence, ready_s=self._ready_s)
        return child if self._fence is None else _enclosed(child, self._fence)

    def stop(self) -> None:
        """It ends when its control socket closes, and every child with it."""
        self._control.close()
        try:
            self._process.wait(timeout=_REAP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _enclosed(child: ForkedChild, fence: Fence) -> ForkedChild:
    """Into control groups, while the child still waits for its job."""
    try:
        child.groups = fence.enclose(pid_of(child.pidfd), child.limits)
    except (CgroupError, OSError) as error:
        child.close()
        raise SandboxError(f"no sandbox could be made: {error}") from error
    return child


def standard_options() -> Options:
    """For this interpreter and its packages. Raises PackageNotFoundError when one is missing."""
    return Options(standard_tree(), compile_filter())


def gpu_options() -> Options:
    """The same, with the card of this machine. Raises NoGpuError too."""
    tree = standard_tree()
    gpu = find_gpu(tree.folders)
    return Options(tree, compile_filter(on_gpu=True), gpu)


def _cpu_clock_of(pid: int) -> int:
    """The kernel's clock of the processor time of another process: clock_getcpuclockid(3), which Python lacks."""
    return ~pid << 3 | 2


def _command(options: Options, control_fd: int) -> list[str]:
    project = str(Path(worker.__file__).resolve().parents[1])
    return [sys.executable, *PYTHON_OPTIONS, _BOOTSTRAP, project, options.to_json(), str(control_fd)]


def _pipe() -> tuple[int, int]:
    reading, writing = os.pipe2(os.O_CLOEXEC)
    try:
        fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    except OSError:  # the user has many large pipes already: a small one is only slower
        return reading, writing
    return reading, writing


def _receive_pidfd(status: socket.socket) -> int:
    status.settimeout(_SPAWN_S)
    _, fds, _, _ = socket.recv_fds(status, 4096, 1)
    if not fds:
        raise SandboxError("the zygote could not fork")
    return fds[0]
