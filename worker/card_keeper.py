"""Keeps zygotes on a machine with a graphics card: the next child is made ready when the last is gone and the card is
clean.
"""

import logging
import time

from grader.limits import Limits
from worker.card import Card
from worker.sandbox.backend import SandboxError
from worker.sandbox.cgroups import Fence
from worker.sandbox.keeper import Keeper
from worker.sandbox.nursery import ForkedChild
from worker.sandbox.options import Options

# Less than any context takes, more than a driver's own books may grow by.
SLACK_BYTES = 128 << 20
_CLEAN_S = 5.0
_POLL_S = 0.05
_log = logging.getLogger(__name__)


class CardKeeper(Keeper):
    """While children are at work none is made ready: each holds some of the card."""

    def __init__(self, options: Options, card: Card, fence: Fence | None = None, clean_s: float = _CLEAN_S) -> None:
        super().__init__(options, fence=fence)
        self._card = card
        self._clean_s = clean_s
        self._resting_bytes = card.used_bytes()
        # Guarded by the condition, as what Keeper has.
        self._at_work = 0
        self._is_used = False  # since it was looked at last
        self._trouble = ""  # why the card is out of service

    @property
    def description(self) -> str:
        return f"{super().description.removesuffix(')')}; {self._card.name}: its driver's devices, any request to them)"

    def child(self, limits: Limits) -> ForkedChild:
        """Raises SandboxError while the card is out of service, too."""
        with self._changed:
            if self._trouble:
                raise SandboxError(self._trouble)
            self._at_work += 1
            self._is_used = True
        try:
            child = super().child(limits)
        except BaseException:
            self._returned()
            raise
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
            left, is_used = self._waiting, self._is_used
            if is_used:
                self._waiting = {}
        if is_used:
            _close(left)  # each that waits holds some of the card, too
            self._trouble = self._dirt()
            if self._trouble:
                _log.error("card_out_of_service: %s", self._trouble)
                return
            with self._changed:
                self._is_used = bool(self._at_work)
        super()._refill()
        with self._changed:  # somebody has come meanwhile
            late: dict[Limits, ForkedChild] = self._waiting if self._at_work else {}
            if late:
                self._waiting = {}
        _close(late)

    def _dirt(self) -> str:
        """What a card that no child of ours holds must not show; empty when it is clean. Contexts go a moment later."""
        deadline = time.monotonic() + self._clean_s
        while (held := self._card.used_bytes() - self._resting_bytes) > SLACK_BYTES:
            if self._at_work:  # it is theirs
                return self._trouble
            if time.monotonic() > deadline:
                return (
                    f"{self._card.name} is out of service: {held >> 20} MiB of its memory are taken, and no child is "
                    "alive that could hold them. Is somebody else using the card? It belongs to one runner alone."
                )
            time.sleep(_POLL_S)
        return ""


def _close(children: dict[Limits, ForkedChild]) -> None:
    for child in children.values():
        child.close()
