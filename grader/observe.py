"""Watches one call: which operations were dispatched, which torch functions and which of the student's own were used.
It can also disturb: a function whose altered result changes nothing was called for show.

Holds nothing secret. A hostile submission can blind it; it then shows less than was done, and the source still
shows it.
"""

import sys
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from threading import get_ident
from types import FrameType
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import init
from torch.overrides import TorchFunctionMode, resolve_name
from torch.utils._python_dispatch import TorchDispatchMode

from grader.execution import Observation
from grader.loading import Program

INITIALISERS = init.__file__


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

    def __init__(self, program: Program, disturb: Collection[str]) -> None:
        self.operations = _Operations()
        self.functions = _Functions()
        self.own: set[str] = set()
        self.support_calls = 0
        self.disturbed = 0
        self._initialisers = 0  # entered and not left yet
        self._before = 0  # operations before the outermost of them
        self._program = program
        self._disturb = disturb
        self._thread = get_ident()

    def profile(self, frame: FrameType, event: str, argument: object) -> None:
        """For sys.setprofile: notes the student's functions as they are entered, and disturbs them as they return."""
        if event not in ("call", "return"):
            return
        if frame.f_code.co_filename == INITIALISERS:
            self._leave_out_initialisers(event)
        is_own = frame.f_code.co_filename in self._program.own
        if event == "return":
            if is_own and frame.f_code.co_qualname in self._disturb:
                self.disturbed += _alter(argument)
        elif is_own:
            self.own.add(frame.f_code.co_qualname)
            # torch's modes hold for one thread: what another one is sent for counts by its calls.
            self.operations.count += get_ident() != self._thread
        elif frame.f_code.co_filename in self._program.support:
            self.support_calls += 1

    def _leave_out_initialisers(self, event: str) -> None:
        """`trunc_normal_` draws again what fell outside, oftener for a larger tensor: that is no loop over heads."""
        if event == "call":
            self._before = self._before if self._initialisers else self.operations.count
            self._initialisers += 1
        else:
            self._initialisers -= 1
            self.operations.count = self.operations.count if self._initialisers else self._before

    def observation(self) -> Observation:
        return Observation(
            operations=self.operations.count + self.support_calls,
            kernels=frozenset(self.operations.names),
            torch_functions=frozenset(self.functions.names),
            own_functions=frozenset(self.own),
            disturbed=self.disturbed,
        )


def _alter(result: object) -> int:
    """Give other values to the tensors of a result, whoever holds them already; how many there were.

    No softmax, rotation or normalisation takes this back. Tensors of an exercise's library hold an array in `data`.
    """
    parts = result if isinstance(result, tuple | list) else [result]
    held = [part if isinstance(part, Tensor) else _over_array(getattr(part, "data", None)) for part in parts]
    tensors = [tensor for tensor in held if tensor is not None and (tensor.is_floating_point() or tensor.is_complex())]
    altered = 0
    for tensor in tensors:
        with suppress(RuntimeError):  # several of its elements share one place in memory
            tensor.detach().mul_(-1.7).add_(0.3)
            altered += 1
    return altered


def _over_array(data: object) -> Tensor | None:
    """A torch tensor in the array's own memory."""
    if not isinstance(data, np.ndarray) or data.dtype.kind not in "fc":
        return None
    return torch.from_numpy(data) if data.flags.writeable and min(data.strides, default=0) >= 0 else None


@contextmanager
def observing(program: Program, disturb: Collection[str] = ()) -> Iterator[Watch]:
    """Watch what is called inside the block. `disturb` names functions of the student whose results are altered."""
    watch = Watch(program, disturb)
    previous: Callable[..., Any] | None = sys.getprofile()
    with watch.functions, watch.operations:
        sys.setprofile(watch.profile)
        threading.setprofile(watch.profile)
        try:
            yield watch
        finally:
            sys.setprofile(previous)
            threading.setprofile(previous)
