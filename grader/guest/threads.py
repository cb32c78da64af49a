"""What a submission's threads do: torch's modes hold for one thread only, so each thread gets some of its own when it
begins, for good. They tell whatever is watching at the time, and how torch is called there makes no difference: by a
line of Python, by `map`, or from a loop in C in which the thread has waited since the import.

Holds nothing secret. Threads that C itself starts are not seen; `grader.guest.introspection` finds the names for that.
"""

import sys
import threading
from types import FrameType
from typing import Any, Protocol

from torch.overrides import TorchFunctionMode
from torch.overrides import _push_mode as _push_function_mode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._python_dispatch import _push_mode as _push_dispatch_mode

from grader.guest.modes import Names, Operations


class Watcher(Protocol):
    """Whoever watches a call: what it is told by the thread that makes the call, all others tell it too."""

    functions: Names
    operations: Operations

    def profile(self, frame: FrameType, event: str, argument: object) -> None:
        """For sys.setprofile."""


watching: list[Watcher] = []  # the last of them watches


class _Functions(TorchFunctionMode):
    """Torch's functions, in a thread."""

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if not watching:
            return func(*args, **(kwargs or {}))
        return watching[-1].functions.__torch_function__(func, types, args, kwargs)


class _Told:
    """Torch's operations, in a thread. Apart from the mode's own class for the reason that `Operations` is."""

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if not watching:
            return func(*args, **(kwargs or {}))
        return watching[-1].operations.__torch_dispatch__(func, types, args, kwargs)


class _Operations(_Told, TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch does not annotate it
    supports_higher_order_operators = True


def watch_new_threads() -> None:
    """From now on, for the rest of the process: a submission may start its threads long before anything is watched."""
    threading.setprofile(_begin)


def _begin(frame: FrameType, event: str, argument: object) -> None:
    """The hook of each thread, until it has its modes."""
    _push_function_mode(_Functions())  # type: ignore[no-untyped-call]
    _push_dispatch_mode(_Operations())  # type: ignore[no-untyped-call]  # entering tells the whole process
    sys.setprofile(_told)
    _told(frame, event, argument)


def _told(frame: FrameType, event: str, argument: object) -> None:
    if watching:
        watching[-1].profile(frame, event, argument)
