"""Work that a thread beside the rest of its process does again and again, whatever goes wrong with it."""

import threading
from collections.abc import Callable
from typing import Final

from structlog.typing import FilteringBoundLogger

STOP_S: Final = 5.0


class Periodic:
    """A daemon thread that calls `work` every `every_s` seconds, the first time after as long.

    A fault of the kinds that are `expected` is logged as `NAME_failed`, once until the work succeeds again; any other
    each time, with its traceback. Either way the next turn comes, after `after_fault_s` seconds where that is given.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[], object],
        every_s: float,
        logger: FilteringBoundLogger,
        expected: tuple[type[Exception], ...],
        *,
        after_fault_s: float | None = None,
        reason_of: Callable[[Exception], str] = lambda error: str(error).partition("\n")[0],
    ) -> None:
        self._event = f"{name}_failed"
        self._work = work
        self._every_s = every_s
        self._after_fault_s = every_s if after_fault_s is None else after_fault_s
        self._logger = logger
        self._expected = expected
        self._reason_of = reason_of
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._loop, name=name, daemon=True)

    @property
    def is_stopping(self) -> bool:
        """Whether it was told to stop: work that takes long should end early then."""
        return self._stop.is_set()

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def stop(self, wait_s: float = STOP_S) -> None:
        """Stops the thread if it was started, and waits for it, at most `wait_s` seconds."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(wait_s)

    def _loop(self) -> None:
        is_told, pause_s = False, self._every_s
        while not self._stop.wait(pause_s):
            pause_s = self._after_fault_s
            try:
                self._work()
            except self._expected as error:
                if not is_told:
                    self._logger.error(self._event, reason=self._reason_of(error))
                is_told = True
            except Exception as error:  # the edge of the thread: the next turn comes
                self._logger.error(self._event, exc_info=error)
            else:
                is_told, pause_s = False, self._every_s
