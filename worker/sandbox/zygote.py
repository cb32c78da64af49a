"""The process that has imported torch and forks a confined child for each session. It reads nothing that a child wrote.

Started by `launch.py`, with a hand-written environment, at paths that say nothing of the machine's.
Holds no secret: every child inherits its memory.
"""

import gc
import json
import os
import select
import signal
import socket
import sys
from dataclasses import dataclass
from typing import Any, NoReturn

from grader.guest.limits import Limits
from worker.sandbox import guest, landlock, namespaces, privileges, rlimits, syscalls
from worker.sandbox.allowed_imports import seal_imports
from worker.sandbox.backend import CHECK_LIMITS
from worker.sandbox.channels import end_with, keep_only
from worker.sandbox.context import open_context
from worker.sandbox.framing import Frame
from worker.sandbox.gpu import READ_OF_ITSELF, GpuBindings
from worker.sandbox.launch import NEW_ROOT, may_mount
from worker.sandbox.options import Options
from worker.sandbox.rlimits import Footprint
from worker.sandbox.root import enter_root, mount_own_proc, mount_tmp
from worker.sandbox.scheduling import weigh_session_as_process
from worker.sandbox.warmup import warm_up

CONTROL_FD = 3
_PROC_FD = 4
_FIRST_FREE_FD = 5


@dataclass(frozen=True)
class Confinement:
    """What every child gets, worked out once."""

    seccomp: bytes
    landlock_abi: int
    footprint: Footprint
    gpu: GpuBindings | None


def main() -> NoReturn:
    """Serves until the supervisor is gone. Arguments: the options as JSON, the number of the control socket."""
    namespaces.die_with_parent()
    weigh_session_as_process()
    options, control_fd = Options.from_json(sys.argv[1]), int(sys.argv[2])
    _move_fd(control_fd, CONTROL_FD)
    control = socket.socket(fileno=CONTROL_FD)
    try:
        confinement = _prepare(options)
    except (OSError, RuntimeError) as error:
        control.send(json.dumps({"error": str(error)}).encode())
        os._exit(1)
    control.send(json.dumps({"landlock_abi": confinement.landlock_abi}).encode())
    _serve(control, confinement)


def _prepare(options: Options) -> Confinement:
    warm_up(imports_ahead=options.imports_ahead, beside_gpu=options.gpu is not None)
    seal_imports(options.tree)
    confinement = Confinement(
        seccomp=options.seccomp,
        landlock_abi=landlock.supported_abi(),
        footprint=rlimits.measure_footprint(),
        gpu=options.gpu,
    )
    _seal(options)
    return confinement


def _seal(options: Options) -> None:
    """Enters namespaces and the small root, and drops every privilege. Returns in a child, pid 1 of its namespace."""
    proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY)  # only to write id maps: the new root has no /proc
    _move_fd(proc, _PROC_FD)
    syscalls.close_range(_FIRST_FREE_FD)
    if os.getuid() == 0 and may_mount():
        enter_root(options.tree, NEW_ROOT, options.gpu)
        privileges.become_nobody()
        namespaces.enter_all(_PROC_FD)
    else:
        if os.getuid() == 0:
            privileges.become_nobody()
        namespaces.enter_all(_PROC_FD)
        enter_root(options.tree, NEW_ROOT, options.gpu)
    namespaces.die_with_parent()
    _become_first_of_namespace()
    privileges.forbid_new_privileges()
    privileges.drop_capabilities()
    privileges.hide_from_others()
    namespaces.die_with_parent()
    if options.imports_ahead:  # of so much it is worth it
        gc.collect()
    gc.freeze()
    gc.enable()
    syscalls.trim_heap()


def _move_fd(fd: int, wanted: int) -> None:
    """Whoever closes the descriptors above will close `fd` too."""
    if fd != wanted:  # duplicating a descriptor onto itself is an error
        os.dup2(fd, wanted, inheritable=False)


