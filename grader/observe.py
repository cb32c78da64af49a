"""Watches one call: which operations were dispatched, which torch functions and which of the student's own were used.

Holds nothing secret. A hostile submission can blind it; it then shows less than was done, and the source still
shows it.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from torch.overrides import TorchFunctionMode, resolve_name
from torch.utils._python_dispatch import TorchDispatchMode

from grader.execution import Observation
from grader.loading import Program


class _Operations(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch does not annotate it
    supports_higher_order_operators = True  # flex attention is one; without this it raises when it is watched

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.count = 0
        self.names: set[str] = set()

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        del types
        self.count += 1
        self.names.add(str(getattr(func, "overloadpacket", func)))
        return func(*args, **(kwargs or {}))


class _Functions(TorchFunctionMode):
    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        del types
        self.names.add((resolve_name(func) or getattr(func, "__name__", repr(func))).rpartition(".")[2])
        return func(*args, **(kwargs or {}))


class Watch:
    """What was seen so far. Calls into the exercise's own libraries count as operations, as those of torch do."""

    def __init__(self, program: Program) -> None:
        self.operations = _Operations()
        self.functions = _Functions()
        self.own: set[str] = set()
        self.support_calls = 0
        self._program = program

    def profile(self, frame: FrameType, event: str, argument: object) -> None:
        """For sys.setprofile: notes the student's functions as they are entered."""
        del argument
        if event != "call":
            return
        if frame.f_code.co_filename in self._program.own:
            self.own.add(frame.f_code.co_qualname)
        elif frame.f_code.co_filename in self._program.support:
            self.support_calls += 1

    def observation(self) -> Observation:
        return Observation(
            operations=self.operations.count + self.support_calls,
            kernels=frozenset(self.operations.names),
            torch_functions=frozenset(self.functions.names),
            own_functions=frozenset(self.own),
        )


@contextmanager
def observing(program: Program) -> Iterator[Watch]:
    """Watch what is called inside the block."""
    watch = Watch(program)
    previous: Callable[..., Any] | None = sys.getprofile()
    with watch.functions, watch.operations:
        sys.setprofile(watch.profile)
        try:
            yield watch
        finally:
            sys.setprofile(previous)
