"""What sandboxes share that make a process anew for each session: a user of its own for each, and nothing to tend."""

import itertools
import random
import threading
from collections.abc import Callable

from grader.alive import BEAT_S
from worker.sandbox.backend import SandboxError
from worker.sandbox.framing import MalformedFrameError, split
from worker.sandbox.seccomp import compile_filter
from worker.sandbox.supervisor import Session

_FIRST_UID, _UIDS = 20_000, 40_000  # the kernel counts threads, and allows signals, by user


class Anew:
    """Holds what every process is given, and how far the first could be confined."""

    def __init__(self) -> None:
        self._seccomp = compile_filter()
        self._landlock_abi = 0
        # From anywhere on, so that two runners seldom share one, and nobody meets what another has left.
        self._uids = itertools.count(random.randrange(_UIDS))  # noqa: S311
        self._stopped = threading.Event()

    def tend(self, in_order: Callable[[], None]) -> None:
        """Does nothing: there is nothing to keep in order."""
        in_order()
        while not self._stopped.wait(BEAT_S):
            in_order()

    def stop(self) -> None:
        """Does nothing: every child ends with the thread that holds its session."""
        self._stopped.set()

    def _next_user(self) -> int:
        return _FIRST_UID + next(self._uids) % _UIDS

    def _see_confined(self, first: Session, otherwise: str) -> None:
        """Sees how far a child can be confined here. Raises SandboxError: when it cannot, and, saying `otherwise`, when
        it does not answer as ours do.
        """
        try:
            self._landlock_abi = int(split(first.await_ready()).fields["landlock_abi"])
        except (MalformedFrameError, KeyError, ValueError) as error:
            raise SandboxError(f"{otherwise}: {error}") from error
