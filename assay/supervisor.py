"""Keeps child processes running and takes all of them along when it ends. Knows nothing of what they do.

Small and our own because process managers leave four things to an init system: a dead child is started again, no
grandchild survives a dead or stopped child, SIGKILL of the supervisor takes the children along, and a child can hold a
lock file open. Signals are blocked and waited for (sigtimedwait): no handlers, no races between them. Linux only.
"""

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from worker.sandbox.scheduling import weigh_session_as_process

STOP_SIGNALS: Final = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
WATCHED: Final = STOP_SIGNALS | {signal.SIGCHLD}
FIRST_PAUSE_S: Final = 0.2
LONGEST_PAUSE_S: Final = 15.0
STEADY_AFTER_S: Final = 30.0  # a child that lived that long starts again with the first pause
LOG_BYTES_MAX: Final = 16 << 20
_PR_SET_PDEATHSIG: Final = 1
_PR_SET_CHILD_SUBREAPER: Final = 36
_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Role:
    """One process to keep running. Its environment is exactly `environment`; its output goes to `log`."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(repr=False)
    log: Path
    stop_timeout_s: float = 10.0
    orphan_signal: signal.Signals = signal.SIGKILL  # what it gets when the supervisor itself is killed
    keep_open: tuple[int, ...] = ()
    niceness: int = 0  # how far it stands back for the others on a busy machine


@dataclass
class _Child:
    role: Role
    process: subprocess.Popen[bytes]
    started_at: float
    failures: int = 0
    restart_at: float | None = None  # set while it is down


Tell = Callable[[str], None]


class Supervisor:
    """A context manager, for the main thread of a process without other threads: leaving it stops every child."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._children: dict[str, _Child] = {}
        self._mask: set[signal.Signals | int] = set()
        self._strangers: frozenset[int] = frozenset()

    def __enter__(self) -> Self:
        self._strangers = frozenset(_own_children())
        self._mask = signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        _prctl(_PR_SET_CHILD_SUBREAPER, 0)
        while signal.sigtimedwait(WATCHED, 0):
            pass  # one that came while we were stopping has been obeyed
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)

    def start(self, role: Role) -> None:
        """Starts a child, which is started again whenever it dies."""
        self._children[role.name] = _Child(role, _spawn(role), time.monotonic())

    def failures(self, name: str) -> int:
        """How often in a row the child has died soon after its start."""
        return self._children[name].failures

    def pids(self) -> dict[str, int]:
        """Tells the process of each child, by its role."""
        return {name: child.process.pid for name, child in self._children.items()}

    def wait(self, timeout_s: float) -> bool:
        """Sleeps, and starts again whatever died meanwhile. Returns True as soon as somebody asks to stop."""
        deadline = time.monotonic() + timeout_s
        while (left_s := deadline - time.monotonic()) > 0:
            self._start_again()
            due = [child.restart_at - time.monotonic() for child in self._children.values() if child.restart_at]
            received = signal.sigtimedwait(WATCHED, max(0.0, min([left_s, *due])))
            if received and received.si_signo in STOP_SIGNALS:
                return True
            self._reap()
        return False

    def _start_again(self) -> None:
        for child in self._children.values():
            if child.restart_at is not None and time.monotonic() >= child.restart_at:
                child.process = _spawn(child.role)
                child.started_at = time.monotonic()
                child.restart_at = None

    def _reap(self) -> None:
        for child in self._children.values():
            if child.restart_at is None and child.process.poll() is not None:
                self._note_death(child)
        for pid in self._adopted():
            os.waitpid(pid, os.WNOHANG)

    def _adopted(self) -> set[int]:
        """Orphans of our children: we are their subreaper, so they became ours."""
        own = {child.process.pid for child in self._children.values()}
        return _own_children() - own - self._strangers

    def _note_death(self, child: _Child) -> None:
        _kill_group(child.process.pid)
        lived_s = time.monotonic() - child.started_at
        child.failures = 1 if lived_s > STEADY_AFTER_S else child.failures + 1
        pause_s = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** (child.failures - 1))
        child.restart_at = time.monotonic() + pause_s
        self._tell(f"{child.role.name} {_how(child.process.returncode)}; starting it again (log: {child.role.log})")

    def _stop(self) -> None:
        """Stops children in the reverse order of starting. A second request to stop ends the patience."""
        patient = True
        for child in reversed(self._children.values()):
            if child.process.poll() is None:
                child.process.terminate()
                patient = patient and self._wait_for(child)
            _kill_group(child.process.pid)
            child.process.wait()
        self._children.clear()
        while adopted := self._adopted():  # whatever a child left behind in a session of its own
            for pid in adopted:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)

    def _wait_for(self, child: _Child) -> bool:
        """False when somebody asked a second time."""
        deadline = time.monotonic() + child.role.stop_timeout_s
        while child.process.poll() is None:
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                self._tell(f"{child.role.name} did not stop within {child.role.stop_timeout_s:.0f} s and was killed")
                return True
            received = signal.sigtimedwait(WATCHED, left_s)
            if received and received.si_signo in STOP_SIGNALS:
                return False
        return True


def _spawn(role: Role) -> subprocess.Popen[bytes]:
    _make_room(role.log)
    parent = os.getpid()

    def prepare() -> None:
        _prctl(_PR_SET_PDEATHSIG, role.orphan_signal)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.nice(role.niceness)
        weigh_session_as_process()
        if os.getppid() != parent:  # it was killed before we asked to be told
            os._exit(1)

    with role.log.open("ab") as log:
        return subprocess.Popen(
            role.command,
            env=dict(role.environment),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            pass_fds=role.keep_open,
            preexec_fn=prepare,  # noqa: PLW1509 - safe: this process has no other threads
        )


def _make_room(log: Path) -> None:
    if log.exists() and log.stat().st_size > LOG_BYTES_MAX:
        log.replace(log.with_suffix(".old"))


def _own_children() -> set[int]:
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    return {int(pid) for pid in children.read_text().split()} if children.exists() else set()


def _kill_group(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _prctl(option: int, value: int) -> None:
    if _libc.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def _how(returncode: int) -> str:
    if returncode < 0:
        return f"was killed by {signal.Signals(-returncode).name}"
    return f"ended with exit code {returncode}"