def _become_first_of_namespace() -> None:
    pid = os.fork()
    if pid == 0:
        return
    syscalls.close_range(CONTROL_FD)
    _, status = os.waitpid(pid, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


# --- serving ---------------------------------------------------------------------------------------------------------


def _serve(control: socket.socket, confinement: Confinement) -> NoReturn:
    """Forks on request and tells how each child ended, until the supervisor is gone."""
    live: dict[int, tuple[int, socket.socket]] = {}
    poll = select.poll()
    poll.register(control, select.POLLIN)
    while True:
        for fd, _ in poll.poll():
            if fd != control.fileno():
                poll.unregister(fd)
                _report_end(fd, *live.pop(fd))
                continue
            message, fds, _, _ = socket.recv_fds(control, 4096, 4)
            if not message:
                os._exit(0)
            pidfd = _spawn(json.loads(message), fds, confinement, live)
            if pidfd is not None:
                poll.register(pidfd, select.POLLIN)


def _spawn(
    request: dict[str, Any], fds: list[int], confinement: Confinement, live: dict[int, tuple[int, socket.socket]]
) -> int | None:
    """A failure concerns one session only: its status socket closes, which the supervisor takes as lost."""
    job_fd, result_fd, log_fd, status_fd = fds
    status = socket.socket(fileno=status_fd)
    try:
        pid, pidfd = namespaces.fork_into_new()
        if pid == 0:
            _become_guest(Limits(**request), (job_fd, result_fd, log_fd), confinement)
        live[pidfd] = (pid, status)
        _tell(status, b"{}", pidfd)
        return pidfd
    except OSError as error:
        sys.stderr.write(f"zygote: no child: {error}\n")
        status.close()
        return None
    finally:
        for fd in (job_fd, result_fd, log_fd):
            os.close(fd)


def _tell(status: socket.socket, message: bytes, pidfd: int) -> None:
    try:
        socket.send_fds(status, [message], [pidfd])
    except OSError:  # the supervisor has given up on it already
        signal.pidfd_send_signal(pidfd, signal.SIGKILL)


def _report_end(pidfd: int, pid: int, status: socket.socket) -> None:
    os.close(pidfd)
    _, code, usage = os.wait4(pid, 0)
    report = {"code": code, "cpu_s": usage.ru_utime + usage.ru_stime, "peak_bytes": usage.ru_maxrss * 1024}
    try:
        status.send(json.dumps(report).encode())
    except OSError:
        pass
    finally:
        status.close()


# --- the child -------------------------------------------------------------------------------------------------------


def _become_guest(limits: Limits, channels: tuple[int, int, int], confinement: Confinement) -> NoReturn:
    """Any step that fails ends the child before it has read anything of the submission."""

    def serve() -> None:
        _confine(limits, channels, confinement)
        if confinement.gpu is not None and limits != CHECK_LIMITS:  # what it opens is not left over from us
            open_context()
        guest.serve(Frame("ready"), limits.call_cpu_s)

    end_with(serve)


def _confine(limits: Limits, channels: tuple[int, int, int], confinement: Confinement) -> None:
    """The order matters: what a later step takes away, an earlier one needs."""
    namespaces.settle(_PROC_FD)
    about_itself = {name: namespaces.read_proc(_PROC_FD, name) for name in READ_OF_ITSELF} if confinement.gpu else {}
    os.setpgid(0, 0)  # no new session: Linux may schedule each as somebody of its own
    keep_only(*channels)
    mount_tmp(limits.tmp_bytes)
    if confinement.gpu is not None:
        mount_own_proc(about_itself)
    os.umask(0o077)
    rlimits.apply(limits, confinement.footprint, rlimits.NOT_ON_GPU if confinement.gpu else frozenset())
    if confinement.gpu is None:  # its driver was not written for signals
        rlimits.begin_to_tick()
    privileges.forbid_new_privileges()
    privileges.drop_capabilities()
    if confinement.landlock_abi:
        landlock.restrict(confinement.landlock_abi, gpu=confinement.gpu)
    syscalls.load_seccomp(confinement.seccomp)
