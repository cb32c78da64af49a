"""A root and a user of its own for each session, for root in a container of somebody else's that makes no namespaces.

Weaker than the others (`Isolation.SHARED`): a submission shares the container's namespaces with the judge. So there
must be nothing in that container but one submission and what grades it. docs/gradescope.md says what is left.
"""

import logging
import os
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from grader.guest.limits import Limits
from worker.sandbox.anew import Anew
from worker.sandbox.backend import CHECK_LIMITS, Check, Ended, Gap, Isolation, SandboxError
from worker.sandbox.contained import BOOTSTRAP, Jail, Orders, environment
from worker.sandbox.landlock import in_words
from worker.sandbox.layout import HOME, LAYOUT, PYTHON, PYTHON_OPTIONS
from worker.sandbox.pipes import Pipes
from worker.sandbox.process_child import ProcessChild
from worker.sandbox.supervisor import Session

_READY_S = 120.0  # it imports torch, on half a processor
_REAP_S = 10.0
_SCRATCH = f"{HOME}/scratch"  # in it, a folder for each session
_log = logging.getLogger(__name__)


@dataclass
class ChrootChild(ProcessChild):
    """A process of ours that nobody has made a namespace for. Owns its descriptors and its folder."""

    pid: int
    scratch: Path
    ended: Ended | None = None
    ready_s: float = _READY_S
    end_s: float = _REAP_S

    def wait(self) -> Ended:
        if self.ended is None:
            if not self.has_ended_after(_REAP_S):
                raise SandboxError("a child did not end")
            _, code, usage = os.wait4(self.pid, 0)
            cpu_s = usage.ru_utime + usage.ru_stime
            # The filter lets it signal nobody, itself included.
            self.ended = Ended(code, cpu_s, usage.ru_maxrss * 1024, is_untouchable=True)
        return self.ended

    def close(self) -> None:
        self.kill()
        try:
            self.wait()
        except SandboxError as error:
            _log.warning("child_left: %s", error)
        self.close_channels()
        remove(self.scratch)


class ChrootSandbox(Anew):
    """`root` is a folder that `worker.sandbox.image` has laid out; /assay is a link to the folder of that name in it,
    so that everything lies at one path before and after the change of root.
    """

    def __init__(self, root: Path, *, imports_ahead: bool = True) -> None:
        super().__init__()
        self._root = root
        self._imports_ahead = imports_ahead

    @property
    def description(self) -> str:
        landlock = in_words(self._landlock_abi)
        return f"chroot (a root and a user of its own, no new privileges; seccomp; {landlock}; no namespaces)"

    @property
    def gaps(self) -> frozenset[Gap]:
        return frozenset({Gap.NEIGHBOURS, Gap.MACHINE_NAME})

    @property
    def isolation(self) -> Isolation:
        return Isolation.SHARED

    def start(self, check: Check) -> None:
        self._require()
        scratch = Path(_SCRATCH)
        remove(scratch)
        scratch.mkdir()
        scratch.chmod(0o711)  # a session enters its own folder, and cannot see that there are others
        self._try_one()
        check(self.child(CHECK_LIMITS))

    def child(self, limits: Limits) -> ChrootChild:
        user = self._next_user()
        scratch = Path(_SCRATCH, str(user))
        try:
            scratch.mkdir(0o700)
            os.chown(scratch, user, user)
            return self._started(limits, Jail(str(self._root), user, str(scratch)))
        except OSError as error:
            remove(scratch)
            raise SandboxError(f"no sandbox could be made: {error}") from error

    def _require(self) -> None:
        if os.getuid() != 0:
            raise SandboxError("The sandbox `chroot` needs root, to give each submission a user of its own.")
        own = Path(LAYOUT)
        if not own.is_file() or not own.samefile(f"{self._root}{LAYOUT}"):
            raise SandboxError(f"{HOME} is not a link to the folder of that name in {self._root}: docs/gradescope.md.")

    def _started(self, limits: Limits, jail: Jail) -> ChrootChild:
        orders = Orders(limits, self._seccomp, jail=jail, imports_ahead=self._imports_ahead)
        pipes = Pipes.open()
        try:
            pid = os.posix_spawn(
                PYTHON,
                [PYTHON, *PYTHON_OPTIONS, BOOTSTRAP, orders.to_json()],
                environment(jail.tmp),
                file_actions=[(os.POSIX_SPAWN_DUP2, fd, number) for number, fd in enumerate(pipes.theirs)],
                setsid=True,
            )
        except OSError:
            for fd in pipes.ours:
                os.close(fd)
            raise
        finally:
            for fd in pipes.theirs:
                os.close(fd)
        _die_first(pid)
        return ChrootChild(limits, os.pidfd_open(pid), pipes.job_fd, *pipes.channels, pid, Path(jail.tmp))

    def _try_one(self) -> None:
        session = Session(self.child(Limits()))
        try:
            self._see_confined(session, f"{self._root} is not of this version")
        finally:
            session.abandon()


def remove(folder: Path) -> None:
    """Removes a folder however deep it is; nothing in it is followed. Whoever made it is gone."""
    subprocess.run(["rm", "-rf", "--", folder], check=False)


def _die_first(pid: int) -> None:
    """When memory is short, the kernel takes the submission and not the judge. Before any of it is read."""
    with suppress(OSError):  # it has ended, as whoever waits for it will see
        Path(f"/proc/{pid}/oom_score_adj").write_text("1000")
