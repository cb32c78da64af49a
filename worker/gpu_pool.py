"""The pool of a machine with a GPU: the next child is made ready when the last is gone and the GPU is clean."""

import logging
import time
from contextlib import ExitStack

from grader.guest.limits import Limits
from worker.gpu import Gpu
from worker.sandbox.backend import SandboxError
from worker.sandbox.cgroups import Cgroups
from worker.sandbox.forked_child import ForkedChild
from worker.sandbox.options import Options
from worker.sandbox.zygote_pool import ZygotePool

# Less than any context takes, more than a driver's own books may grow by.
SLACK_BYTES = 128 << 20
_CLEAN_S = 5.0
_POLL_S = 0.05
_log = logging.getLogger(__name__)


class GpuPool(ZygotePool):
    """While children are at work none is made ready: each holds some of the GPU."""

    def __init__(self, options: Options, gpu: Gpu, cgroups: Cgroups | None = None, clean_s: float = _CLEAN_S) -> None:
        super().__init__(options, cgroups=cgroups)
        self._gpu = gpu
        self._clean_s = clean_s
        self._resting_bytes = gpu.used_bytes()
        # Guarded by the condition, as what ZygotePool has.
        self._at_work = 0
        self._is_used = False  # since it was looked at last
        self._trouble = ""  # why the GPU is out of service

    @property
    def description(self) -> str:
        return f"{super().description.removesuffix(')')}; {self._gpu.name}: its driver's devices, any request to them)"

    def child(self, limits: Limits) -> ForkedChild:
        """Hands out a child as `ZygotePool` does. Raises SandboxError while the GPU is out of service, too."""
        with self._changed:
            if self._trouble:
                raise SandboxError(self._trouble)
            self._at_work += 1
            self._is_used = True
        with ExitStack() as undo:  # a child that never was must not count as at work
            undo.callback(self._returned)
            child = super().child(limits)
            undo.pop_all()
        child.on_close = self._returned
        return child

    def _returned(self) -> None:
        with self._changed:
            self._at_work -= 1
            self._changed.notify_all()

    def _refill(self) -> None:
        with self._changed:
            if self._at_work:
                return
            left, is_used = self._warm, self._is_used
            if is_used:
                self._warm = {}
        if is_used:
            _close(left)  # each warm child holds some of the GPU, too
            self._trouble = self._dirt()
            if self._trouble:
                _log.error("gpu_out_of_service: %s", self._trouble)
                return
            with self._changed:
                self._is_used = bool(self._at_work)
        super()._refill()
        with self._changed:  # somebody has come meanwhile
            late: dict[Limits, ForkedChild] = self._warm if self._at_work else {}
            if late:
                self._warm = {}
        _close(late)

    def _dirt(self) -> str:
        """Says what is wrong with a GPU that no child of ours holds; empty when it is clean. Contexts go late."""
        deadline = time.monotonic() + self._clean_s
        while (held := self._gpu.used_bytes() - self._resting_bytes) > SLACK_BYTES:
            if self._at_work:  # it is theirs
                return self._trouble
            if time.monotonic() > deadline:
                return (
                    f"{self._gpu.name} is out of service: {held >> 20} MiB of its memory are taken, and no child is "
                    "alive that could hold them. Is somebody else using the GPU? It belongs to one runner alone."
                )
            time.sleep(_POLL_S)
        return ""


def _close(children: dict[Limits, ForkedChild]) -> None:
    for child in children.values():
        child.close()
