"""A pool of zygotes, and of warm children that they have forked ahead. One thread tends it; any thread may ask."""

import logging
import threading
from collections import deque
from collections.abc import Callable

from grader.guest.limits import Limits
from worker.sandbox.backend import CHECK_LIMITS, Check, Child, Gap, Isolation, SandboxError
from worker.sandbox.cgroups import Cgroups
from worker.sandbox.forked_child import ForkedChild
from worker.sandbox.landlock import in_words
from worker.sandbox.options import Options
from worker.sandbox.zygote_client import Zygote

_PATIENCE_S = 60.0  # a zygote takes two or three seconds of a processor to come back
_CHECK_S = 1.0
_RECYCLE_S = 24 * 3600.0  # all children share their zygote's memory layout: not for ever
_RETIRE_S = 3600.0  # longer than any session may take
_log = logging.getLogger(__name__)


def _unchecked(_: Child) -> None:
    raise SandboxError("the sandbox has not been started")


class ZygotePool:
    """Holds `count` zygotes, and one warm child for each of the last two limits: to inspect, and to run."""

    def __init__(
        self, options: Options, count: int = 1, recycle_s: float = _RECYCLE_S, cgroups: Cgroups | None = None
    ) -> None:
        self._options = options
        self._cgroups = cgroups
        self._check: Check = _unchecked
        self._count = count
        self._recycle_s = recycle_s
        self._retired: list[Zygote] = []  # the tending thread's own
        self._turn = 0
        self._stopping = False
        self._changed = threading.Condition()  # guards all below
        self._zygotes: list[Zygote] = []
        self._warm: dict[Limits, ForkedChild] = {}
        self._recent: deque[Limits] = deque(maxlen=2)

    @property
    def description(self) -> str:
        with self._changed:
            abi = min((zygote.landlock_abi for zygote in self._zygotes), default=0)
        groups = "cgroup limits" if self._cgroups is not None else "no cgroup limits"
        return f"zygote (user, pid, mount, net, ipc, uts, cgroup namespaces; seccomp; {in_words(abi)}; {groups})"

    @property
    def gaps(self) -> frozenset[Gap]:
        return frozenset()

    @property
    def isolation(self) -> Isolation:
        with self._changed:
            if not all(zygote.landlock_abi for zygote in self._zygotes):
                return Isolation.REDUCED
        return Isolation.STANDARD if self._cgroups is None else Isolation.FULL

    def start(self, check: Check) -> None:
        """Starts the zygotes. Raises SandboxError when this machine does not give the isolation asked for."""
        self._check = check
        while len(self._zygotes) < self._count:
            self._add_zygote()

    def child(self, limits: Limits) -> ForkedChild:
        """Hands out a warm child, or has one forked. Raises SandboxError when there is none within a minute."""
        with self._changed:
            child = self._warm.pop(limits, None)
            if limits not in self._recent:
                self._recent.append(limits)
            self._changed.notify_all()
            if child is not None and child.is_alive:
                return child
            zygote = self._living_zygote()
        if child is not None:
            child.close()
        return zygote.spawn(limits)

    def tend(self, in_order: Callable[[], None]) -> None:
        """Replaces dead zygotes and warm children that were taken, until `stop`.

        Zygotes die with the thread that runs this.
        """
        while not self._stopping:
            try:
                self._replace_dead()
                self.recycle()
                self._refill()
            except SandboxError as error:
                _log.error("zygote_unavailable: %s", error)
            else:
                in_order()
            with self._changed:
                if not self._stopping:
                    self._changed.wait(timeout=_CHECK_S)

    def stop(self) -> None:
        """Ends every zygote and with it every child. Whoever waits for one is told so."""
        with self._changed:
            self._stopping = True
            zygotes, self._zygotes = self._zygotes, []
            warm, self._warm = self._warm, {}
            self._changed.notify_all()
        for child in warm.values():
            child.close()
        for zygote in (*zygotes, *self._retired):
            zygote.stop()
        if self._cgroups is not None:
            self._cgroups.close()

    def _living_zygote(self) -> Zygote:
        """Called with the lock held, which it gives up while it waits."""
        self._changed.wait_for(lambda: self._stopping or self._living(), timeout=_PATIENCE_S)
        living = self._living()
        if not living:
            raise SandboxError("the sandbox is being restarted")
        self._turn += 1
        return living[self._turn % len(living)]

    def _living(self) -> list[Zygote]:
        return [zygote for zygote in self._zygotes if zygote.is_alive]

    def _replace_dead(self) -> None:
        with self._changed:
            dead = [zygote for zygote in self._zygotes if not zygote.is_alive]
            self._zygotes = self._living()
        for zygote in dead:
            _log.warning("zygote_died")
            zygote.stop()
        while len(self._zygotes) < self._count and not self._stopping:
            self._add_zygote()

    def recycle(self) -> None:
        """Gives each old zygote a successor, and ends it when the last of its sessions must be over."""
        for old in [zygote for zygote in self._living() if zygote.age_s > self._recycle_s]:
            self._add_zygote()
            with self._changed:
                self._zygotes.remove(old)
            self._retired.append(old)
        for zygote in [zygote for zygote in self._retired if zygote.age_s > self._recycle_s + _RETIRE_S]:
            self._retired.remove(zygote)
            zygote.stop()

    def _add_zygote(self) -> None:
        zygote = Zygote.start(self._options, self._cgroups)
        try:
            self._check(zygote.spawn(CHECK_LIMITS))
        except SandboxError:
            zygote.stop()
            raise
        with self._changed:
            self._zygotes.append(zygote)
            self._changed.notify_all()

    def _refill(self) -> None:
        with self._changed:
            living = self._living()
            missing = [limits for limits in self._recent if limits not in self._warm]
            stale = [self._warm.pop(limits) for limits in [*self._warm] if limits not in self._recent]
        for child in stale:
            child.close()
        for limits in missing if living else ():
            child = living[0].spawn(limits)
            with self._changed:
                if not self._stopping and limits not in self._warm:
                    self._warm[limits] = child
                    continue
            child.close()
