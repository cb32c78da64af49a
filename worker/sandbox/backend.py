"""What the runner needs of a sandbox: children, each confined, for one session, and killable at any time.

One protocol, three backends (`zygote_pool.ZygotePool`, `containers.DockerSandbox`, `chroot.ChrootSandbox`), one
conformance suite for all.
"""

import os
import select
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from grader.guest.limits import Limits, Usage

_CHUNK_BYTES = 1 << 20


class Isolation(StrEnum):
    """How far a submission is kept apart from the machine; each level has all that those before it have."""

    SHARED = "shared"  # a root and a user of its own, an allow-list of system calls, resource limits; no namespaces
    REDUCED = "reduced"  # and namespaces
    STANDARD = "standard"  # and Landlock
    FULL = "full"  # and limits by the kernel's control groups
    GVISOR = "gvisor"  # and a kernel of its own

    def is_at_least(self, other: "Isolation") -> bool:
        """Tells whether this level has all that the other has."""
        levels = list(Isolation)
        return levels.index(self) >= levels.index(other)


class Gap(StrEnum):
    """What the self-test asks for, and a kind of sandbox gives all the same: no escape by itself."""

    PROCESS_TABLE = "the process table"
    NEIGHBOURS = "processes of others"
    MACHINE_NAME = "a name of its own"


class SandboxError(Exception):
    """There is no child to be had, or one was lost. Never a submission's fault."""


@dataclass(frozen=True)
class Ended:
    """How a child ended, as the kernel or the daemon tells it. `code` is a wait status, and where `is_untouchable` that
    of a process which nothing inside can end by SIGKILL.
    """

    code: int
    cpu_s: float  # an upper bound where nobody counts it
    peak_bytes: int | None  # None where nobody counted it
    out_of_memory: bool = False  # the kernel is known to have ended it because it held too much memory
    is_untouchable: bool = False


class Channel(Protocol):
    """A stream of bytes from a child, read without ever waiting."""

    def fileno(self) -> int:
        """The descriptor to poll."""

    def read(self) -> bytes:
        """Returns what is there, nothing at its end. Raises BlockingIOError when there is nothing yet."""

    def has_data(self) -> bool:
        """Whether there is something to read, the end not counted."""

    def close(self) -> None:
        """Lets go of the stream."""


class Child(Protocol):
    """A confined process that waits for its one job. Whoever holds it must `close` it, which ends it for certain."""

    @property
    def limits(self) -> Limits:
        """What it was given at its start; it cannot be given more."""

    @property
    def ready_s(self) -> float:
        """How long it may take until it says that it is confined."""

    @property
    def end_s(self) -> float:
        """How long it may take from `kill` until the last it has written is here."""

    @property
    def job_fd(self) -> int:
        """The descriptor that its questions are written to; it does not block."""

    @property
    def results(self) -> Channel:
        """The stream of its answers, as frames."""

    @property
    def log(self) -> Channel:
        """The stream of all that it prints."""

    def starved_s(self) -> float:
        """How long it has stood ready to go on, and no processor was free; 0 where nobody counts that."""

    def usage(self) -> Usage | None:
        """Reads what it has used so far; None where nobody counts that, or it is gone."""

    def pause(self) -> None:
        """Lets nothing of it run until `resume`, where that is in our power. Not an error when it has ended."""

    def resume(self) -> None:
        """Lets it go on after `pause`. Not an error when it was not paused, or has ended."""

    def is_over(self) -> bool:
        """Whether a child that has fallen silent has ended: waits as long as that may take, and not longer."""

    def kill(self) -> None:
        """Ends every process of it, without waiting for that. Not an error when it has ended already."""

    def wait(self) -> Ended:
        """Waits until it is gone. Raises SandboxError when it does not go, or nobody knows how it went."""

    def close(self) -> None:
        """Lets go of all that it held; nothing of it stays."""


Check = Callable[[Child], None]
CHECK_LIMITS = Limits(wall_s=10.0, cpu_s=5.0)


class Sandbox(Protocol):
    """A backend. One thread starts it, tends it and stops it; any thread may ask for children."""

    @property
    def isolation(self) -> Isolation:
        """What is in force, once it has started."""

    @property
    def description(self) -> str:
        """What it is and which layers are in force, for reports."""

    @property
    def gaps(self) -> frozenset[Gap]:
        """What a submission has here, although the self-test asks for it."""

    def start(self, check: Check) -> None:
        """`check` uses up a child and raises SandboxError when it is not tight: asked before any child is handed out,
        and again of whatever makes children later. Raises SandboxError, with the reason, when this machine does not
        give what the sandbox needs.
        """

    def child(self, limits: Limits) -> Child:
        """Makes, or hands out, a confined process that nobody has used. Raises SandboxError."""

    def tend(self, in_order: Callable[[], None]) -> None:
        """Keeps things in order until `stop`, and says so every second or two while they are."""

    def stop(self) -> None:
        """Ends every child and leaves nothing behind."""


class PipeEnd:
    """The reading end of a pipe as a channel. Owns the descriptor."""

    def __init__(self, fd: int) -> None:
        os.set_blocking(fd, False)
        self._fd = fd

    def fileno(self) -> int:
        return self._fd

    def read(self) -> bytes:
        return os.read(self._fd, _CHUNK_BYTES)

    def has_data(self) -> bool:
        waiting = select.poll()
        waiting.register(self._fd, select.POLLIN)
        return any(events & select.POLLIN for _, events in waiting.poll(0))

    def close(self) -> None:
        os.close(self._fd)
